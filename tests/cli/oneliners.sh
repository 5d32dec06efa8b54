#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The command lines people copy from courses and web pages: profiling and static tracing. Each is
# one row of a table and either works or refuses with words that end the search. Long sleeps are
# shortened, but last until process PID has run for a while; what runs until ^C gets a ^C then.
#
#	STATUS | how | the command line behind "perf" | REGEX of stderr
#
# how: run, or ^C. PID stands for a process that runs, COMMAND for a short program. With status 0
# the file must be there, closed, and readable; "samples" as REGEX wants at least one sample.
. "$(dirname "$0")/../lib.sh"
plan 119

need_events || true
[ $state != skipped ] || skip_all "one-liners: $reason"

"$WORKLOADS/planted" 600 3 > busy.log 2>&1 &
busy=$!
CHILDREN="$CHILDREN $busy"
command="$WORKLOADS/planted 0.1"
last_cpu=$(sed 's/.*[-,]//' /sys/devices/system/cpu/online)

# The process has run for a while since perf waits: there are samples of it.
busy_ran() {
	waits "$1" && "$WORKLOADS/nap" $busy 50
}

captured='Captured and wrote [0-9.]+ MB [^ ]*( \([0-9]+ samples\))? \]'

# one STATUS HOW LINE REGEX
one() {
	local status=$1 how=$2 line=$3 regex=$4 full
	step "perf $line"
	case $line in
	*syscalls:* | *sched:* | *skb:* | *block:* | *ext4:* | *vmscan:* | *kmem:* | *probe:* | *sdt_*)
		need_tracefs || return 0
		;;
	esac
	built "${line%% *}" || { skip "not built yet" && return 0; }
	full=${line//PID/$busy}
	full=${full//COMMAND/$command}
	full=${full//sleep 0.2/"$WORKLOADS/nap" $busy 50}
	rm -f perf.data perf.data.old
	case $how in
	run) eval "perf $full" ;;
	'^C')
		if [ $status -ne 0 ]; then # it does not even begin
			eval "perf $full"
		else
			eval "perf_signal INT busy_ran $full"
			status=130
		fi
		;;
	esac
	check [ $rc -eq $status ]
	case $regex in
	'') [ $status -eq 1 ] || check grep -qE "$captured" err ;;
	samples) check grep -qE 'Captured and wrote .*\([1-9][0-9]* samples\)' err ;;
	*) check grep -qiE -e "$regex" err ;;
	esac
	# What was recorded can be read.
	case $line in *' -o '*) return 0 ;; esac
	if { [ $status -eq 0 ] || [ $status -eq 130 ]; } && built report && [ "$state" = ok ]; then
		"$PERF" report --stdio -g none > report.out 2> err
		check [ $? -eq 0 ]
		# An event that never came is said, with status 0 as Linux's.
		check eval "grep -qE '^# Samples: ' report.out || grep -q 'has no samples' err"
	fi
}

# hardware ABLE HOW LINE REGEX: a row for machines that are able to do it, and one for the others.
hardware() {
	local able=$1
	shift
	# shellcheck disable=SC2086 # words
	if "$WORKLOADS/able" $able; then one 0 "$1" "$2" ''; else one 255 "$@"; fi
}

# ---- profiling ----
one 0 run 'record -F 99 COMMAND' samples
one 0 '^C' 'record -F 99 -p PID' samples
one 0 run 'record -F 99 -p PID sleep 0.2' samples
one 0 run 'record -F 99 -p PID -g -- sleep 0.2' samples
one 255 run 'record -F 99 -p PID -g dwarf sleep 0.2' '-g takes no argument.*|--call-graph dwarf'
one 0 run 'record -F 99 -p PID -g --call-graph dwarf -- sleep 0.2' samples
one 0 run 'record -F 99 -ag -- sleep 0.2' samples
one 0 run 'record -F 99 -e cpu-clock -ag -- sleep 0.2' samples
one 255 run 'record -F 99 -ag dwarf sleep 0.2' '-g takes no argument.*|--call-graph dwarf'
one 0 run 'record -F 99 -ag --call-graph dwarf -- sleep 0.2' samples
hardware branches '^C' 'record -F 99 -a --call-graph lbr' 'lbr.*(last-branch|branch stack)'
no_counters='(no hardware counters|PMU does not count it)'
hardware 'event 3 0x10000' run 'record -e L1-dcache-load-misses -c 10000 -ag -- sleep 0.2' "$no_counters"
hardware 'event 3 0x10002' run 'record -e LLC-load-misses -c 100 -ag -- sleep 0.2' "$no_counters"
one 0 run 'record -e cycles:k -a -- sleep 0.2' ''
one 0 run 'record -e cycles:u -a -- sleep 0.2' samples
one 0 run 'record -e cycles:p -a -- sleep 0.2' samples
hardware 'event 0 1' run 'record -e instructions:u -a -c 200000 -- sleep 0.2' "$no_counters"
hardware branches run 'record -b -a sleep 0.1' 'branch stack'
one 0 run "record -e cycles -C$last_cpu -- sleep 0.2" ''
[ -d /sys/devices/system/cpu/cpu4 ] || one 237 run 'record -e cycles -C4 -- sleep 0.2' "CPU '4'"
hardware 'event 0 3' run "record -e '{cycles,cache-misses}' -a -- sleep 0.2" "'cache-misses'.*$no_counters"
one 129 run "record -e '{probe:*}' -ag -- sleep 0.2" 'unknown tracepoint'
one 0 run 'record -p PID,PID,PID -g -- sleep 0.2' samples
one 0 '^C' 'record -F99 -e cpu-clock -e cs -a -g' samples
one 0 '^C' 'record -F99 -e cpu-clock/max-stack=2/ -e cs/max-stack=5/ -a -g' samples
step "every event of an attached process is started"
if need_built script; then
	perf record -F 999 -e cpu-clock,task-clock -p $busy "$WORKLOADS/nap" $busy 200
	perf script -F event
	check grep -q cpu-clock out
	check grep -q task-clock out
fi
step "cpu-clock/max-stack=2/ keeps two frames of each space"
if need_built script; then
	perf record -F 999 -e cpu-clock/max-stack=2/u -g "$WORKLOADS/planted" 0.2
	perf script -F ip
	check [ "$(awk 'NF { n++; if (n > max) max = n } !NF { n = 0 } END { print max + 0 }' out)" -eq 2 ]
fi

# ---- static tracing ----
one 0 '^C' 'record -e sched:sched_process_exec -a' ''
one 0 '^C' 'record -e context-switches -a' samples
one 0 '^C' 'record -e sched:sched_switch -a' samples
one 0 '^C' 'record -e context-switches -ag' samples
one 0 run 'record -e context-switches -ag -- sleep 0.2' samples
one 0 run 'record -e migrations -a -- sleep 0.2' ''
one 0 '^C' 'record -e syscalls:sys_enter_connect -ag' ''
one 0 '^C' "record -e 'syscalls:sys_enter_accept*' -ag" ''
one 0 '^C' "record -e 'syscalls:sys_enter_read' --filter 'count < 10' -a" ''
one 0 '^C' "record -e 'skb:consume_skb' -ag" ''
one 0 '^C' 'record -e block:block_rq_insert -ag' ''
one 0 '^C' 'record -e block:block_rq_issue -ag' ''
one 0 '^C' 'record -e block:block_rq_issue -e block:block_rq_complete -a' ''
one 0 '^C' "record -e block:block_rq_complete --filter 'nr_sector > 200'" ''
one 0 '^C' "record -e block:block_rq_complete --filter 'rwbs == \"WS\"'" ''
one 0 '^C' "record -e block:block_rq_complete --filter 'rwbs ~ \"*W*\"'" ''
one 0 run "record -e block:block_rq_issue -a --filter 'dev == 0x800000' -- sleep 0.2" ''
one 0 '^C' 'record -e minor-faults -ag' ''
one 0 '^C' 'record -e page-faults -ag' ''
one 0 '^C' "record -e 'ext4:*' -o ext4.data -a" ''
one 0 '^C' 'record -e vmscan:mm_vmscan_wakeup_kswapd -ag' ''
one 0 run 'record -e kmem:mm_page_alloc -c 1 COMMAND' samples
one 0 '^C' 'record -e mem:0xffffffff81943040:rw -a' ''
step "perf buildid-cache --add /bin/true"
perf buildid-cache --add /bin/true
check [ $rc -eq 0 ]
perf buildid-cache --list
check grep -qE '^[0-9a-f]{40} .*/true$' out
one 129 run 'record -e sdt_node:http__server__request -a' "'sdt_node:http__server__request'"
one 129 run 'record -e bpf-output/no-inherit,name=evt/ -e ./kca_from.c/map:channel.event=evt/ -a -- sleep 0.1' 'kca_from\.c'

# ---- counting, reports, scripts, help: as they are typed, odd spellings included ----
#
#	STATUS | the command line behind "perf" | REGEX of what it prints, on either stream
#
# prof.data has call graphs, trace.data tracepoints.
perf record -q -g -F 999 -e cpu-clock -o prof.data "$WORKLOADS/planted" 0.2
[ "$(id -u)" -ne 0 ] || perf record -q -a -e sched:sched_switch,cs -o trace.data sleep 0.2

says() {
	local status=$1 line=$2 regex=$3 full
	step "perf $line"
	case $line in *sched:* | *trace.data*) need_tracefs || return 0 ;; esac
	built "${line%% *}" || [ "${line#-}" != "$line" ] || { skip "not built yet" && return 0; }
	full=${line//PID/$busy}
	eval "perf $full"
	check [ $rc -eq "$status" ]
	cat out err > both
	[ -z "$regex" ] || check grep -qE -e "$regex" both
}

table() {
	local status line regex
	while IFS='|' read -r status line regex; do
		line=${line# } && line=${line%"${line##*[! ]}"}
		says "${status// /}" "$line" "${regex# }"
	done
}

table << 'END'
0 | stat true | stats for 'true'
0 | stat -d -a true | LLC-load
0 | stat -ddd true | L1-dcache-prefetches|dTLB
0 | stat -a sleep 0.1 | cpu-clock .* CPUs utilized
0 | stat --event=cs:{k,u} -- sleep 0.1 | cs:u
129 | stat -e 'cs:{k,u}' -- sleep 0.1 | unknown modifier
0 | stat -e cs,faults -x: -- sleep 0.1 | ^[0-9]+::faults:
0 | stat -x, -a -e cs sleep 0.1 | ^[0-9]+,,cs,
0 | stat -e task-clock --repeat 2 -ag sleep 0.1 | \(2 runs\)
0 | stat -r3 -ecs,faults true | \(3 runs\)
0 | stat -e cs --pre true --post date -- true | cs
0 | stat -p PID sleep 0.1 | process id '[0-9]+'
0 | stat -t PID,PID sleep 0.1 | thread id '[0-9]+,[0-9]+'
0 | stat -a -e cs -C 0 sleep 0.1 | stats for 'system wide'
0 | stat -C 0 -e cs sleep 0.1 | stats for 'CPU\(s\) 0'
0 | stat -D 50 -e cs sleep 0.1 | cs
0 | stat -D -1 -e cs true | <not counted> +cs
129 | stat -D abc -e cs true | milliseconds
0 | stat --time 100 -e cs sleep 1000 | [0-9]+\.[0-9]+ seconds time elapsed
0 | stat -e sched:sched_switch --filter 'prev_pid != 0' -a sleep 0.1 | sched:sched_switch
0 | stat -e 'sched:sched_process_*' -a sleep 0.1 | sched:sched_process_fork
0 | stat --log-fd 1 -e cs true | cs
0 | stat -n true | seconds time elapsed
129 | stat -e cycels true | did you mean 'cycles'
129 | stat -e | -e.*value
255 | stat nosuchcommand | Workload failed: No such file or directory
3 | stat sh -c 'exit 3' | task-clock
0 | report -i prof.data | (100|9[0-9])\.[0-9]+% .* main
0 | report prof.data --stdio | planted_hot
0 | report -i prof.data -n --sort comm --stdio | Samples +Command
0 | report -i prof.data --stdio -n -g folded | ;planted_middle;
0 | report -i prof.data --stdio -G --no-child | --planted_hot|planted_hot$
0 | report -i prof.data -t, --stdio | ^# Children,
0 | report -i prof.data --stdio planted_hot | planted_hot
129 | report -i prof.data --show_nr_samples --stdio | did you mean '--show-nr-samples'
129 | report -i prof.data --sort nosuch | unknown sort key 'nosuch'
129 | report -i prof.data --stdi | could be --stdio or --stdio-color
255 | report -i prof.data -C 0 --stdio | File does not contain CPU events. Remove -C option
255 | report -i nosuch.data | failed to open 'nosuch.data'
255 | report -i /etc/passwd | incompatible file format
0 | report -i prof.data --header-only | # cmdline :
0 | script -i prof.data | planted_hot
0 | script --header -i prof.data -F comm,pid,tid,time,event,ip,sym,dso | planted +[0-9]+/[0-9]+
0 | script -i trace.data -F time,event,trace | sched:sched_switch: prev_comm=
129 | script -i trace.data -f time,event,trace | Couldn't find script 'time,event,trace'
0 | script -i trace.data -F pid,cpu,time,event | \[0[0-9]+\]
255 | script -i prof.data -C 0 | Remove -C option
255 | script -i prof.data -F +cpu | do not have CPU attribute set
129 | script -i prof.data -F nosuch | Invalid field requested
255 | script -l | cannot do '--list'
0 | script --per-event-dump -i prof.data | Wrote [0-9.]+ MB prof.data.[a-z:-]+.dump
255 | record -r 500 true | could not set realtime priority.*1 to 99
0 | record -q --per-thread -a -e cpu-clock sleep 0.1 |
0 | record --per-thread -a -e cpu-clock sleep 0.1 | SYSTEM/CPU switch overriding PER-THREAD
0 | help | most commonly used perf commands
0 | help record | What to sample|SYNOPSIS
0 | help -a | annotate
1 | help recrod | did you mean 'record'
0 | record --help | What to sample|SYNOPSIS
0 | version | ^perf version
0 | --version | ^perf version
END

step "a mistake in one option shows that option, not the whole table"
if need_built report; then
	perf report -i prof.data --sort nosuch
	check [ "$(wc -l < err)" -lt 12 ]
	perf script nosuch
	check [ "$(wc -l < err)" -lt 4 ]
fi

# ---- acceptance tests of the tracing how-to ----
step "1: the usage text lists the 21 commands of the how-to"
perf
for name in annotate archive bench buildid-cache buildid-list diff evlist inject kmem kvm list lock \
	probe record report sched script stat test timechart top; do
	check grep -qE "^   $name +[A-Z]" out
done

step "3: a busy loop is named; stripped it shows addresses; a debug file names it again"
if need_built report; then
	# strip keeps the build-id: a whole copy in the cache would name the stripped one, too.
	rm -rf -- "${SCRATCH:?}/home/.debug"
	cp "$WORKLOADS/planted" whole
	perf record -N -e cpu-clock -F 2000 -o whole.data ./whole 0.2
	perf report --stdio -i whole.data
	check grep -qE '\[\.\] planted_hot' out
	if command -v objcopy > /dev/null; then
		cp whole stripped
		objcopy --only-keep-debug stripped stripped.debug && strip stripped
		perf record -e cpu-clock -F 2000 -o stripped.data ./stripped 0.2
		perf report --stdio -i stripped.data
		refute grep -q 'planted_hot' out
		check grep -qE 'stripped +stripped +\[\.\] 0x[0-9a-f]+' out
		objcopy --add-gnu-debuglink=stripped.debug stripped with-link
		perf record -e cpu-clock -F 2000 -o link.data ./with-link 0.2
		perf report --stdio -i link.data
		check grep -qE '\[\.\] planted_hot' out
	fi
fi

step "4: a recording of user space only shows no kernel entry"
if need_built report; then
	perf record -e cpu-clock:u -a -o user.data -- "$WORKLOADS/planted" 0.2
	check [ $rc -eq 0 ]
	perf report --stdio -i user.data
	check grep -qE '\[\.\] planted_hot' out
	refute grep -qF '[k]' out
fi

step "10: ^C during record -a leaves a good file"
if need_built report; then
	perf_signal INT busy_ran record -e cpu-clock -a -g -o cut.data
	check [ $rc -eq 130 ]
	check grep -qE "Captured and wrote .*cut.data \([1-9][0-9]* samples\)" err
	said=$(sed -nE 's/.*\(([0-9]+) samples\).*/\1/p' err)
	perf report --stdio -n -g none -i cut.data
	check [ $rc -eq 0 ]
	refute grep -qiE "error|damage|truncat|skipped" err
	# every sample that was announced is in the report
	check [ "$(awk '/^ +[0-9.]+%/ { sum += $3 } END { print sum }' out)" -eq "${said:-0}" ]
fi
finish
