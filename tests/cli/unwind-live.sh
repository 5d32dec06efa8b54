#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf record --unwind-live: copies of stacks become call chains before they are written.
. "$(dirname "$0")/../lib.sh"
plan 11
need_events || finish
"$WORKLOADS/stacks" good 0 || skip_all "the planted stacks: written for x86-64"
unit=${UNIT_TESTS:-$(dirname "$PERF")/unit-tests}
# Rings that hold all stacks of a recording, however late perf comes; who may not lock so much hopes.
ROOMY='-m 8M'
[ "$(id -u)" -eq 0 ] || ROOMY=''

# Every chain, one a line, without its time and place in the file.
chains() {
	"$PERF" script --no-inline -F comm,ip,sym -i "$1" 2> script.err |
		awk -v RS= '{ $1 = $1; print }' | sort | uniq -c | sort -rn
}

# How many samples, and how many still carry a copy: those with registers.
samples() { "$PERF" script -F comm -i "$1" 2> script.err | grep -c .; }
copies() { "$PERF" script -F uregs -i "$1" 2> script.err | grep -c 'ABI:2'; }

step "the file holds chains, and is a hundredth"
# shellcheck disable=SC2086 # two words
perf record $ROOMY -e cpu-clock:u -F 999 --call-graph dwarf -o copy.data "$WORKLOADS/stacks" thread 0.5
# shellcheck disable=SC2086
perf record $ROOMY -e cpu-clock:u -F 999 --call-graph dwarf --unwind-live -o live.data "$WORKLOADS/stacks" thread 0.5
check [ $rc -eq 0 ]
check grep -qE '^\[ perf record: Unwound ([0-9]+) of \1 stacks while recording \]$' err
refute grep -q 'fell behind' err
check [ "$(samples live.data)" -gt 100 ]
check [ "$(copies live.data)" -eq 0 ]
check [ $(($(stat -c %s live.data) * 20)) -lt "$(stat -c %s copy.data)" ]

step "the chains are those of the program"
chains live.data > live
check grep -qE '^ +[0-9]+ stacks [0-9a-f]+ burn [0-9a-f]+ thread [0-9a-f]+ start_thread [0-9a-f]+ __clone3$' live
check [ "$(awk '/ burn .* thread .* start_thread .* __clone3$/ { nr += $1 } END { print nr + 0 }' live)" -ge $(($(samples live.data) * 9 / 10)) ]

step "recordings give the chains that are unwound afterwards"
cat > family.sh << 'END'
for i in 1 2 3 4 5 6; do
	"$1" deep 0.05 &
	"$1" thread 0.05
	ls -R /usr/share/doc > /dev/null
	(exec "$1" good 0.02)
	wait
done
END
# Without build-ids, so that objects that others replace meanwhile are not found afterwards, either.
perf record -q -B -e cpu-clock -F 2999 --call-graph dwarf,16384 -m 4M -o family.data sh family.sh "$WORKLOADS/stacks"
perf record -q -B -a -e cpu-clock -F 999 --call-graph dwarf -o all.data sh family.sh "$WORKLOADS/stacks"
if [ -x "$unit" ]; then
	PERF_LIVE_FILES=copy.data:family.data:all.data "$unit" live_chains_of_recordings > out 2> err
	rc=$?
	sed 's/^/  # /' out
	check [ $rc -eq 0 ] && check grep -q '^1 passed' out
else
	skip "$unit is not built"
fi

step "forks, execs and programs that are gone"
cp "$WORKLOADS/stacks" short && cat > gone.sh << 'END'
for i in 1 2 3 4 5 6 7 8; do
	cp ./short ./gone
	./gone deep 0.06
	rm ./gone
done
END
perf record -e cpu-clock:u -F 999 --call-graph dwarf,32768 -m 16M --unwind-live -o gone.data sh gone.sh
check [ $rc -eq 0 ]
perf script --no-inline -F comm,ip,sym,dso -i gone.data
check [ "$(awk -v RS= '$1 == "gone" && /gone/ && NF > 300 { nr++ } END { print nr + 0 }' out)" -gt 100 ]

step "Linux's perf reads the same chains"
if [ -x "$REF" ]; then
	for data in live family-live; do
		[ $data = live ] || perf record -q -e cpu-clock -F 999 --call-graph dwarf,16384 -m 4M --unwind-live -o $data.data sh family.sh "$WORKLOADS/stacks"
		"$REF" script --no-inline -F comm,tid,time,ip,sym,symoff,dso -i $data.data 2> ref.err < /dev/null | sed 's/ *$//' > ref
		perf script --no-inline -F comm,tid,time,ip,sym,symoff,dso -i $data.data
		check [ "$(grep -c . out)" -gt 500 ]
		sed 's/ *$//' out > ours
		check cmp ref ours
		# Not what a busy machine lets a recorder lose.
		check [ -z "$(grep -vE '^Warning:$|^Processed .* lost [0-9]+ chunks!$|samples were lost|^Check IO/|^$' ref.err)" ]
	done
else
	skip "'$REF' is not there"
fi

step "nothing may wait: every copy is kept, and that is said"
# shellcheck disable=SC2086
perf record $ROOMY -e cpu-clock:u -F 999 --call-graph dwarf --unwind-live=1B -o behind.data "$WORKLOADS/stacks" thread 0.3
check [ $rc -eq 0 ]
check grep -qE '^\[ perf record: Unwound 0 of [0-9]+ stacks while recording \]$' err
check grep -qE 'unwinding fell behind: [0-9]+ samples \(100.0 %\) keep a copy of their stack' err
check [ "$(copies behind.data)" -gt 50 ]
chains behind.data > behind
check grep -qE ' burn .* thread .* start_thread .* __clone3$' behind

# 200 KB hold six stacks. perf is woken by a quarter of the ring, eight: of these the first are kept,
# the last, when little waits, are unwound.
step "fallen behind for a while: both kinds in one file"
perf record -e cpu-clock:u -F 4999 --call-graph dwarf,32768 -m 1M --unwind-live=200K -o some.data "$WORKLOADS/stacks" thread 0.5
check [ $rc -eq 0 ]
kept=$(copies some.data) all=$(samples some.data)
check [ "$kept" -gt 0 ]
check [ "$kept" -lt "$all" ]
check grep -qE "fell behind: $kept samples" err
chains some.data > some
check [ "$(awk '/ burn .* thread .* start_thread .* __clone3$/ { nr += $1 } END { print nr + 0 }' some)" -ge $((all * 9 / 10)) ]
if [ -x "$REF" ]; then # which unwinds no static programs itself
	"$REF" script --no-inline -F time,ip,sym -i some.data 2> ref.err < /dev/null > ref
	check [ "$(grep -c '^ *[0-9.]*:' ref)" -eq "$all" ]
	# In a kept copy it sees the leaf alone, which may be __clone3 itself: a caller is in the second line or later.
	theirs=$(awk -v RS= '/\n[^\n]*\n.*__clone3/' ORS='\n\n' ref | grep -c '^ *[0-9.]*:')
	check [ "$theirs" -ge $(((all - kept) * 9 / 10)) ]
	check [ "$theirs" -le $((all - kept)) ]
fi
perf report --stdio --stack-health -i some.data
check grep -qE "^# Unwound: [0-9.]+ % of $all stacks were kept as copies" out
perf script --header -i some.data
check grep -qE "^# Unwound: [0-9.]+ % of $all stacks were kept as copies" out
perf report --stack-health --json -i some.data
check python3 -c '
import json, sys
health = json.load(open("out"))
kept, all = int(sys.argv[1]), int(sys.argv[2])
assert (health["kept-copies"], health["unwound-while-recording"]) == (kept, all - kept), health' "$kept" "$all"
perf report --stdio --stack-health -i live.data
refute grep -q '^# Unwound' out
perf inject --convert-callchain -i some.data -o plain.data
check [ $rc -eq 0 ]
chains plain.data > plain
check cmp some plain

step "how chains ended is kept"
perf record -q -e cpu-clock:u -F 999 --call-graph dwarf,1024 --unwind-live -o cut.data "$WORKLOADS/stacks" deep 0.3
perf report --stdio --stack-health -i cut.data
check grep -qE '1 KiB|dwarf,' out
perf script --header -i cut.data
check grep -q '^# Stacks: record with --call-graph dwarf,4096: ' out

step "packed, to a pipe, into several files"
perf record -e cpu-clock:u -F 999 --call-graph dwarf --unwind-live -z -o packed.data "$WORKLOADS/stacks" thread 0.2
check [ $rc -eq 0 ]
chains packed.data > packed
check grep -qE ' burn .* thread .* start_thread .* __clone3$' packed
check [ "$(copies packed.data)" -eq 0 ]
"$PERF" record -e cpu-clock:u -F 999 --call-graph dwarf --unwind-live -o - "$WORKLOADS/stacks" thread 0.2 2> err > piped.data
chains piped.data > piped
check grep -qE ' burn .* thread .* start_thread .* __clone3$' piped
# shellcheck disable=SC2086
perf record $ROOMY -e cpu-clock:u -F 2999 --call-graph dwarf --unwind-live --switch-output=30K -o switch.data "$WORKLOADS/stacks" thread 0.6
check [ $rc -eq 0 ]
nr=0
for file in switch.data.*; do
	chains "$file" > one
	nr=$((nr + $(awk '/ burn .* thread .* start_thread .* __clone3$/ { nr += $1 } END { print nr + 0 }' one)))
	check [ "$(copies "$file")" -eq 0 ]
done
check [ "$(find . -name 'switch.data.*' | wc -l)" -gt 1 ]
check [ $nr -gt 300 ]

step "tasks that run already, one thread"
"$WORKLOADS/stacks" thread 600 &
target=$!
CHILDREN="$CHILDREN $target"
"$WORKLOADS/nap" $target 50 # its thread runs
perf record -e cpu-clock:u -F 999 --call-graph dwarf --unwind-live -p $target -o attach.data "$WORKLOADS/nap" $target 100
check [ $rc -eq 0 ]
chains attach.data > attach
check grep -qE ' burn .* thread .* start_thread .* __clone3$' attach
perf record -e cpu-clock:u -F 999 --call-graph dwarf --unwind-live --per-thread -p $target -o attach.data "$WORKLOADS/nap" $target 100
check [ $rc -eq 0 ]
chains attach.data > attach
check grep -qE ' burn .* thread .* start_thread .* __clone3$' attach
kill $target

step "what excludes it is said"
while IFS='|' read -r options cause; do
	# shellcheck disable=SC2086
	perf record -e cpu-clock --unwind-live $options -o never.data true
	check [ $rc -eq 255 ]
	check grep -q "$cause" err
	check [ ! -e never.data ]
done << 'END'
-g|no event copies stacks
--call-graph dwarf -a --threads|together with '--threads'
--call-graph dwarf --overwrite|together with '--overwrite'
--call-graph dwarf --tail-synthesize|together with '--tail-synthesize'
--call-graph dwarf --user-regs=ax|together with '--user-regs'
END
perf record --unwind-live=many --call-graph dwarf true
check [ $rc -eq 129 ]

finish
