#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The command lines of courses on perf probe, on a program whose functions and variables have the
# kernel's names: what they show and write is that of Linux's perf, and what they read is what the
# program printed.
. "$(dirname "$0")/../lib.sh"
plan 9
has libdw || skip_all "this perf is built without libdw"
command -v gcc > /dev/null || skip_all "no gcc"
own_probes
source=$SRC/tests/workloads/course.c
gcc -g -O0 -w -o "${ME}0" "$source" && gcc -g -O2 -w -o "${ME}2" "$source" || skip_all "gcc cannot build it"
p0=./${ME}0 p2=./${ME}2

# The lines of the source that have TEXT, counted from that of FUNCTION.
line_of() { # FUNCTION TEXT
	awk -v f="$1(" -v t="$2" 'index($0, f) && /noinline/ { base = NR } base && index($0, t) && NR > base { print NR - base; exit }' "$source"
}

step "what is shown: --line, --vars, --funcs, options in any order; as in Linux's perf"
perf probe -x "$p0" -L tcp_sendmsg
check [ "$(head -n 1 out)" = "<tcp_sendmsg@$source:0>" ]
check grep -qx "      2  	int flags = 3;" out
check grep -qx "         {" out
perf probe -x "$p0" -V tcp_sendmsg
check [ "$(head -n 2 out)" = "Available variables at tcp_sendmsg
	@<tcp_sendmsg+0>" ]
seglen=$(line_of tcp_sendmsg 'seglen == 100')
perf probe -x "$p0" -V "tcp_sendmsg:$seglen"
check grep -qx '		int	seglen' out
mv out a
perf probe -V "tcp_sendmsg:$seglen" -x "$p0"
check cmp a out
perf probe -V tcp_sendmsg --externs -x "$p0"
check grep -qx '		int	nr_swap_pages' out
perf probe -V 'tcp_sendmsg%return' -x "$p0" # 6.1 lists the parameters, which neither takes
check [ $rc -eq 0 ]
check grep -qx '		int	\$retval' out
refute grep -q '	size$' out
if [ -x "$REF" ]; then
	for program in "$p0" "$p2"; do
		for words in '-V tcp_sendmsg' '-V tcp_sendmsg --externs' '--externs -V tcp_sendmsg' '-L tcp_sendmsg' '-L tcp_sendmsg:5-9' \
			'-L tcp_sendmsg:15-30' '-L tcp_sendmsg:3+4' '-L course.c:30-40' "-V tcp_sendmsg:$((seglen + 1))" \
			'-V getname_flags' '-V nosuch' '-L nosuch' '-F' '-F tcp*' '-V tcp_sendmsg:1'; do
			# shellcheck disable=SC2086
			timeout 20 "$REF" probe -x "$program" $words > theirs 2> /dev/null < /dev/null
			status=$?
			# shellcheck disable=SC2086
			perf probe -x "$program" $words
			check [ $rc -eq $status ]
			check diff theirs out
		done
	done
fi

registers='rip=%ip rdi=%di rsi=%si rdx=%dx rcx=%cx rax=%ax rbx=%bx rbp=%bp rsp=%sp rflags=%flags r8=%r8 r9=%r9 r10=%r10 r11=%r11 r12=%r12 r13=%r13 r14=%r14 r15=%r15 cs=%cs ss=%ss'
step "what would be written for each definition; as in Linux's perf"
if [ -x "$REF" ]; then
	for program in "$p0" "$p2"; do
		while read -r def; do
			timeout 20 "$REF" probe -x "$program" -D "$def" > theirs 2> /dev/null < /dev/null
			status=$?
			perf probe -x "$program" -D "$def"
			check [ $rc -eq $status ]
			# see probe-compare
			check diff <(sed 's/=\\dead/=\\0xdead/; s/[$]retval$/&:s32/' theirs) out
		done <<- END
			tcp_sendmsg
			tcp_sendmsg%return
			tcp_sendmsg %ax %dx %cx
			tcp_sendmsg bytes=%cx
			tcp_sendmsg $registers
			tcp_sendmsg%return \$retval
			tcp_sendmsg%return ret=\$retval
			tcp_sendmsg size
			tcp_sendmsg size sk->__sk_common.skc_state
			tcp_sendmsg size timeo
			tcp_sendmsg size sk->sk->__sk_common.family
			tcp_sendmsg:$seglen seglen
			tcp_sendmsg:$((seglen + 1)) seglen
			tcp_sendmsg;*tcp_push*
			tcp_sendmsg;tcp_push(*
			tcp_sendmsg;tcp_push(* copied flags
			Start=getname_flags:2 pathname=filename:string
			getname_flags filename:string
			getname_flags%return +0(\$retval):string
			tcp_sendmsg:3
			tcp_sendmsg:400
			tcp_sendmsg+0x0
			tcp_sendmsg sk->nosuch
			tcp_sendmsg filename
			tcp_sendmsg \$params
			tcp_sendmsg \$stack \$stack1
		END
	done
else
	skip "'$REF' is not there"
fi

# Add DEFINITIONS to p2, record the program, and leave "EVENT VALUES" in `have`, the output in `printed`.
record_of() { # DEFINITION... [-- RECORD'S OPTIONS]
	local defs=() def
	while [ $# -gt 0 ] && [ "$1" != -- ]; do
		defs+=(-a "$1")
		shift
	done
	perf probe -q -x "$program" "${defs[@]}"
	check [ $rc -eq 0 ]
	perf record -q -o r.data -e "probe_${program#./}:*" "${@:2}" "$program"
	check [ $rc -eq 0 ]
	mv out printed
	perf script -i r.data -F event,trace
	sed 's/^ *[^:]*:\([^:]*\): ([^)]*) */\1 /; s/ *$//' out > have
	perf probe -q --del "probe_${program#./}:*"
	check [ -z "$(mine)" ]
}

step "added, in list, in tracefs, recorded, shown, removed: two variables (T6)"
if need_uprobe_events; then
	for program in "$p0" "$p2"; do
		group=probe_${program#./}
		perf probe -x "$program" --add "tcp_sendmsg size state=sk->__sk_common.skc_state"
		check [ $rc -eq 0 ]
		check [ "$(sed -n '/^Added/,$p' err)" = "Added new event:
$(printf '  %-20s (on tcp_sendmsg in %s with size state=sk->__sk_common.skc_state)' "$group:tcp_sendmsg" "$PWD/${program#./}")

You can now use it in all perf tools, such as:

	perf record -e $group:tcp_sendmsg -aR sleep 1" ]
		perf list "$group:*"
		check grep -qE "^ +$group:tcp_sendmsg +\[Tracepoint event\]" out
		check grep -q 'field:unsigned long __probe_ip' "$(tracefs)/events/$group/tcp_sendmsg/format"
		perf probe --list
		check grep -qE "^  $group:tcp_sendmsg \(on tcp_sendmsg(:[0-9]+)?@$source in $PWD/${program#./} with size state\)\$" out
		perf stat -x, -e "$group:tcp_sendmsg" "$program"
		check grep -q "^3,,$group:tcp_sendmsg" err
		perf record -q -g -o t.data -e "$group:tcp_sendmsg" "$program"
		mv out printed
		perf script -i t.data -F event,trace
		check diff <(awk -F'[ =]' '/^tcp_sendmsg/ { printf "size=0x%x state=%d\n", $3, $5 }' printed) \
			<(sed -n 's/.*: ([0-9a-f]*) \(size=[^ ]* state=[^ ]*\).*/\1/p' out)
		perf report -i t.data --stdio -g none --no-children
		check grep -qE '^ +(33\.3.|100\.00)%' out
		perf probe --del "$group:tcp_sendmsg"
		check [ "$(cat err)" = "Removed event: $group:tcp_sendmsg" ]
		check [ -z "$(mine)" ]
	done
fi

step "values: strings, returns, chains, registers; with the names of the course"
if need_uprobe_events; then
	for program in "$p0" "$p2"; do
		record_of 'tcp_sendmsg msg:string sk->sk->__sk_common.skc_state nr_swap_pages tcp_memory_pressure'
		check [ "$(sort -u have)" = 'tcp_sendmsg msg_string="hello" skc_state=7 nr_swap_pages=77 tcp_memory_pressure=5' ]
		record_of 'tcp_sendmsg%return ret=$retval:s32'
		check diff <(sed -n 's/^returns \([0-9]*\) .*/tcp_sendmsg__return ret=\1/p' printed) have
		record_of 'getname_flags%return +0($retval):string'
		check [ "$(cat have)" = 'getname_flags__return arg1="/etc/passwd"' ]
		record_of 'Start=getname_flags pathname=filename:string' 'getname_flags filename:string'
		check [ "$(sort have)" = 'Start pathname="/etc/passwd"
getname_flags filename_string="/etc/passwd"' ]
		record_of 'tcp_sendmsg %ax bytes=%dx %cx'
		check [ "$(grep -c '^tcp_sendmsg arg1=0x[0-9a-f]* bytes=0x[0-9a-f]* arg3=0x[0-9a-f]*$' have)" -eq 3 ]
	done
	# At the entry the third argument is in %dx.
	record_of 'tcp_sendmsg+0 bytes=%dx:u64'
	check diff <(sed -n 's/^tcp_sendmsg size=\([0-9]*\) .*/tcp_sendmsg bytes=\1/p' printed) have
	record_of "tcp_sendmsg+0 $registers"
	check [ "$(awk '{ print NF }' have | sort -u)" = 21 ]
fi

step "filters on what a probe reads"
if need_uprobe_events; then
	program=$p2
	record_of 'tcp_sendmsg size state=sk->__sk_common.skc_state' -- --filter 'size > 100 && state != 1'
	check [ "$(cat have)" = 'tcp_sendmsg size=0x12c state=2' ]
	record_of 'tcp_sendmsg size state=sk->__sk_common.skc_state' -- --filter '(size >= 40 && size <= 200) && (state == 0 || state == 1)'
	check [ "$(cat have)" = 'tcp_sendmsg size=0x28 state=0
tcp_sendmsg size=0xaa state=1' ]
	record_of 'getname_flags filename:string' -- --filter 'filename_string == "/etc/group"'
	check [ ! -s have ]
fi

step "lines and patterns: each place is hit as often as its line runs"
if need_uprobe_events; then
	program=$p0
	record_of "tcp_sendmsg:$seglen seglen"
	check [ "$(awk '{ print $2 }' have | tr '\n' ' ')" = 'seglen=40 seglen=100 seglen=70 seglen=100 seglen=100 seglen=100 ' ]
	record_of 'tcp_sendmsg;tcp_push(* copied flags'
	check [ "$(wc -l < have)" -eq 7 ]
	check [ "$(grep -c 'flags=3$' have)" -eq 7 ]
fi

step "several events: listed together, a group, a glob; with -f a number"
if need_uprobe_events; then
	perf probe -q -x "$p2" -a tcp_sendmsg -a tcp_push -a 'tcp_sendmsg%return'
	perf probe -x "$p2" -a tcp_push
	check [ $rc -eq 239 ]
	check grep -q 'event "tcp_push" already exists' err
	perf probe -x "$p2" -a tcp_push -f
	check grep -q "  probe_${ME}2:tcp_push_1 " err
	perf list "probe_${ME}2:*"
	check [ "$(grep -c 'Tracepoint event' out)" -eq 4 ]
	perf stat -x, -e "{probe_${ME}2:*}" "$p2"
	check [ "$(grep -c "^[1-9][0-9]*,,probe_${ME}2:" err)" -eq 4 ]
	perf record -q -g -o g.data -e "probe_${ME}2:tcp*" "$p2"
	perf evlist -i g.data
	check [ "$(grep -c "probe_${ME}2:" out)" -eq 4 ]
	perf script -i g.data
	check grep -q '([0-9a-f]* <- [0-9a-f]*)' out
	perf probe --del "probe_${ME}2:tcp_push*" --del "probe_${ME}2:*return"
	check [ "$(cat err)" = "Removed event: probe_${ME}2:tcp_push
Removed event: probe_${ME}2:tcp_push_1
Removed event: probe_${ME}2:tcp_sendmsg__return" ]
	perf probe --del "probe_${ME}2:*"
	check [ -z "$(mine)" ]
	perf record -q -o h.data -e "probe_${ME}2:tcp_push" true
	check [ $rc -eq 129 ]
	check grep -q 'perf probe --add' err
	perf script -i g.data -F event,trace # what the recording has, it has
	check grep -q "probe_${ME}2:tcp_push_1: (" out
fi

step "-nv: what would be done, without doing it"
perf probe -nv -x "$p2" 'tcp_sendmsg size sk->__sk_common.skc_state'
check [ $rc -eq 0 ]
check grep -q "^Writing event: p:probe_${ME}2/tcp_sendmsg $PWD/${ME}2:0x[0-9a-f]* size=%dx:x64 skc_state=+0(%di):s32\$" err
check grep -q '^Added new event:' err
[ ! -r "$(tracefs)/uprobe_events" ] || check [ -z "$(mine)" ]

step "what fails says so: lines without code, missing variables, tracepoints, options that exclude each other"
perf probe -x "$p0" --add tcp_sendmsg:5
check [ $rc -eq 254 ] # a blank line
check grep -qE "Probe point not found: 'tcp_sendmsg:5'" err
check grep -q 'the nearest line with code is' err
check grep -qx '  Error: Failed to add events.' err
perf probe -x "$p0" -D 'getname_flags filenam'
check [ $rc -eq 254 ]
check grep -q "did you mean 'filename'" err
perf probe -x "$p0" -V block_rq_complete
check [ $rc -eq 254 ]
check grep -qx '  Error: Failed to show vars.' err
if need_tracefs && [ -e "$(tracefs)/events/block/block_rq_complete" ]; then
	check grep -q "events/block/block_rq_complete/format" err
	perf probe -x "$p0" -V block:block_rq_complete
	check [ $rc -eq 254 ]
	check grep -q "'block:block_rq_complete': it is no place in the code" err
	check grep -q "events/block/block_rq_complete/format" err
	refute grep -q Usage err
	# One that there is not: the nearest, else where all are.
	perf probe -x "$p0" -V block:block_rq_complet
	check [ $rc -eq 254 ]
	check grep -q "did you mean 'block:block_rq_complete'" err
	perf probe -x "$p0" -V blck:block_rq_complete
	check grep -q "did you mean 'block:block_rq_complete'" err
	perf probe -x "$p0" -V block:nosuch
	check [ $rc -eq 254 ]
	check grep -qx "  perf list 'block:\*' shows the tracepoints that there are" err
	perf list 'block:*'
	check grep -q 'block:block_rq_complete ' out
fi
perf probe -x "$p0" -V tcp_push:nosuch
check [ $rc -eq 129 ]
check grep -q "no line number follows" err
for words in "--vars tcp_push --add tcp_push" "--del x --vars tcp_push" "--list --add tcp_push"; do
	# shellcheck disable=SC2086
	perf probe -x "$p0" $words
	check [ $rc -eq 129 ]
done
finish
