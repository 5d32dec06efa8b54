#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# --filter of record and stat: filters take effect, on programs that do a thing a known number of
# times; and what is wrong with those that cannot.
. "$(dirname "$0")/../lib.sh"
plan 11
need_tracefs || finish

# counts: the counts of `stat -x,`, in the order of the events
counts() {
	cut -d, -f1 err | tr '\n' ' '
}

step "each operator, on a program with 40 calls of close(77) and 40 of close(78)"
c='-e syscalls:sys_enter_close'
all=0
while IFS=';' read -r filter want; do
	# shellcheck disable=SC2086
	perf stat -x, $c --filter "$filter" "$WORKLOADS/known" close 40
	check [ $rc -eq 0 ]
	if [ "$(counts)" != "$want " ]; then
		echo "  # $filter: $(counts), not $want"
		check false
	fi
	all=$((all + 1))
done <<'END'
fd == 77;40
fd==0x4d;40
fd >= 77;80
fd > 77;40
fd > 76 && fd < 78;40
fd <= 78 && fd >= 78;40
fd == 77 || fd == 78;80
fd & 64;80
fd & 64 && fd & 2;40
fd & 64 && !(fd & 2);40
fd >= 77 && !(fd == 77 || fd == 78);0
(fd >= 77) && ((fd != 78) && (fd != 79));40
fd >= 77 && comm == known;80
fd >= 77 && comm != known;0
fd >= 77 && comm ~ "k*wn";80
fd >= 77 && comm ~ x*;0
END
check [ $all -eq 16 ]

step "several filters of one tracepoint in one run"
# shellcheck disable=SC2086
perf stat -x, $c --filter 'fd == 77' $c --filter 'fd != 77' $c "$WORKLOADS/known" close 40
read -r one other both <<< "$(counts)"
check [ "$one" -eq 40 ]
check [ "$other" -ge 40 ]
check [ $((one + other)) -eq "$both" ]
# shellcheck disable=SC2086
perf record -q -m 8M $c --filter 'fd == 77' $c/name=shut/ --filter 'fd == 78' -o x.data \
	"$WORKLOADS/known" close 30
perf script -i x.data -F event,trace
check [ "$(grep -c 'sys_enter_close: fd: 0x0000004d' out)" -eq 30 ]
check [ "$(grep -c 'shut: fd: 0x0000004e' out)" -eq 30 ]
check [ "$(wc -l < out)" -eq 60 ]

step "a second filter narrows the first"
for command in stat 'record -o x.data'; do
	# shellcheck disable=SC2086
	perf $command -v $c --filter 'fd >= 77' --filter 'fd < 78 || fd == 99' "$WORKLOADS/known" close 20
	check [ $rc -eq 0 ]
done
# shellcheck disable=SC2086
perf stat -x, $c --filter 'fd >= 77' --filter 'fd < 78 || fd == 99' "$WORKLOADS/known" close 20
check [ "$(counts)" = '20 ' ]
perf script -i x.data -F trace
check [ "$(wc -l < out)" -eq 20 ]

step "texts with quotes and without; patterns"
cp "$(type -P true)" alpha
cp "$(type -P true)" beta
run='for i in 1 2 3; do ./alpha; done; ./beta'
e='-e sched:sched_process_exec --filter'
# shellcheck disable=SC2086
perf stat -x, $e 'filename == ./alpha' $e 'filename == "./beta"' $e "filename ~ './*a'" \
	$e 'filename ~ ./[x]' $e 'filename ~ ./al*||filename == ./beta' $e '!(filename ~ ./*)' \
	sh -c "$run"
check [ "$(counts)" = '3 1 4 0 4 1 ' ] # the last: of sh itself

step "filters of all events of a pattern"
perf stat -x, -e 'syscalls:sys_enter_c[l]ose*' --filter 'fd == 77' "$WORKLOADS/known" close 15
check grep -q '^15,.*sys_enter_close,' err
check [ "$(grep -c '^[0-9]' err)" -ge 1 ]
perf stat -e 'sched:sched_process_*' --filter 'child_pid > 0' true
check [ $rc -eq 255 ]
check grep -q "no field 'child_pid' in sched:sched_process_exec, sched:sched_process_exit" err
refute grep -q 'in .*sched:sched_process_fork' err
check grep -q 'each with its -e' err
perf record -e 'sched:sched_process_*' --filter 'child_pid > 0' -o none.data true
check [ $rc -eq 255 ]
check [ ! -e none.data ]

step "two tracepoints without perf itself, in a course's words"
perf record -q -a -e sched:sched_switch -o x.data -- sleep 0.1
perf script -i x.data -F trace
check grep -qE '(prev|next)_comm=perf ' out
perf record -q -a -e sched:sched_switch --filter 'next_comm != perf && prev_comm != perf' \
	-e sched:sched_wakeup --filter 'comm != perf' -o x.data -- sleep 0.1
check [ $rc -eq 0 ]
perf script -i x.data -F event,trace
check grep -q sched_switch out
refute grep -qE 'comm=perf ' out

step "a mistake has its place, before anything is opened or written"
while IFS='|' read -r filter column text; do
	for command in stat 'record -o none.data'; do
		# shellcheck disable=SC2086
		perf $command -e sched:sched_switch --filter "$filter" touch ran
		check [ $rc -eq 255 ]
		check grep -qF -- "$text" err
		check [ "$(sed -n 's/^\( *\)\\___ .*/\1/p' err | wc -c)" -eq $((30 + column)) ]
		check [ ! -e none.data ]
		check [ ! -e ran ]
		refute grep -q Usage: err
	done
done <<'END'
nosuch > 1|1|sched:sched_switch has no field 'nosuch'
prev_pid > 0 && nosuch > 1|17|its fields: prev_comm (text) prev_pid
prev_pidd > 1|1|did you mean 'prev_pid'
prev_pid => 1|10|write >=
prev_pid === 1|10|write ==
prev_pid = 1|10|write ==
(prev_pid > 1|1|the closing ')' is missing
prev_comm == "a|14|the closing " is missing
prev_pid > 1 and prev_pid < 9|14|and is written &&
END

step "what only the kernel knows to be wrong is shown, too"
while IFS='|' read -r filter column text; do
	perf stat -e sched:sched_switch --filter "$filter" touch ran
	check [ $rc -eq 255 ]
	check grep -qF -- "$text" err
	check [ "$(sed -n 's/^\( *\)\\___ .*/\1/p' err | wc -c)" -eq $((30 + column)) ]
	check [ ! -e ran ]
done <<'END'
prev_prio > 0 && NOSUCH == 1 && prev_pid > 0|18|does not accept this comparison
prev_comm ~ a* && prev_pid == TASK|33|a number is expected here
prev_pid == "5"|13|no quotes
prev_comm < a|11|text is compared with
END

step "control characters of a filter stay away from the terminal"
perf stat -e sched:sched_switch --filter $'prev_pid > \e[31m1 x' true
check [ $rc -eq 255 ]
refute grep -q $'\e' err

step "--filter needs a tracepoint before it"
for command in stat record; do
	perf $command --filter 'a == 1' -e sched:sched_switch true
	check [ $rc -eq 129 ]
	check grep -qE 'should follow a -e( tracepoint)?: there is no -e before it' err
	perf $command -e sched:sched_switch,page-faults --filter 'prev_pid == 1' true
	check [ $rc -eq 129 ]
	check grep -q "should follow a -e tracepoint 'page-faults': it is none, and its -e has tracepoints, too" err
done
perf stat -e sched:sched_switch,page-faults --filter 'prev_pid == 1' true
check grep -q 'give the tracepoints a -e of their own, and --filter after it' err
perf record -e page-faults,sched:sched_switch --filter 'prev_pid == 1' true
check grep -q 'give each a -e and a --filter of its own' err
refute grep -q 'has no fields' err
perf record -e page-faults,sched:sched_switch --exclude-perf true
check [ $rc -eq 129 ]
check grep -q 'give the tracepoints a -e of their own, and --exclude-perf after it' err
perf stat -e page-faults --filter 'prev_pid == 1' true
check grep -q 'it is none, and has no fields' err

step "the kernel's functions, where it lets them be recorded, or why not"
perf record -e ftrace:function --filter 'ip == vfs_open' -o x.data cat /etc/passwd
if [ -d "$(tracefs)/events/ftrace/function" ] && [ $rc -eq 0 ]; then
	perf script -i x.data
	check grep -q vfs_open out
	refute grep -v vfs_open out
else
	check [ $rc -ne 0 ]
	check grep -qE 'ftrace:function' err
	check grep -qE 'refuses its function tracer|unknown tracepoint' err
fi
finish
