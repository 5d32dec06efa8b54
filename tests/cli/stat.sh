#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf stat: the layout of the table and of -x, targets, repetition, output, exit statuses.
. "$(dirname "$0")/../lib.sh"
plan 26
need_events || finish

NUMBER='[0-9]+\.[0-9]+'

step "the default table, line by line"
perf stat true
check [ $rc -eq 0 ]
check [ ! -s out ]
check [ "$(sed -n 2p err)" = " Performance counter stats for 'true':" ]
check grep -qE "^ +$NUMBER msec task-clock {23}# +$NUMBER CPUs utilized {10}$" err
check grep -qE "^ +[0-9]+      context-switches {17}# +$NUMBER [KM]?/sec +$" err
check grep -qE "^ +[0-9]+      cpu-migrations" err
check grep -qE "^ +[1-9][0-9]*      page-faults" err
check grep -qE "(not supported>|[0-9])      cycles " err
check grep -qE "(not supported>|[0-9])      instructions " err
check grep -qE "(not supported>|[0-9])      branches " err
check grep -qE "(not supported>|[0-9])      branch-misses " err
check grep -qE '^ {7}[0-9]\.[0-9]{9} seconds time elapsed$' err
check grep -qE '^ {7}[0-9]\.[0-9]{9} seconds user$' err
check grep -qE '^ {7}[0-9]\.[0-9]{9} seconds sys$' err

step "an event without a partner has no figure beside it, but the blanks"
perf stat -e faults true
check grep -qE '^ {16}[0-9 ][0-9]      faults {61}$' err

step "-x: the fields"
perf stat -x, -e task-clock,faults,cs:u true
check grep -qE "^$NUMBER,msec,task-clock,[0-9]+,100.00,$NUMBER,CPUs utilized$" err
check grep -qE "^[0-9]+,,faults,[0-9]+,100.00,$NUMBER,[KM]?/sec$" err
check [ "$(wc -l < err)" -eq 3 ]
perf stat '-x\t' -e faults true
check grep -qP '^[0-9]+\t\tfaults\t[0-9]+\t100.00\t\t$' err
perf stat -x: -r 3 -e faults true
check grep -qE "^[0-9]+::faults:$NUMBER%:[0-9]+:100.00::$" err

step "an event that the machine lacks is told and the rest is counted"
perf stat -e mem:0x1001/8:w,faults true # no address that 8 bytes can be watched at
check [ $rc -eq 0 ]
check grep -qE '^   <not supported>      mem:0x1001/8:w' err
check grep -qE '^ +[1-9][0-9]*      faults' err
perf stat -v -e mem:0x1001/8:w,faults true
check grep -q "^Warning: cannot open 'mem:0x1001/8:w': " err
check grep -qE '^faults: [0-9]+ [0-9]+ [0-9]+$' err
perf stat -x, -e mem:0x1001/8:w true
check [ "$(cat err)" = '<not supported>,,mem:0x1001/8:w,0,100.00,,' ]

step "a group counts without its member that is not supported, not without its leader"
perf stat -e '{faults,mem:0x1001/8:w}' true
check [ $rc -eq 0 ]
check grep -qE '^ +[1-9][0-9]*      faults' err
perf stat -e '{mem:0x1001/8:w,faults}' true
check [ $rc -eq 255 ]
check grep -q "cannot open 'mem:0x1001/8:w'" err

step "-r: mean and spread"
perf stat -r 4 -e task-clock sh -c 'echo x >> runs'
check [ "$(wc -l < runs)" -eq 4 ]
check grep -q "(4 runs):" err
check grep -qE "task-clock .*\( \+- *$NUMBER% \)$" err
check grep -qE "^ +$NUMBER \+- $NUMBER seconds time elapsed  \( \+- *$NUMBER% \)$" err

step "-i leaves children out, the default does not"
perf stat -x, -e faults sh -c 'sh -c :; sh -c :'
all=$(cut -d, -f1 err)
perf stat -x, -i -e faults sh -c 'sh -c :; sh -c :'
check [ "$(cut -d, -f1 err)" -lt "$all" ]

step "-n only takes the time; -d adds events"
perf stat -n true
check grep -q 'seconds time elapsed' err
refute grep -q 'task-clock' err
perf stat -d -e faults true
check grep -q LLC-load-misses err

step "targets: tasks until they end"
# until_end ARGS...: it counts a process that ends while it does
until_end() {
	sleep 3600 &
	watched=$!
	CHILDREN="$CHILDREN $watched"
	timeout -k 5 "$LIMIT" "$PERF" stat -v "$@" $watched 2> err &
	child=$!
	CHILDREN="$CHILDREN $child"
	counts_it() { waits "$(awk '{ print $1 }' /proc/$child/task/$child/children)"; }
	until_true counts_it
	kill $watched
	wait $watched 2> wait.log
	wait $child
	rc=$?
}
until_end -e cs -p
check [ $rc -eq 0 ]
check grep -q "for process id '$watched':" err
refute grep -q ' 0\.0000[0-9]* seconds time elapsed' err
until_end -e cs -t
check [ $rc -eq 0 ]
check grep -q "for thread id '$watched':" err
refute grep -q 'seconds user' err
sleep 3600 &
watched=$!
CHILDREN="$CHILDREN $watched"
perf stat -e cs -p $watched sleep 0.05
check [ $rc -eq 0 ]
check kill -0 $watched
perf stat -e cs -p $watched -a --timeout 20
check grep -q 'PID/TID switch overriding SYSTEM' err
kill $watched

step "targets that are none"
perf stat -p 999999999 true
check [ $rc -eq 234 ]
check grep -q "'999999999': no such process" err
perf stat -t 999999999 true
check [ $rc -eq 255 ]
perf stat -C 0,x true
check [ $rc -eq 234 ]
perf stat -C 60000 true
check [ $rc -eq 234 ]
check grep -q 'not online' err

step "CPUs, and no target at all"
if need_root; then
	perf stat -a -e cs sleep 0.05
	check grep -q "for 'system wide':" err
	perf stat -C0 -e cpu-clock sleep 0.05
	check grep -q "for 'CPU(s) 0':" err
	check grep -qE '# +[0-9.]+ CPUs utilized' err
	perf_signal INT waits stat -e cs
	check [ $rc -eq 130 ]
	check grep -q "for 'system wide':" err
fi

step "tracepoints and filters"
if need_tracefs; then
	perf stat -x, -e sched:sched_process_exec -e sched:sched_process_exec \
		--filter 'pid == 0' true
	check [ "$(cut -d, -f1 err | tr '\n' ' ')" = '1 0 ' ]
	perf stat -e 'sched:sched_process_*' true
	check [ "$(grep -c sched:sched_process_ err)" -ge 5 ]
	perf stat -e sched:sched_process_exec --filter 'nothing == 1' true
	check [ $rc -eq 255 ]
	check grep -q "has no field 'nothing'" err
fi
perf stat -e faults --filter 'x == 1' true
check [ $rc -eq 129 ]

step "tracefs is mounted where it is not"
if need_tracefs && unshare -m true 2> /dev/null; then
	unshare -m sh -c 'umount -a -t tracefs 2> /dev/null
		umount /sys/kernel/debug 2> /dev/null
		"$0" stat -v -e sched:sched_process_exec true; grep -c " tracefs " /proc/mounts' \
		"$PERF" > out 2> err
	check grep -q '^mounted tracefs on /sys/kernel/tracing' err
	check [ "$(cat out)" = 1 ]
else
	skip "needs root, tracefs and mount namespaces"
fi

step "-o, --append, --log-fd, --quiet"
perf stat -o x -e faults true
check [ ! -s err ]
check [ "$(grep -c '^# started on ' x)" -eq 1 ]
perf stat -o x --append -e faults true
check [ "$(grep -c 'seconds time elapsed' x)" -eq 2 ]
exec 5> y
perf stat --log-fd 5 -e faults true
exec 5>&-
check grep -q faults y
perf stat --quiet true
check [ ! -s err ]
perf stat -o /nonexistent/x true
check [ $rc -eq 255 ]
check grep -q "'/nonexistent/x': No such file or directory" err
perf stat -o x --log-fd 2 true
check [ $rc -eq 234 ]

step "--pre, the command, --post, then the table"
perf stat -o z --pre 'echo 1 >> order' --post 'echo 3 >> order; cp z z.then' \
	-e faults sh -c 'echo 2 >> order'
check [ "$(tr '\n' ' ' < order)" = '1 2 3 ' ]
refute grep -q faults z.then
perf stat --pre false -e faults true
check [ $rc -eq 255 ]

step "exit statuses of the command"
perf stat -e cs sh -c 'exit 7'
check [ $rc -eq 7 ]
perf stat -e cs sh -c 'kill -9 $$'
check [ $rc -eq 0 ]
check grep -q '^sh: Killed' err
check grep -q 'seconds time elapsed' err
perf stat ./no-such-program
check [ $rc -eq 255 ]
check grep -q "Workload failed: No such file or directory './no-such-program'" err

step "an output that cannot take the table is no success"
if [ -c /dev/full ]; then
	perf stat -o /dev/full -e cs true
	check [ $rc -eq 255 ]
	check grep -q "cannot write '/dev/full': No space left on device" err
else
	skip "no /dev/full"
fi

step "signals: the results are printed, then the signal is passed on"
perf_signal INT waits stat -e cs sleep 3600
check [ $rc -eq 130 ]
check grep -q 'seconds time elapsed' err
perf_signal TERM waits stat -e cs sleep 3600
check [ $rc -eq 143 ]
check grep -q 'seconds time elapsed' err

step "--timeout and -D"
perf stat --timeout 50 -e cs sleep 3600
check [ $rc -eq 0 ]
check grep -qE ' [0-9]+\.[0-9]+ seconds time elapsed' err
mkfifo goes
(until_true grep -q 'Events enabled' err && echo > goes) &
# perf is stopped while the program makes its faults, so that it begins late; then it waits.
# shellcheck disable=SC2016
perf stat -x, -D 3000 -e faults sh -c 'kill -STOP $PPID; sh -c :; sh -c :; kill -CONT $PPID; read line < goes'
wait $!
check [ "$(sed -n '1p;2p' err | tr '\n' ,)" = 'Events disabled,Events enabled,' ]
check [ "$(sed -n 3p err | cut -d, -f1)" -le 20 ]

step "options of Linux's perf that are not built are named"
for option in --bpf-counters --bpf-attr-map=x -b3; do
	perf stat $option true
	check [ $rc -eq 255 ]
	check grep -q 'does not have it yet' err
done

step "each option that Linux's perf lists is one of ours"
if [ -x "$REF" ]; then
	for name in stat list; do
		"$REF" $name -h 2>&1 | grep -oE '^ +(-., )? *--[a-z-]+' | grep -oE -e '--[a-z-]+' | sort > theirs
		"$PERF" $name -h 2>&1 | grep -oE '^ +(-., )? *--[a-z-]+' | grep -oE -e '--[a-z-]+' | sort > ours
		check [ "$(wc -l < theirs)" -gt 5 ]
		check [ -z "$(comm -23 theirs ours)" ]
	done
else
	skip "'$REF' is not there"
fi

step "a user without privileges counts user space"
if need_root && command -v setpriv > /dev/null &&
	[ "$(cat /proc/sys/kernel/perf_event_paranoid)" -ge 2 ]; then
	cp "$PERF" perf && chmod 755 . .. perf
	setpriv --reuid 65534 --clear-groups --inh-caps=-all --bounding-set=-all ./perf stat -v \
		-e task-clock,faults,cycles true > out 2> err
	rc=$?
	check [ $rc -eq 0 ]
	check grep -qE '^ +[1-9][0-9]*      faults:u' err
	check grep -q ' cycles:u ' err # counted or not
	check grep -q 'perf_event_paranoid is [2-9]' err
	setpriv --reuid 65534 --clear-groups --inh-caps=-all --bounding-set=-all ./perf stat -a \
		-e cs true > out 2> err
	rc=$?
	check [ $rc -eq 255 ]
	check grep -q 'sysctl kernel.perf_event_paranoid=0' err
	check grep -q CAP_PERFMON err
	if [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -eq 2 ]; then
		setpriv --reuid 65534 --clear-groups --inh-caps=-all --bounding-set=-all \
			./perf stat -p 1 -e cs true > out 2> err # no sysctl would help
		rc=$?
		check [ $rc -eq 255 ]
		check grep -q 'process 1 belongs to user 0' err
		refute grep -q sysctl err
	fi
else
	skip "needs root, setpriv and perf_event_paranoid 2"
fi
step "duration_time, user_time, system_time are measured by stat itself"
perf stat -x, -e '{duration_time,cs},user_time:u,system_time' \
	sh -c 'i=0; while [ $i -lt 50000 ]; do i=$((i + 1)); done'
check [ $rc -eq 0 ]
check awk -F, '$3 == "duration_time" { n++; ok = $2 == "ns" && $1 > 1e6 && $1 < 60e9 } END { exit !(n == 1 && ok) }' err
check awk -F, '$3 == "user_time:u" { n++; ok = $2 == "ns" && $1 > 0 } END { exit !(n == 1 && ok) }' err
check awk -F, '$3 == "system_time" { n++ } END { exit n != 1 }' err

step "four breakpoints count, the fifth is refused with the limit"
four=mem:0x1000:w,mem:0x2000:w,mem:0x3000:w,mem:0x4000:w
if [ "$(uname -m)" = x86_64 ] && "$PERF" stat -x, -e $four true 2>&1 | grep -cvE '^[0-9]' | grep -qx 0; then
	perf stat -e $four,mem:0x5000:w true
	check grep -q 'all 4 breakpoint registers of the CPU are in use' err
else
	skip "this machine has no four free breakpoint registers"
fi

step "a term about samples is refused, and pointed at"
perf stat -e cpu-clock/name=x,call-graph=fp/ true
check [ $rc -eq 129 ]
check grep -qF "event syntax error: 'cpu-clock/name=x,call-graph=fp/'" err
check [ "$(sed -n 2p err)" = "$(printf '%45s\\___ %s' '' "'call-graph' is not usable in 'perf stat'")" ]

step "four breakpoints count and sample; the fifth is refused with the limit"
cat > five.c << 'EOF'
volatile int a, b, c, d, e;
int main(void)
{
	for (int i = 0; i < 100; i++)
		a = b = c = d = e = i;
}
EOF
if [ "$(uname -m)" != x86_64 ] || ! cc -O1 -no-pie five.c -o five 2> cc.log; then
	skip "needs an x86-64 and a compiler"
elif ! "$WORKLOADS/able" breakpoints; then
	skip "breakpoints do not count here"
else
	five=$(nm five | sed -nE 's/^0*([0-9a-f]+) B ([a-e])$/mem:0x\1\/4:w:u/p' | paste -sd,)
	four=${five%,*}
	perf stat -x, -e "$four" ./five
	check [ $rc -eq 0 ]
	check [ "$(grep -c '^100,,mem:' err)" -eq 4 ]
	perf record -q -c 10 -e "$four" -o five.data ./five
	check [ $rc -eq 0 ]
	"$PERF" report -i five.data --stdio > out 2>&1
	check [ "$(grep -c 'Samples: 10  of event .mem:' out)" -eq 4 ]
	for command in stat 'record -o five.data'; do
		perf $command -e "$five" ./five
		check [ $rc -eq 255 ]
		check grep -q 'all 4 breakpoint registers of the CPU are in use' err
	done
fi

finish
