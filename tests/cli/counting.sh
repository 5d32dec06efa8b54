#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The command lines about counting and listing of courses and how-tos, word by word. A sleep takes
# no longer than a moment here, and of the tracepoints of system calls there are four, except where
# many are the point: the kernel needs a tenth of a second for each that is closed.
#
#	STATUS | the command line behind "perf" | REGEX of what it prints, on either stream
#
# STATUS ^C: it runs until then. ROW in REGEX: a row of the table that counts or says
# <not supported>. PID is a process that runs.
. "$(dirname "$0")/../lib.sh"
plan 49
need_events || finish
need_root || finish

mkdir bin
printf '#!/bin/sh\nexec %s 0.1\n' "$(command -v sleep)" > bin/sleep
printf '#!/bin/sh\nexec ls -R /etc\n' > bin/wget
printf '#!/bin/sh\nexec sort /etc/passwd /etc/group\n' > bin/command
printf '#!/bin/sh\nPATH=%s:$PATH exec %s "$@"\n' "$PWD/bin" "$PERF" > perf # sleep is short for it alone
printf '#!/bin/sh\nfor i in 1 2 3 4 5 6 7 8 9 10; do ls /etc | sort > sorted; done\n' > hackbench
chmod +x bin/* perf hackbench
PERF=$PWD/perf
"$WORKLOADS/planted" 600 9 > busy.log 2>&1 &
busy=$!
CHILDREN="$CHILDREN $busy"
seq 2000 > file1
NUMBER='[0-9]+\.[0-9]+'

# Does this machine's source of hardware events name $1?
if [ -e /sys/bus/event_source/devices/cpu/events/mem-stores ]; then
	stores=0 stores_text='mem-stores'
else
	stores=129 stores_text="unknown event"
fi

# works PID: that perf waits, and since then the watched program, which rests mostly, has worked.
works() {
	local now
	waits "$1" || return
	now=$(awk '{ sub(/.*\) /, ""); print $12 + $13 }' "/proc/$busy/stat")
	since=${since:-$now}
	[ "$now" -gt "$since" ]
}

line_of() {
	local status=$1 line=$2 regex=$3 full
	step "perf $line"
	case $line in *[a-z]:[*a-z]*) [[ $line == *cycles:* ]] || need_tracefs || return 0 ;; esac
	full=${line//PID/$busy}
	if [ "$status" = '^C' ]; then
		since=''
		eval "perf_signal INT works $full"
		status=130
	else
		eval "perf $full"
	fi
	check [ $rc -eq "$status" ]
	cat out err > both
	check grep -qE -e "${regex//ROW/^ +(<not supported>|[0-9.,]+) (msec)? +}" both
	[ -e file1 ] || gzip -d file1.gz
}

table() {
	local status line regex
	while IFS='|' read -r status line regex; do
		line=${line# } && line=${line%"${line##*[! ]}"}
		[ -z "$line" ] || line_of "${status// /}" "$line" "${regex# }"
	done
}

# A tracefs with few tracepoints of system calls.
real=$(tracefs)
if [ -n "$real" ]; then
	mkdir few
	(cd "$real" && cp --parents events/{block,ext4,irq,kmem,napi,net,sched,skb,vmscan,workqueue}/*/id \
		events/syscalls/sys_{enter_read,enter_write,enter_openat,exit_read}/id "$OLDPWD/few") 2> /dev/null
	export PERF_TRACEFS_DIR=$PWD/few
fi

# ---- the course: counting ----
table << EOF
0 | stat command | ROWtask-clock +# +$NUMBER CPUs utilized
0 | stat -d command | ROWLLC-load-misses
^C | stat -p PID | stats for process id '[0-9]+':
^C | stat -p PID,PID,PID,PID | stats for process id '([0-9]+,){3}[0-9]+':
^C | stat -t PID,PID,PID,PID | stats for thread id '([0-9]+,){3}[0-9]+':
0 | stat -a sleep 5 | ROWcpu-clock +# +$NUMBER CPUs utilized
0 | stat --event=cycles:{k,u} -- sleep 10 | ROWcycles:u
0 | stat -aA -- sleep 10 | ^CPU1 +[0-9.]+ msec cpu-clock
0 | stat -aA -C0-1 -- sleep 10 | ^CPU1 +[0-9.]+ msec cpu-clock
0 | stat -aA -C0,1 -- df | ^CPU1 +[0-9.]+ msec cpu-clock
0 | stat -a --per-core sleep 5 | ^S[0-9]+-D[0-9]+-C[0-9]+ +[1-9] +[0-9.]+ msec cpu-clock
0 | stat -a --per-socket -- sleep 5 | ^S0 +[1-9][0-9]* +[0-9.]+ msec cpu-clock
0 | stat -e cycles,instructions,cache-references,cache-misses,bus-cycles -a sleep 10 | ROWbus-cycles
0 | stat -e L1-dcache-loads,L1-dcache-load-misses,L1-dcache-stores command | ROWL1-dcache-stores
0 | stat -e dTLB-loads,dTLB-load-misses,dTLB-prefetch-misses command | ROWdTLB-prefetch-misses
0 | stat -e dTLB-loads,dTLB-load-misses,dTLB-stores,dTLB-store-misses,iTLB-loads,iTLB-load-misses df | ROWiTLB-load-misses
0 | stat -e LLC-loads,LLC-load-misses,LLC-stores,LLC-prefetches command | ROWLLC-prefetches
0 | stat -e r003c -a sleep 5 | ROWr003c
0 | stat -e cycles,instructions,r80a2,r2b1 gzip file1 | ROWr2b1
$stores | stat -e r82d0,mem-stores --repeat 10 -ag sleep 5 | $stores_text
0 | stat -e cpu-cycles:u df | ROWcpu-cycles:u
0 | stat -e cycles:k,cycles:u -- sleep 10 | ROWcycles:k
0 | stat -e cpu-cycles:pp df | ROWcpu-cycles:pp
^C | stat -e 'syscalls:sys_enter_*' -p PID | ROWsyscalls:sys_enter_write
0 | stat -e 'syscalls:sys_enter_*' -a sleep 5 | ^ +[1-9][0-9]* +syscalls:sys_enter_read
^C | stat -e 'sched:*' -p PID | ROWsched:sched_switch
0 | stat -e 'sched:*' -p PID sleep 10 | ROWsched:sched_stat_runtime
0 | stat -e 'sched:sched_process_*' -a sleep 5 | ^ +[1-9][0-9]* +sched:sched_process_exec
0 | stat -e 'block:*' -a sleep 10 | ROWblock:block_rq_complete
^C | stat -e 'vmscan:*' -a -I 1000 | ^ +[0-9]+\.[0-9]{9} +[0-9]+ +vmscan:
0 | stat -e bus-cycles -a -x: -- sleep 5 | ^(<not supported>|[0-9]+)::bus-cycles:
0 | stat -a -d -x, sleep 5 | ^(<not supported>|[0-9]+),,LLC-load-misses,
0 | stat -d --pre free --post date -- df | ROWLLC-load-misses
0 | stat --repeat 5 -e kmem:mm_page_pcpu_drain -e kmem:mm_page_alloc -e kmem:mm_page_free_batched -e kmem:mm_page_free ./hackbench 10 | ^ +[1-9][0-9,]* +kmem:mm_page_alloc .*\( \+- 
0 | stat --repeat 10 -a -e kmem:mm_page* -- sleep 5 | stats for 'system wide' \(10 runs\)
EOF
if [ -d "$real/events/ext4" ]; then
	table <<< "0 | stat -e 'ext4:*' -a sleep 10 | ROWext4:ext4_sync_file_enter"
else
	table <<< "129 | stat -e 'ext4:*' -a sleep 10 | event syntax error: 'ext4:\*'"
fi

# ---- the how-to ----
table << EOF
0 | stat wget | ROWcontext-switches +# +$NUMBER [KM]?/sec
0 | stat -e kmem:* -e cache-references -e cache-misses wget | ROWcache-misses
0 | stat -e skb:* -e net:* -e napi:* -e sched:* -e workqueue:* -e irq:* -e syscalls:* wget | ^ +[1-9][0-9]* +syscalls:sys_exit_read
EOF
step "each glob has a row for each of its tracepoints, the ones that never came, too"
if need_tracefs; then
	for system in skb net napi sched workqueue irq; do
		check [ "$(grep -cE "^ +[0-9]+ +$system:" err)" -eq \
			"$(find "$real/events/$system/" -mindepth 2 -name id | wc -l)" ]
	done
	check [ "$(grep -cE '^ +[0-9]+ +syscalls:' err)" -eq 4 ]
fi

# ---- listing ----
table << 'EOF'
0 | list | ^  mem:<addr>
0 | list 'sched:*' | ^  sched:sched_switch +\[Tracepoint event\]$
0 | list 'block:*' | ^  block:block_rq_issue +\[Tracepoint event\]$
0 | list 'probe:*' | fits 'probe:\*'
0 | list probe:* | fits 'probe:\*'
0 | list --help | rNNN|raw
EOF
step "the pipes of the course"
"$PERF" list | wc -l > lines
check [ "$(cat lines)" -gt 50 ]
check [ "$("$PERF" list 2> /dev/null | grep -c Software)" -gt 8 ]
"$PERF" list 2> /dev/null | awk -F: '/Tracepoint event/ { lib[$1]++ } END { for (l in lib) print l, lib[l] }' > libs
[ -z "$real" ] || check grep -qx '  block [1-9][0-9]*' libs
check eval "'$PERF' list 2> /dev/null | grep ':' | cut -d: -f1 | uniq | sort | grep -qx '  kmem\|  mem'"

# ---- all the system calls, really ----
unset PERF_TRACEFS_DIR
step "perf stat -e 'syscalls:sys_enter_*' gzip file1 2>&1 | awk '\$1 != 0'"
if need_tracefs; then
	ulimit -S -n 256 # it is raised as far as it may be
	LIMIT=200 perf stat -e 'syscalls:sys_enter_*' gzip file1
	check [ $rc -eq 0 ]
	check [ "$(grep -c 'syscalls:sys_enter_' err)" -eq \
		"$(find "$real"/events/syscalls/ -path '*/sys_enter_*/id' | wc -l)" ]
	awk '$1 != 0' err > rows
	check grep -qE '^ +[1-9][0-9]* +syscalls:sys_enter_read ' rows
	refute grep -qE '^ +0 ' rows
	check [ "$(grep -c syscalls: rows)" -lt 100 ]
fi

step "perf stat -e 'syscalls:*' command: all of them in one run"
if need_tracefs; then
	LIMIT=200 perf stat -x, -e 'syscalls:*' command
	check [ $rc -eq 0 ]
	check [ "$(grep -c ',syscalls:sys_' err)" -eq "$(find "$real"/events/syscalls/ -path '*/sys_*/id' | wc -l)" ]
	check [ "$(grep -c ',syscalls:sys_' err)" -gt 600 ]
	check [ "$(awk -F, '$3 == "syscalls:sys_exit_read" { print $1 }' err)" -gt 0 ]
fi
finish
