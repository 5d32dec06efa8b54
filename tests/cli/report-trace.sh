#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf report: sort keys of tracepoints: their text, and each of their fields.
. "$(dirname "$0")/../lib.sh"
plan 8
need_events || finish
need_tracefs || finish

# What both print alike: not the tips, blanks at the ends of lines, our lines about losses and stacks.
plain() {
	sed -E 's/ +$//; /^# \(Tip: /d; /^# (Lost|Stacks|Callers): /,/^#$/d'
}

# same OPTION...: the report is that of Linux's perf.
same() {
	perf report --stdio -i switches.data "$@"
	check [ $rc -eq 0 ]
	plain < out > ours
	check [ "$(grep -c '^ .*%' ours)" -ge 2 ]
	[ -x "$REF" ] || return 0
	"$REF" report --stdio -i switches.data "$@" < /dev/null 2> ref.err | plain > ref
	check diff ref ours
}

# shellcheck disable=SC2016
perf record -q -m 8M -e sched:sched_switch,sched:sched_waking -o switches.data \
	sh -c 'i=0; while [ $i -lt 30 ]; do i=$((i + 1)); sleep 0.001 | cat; done > /dev/null'
check [ $rc -eq 0 ]

step "a recording of nothing but tracepoints is by their text; each text counts its samples"
perf script -F event,trace -i switches.data
sed -n 's/^ *sched:sched_switch: *//p' out | sort | uniq -c | awk '{ n = $1; sub(/^ *[0-9]+ /, ""); print n, $0 }' | sort > want
perf report --stdio -n -i switches.data
check grep -q '^# Overhead       Samples  Trace output' out
awk '/of event .sched:sched_waking/ { exit } /^ .*%/ { n = $2; sub(/^ *[0-9.]+% +[0-9]+ +/, ""); sub(/ +$/, ""); print n, $0 }' out | sort > got
check [ "$(wc -l < want)" -ge 10 ]
check diff want got
same
# (Not in a table: Linux's perf makes the column as wide as the texts that it had to compare, and cuts the others.)
same -s comm,trace -t ";"
sed -n '/^#/d; s/;/ /gp' ours | tr -s ' ' > texts
perf report --stdio -i switches.data -s comm,trace
check diff texts <(sed -n '/^ .*%/s/ *$//p' out | tr -s ' ')
perf report --stdio -i switches.data -s comm
check grep -q '^# Overhead  Command' out

step "fields: of one event, of each that has them, all, by glob; names, and numbers with /raw"
same -s prev_comm,next_pid
same -s sched:sched_switch.prev_comm
same -s 'sched_switch.*'
same -s prev_state
check grep -qE '^ +[0-9.]+% +[RSDIXZ][+]?$' ours
same -s prev_state/raw
refute grep -qE '^ +[0-9.]+% +[RSDIXZ][+]?$' ours
same -s trace_fields
same -s '%2.comm,trace' -t ";"
same -s prev_pid,sym,trace -t,
same -s common_pid
perf report --stdio -i switches.data -s prev_comm,prev_pid,prev_prio,prev_state
mv out each
perf report --stdio -i switches.data -s 'sched:sched_switch.prev_*'
check diff <(plain < each) <(plain < out)

step "words that are near a field or an event of the recording: it is proposed"
near() { # OPTION WORD PROPOSAL...
	local option=$1 word=$2
	shift 2
	perf report --stdio -i switches.data "$option" "$word"
	check [ $rc -eq 129 ]
	check grep -qF "unknown sort key '$word'" err
	for proposal in "$@"; do check grep -qE "did you mean .*'$proposal'" err; done
}
near -s prev_com prev_comm
near -F prev_com prev_comm
near -s target_cp/raw target_cpu
near -s sched:sched_swich.prev_pid sched:sched_switch.prev_pid
near -s sched_swich.prev_pid sched_switch.prev_pid
near -s sched_switch.prev_com sched_switch.prev_comm
near -s sched_wakin.target_cp/raw sched_waking.target_cpu/raw
near -s 'sched_swich.*' 'sched_switch[.][*]'
near -s sched_switch 'sched_switch[.][*]'
near -s wieght weight # a key of the table
for word in nonsense sched_switch.nonsense nonsense.prev_pid nonsense.nonsense . .x x. /raw; do
	near -s $word
	refute grep -q 'did you mean' err
done

step "--raw-trace: every field as a number"
same -s trace --raw-trace
check grep -qE '^ +[0-9.]+%   prev_comm=' ours
same -s prev_state,prev_pid --raw-trace

step "the tables of other events do not have the column"
perf report --stdio -i switches.data -s target_cpu
check [ "$(grep -c '^# Overhead  target_cpu$' out)" -eq 1 ]
check [ "$(grep -cx ' *100.00%' out)" -eq 1 ]
perf report --json -i switches.data -s target_cpu,prev_pid
check python3 -c '
import json
a, b = json.load(open("out"))["events"]
assert set(a["rows"][0]) & {"sched:sched_switch.prev_pid", "sched:sched_waking.target_cpu"} == {"sched:sched_switch.prev_pid"}
assert set(b["rows"][0]) & {"sched:sched_switch.prev_pid", "sched:sched_waking.target_cpu"} == {"sched:sched_waking.target_cpu"}
'

step "in a hierarchy, and in the order of -F, which Linux's perf does not take"
perf report --stdio -i switches.data --hierarchy -s prev_comm,prev_state -n
check [ $rc -eq 0 ]
check grep -qE '^ +[0-9.]+% +[0-9]+ +sh$' out
check grep -qE '^ +[0-9.]+% +[0-9]+ +[RSDIXZ][+]?$' out
perf report --stdio -i switches.data -F next_comm,overhead
check [ $rc -eq 0 ]
check [ "$(grep -c '^ .*%' out)" -ge 2 ]

step "1, 2 and 7 workers agree"
for keys in trace next_comm,prev_state comm,trace; do
	for nr in 1 2 7; do
		PERF_WORKERS=$nr perf report --stdio -i switches.data -s $keys
		check [ $rc -eq 0 ]
		mv out with.$nr
	done
	check grep -q '^ *[0-9.]*% ' with.1
	check cmp with.1 with.2
	check cmp with.1 with.7
done

step "fields that are not there, or of a file without formats, are unknown keys; broken ones are empty"
for keys in nosuch sched_switch.nosuch nosuch:event.prev_pid %9.prev_pid; do
	perf report --stdio -i switches.data -s "$keys"
	check [ $rc -eq 129 ]
	check grep -qF "unknown sort key '$keys'" err
done
perf record -q -e cpu-clock -o clock.data true
perf report --stdio -i clock.data -s prev_pid
check [ $rc -eq 129 ]
perf report --stdio -i clock.data -s comm,trace
check [ $rc -eq 0 ]
python3 - << 'END'
# The field lies beyond each record; it has no digits; strings with control characters.
data = open("switches.data", "rb").read()
line = b"field:int prev_prio;\toffset:"
at = data.index(line) + len(line)
open("beyond.data", "wb").write(data[:at] + b"9" * len(data[at:].split(b";", 1)[0]) + data[at + len(data[at:].split(b";", 1)[0]):])
assert b"sleep\0\0" in data
open("odd.data", "wb").write(data.replace(b"sleep\0\0", b"\x1b[mzz\0\0"))
END
perf report --stdio -i beyond.data -s prev_prio,prev_pid
check [ $rc -eq 0 -o $rc -eq 129 ]
perf report --stdio -i odd.data -s trace
check [ $rc -eq 0 ]
perf report --stdio -i odd.data -s next_comm,prev_comm
check [ $rc -eq 0 ]
check grep -qE '\[m|x1b' out
refute grep -q $'\033' out
finish
