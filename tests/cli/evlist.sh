#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf evlist: what the lines say, and that they are those of Linux's perf where it is installed.
. "$(dirname "$0")/../lib.sh"
plan 9
need_events || finish

record() {
	timeout 200 "$PERF" record -q "$@" > record.log 2>&1
}

# same ARGS: the output and exit status of Linux's perf
same() {
	[ -x "$REF" ] || return 0
	perf evlist "$@"
	cp out ours
	"$REF" evlist "$@" > ref 2> /dev/null
	check [ $rc -eq $? ]
	check diff ours ref
}

step "names, one a line"
record -e cpu-clock -e task-clock -c 100000 -o plain.data true
perf evlist -i plain.data
check [ $rc -eq 0 ]
check [ "$(tr '\n' ' ' < out)" = "cpu-clock task-clock " ]
cp plain.data perf.data
perf evlist
check [ "$(wc -l < out)" -eq 2 ]

step "-F: frequency or period"
record -e cpu-clock/freq=500/ -e task-clock/period=100000/ -o freq.data true
perf evlist -F -i freq.data
check grep -qE '^cpu-clock.*: sample_freq=500$' out
check grep -qE '^task-clock.*: sample_period=100000$' out

step "-v: the attrs"
perf evlist -v -i plain.data
check grep -qE '^task-clock: type: 1, size: [0-9]+, config: 0x1, .*, sample_type: IP\|TID\|TIME\|ID, read_format: .*ID' out
check grep -qE ', sample_id_all: 1' out
cp out verbose
perf evlist -v -F -i plain.data
check cmp -s out verbose

step "-g: groups"
record -e '{cpu-clock,task-clock}' -e faults -o group.data true
perf evlist -g -i group.data
check [ "$(cat out)" = "{cpu-clock,task-clock}
faults" ]
perf evlist -i group.data
check [ "$(wc -l < out)" -eq 3 ]

step "--trace-fields"
if need_tracefs; then
	record -e sched:sched_switch -e cpu-clock -a -o trace.data true
	perf evlist --trace-fields -i trace.data
	check grep -qE '^sched:sched_switch: trace_fields: prev_comm,prev_pid,.*next_pid,next_prio$' out
	check grep -qx 'cpu-clock: (not a tracepoint)' out
	refute grep -q Tip out
	perf evlist -F --trace-fields -i trace.data
	check grep -qE '^sched:sched_switch: sample_period=1, trace_fields: prev_comm' out
	perf evlist -i trace.data
	check grep -q '^# Tip: .*--trace-fields' out
fi

step "a file of another user needs -f"
if need_root; then
	cp plain.data other.data && chown 65534 other.data
	if setpriv --reuid=65533 --regid=65533 --clear-groups true 2> /dev/null; then
		chmod 644 other.data && chmod 755 "$SCRATCH" "$SCRATCH/dir"
		install -m 755 "$PERF" "$SCRATCH/perf-of-all"
		as_other() { setpriv --reuid=65533 --regid=65533 --clear-groups "$SCRATCH/perf-of-all" "$@"; }
		as_other evlist -i other.data > out 2> err
		check [ $? -eq 255 ]
		check grep -q 'use -f' err
		as_other evlist -f -i other.data > out 2> err
		check [ $? -eq 0 ]
		check grep -qx cpu-clock out
	else
		skip "no other user to be"
	fi
fi

step "control characters of names do not reach the terminal"
# Name and its copy in the header: the file says the same with one letter changed.
LC_ALL=C sed 's/task-clock/task\x1bclock/g' plain.data > odd.data
perf evlist -f -i odd.data
check grep -qx 'task?clock' out

step "a closed pipe is no error"
"$PERF" evlist -i plain.data | true
check [ "${PIPESTATUS[0]}" -eq 0 -o "${PIPESTATUS[0]}" -eq 141 ]

step "as Linux's perf says it"
if [ -x "$REF" ]; then
	for file in plain freq group ${at+trace}; do
		for option in '' -F -v -g --trace-fields '-F --trace-fields' '-v --trace-fields'; do
			[ -f "$file.data" ] && same $option -i "$file.data"
		done
	done
	"$REF" record -q -o theirs.data -d -W -g --user-regs=ip,sp -e cpu-clock -e '{task-clock,faults}:S' true > /dev/null 2>&1
	same -v -i theirs.data
	same -g -i theirs.data
else
	skip "'$REF' is not there"
fi
finish
