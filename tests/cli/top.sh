#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf top as text in a pipe: rows, head, ends. Its options: top-options; on a terminal: top-screen.
. "$(dirname "$0")/../lib.sh"
plan 14
need_events || finish
. "$TESTS/top.sh"

step "the rows are those of the program, with its shares; it ends when the program has ended"
"$WORKLOADS/planted" 1 2 > shares & # three seconds
mine=$!
CHILDREN="$CHILDREN $mine"
perf top -e cpu-clock:u -c 200000 -p $mine
check [ $rc -eq 0 ]
check [ ! -s err ]
while read -r word name percent; do
	[ "$word" != share ] || check near "$name" "$percent"
done < shares
check [ "$(grep -c '^share' shares)" -eq 4 ]

step "what is old counts less: a program that does something else is seen as it is now"
if command -v python3 > /dev/null; then
	cat > turn.py <<-'P'
		import os, sys, time
		end = time.process_time() + 2
		while time.process_time() < end: pass
		os.execv(sys.argv[1], ["planted", "1", "2"])
	P
	python3 turn.py "$WORKLOADS/planted" > shares &
	mine=$!
	CHILDREN="$CHILDREN $mine"
	perf top -z -d 1 -e cpu-clock:u -c 500000 -s comm -p $mine
	check grep -q 'python3' out # in the first looks
	check [ "$(last | awk '{ print $2 }')" = planted ]
else
	skip "python3 is not there"
fi

step "shares agree with those of record and report, as far as samples can"
"$WORKLOADS/planted" 1 2 > one.log &
mine=$!
CHILDREN="$CHILDREN $mine"
perf top -e cpu-clock:u -c 200000 -n -s sym -p $mine
last | awk '{ print $NF, $1 + 0, $2 }' | sort > live
perf record -q -e cpu-clock:u -c 200000 -o x.data "$WORKLOADS/planted" 1 2
perf report -q --stdio -n -s sym -i x.data
awk '/%/ { print $NF, $1 + 0, $2 }' out | sort > recorded
# What both have of each function: four times the standard error, and a turn of the program.
check [ "$(join live recorded | awk '$1 ~ /planted_(hot|warm|mild|cool)/ {
	p = ($2 + $4) / 200; total1 = $3 * 100 / $2; total2 = $5 * 100 / $4
	error = 4 * sqrt(p * (1 - p) * (1 / total1 + 1 / total2)) * 100 + 1.7
	good += ($2 - $4 < error && $4 - $2 < error)
} END { print good + 0 }')" -eq 4 ]

step "the head: rate, kernel, lost, event, who is watched"
top_until 'printed 2' -e cpu-clock -F 49 -d 1 -p $busy
head='   PerfTop: *[0-9]+ irqs/sec  kernel: *[0-9]+\.[0-9]%  exact: +[0-9]+\.[0-9]% lost: [0-9]+/[0-9]+ drop: 0/0 '
check grep -qE "^$head\[49Hz cpu-clock\],  \(target_pid: $busy\)  perf: [0-9.]+% of a CPU" out
check grep -qxE -- '-{79}' out
top_until 'printed 1' -e cpu-clock -c 1000000 -d 1 -t $busy
check grep -qE "^$head\[1000000 cpu-clock\],  \(target_tid: $busy\)" out
if [ "$(id -u)" -eq 0 ]; then
	top_until 'printed 1' -e cpu-clock -d 1
	check grep -qE "^$head\[4000Hz cpu-clock\],  \(all, $(nproc) CPUs?\)" out
	top_until 'printed 1' -e cpu-clock -d 1 -C 0
	check grep -qE "\(all, CPU: 0\)" out
fi

step "a program that sleeps: a look after each delay, although nothing comes"
top_until 'printed 2' -e cpu-clock -d 1 -p $idle
check grep -q 'PerfTop:       0 irqs/sec' out

step "the lines of the course"
if [ "$(id -u)" -eq 0 ]; then
	top_until 'printed 2' -F 49 -d 1
	top_until 'printed 2' -F 49 -ns comm,dso -d 1
	check eval 'last | grep -qE "^ +[0-9.]+% +[0-9]+ +planted +planted"'
else
	skip "needs root"
fi

step "tracepoints: by what they print, or by command; into a pipe without control characters"
if need_tracefs; then
	top_until 'printed 2' -e raw_syscalls:sys_enter -ns comm -d 1
	check eval 'last | grep -qE "^ +[0-9.]+% +[0-9]+ +[a-z]"'
	refute grep -q "$(printf '\033')" out
	top_until 'printed 2' -e 'sched:sched_switch' -d 1 -E 5
	check eval 'last | grep -q "prev_comm=.* ==> next_comm="'
	top_until 'printed 2' -e 'sched:sched_switch' -s prev_comm -d 1 -E 5
	check eval 'last | grep -qE "^ +[0-9.]+%  [a-z/0-9]+"'
fi

step "several events: rows for each; a group: columns for each"
top_until 'printed 2' -e cpu-clock:u,task-clock:u -d 1 -E 3 -p $busy
check grep -q '^# Samples: .* of event .cpu-clock:u' out
check grep -q '^# Samples: .* of event .task-clock:u' out
check [ "$(last | grep -c planted_hot)" -eq 2 ]
top_until 'printed 2' -e '{cpu-clock:u,task-clock:u}' -d 1 -p $busy
check eval 'last | grep -qE "^ +[0-9.]+% +[0-9.]+%  planted +\[\.\] planted_hot"'

step "a ring that overflows: what was lost is in the head; and not where nothing was"
top_until 'printed 2' -e cpu-clock:u -c 10000000 -m 128 -d 1 -p $busy
check [ "$(grep -c PerfTop out)" -eq "$(grep -c ' lost: 0/0 ' out)" ]
background -e cpu-clock:u -c 100000 -m 1 -d 1 -p $busy
kill -STOP $recorder
"$WORKLOADS/nap" $busy 100
kill -CONT $recorder
until_true grep -qE ' lost: [0-9]+/[1-9]' out
kill -INT -- -$child
wait $child
check [ $? -eq 0 ]

step "a recorder that is killed is said, and what it told is printed"
background -e cpu-clock:u -d 1 -p $busy
kill -KILL "$recorder"
wait $child
check [ $? -eq 255 ]
check grep -q 'the recorder was ended by signal 9' err
check eval 'last | grep -q planted_hot'

for signal in TERM INT; do # nobody wished it
	background -e cpu-clock:u -d 1 -p $busy
	kill -$signal "$recorder"
	wait $child
	check [ $? -eq 255 ]
	check grep -q 'the recorder was ended by signal' err
done

step "killed itself it leaves no recorder behind"
background -e cpu-clock:u -d 1 -p $busy
{ kill -KILL $child; wait $child; } 2> /dev/null
until_true is_gone "$recorder"

step "a reader that leaves ends it without a word"
"$PERF" top -e cpu-clock:u -d 1 -p $busy < /dev/null 2> err | head -n 2 > out
check [ "${PIPESTATUS[0]}" -eq 0 ]
check [ ! -s err ]
check [ "$(wc -l < out)" -eq 2 ]

step "what cannot be done is said as record says it, by one message"
perf top -e nosuch
check [ $rc -eq 129 ]
check grep -q "event syntax error: 'nosuch'" err
check grep -q 'Usage: perf top' err
perf top -p 99999999
check [ $rc -ne 0 ]
check grep -q "process '99999999'" err
perf top -u nosuch
check [ $rc -eq 129 ]
perf top -s nosuch
check [ $rc -eq 129 ]
check grep -q "unknown sort key 'nosuch'" err
check [ "$(grep -c '^Error' err)" -eq 1 ]
perf top -b
check [ $rc -eq 255 ]
check grep -q 'cannot record branch stacks' err
perf top -d 0
check [ $rc -eq 129 ]
perf top -p $busy -t $busy
check [ $rc -eq 129 ]
perf top sleep 1
check [ $rc -eq 129 ]
check grep -q 'perf record and report show a command' err
(ulimit -n 5 && exec "$PERF" top -e cpu-clock:u -p $busy) > out 2> err < /dev/null
check [ $? -ne 0 ]
check grep -q 'Too many open files' err
if [ "$(id -u)" -eq 0 ] && [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -gt 0 ]; then
	chmod 755 "$SCRATCH" "$SCRATCH/dir"
	cp "$PERF" copy && chmod 755 copy
	setpriv --reuid=65534 --regid=65534 --clear-groups env HOME=/nonexistent timeout 60 ./copy top -e cpu-clock > out 2> err < /dev/null
	check [ $? -ne 0 ]
	check grep -q 'perf_event_paranoid' err
fi

{ kill $busy $idle && wait $busy $idle; } 2> /dev/null
step "old samples count half after ten seconds: those of twelve and more are not all counted"
"$WORKLOADS/planted" 3.125 3 > long.log & # 12,500 in all
mine=$!
CHILDREN="$CHILDREN $mine"
perf top -e cpu-clock:u -c 250000 -n -s comm -p $mine
check [ $rc -eq 0 ]
counted=$(last | awk '$NF == "planted" { print $2 }')
check [ "${counted:-0}" -gt 2000 ]
check [ "${counted:-99999}" -lt 10000 ]
finish
