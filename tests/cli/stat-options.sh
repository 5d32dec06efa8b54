#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf stat: what single options do that stat.sh and stat-modes.sh leave out, each seen by its
# effect; and input that cannot be, each named and refused.
. "$(dirname "$0")/../lib.sh"
plan 67
need_events || finish
NUMBER='[0-9]+\.[0-9]+'

# The count of an event in lines of -x.
count() {
	awk -F, -v event="$1" '$3 == event { print $1 }' err
}

step "-d, -dd, -ddd: the cache events of each, in their order"
events='L1-dcache-loads L1-dcache-load-misses LLC-loads LLC-load-misses'
perf stat -x, -d -e cs true
check [ "$(cut -d, -f3 err | tr '\n' ' ')" = "cs $events " ]
events="$events L1-icache-loads L1-icache-load-misses dTLB-loads dTLB-load-misses iTLB-loads iTLB-load-misses"
perf stat -x, -d -d -e cs true
check [ "$(cut -d, -f3 err | tr '\n' ' ')" = "cs $events " ]
events="$events L1-dcache-prefetches L1-dcache-prefetch-misses"
perf stat -x, -ddd -e cs true
check [ "$(cut -d, -f3 err | tr '\n' ' ')" = "cs $events " ]

step "-g: one group, which a leader that is refused takes with it"
perf stat -e mem:0x1001/8:w,faults true # no address that 8 bytes can be watched at
check [ $rc -eq 0 ]
perf stat -g -e mem:0x1001/8:w,faults true
check [ $rc -eq 255 ]
perf stat -vv -g -e cs,faults true
check [ "$(grep -c 'group_fd -1 ' err)" -eq 1 ]

step "-vv: each call for a counter, its attr, the answer"
perf stat -vv -e faults:u,mem:0x1001/8:w true
check grep -qE '^perf_event_attr:$' err
check grep -qE '^  config +0x2$' err
check grep -qE '^  exclude_kernel +1$' err
check grep -qE '^  read_format +TOTAL_TIME_ENABLED\|TOTAL_TIME_RUNNING$' err
check grep -qE '^sys_perf_event_open: pid [0-9]+  cpu -1  group_fd -1  flags 0x8 = [0-9]+$' err
check grep -qE '^sys_perf_event_open failed, error -22$' err
perf stat -v -e faults true
refute grep -q sys_perf_event_open err

step "--all-user and --all-kernel: two parts of the whole"
# 8000 pages touched by the program, 4000 by the kernel, which reads into them; few others.
cat > touch.py << 'EOF'
import mmap, os
page = mmap.PAGESIZE
own = mmap.mmap(-1, 8000 * page)
own.madvise(getattr(mmap, "MADV_NOHUGEPAGE", 15))
for i in range(8000):
    own[i * page] = 1
its = mmap.mmap(-1, 4000 * page)
its.madvise(getattr(mmap, "MADV_NOHUGEPAGE", 15))
zero = os.open("/dev/zero", os.O_RDONLY)
assert os.readv(zero, [its]) == 4000 * page
EOF
near() { [ "$1" -ge $(($2 - 1500)) ] && [ "$1" -le $(($2 + 1500)) ]; }
perf stat -x, -e faults python3 touch.py
all=$(count faults)
perf stat -x, --all-user -e faults python3 touch.py
user=$(count faults)
check [ "$user" -ge 8000 ]
check near "$all" $((user + 4000))
perf stat -x, -e faults:u python3 touch.py
check near "$(count faults:u)" "$user"
if need_root; then
	perf stat -x, --all-kernel -e faults python3 touch.py
	check near "$(count faults)" 4000
fi

step "-S: sync() before each run"
sync=syscalls:sys_enter_sync
if need_root && need_tracefs && [ -d "$(tracefs)/events/syscalls/sys_enter_sync" ]; then
	perf stat -x, -e $sync "$PERF" stat -S -r 3 -o x -e cs true
	check [ "$(count $sync)" = 3 ]
	perf stat -x, -e $sync "$PERF" stat -r 3 -o x -e cs true
	check [ "$(count $sync)" = 0 ]
else
	[ $state = skipped ] || skip "no tracepoint of sync"
fi

step "-r 0: run after run, each with its table, until ^C"
two_runs() { grown runs 6; }
perf_signal INT two_runs stat -r 0 -e faults sh -c 'echo x >> runs'
check [ $rc -eq 130 ]
check [ "$(grep -c 'Performance counter stats' err)" -ge 2 ]
check [ "$(grep -c 'Performance counter stats' err)" -le $(($(wc -l < runs) + 1)) ]
refute grep -q '+-' err

step "^C before the command has begun: it ends as with any other"
if command -v strace > /dev/null; then
	set -m # a background job would ignore SIGINT otherwise
	ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0 command strace -o trace -e trace=perf_event_open -e inject=perf_event_open:delay_enter=700000 \
		"$PERF" stat -e faults -r 2 sh -c 'echo x >> late' > out 2> err &
	child=$!
	set +m
	CHILDREN="$CHILDREN $child"
	# The child of the perf below strace waits for its exec, perf at the events.
	held() {
		local parent pid
		parent=$(cat "/proc/$child/task/$child/children") && pid=$(cat "/proc/${parent% }/task/${parent% }/children") &&
			grep -qx perf-exec "/proc/${pid% }/comm"
	} 2> /dev/null
	doer=$child
	until_true held
	doer=''
	kill -INT -- "-$child"
	wait $child
	rc=$?
	check [ $rc -eq 130 ]
	refute grep -q Error err
	check [ ! -e late ]
else
	skip "no strace"
fi

step "--pre and --post around each run; what fails ends it"
perf stat -r 2 --pre 'printf a >> order' --post 'printf c >> order' -e cs sh -c 'printf b >> order'
check [ "$(cat order)" = abcabc ]
for hook in --pre --post; do
	perf stat $hook false -e cs true
	check [ $rc -eq 255 ]
	check grep -q "'false' failed" err
done

# A locale of our own: few machines have one that is not C.
if command -v localedef > /dev/null && mkdir locales &&
	localedef -i de_DE -f UTF-8 locales/de_DE.UTF-8 2> /dev/null; then
	printf '#!/bin/sh\nLOCPATH=%s LC_ALL=de_DE.UTF-8 exec %s "$@"\n' "$PWD/locales" "$PERF" > german
	chmod +x german
fi
in_german() {
	step "$1"
	[ -x german ] || skip "localedef makes no locale"
	shift
	PERF=$PWD/german perf "$@"
}
in_german "-B is the default, --no-big-num the other" stat -e duration_time sleep 0.01
check grep -qE '^ +[0-9]{1,3}(\.[0-9]{3}){2,} ns' err
in_german "--no-big-num: no separators" stat --no-big-num -e duration_time sleep 0.01
check grep -qE '^ +[0-9]{8,} ns' err
for how in '-x;' -j '-x; -I 20' '-j --metric-only' '-x; -r 2 --ci' '-j -r 2 --ci'; do
	# shellcheck disable=SC2086
	in_german "numbers for programs do not follow the locale: $how" \
		stat $how -e task-clock,faults,cycles,instructions sleep 0.03
	refute grep -qE '[0-9],[0-9]' err
	check [ $rc -eq 0 ]
done
in_german "nor do those of --compare" stat '-x;' -r 8 -e task-clock --cmd true --cmd true
refute grep -qE '[0-9],[0-9]' err

step "-o, --append: a file that is there is replaced, or goes on"
perf stat -o added --append -e cs true
perf stat -o added --append -x, -e faults true
check [ "$(grep -c '^# started on ' added)" -eq 2 ]
check grep -qE '^[0-9]+,,faults,' added
perf stat -o added -e cs true
check [ "$(grep -c '^# started on ' added)" -eq 1 ]

step "--log-fd: JSON and fields, too; a descriptor that is not open is refused"
perf stat -j --log-fd 1 -e cs true
check grep -q '^{"counter-value"' out
check [ ! -s err ]
perf stat --log-fd 77 -e cs true
check [ $rc -eq 234 ]
check grep -q 'descriptor 77: Bad file descriptor' err

step "-C takes lists and ranges; each CPU counts once"
online=$(getconf _NPROCESSORS_ONLN)
if need_root && [ "$online" -ge 2 ] && need_tracefs; then
	# A call that hardly anybody makes, so often on each CPU, of nobody else.
	cp "$WORKLOADS/overload" "calls$$"
	for list in 0-1 0,1 1,0 0,0-1,1; do
		calls="-C $list -e syscalls:sys_enter_getsid --filter 'comm == \"calls$$\"' ./calls$$ 1000"
		eval "perf stat -x, -A $calls"
		check [ "$(cut -d, -f1,2 err | tr '\n' ' ')" = 'CPU0,1000 CPU1,1000 ' ]
		eval "perf stat -x, $calls"
		check [ "$(cut -d, -f1 err)" = 2000 ]
	done
else
	[ $state = skipped ] || skip "needs two CPUs"
fi

step "--control fifo: the measurement waits to be enabled, answers come"
mkfifo ctl ack
(
	exec 7<> ctl 8<> ack
	timeout "$LIMIT" "$PERF" stat -x, -D -1 -e faults --control fifo:ctl,ack sh -c \
		'echo enable > ctl; head -c 4 ack > answer; i=0; while [ $i -lt 5 ]; do ls > /dev/null; i=$((i + 1)); done' \
		2> err
	echo $? > status
)
check [ "$(cat status)" = 0 ]
check [ "$(cat answer)" = ack ]
check [ "$(count faults)" -gt 100 ]
check grep -q 'Events enabled' err

step "--summary without -I, --interval-count 1, --interval-clear in a file: harmless"
perf stat -x, --summary -e cs true
check grep -qE '^[0-9]+,,cs,' err
perf stat -I 20 --interval-count 1 --interval-clear -o x -e cs sleep 5
check [ "$(grep -c ' cs ' x)" -eq 1 ]
refute grep -q $'\033' x

step "--timeout ends a system-wide measurement, too"
if need_root; then
	perf stat -a --timeout 50 -e cs
	check [ $rc -eq 0 ]
	check grep -qE ' [0-9]+\.[0-9]+ seconds time elapsed' err
fi

# ---- what cannot be ----

# Each row: status | command line | what must be on stderr.
rows() {
	local status line regex
	while IFS='|' read -r status line regex; do
		line=${line# } line=${line% } regex=${regex# }
		step "stat $line"
		case $line in *sched:*) need_tracefs || continue ;; esac
		eval "perf stat ${line//DIR/$PWD}"
		check [ $rc -eq "$status" ]
		check grep -qE -e "$regex" err
	done
}
mkdir file.d
rows << 'EOF'
129 | -e nosuch/x/ true | no event source 'nosuch'
129 | -e nosuch/config=1/ true | no event source 'nosuch'
129 | -e msr/nosuch=1/ true | unknown term 'nosuch'|no event source 'msr'
129 | -e cpu-clock/nosuch=1/ true | unknown term 'nosuch'
129 | -e nosuch true | unknown event
129 | -e sched:nosuch true | unknown tracepoint
129 | -e 'nosuch:*' true | unknown tracepoint
129 | -e 'cs,' true | cs,
129 | -e '{cs,faults' true | cs,faults
129 | -e cs:uX true | unknown modifier 'X'
129 | -e mem:zz true | mem:zz
129 | -e mem:0x1000:q true | mem:0x1000:q
129 | -e rzz true | unknown event
129 | -e prog.c true | bpftrace
129 | -e prog.o true | bpftrace
129 | -e '' true | event
234 | -p 999999999 true | '999999999': no such process
234 | -p 1,x true | x
234 | -p '' true | cannot measure process: not a number
255 | -t 999999999 true | no such (process|thread)
234 | -C 99 true | '99': it is not online
234 | -C 1-0 true | 1-0
234 | -C 0-99999999999 true | 0-99999999999
255 | nosuch-command | Workload failed: No such file or directory
255 | DIR/file.d | Workload failed: Permission denied
255 | -o DIR/file.d true | file\.d': Is a directory
255 | -o /nosuch/file true | '/nosuch/file': No such file
129 | --control fifo:DIR/file.d true | file\.d
129 | --control fifo: true | control
129 | --control fd: true | control
129 | --control fd:1,2,3 true | control
129 | -I '' true | -I
129 | -I 99999999999 true | -I
129 | --timeout x true | --timeout
129 | -D x true | -D
129 | -D -2 true | -D
129 | -r -1 true | -r
129 | -r x true | -r
129 | --log-fd x true | --log-fd
129 | --filter 'a == 1' true | should follow a -e tracepoint
255 | -e sched:sched_switch --filter '((' true | filter
129 | --nosuch true | unknown option
129 | --per true | could be
129 | -e | -e.*needs a value
EOF
finish
