#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf inject --convert-callchain: what was unwound from copies of the stack, as call chains.
. "$(dirname "$0")/../lib.sh"
plan 8
need_events || finish
"$WORKLOADS/stacks" good 0 || skip_all "the planted stacks: written for x86-64"

# Every chain with its sample, without what lies in the file beside it.
chains() {
	"$PERF" script --no-inline -F comm,tid,time,event,ip,sym,symoff,dso -i "$1" 2> script.err
}

# Tips, our own lines and blanks at the ends of lines are not Linux's.
plain() {
	sed -E 's/ +$//; /^# \(Tip: /d; /^# (Lost|Stacks|Callers): /,/^#$/d'
}

step "the same chains, in a file of a tenth"
perf record -q -e cpu-clock -F 999 --call-graph dwarf -o stacks.data "$WORKLOADS/stacks" thread 0.4
perf inject --convert-callchain -i stacks.data -o plain.data
check [ $rc -eq 0 ]
chains stacks.data > before
chains plain.data > after
check cmp before after
check [ "$(grep -c start_thread after)" -gt 50 ]
check [ $(($(stat -c %s plain.data) * 10)) -lt "$(stat -c %s stacks.data)" ]

step "nothing is left to be unwound, and the event is the same"
check [ "$("$PERF" script -F uregs -i plain.data | grep -c 'ABI:2')" -eq 0 ]
perf evlist -v -i stacks.data
mv out events
perf evlist -v -i plain.data
check cmp events out
perf inject --convert-callchain -i plain.data -o again.data
chains again.data > after
check cmp before after

step "chains that are not complete are said, once more for nobody"
perf record -q -e cpu-clock:u -F 999 --call-graph dwarf,1024 -o cut.data "$WORKLOADS/stacks" deep 0.3
perf inject --convert-callchain -i cut.data -o plain-cut.data
check [ $rc -eq 0 ]
check grep -qE '[0-9.]+ % of [0-9]+ call chains are not complete; first cause: 1 KiB copied per sample; record with --call-graph dwarf,4096$' err
perf inject --convert-callchain -i stacks.data -o plain.data
refute grep -q 'first cause: 1 KiB' err

step "how chains ended goes along"
perf report --stack-health -i cut.data
mv out health
perf report --stack-health -i plain-cut.data
check cmp health out
check grep -qE '^ +[0-9.]+% +[0-9]+  stack copy too small  ' out

step "kernel parts, other events, streams"
perf record -q -e cpu-clock/call-graph=dwarf/ -e context-switches -o mixed.data sh -c 'ls -R /usr/share > /dev/null'
"$PERF" inject --convert-callchain < mixed.data > mixed.pipe 2> err
chains mixed.data > before
chains mixed.pipe > after
check cmp before after
check [ "$(grep -c . after)" -gt 50 ]
check grep -q 'kernel' after

step "with the build-ids"
perf inject -b --convert-callchain -i stacks.data -o ids.data
check [ $rc -eq 0 ]
chains ids.data > after
chains stacks.data > before
check [ "$(grep -c . before)" -eq "$(grep -c . after)" ]
perf buildid-list -i ids.data
check grep -q '/stacks$' out

step "a recording without copies of stacks"
perf record -q -e cpu-clock -g -o fp.data true
perf inject --convert-callchain -i fp.data -o never.data
check [ $rc -eq 255 ]
check grep -q 'it was not recorded with --call-graph dwarf' err
check [ ! -e never.data ]

step "Linux's perf reports the copy as we report the original"
if [ -x "$REF" ]; then
	for data in stacks cut; do
		[ $data = cut ] && copy=plain-cut || copy=plain
		for options in '--no-children -g caller' '--children -g caller' '--no-children -g callee,0.5'; do
			# shellcheck disable=SC2086
			"$REF" report --stdio --no-inline $options -i $copy.data 2> ref.err < /dev/null | plain > ref
			# shellcheck disable=SC2086
			perf report --stdio --no-inline $options -i $data.data
			plain < out > ours
			check [ "$(grep -c . ours)" -gt 15 ]
			check diff ref ours
		done
	done
else
	skip "'$REF' is not there"
fi

finish
