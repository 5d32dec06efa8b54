#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf script beside Linux's perf: six recordings of real programs, each field of -F alone, each option that
# prints something, here and in an empty environment: equal bytes, or a row of differences.md.
#
# Each case takes Linux's perf half a second, so by default a case is tried with one of the recordings, by
# turns; SCRIPT_COMPARE=all tries each with all of them, in both environments.
. "$(dirname "$0")/../lib.sh"
plan 9
SCRIPT_COMPARE=${SCRIPT_COMPARE-}
[ -x "$REF" ] || skip_all "to compare with: '$REF' is not there"

# Not here, as differences.md has rows about them: sym and dso without ip, srcline, bpf-output, cgroup, flags alone;
# -d, -q, -C of a CPU that is not there, --ignore-vmlinux, --symfs, --list-dlfilters, --switch-off alone, --show-round-events, --dump-unsorted-raw-trace, trace where nothing has it.
fields="comm tid pid time cpu event ip ip,sym ip,dso addr symoff,sym,ip period iregs uregs brstack brstacksym
	flags,comm data_src weight brstackinsn brstackoff callindent insn insnlen synth phys_addr metric misc
	ipc tod data_page_size code_page_size ins_lat trace,comm machine_pid,comm vcpu,comm
	+addr -period -comm,-tid,+pid sw:comm,ip trace:comm,trace hw:ip nosuch comm,nosuch +nosuch"

# An option to a line. FIRST, SECOND: event names; COMM, PID, SYMBOL: of the recording; FROM, TO: times in it.
options='
-G
--ns
--ns -F comm,time
--reltime
--deltatime
--show-task-events
--show-mmap-events
--show-switch-events
--show-lost-events
--show-namespace-events
--show-cgroup-events
--show-bpf-events
--show-text-poke-events
--show-task-events -F comm,pid,tid,time
--max-stack 3
--max-stack=1 -F ip
-c COMM
--comms COMM,nosuch
-c nosuch
-S SYMBOL
--symbols SYMBOL,main
-C 0
--cpu 0-1
--pid PID
--tid PID
--pid 1
--time FROM,TO
--time ,TO
--time FROM,
--time 10%-40%
--time 50%/2
-L
-L -F comm,tid,time,event
--call-trace
--call-ret-trace
--insn-trace
--stop-bt main
--stop-bt SYMBOL
--switch-on FIRST
--switch-on FIRST --switch-off SECOND
--switch-on FIRST --switch-off SECOND --show-on-off-events
-S SYMBOL --addr-range 16
--show-kernel-path
--demangle-kernel
--no-demangle
-f
-a
-v
--kallsyms /proc/kallsyms
-D
--header-only
-I --header-only
--header
-F tid,time --time FROM,TO -C 0
-F comm,tid -c COMM -G
-i nosuch.data
-F
--max-blocks 3
--itrace=i1us
--guestmount=/nonexistent
'

cp "$TESTS/compat/some.c" . || exit 2

step "six recordings"
"${CC:-cc}" -O1 -g -fno-omit-frame-pointer -pthread -o some some.c || skip_all "to make programs: no compiler"
rec() {
	perf record -q -o "$@"
	check [ -s "$1" ]
}
rec compile.data -g -e cpu-clock -F 499 "${CC:-cc}" -O1 -g -o again some.c -pthread
rec python.data -e cpu-clock -e task-clock -F 299 python3 -c 'import json; [json.loads(json.dumps(list(range(999)))) for i in range(600)]'
rec threads.data -g -e cpu-clock -F 799 -s ./some
rec processes.data -e cpu-clock -F 999 --namespaces -k CLOCK_MONOTONIC sh -c 'for i in $(seq 30); do ls / | sort | tail -n 1; done'
if [ "$(id -u)" -eq 0 ] && need_tracefs; then
	rec system.data -a -g -e sched:sched_switch -e sched:sched_wakeup -e cpu-clock -F 99 --switch-events sh -c 'for i in $(seq 10); do sleep 0.01; done'
else
	rec system.data -g -e context-switches -e cpu-clock -F 999 ./some
fi
rec faults.data -d -e page-faults -c 20 -e minor-faults -c 30 -e context-switches -c 2 -e cpu-migrations -c 1 -e cpu-clock ./some

# words FILE: what stands for the words of the options.
words() {
	local file=$1
	mapfile -t events < <("$PERF" evlist -i "$file" 2> /dev/null | grep -v '^#' | head -n 2)
	"$PERF" script -G -F comm,pid,time,sym,ip --ns -i "$file" > all 2> /dev/null
	comm=$("$PERF" script -G -F comm -i "$file" 2> /dev/null | sed 's/ *$//; s/^ *//' | sort | uniq -c | sort -rn | awk '{ print $2; exit }')
	pid=$("$PERF" script -G -F pid -i "$file" 2> /dev/null | sort | uniq -c | sort -rn | awk '{ print $2; exit }')
	symbol=$("$PERF" script -G -F ip,sym -i "$file" 2> /dev/null | awk '$2 != "[unknown]" { print $2 }' | sort | uniq -c | sort -rn | awk '{ print $2; exit }')
	mapfile -t times < <("$PERF" script -G -F time -i "$file" 2> /dev/null | tr -d ' :')
	from=${times[$((${#times[@]} / 4))]} to=${times[$((${#times[@]} / 2))]}
}

# One case: the text of both, and whether both ended with 0.
compare() {
	local file=$1
	shift
	timeout 60 "${clean[@]}" "$REF" script --no-inline -i "$file" "$@" < /dev/null > ref 2> ref.err
	local ref_rc=$?
	timeout 60 "${clean[@]}" "$PERF" script --no-inline -i "$file" "$@" < /dev/null > out 2> err
	local our_rc=$?
	# Rows of differences.md: what is handled, names of the PLT, the head that tells of stacks.
	sed -i 's/: unhandled!$//; s/ [^ ]*@plt/ @plt/g' ref out
	sed -i -E '/^# (Stacks|Callers): /,/^#$/d' out
	if ! cmp -s ref out || [ $((ref_rc == 0)) -ne $((our_rc == 0)) ]; then
		echo "$file: perf script $*: status $ref_rc and $our_rc" >> found
		diff ref out | head -n ${DIFF_LINES:-6} >> found
	fi
	nr_cases=$((nr_cases + 1))
	[ ! -s ref ] || nr_told=$((nr_told + 1))
}

# each NR FILE: all fields and options, or those whose turn it is.
each() {
	local turn=$1 file=$2 i=0 line field
	words "$file"
	for field in $fields; do
		# Tracepoints of Linux's perf lose their call chains by these: differences.md.
		[[ $file == system* && $field == [-+]* ]] && continue
		if [ "$SCRIPT_COMPARE" = all ] || [ $((i % 6)) -eq "$turn" ]; then
			compare "$file" -F "$field"
		fi
		i=$((i + 1))
	done
	while read -r line; do
		[ -n "$line" ] && [[ $file$line != system*--insn-trace ]] || continue
		i=$((i + 1))
		[ "$SCRIPT_COMPARE" = all ] || [ $((i % 6)) -eq "$turn" ] || continue
		line=${line//FIRST/${events[0]}} line=${line//SECOND/${events[1]:-${events[0]}}} line=${line//COMM/$comm}
		line=${line//PID/$pid} line=${line//SYMBOL/$symbol} line=${line//FROM/$from} line=${line//TO/$to}
		# shellcheck disable=SC2086
		compare "$file" $line
	done <<< "$options"
	[ "$SCRIPT_COMPARE" = all ] || compare "$file"
}

turn=0
clean=()
for file in compile python threads processes system faults; do
	step "$file: fields and options"
	nr_cases=0 nr_told=0
	: > found
	each $turn $file.data
	if [ "$SCRIPT_COMPARE" = all ]; then
		clean=(env -i "PATH=$PATH")
		each $turn $file.data
		clean=()
	fi
	check [ $nr_cases -ge 15 ]
	check [ $nr_told -ge $((nr_cases / 3)) ]
	check diff /dev/null found
	cp found "found.$file"
	turn=$((turn + 1))
done

step "in an empty environment"
clean=(env -i "PATH=$PATH")
nr_told=0
: > found
for file in compile faults processes; do
	compare $file.data
	compare $file.data --header-only
done
check diff /dev/null found
check [ $nr_told -eq 6 ]
clean=()

step "a text that is not the same is seen"
: > found
compare threads.data --comms some
cp ref kept
PERF=$(command -v false) compare threads.data --comms some
check [ -s kept ]
check [ -s found ]
finish
