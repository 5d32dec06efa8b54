#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# record --filter of events that are no tracepoints (BPF), and --setup-filter. What is pinned is
# pinned in a mount namespace of our own, and goes with it.
[ -n "${OWN_MOUNTS:-}" ] || ! unshare -m true 2> /dev/null || OWN_MOUNTS=yes exec unshare -m "$0" "$@"
. "$(dirname "$0")/../lib.sh"
plan 27
why=$("$WORKLOADS/able" bpf) || skip_all "BPF filters of samples: $why"

# Where known touches its pages; all arguments of mmap.
low='addr >= 0x1000000000, addr < 0x1001000000'
high='addr >= 0x1010000000, addr < 0x1011000000'
faults=(-e page-faults:u -c 1)

kept() { # samples, as the message says
	sed -n 's/.*Captured and wrote.*(\([0-9]*\) samples).*/\1/p' err
}
dropped() { # of the first event, or of that with the name $1
	sed -n "s/^\[ perf record: \([0-9]*\) samples of '${1:-.*}' did not pass its filter \]\$/\1/p" err
}

# rows of FILTER;KEPT, on the 100 faults of known and the 100 of its child
try_rows() {
	local filter want nr=0
	while IFS=';' read -r filter want; do
		perf record "${faults[@]}" --filter "$filter" -o x.data "$WORKLOADS/known" touch 100
		check [ $rc -eq 0 ]
		check grep -q '^faults 100' out
		if [ "$(kept)" != "${want/#0/}" ]; then
			echo "  # $filter: $(kept), not $want"
			check false
		fi
		check [ "$(dropped)" -gt 0 ]
		nr=$((nr + 1))
	done
	check [ $nr -eq "$1" ]
}

step "addresses: each operator, and, or, hex and decimal"
try_rows 11 << END
$low;100
$high;100
$low || $high;200
addr == 0x1000000000;1
addr==68719476736||addr==0x1010001000;2
addr > 0x1000000000, addr <= 0x1000003000;3
addr & 0x1000, $low;50
addr & 0x3000, $low;75
addr != 0x1000000000, $low;99
$low, addr < 0x1000001000 || addr == 0x1000002000 || addr == 0x1000003000;3
$low, tid == 0;0
END

step "what else a sample has"
try_rows 14 << END
$low, pid > 1, tid > 1, ip < 0x800000000000, time > 1, period == 1;100
$low, ip >= 0x8000000000000000;0
$low, period > 1;0
$low, time == 0;0
$low, uid == $(id -u), gid == $(id -g);100
$low, uid != $(id -u) || gid == 12345;0
$low, id > 0, txn == 0, weight == 0, ins_lat == 0, weight3 == 0;100
$low, mem_op == na, mem_lvl == na, mem_snoop == na, mem_lock == na, mem_dtlb == na;100
$low, mem_op == load || mem_op == store || mem_snoop & hitm;0
$low, mem_remote == remote || mem_hops == hops1;0
$low, mem_blk == by_data || mem_blk == by_addr;0
$low, code_pgsz >= 4096;100
$low, code_pgsz == 0;0
$low, cpu < 100000;100
END

step "the CPU"
cpu=$(sed -n 's/^Cpus_allowed_list:[[:space:]]*\([0-9]*\).*/\1/p' /proc/self/status)
for filter in "cpu == $cpu;100" "cpu != $cpu;" "cpu > $cpu || cpu < $cpu;" "cpu <= $cpu;100"; do
	perf record "${faults[@]}" --filter "$low, ${filter%;*}" -o x.data \
		taskset -c "$cpu" "$WORKLOADS/known" touch 100
	check [ "$(kept)" = "${filter#*;}" ]
done
perf record "${faults[@]}" --filter "$low, cpu == $cpu" -o x.data taskset -c "$cpu" "$WORKLOADS/known" touch 10
perf script -i x.data -F cpu
check [ "$(grep -o '\[[0-9]*\]' out | sort -u)" = "$(printf '[%03d]' "$cpu")" ]

step "what is kept and what is dropped are all, of each event; one filter does not touch the other"
perf record -c 1 -e page-faults:u -e page-faults/name=low/u --filter "$low" \
	-e page-faults/name=none/u --filter 'ip == 1' -o x.data "$WORKLOADS/known" touch 70
check [ $rc -eq 0 ]
# (Whose a sample is of software events that come together, Linux 6.3 and later get wrong.)
all=$(dropped none)
check [ "$all" -gt 140 ]
check [ "$(dropped low)" -eq $((all - 70)) ]
check [ "$(kept)" -eq $((all + 70)) ]
refute grep -q lost err

step "tasks: a running one, and its child, which inherits the filter"
tasks() { # FILTER: on a program that waits to be let go
	(kill -STOP "$BASHPID" && exec "$WORKLOADS/known" touch 40) > known.out &
	child=$!
	CHILDREN="$CHILDREN $child"
	until_true grep -q '^State:.T' "/proc/$child/status"
	perf record "${faults[@]}" -p "$child" --filter "${1//PID/$child}" -o x.data sh -c \
		"trap 'exit 0' TERM; kill -CONT $child; while [ -d /proc/$child ] && ! grep -q '^State:.Z' /proc/$child/status; do sleep 0.05; done"
	kill -CONT "$child" 2> /dev/null # a perf that does nothing
	wait "$child"
	check grep -q '^faults 40' known.out
}
tasks "tid == PID, $low"
check [ "$(kept)" = 40 ]
tasks "tid == PID, $high"
check [ "$(kept)" = '' ]
check [ "$(dropped)" -ge 80 ]
tasks "pid != PID, addr >= 0x1000000000, addr < 0x1011000000"
check [ "$(kept)" = 40 ]
perf script -i x.data -F addr
check [ "$(sort -u out | grep -c '101[0-9a-f]*$')" -eq 40 ]

step "clocks: nothing passes, and all of it is counted; all passes"
perf record -e cpu-clock -c 1000000 --filter 'period > 1000000' -o x.data "$WORKLOADS/planted" 0.2
check [ $rc -eq 0 ]
check [ "$(dropped)" -gt 50 ]
check [ -z "$(kept)" ]
walk x.data
check [ "$(fact samples)" -eq 0 ]
check [ "$(fact 'type 13')" -eq 0 ] # LOST_SAMPLES: what was not wanted is not lost
perf record -e cpu-clock -c 1000000 --filter 'period == 1000000' -o x.data "$WORKLOADS/planted" 0.2
check [ "$(dropped)" -eq 0 ]
check [ "$(kept)" -gt 50 ]

step "the default event, all CPUs, threads that write, times by another clock, a stream"
perf record -e cpu-clock -c 1000000 --filter 'uid == 4294967294' -a --threads -o x.d "$WORKLOADS/planted" 0.1
check [ $rc -eq 0 ]
check [ "$(dropped)" -gt 0 ]
check [ -z "$(kept)" ]
perf record "${faults[@]}" --filter "$low" -o - "$WORKLOADS/known" touch 30
cp out x.data
check [ "$(dropped)" -gt 0 ]
perf script -i x.data -F addr
check [ "$(wc -l < out)" -eq 30 ]
perf record "${faults[@]}" --per-thread -k mono --filter "$low, time > 1" -o x.data "$WORKLOADS/known" touch 30
check [ "$(kept)" = 30 ]

step "a breakpoint"
if "$WORKLOADS/able" breakpoints; then
	perf record -e mem:0x1000000000/4:w:u -c 1 --filter 'addr == 0x1000000000' -o x.data "$WORKLOADS/known" touch 3
	check [ "$(kept)" = 1 ]
	perf record -e mem:0x1000000000/4:w:u -c 1 --filter 'addr != 0x1000000000' -o x.data "$WORKLOADS/known" touch 3
	check [ "$(dropped)" -eq 1 ]
	check [ -z "$(kept)" ]
else
	skip "the kernel refuses breakpoints, or they do not work"
fi

step "call graphs that are chosen while recording: the pilot and what follows are filtered"
perf record -e cpu-clock:u -c 1000000 --call-graph auto --filter "cpu == $cpu" -o x.data \
	sh -c "taskset -c $cpu '$WORKLOADS/planted' 0.5; '$WORKLOADS/planted' 0.5"
check [ $rc -eq 0 ]
perf script -i x.data -F cpu -G
check [ "$(grep -o '\[[0-9]*\]' out | sort -u)" = "$(printf '[%03d]' "$cpu")" ]

step "a second filter narrows the first; a filter belongs to all events of its -e"
perf record "${faults[@]}" --filter "$low" --filter 'addr & 0x1000' -o x.data "$WORKLOADS/known" touch 100
check [ "$(kept)" = 50 ]
perf record -c 1 -e page-faults:u,minor-faults:u --filter "$high" -o x.data "$WORKLOADS/known" touch 20
check [ "$(kept)" = 40 ]
check [ "$(grep -c 'did not pass its filter' err)" -eq 2 ]

step "the fields that a filter compares are in the samples, the others are not"
perf record "${faults[@]}" --filter "$low, period == 1, mem_op == na, weight == 0" -o x.data "$WORKLOADS/known" touch 10
perf evlist -v -i x.data
for field in PERIOD ADDR DATA_SRC WEIGHT_STRUCT; do
	check grep -q "$field" out
done
refute grep -qE 'PHYS_ADDR|TRANSACTION|CODE_PAGE_SIZE' out

step "-q says nothing of what was dropped"
perf record -q "${faults[@]}" --filter "$low" -o x.data "$WORKLOADS/known" touch 10
check [ ! -s err ]
walk x.data
check [ "$(fact samples)" -eq 10 ]

step "a CPU that there is not is named at the start, also of tracepoints; one that there is not"
last=$(sed 's/.*[-,]//' /sys/devices/system/cpu/possible)
perf record -e cpu-clock -c 1000000 --filter "cpu == $((last + 1))" -o x.data "$WORKLOADS/planted" 0.05
check [ $rc -eq 0 ]
check grep -qx "Warning: no sample can pass the filter of 'cpu-clock': this machine has no CPU $((last + 1))" err
check grep -qE "^  its (CPUs are 0 to|only CPU is) $last\$" err
check [ -z "$(kept)" ]
perf record -q -e cpu-clock -c 1000000 --filter "cpu == $((last + 1))" -o x.data true
check [ ! -s err ]
perf record -e cpu-clock -c 1000000 --filter "cpu <= $last" -o x.data "$WORKLOADS/planted" 0.05
refute grep -q 'can pass' err
check [ "$(kept)" -gt 0 ]
if need_tracefs; then
	perf record -e sched:sched_switch --filter "cpu == $((last + 1))" -o x.data true
	check grep -q "^Warning: no sample can pass the filter of 'sched:sched_switch': this machine has no CPU $((last + 1))" err
	perf record -e sched:sched_switch --filter "cpu == 0 || cpu == $((last + 1))" -o x.data true
	refute grep -q 'can pass' err
fi

step "a filter on what the event never has is named at the start, with what has it; one that may pass is not"
while IFS=@ read -r event filter what; do
	case $event in page-faults) period=1 ;; *) period=1000000 ;; esac
	perf record -e "$event" -c $period --filter "$filter" -o x.data "$WORKLOADS/planted" 0.05
	check [ $rc -eq 0 ]
	if [ -n "$what" ]; then
		check grep -qE "^Warning: no sample can pass the filter of '$event': its samples have no ${what%%;*}\$" err
		check grep -q -- "^  .*${what##*;}" err
		check [ -z "$(kept)" ]
		check [ "$(dropped)" -gt 0 ]
	else
		check [ "$(grep -c 'can pass' err)" = 0 ]
		check [ "$(kept)" -gt 0 ]
	fi
done << 'END'
cpu-clock@weight > 3@weight;-e mem-loads:P
cpu-clock@period > 1, ins_lat != 0 || retire_lat == 7@third weight;-e mem-loads:P
page-faults@mem_op == load || mem_op == store@source of data;-e mem-loads:P
task-clock@mem_snoop & hit@source of data;-e mem-loads:P
cpu-clock@addr > 0x1000@address of data;page-faults have it
cpu-clock@phys_addr != 0@physical address;-e mem:ADDRESS
page-faults@txn & 1@transaction;-e tx-abort:P
page-faults@addr > 0x1000@
cpu-clock@weight > 3 || period > 0@
cpu-clock@weight == 0, mem_op == na, mem_lvl == na, addr < 5@
END
perf record -q -e cpu-clock --filter 'weight > 3' -o x.data true
check [ ! -s err ]

step "mistakes are shown at their place, before anything is opened"
while IFS='|' read -r filter column why; do
	perf record -e cpu-clock --filter "$filter" -o none.data true
	check [ $rc -eq 129 ]
	check grep -q '^ Usage: perf record' err
	if ! grep -q "^ \{$column\}.___ .*$why" err; then
		echo "  # $filter:" && cat err
		check false
	fi
done << 'END'
cpus == 1|30|samples have no 'cpus'
cpu == 1 && tid == 2|39|a comma, || or the end
cpu = 1|34|an operator is expected here
mem_op == loads|40|a value is expected here
(cpu == 1)|30|no parentheses
cpu == 1,|39|a term is missing
END
check [ ! -e none.data ]
perf record --filter 'cpu == 1' -e cpu-clock true
check [ $rc -eq 129 ]
check grep -q -- '--filter option should follow a -e: there is no -e before it' err
perf record -e dummy --filter 'cpu == 1' true
check [ $rc -eq 255 ]
check grep -q "cannot filter 'dummy': it has no samples" err

step "stat counts, and has no samples to filter"
perf stat -e page-faults --filter 'cpu == 1' true
check [ $rc -eq 129 ]
check grep -q 'should follow a -e tracepoint' err

step "--setup-filter alone: what does not go with it is named"
for other in -a true '-e cpu-clock'; do
	# shellcheck disable=SC2086
	perf record --setup-filter pin $other
	check [ $rc -eq 255 ]
	check grep -q -- "--setup-filter records nothing: it does not go with '${other%% *}'" err
done
perf record --setup-filter=glue
check [ $rc -eq 255 ]
check grep -q "wants pin or unpin 'glue'" err

step "doctor: the deed, which leaves nothing"
perf doctor sample-filters
check grep -q '^sample-filters: works' out
check grep -q 'proof *a page fault of this process was filtered out$' out

# ---- what needs mounts of our own ----

need_mounts() {
	[ -n "${OWN_MOUNTS:-}" ] || { skip "there can be no mount namespace" && return 1; }
}
pins=/sys/fs/bpf/perf-sample-filter
# nobody ARGS...: perf, without any right
nobody() {
	before
	(cd "$SCRATCH/nobody" && HOME=$SCRATCH/nobody PERF_TEST_MARK=$mark setpriv --reuid=65534 --regid=65534 \
		--clear-groups timeout 60 "$SCRATCH/copy/perf" "$@") > out 2> err < /dev/null
	rc=$?
	judge "perf $* of nobody"
}

step "a kernel that does not describe its types"
if need_mounts; then
	check mount -t tmpfs none /sys/kernel/btf
	perf record -e cpu-clock --filter 'cpu == 0' true
	check [ $rc -eq 255 ]
	check grep -q 'cannot filter samples: this kernel does not describe its types (no /sys/kernel/btf/vmlinux)' err
	check grep -q CONFIG_DEBUG_INFO_BTF err
	perf doctor sample-filters
	check grep -q '^sample-filters: absent' out
	check grep -q 'cause *this kernel does not describe its types' out
	check umount /sys/kernel/btf
fi

step "no BPF file system: --setup-filter says how to mount it"
if need_mounts; then
	umount /sys/fs/bpf 2> /dev/null
	for what in pin unpin; do
		perf record --setup-filter $what
		check [ $rc -eq 255 ]
		check grep -q 'no BPF file system is mounted at /sys/fs/bpf' err
		check grep -q 'mount -t bpf bpf /sys/fs/bpf' err
	done
fi

step "nothing is pinned: users are told what root can do"
if need_mounts; then
	check mount -t bpf -o mode=1777 bpf /sys/fs/bpf
	install -D -m 755 "$PERF" "$SCRATCH/copy/perf" && install -m 755 "$WORKLOADS/known" "$SCRATCH/copy/known"
	mkdir -m 777 "$SCRATCH/nobody" && chmod 755 "$SCRATCH"
	nobody record "${faults[@]}" --filter "$low" "$SCRATCH/copy/known" touch 50
	check [ $rc -eq 255 ]
	check grep -q 'cannot filter samples: loading BPF programs: this process has no CAP_BPF' err
	check grep -q 'as root, once: perf record --setup-filter pin' err
	nobody doctor sample-filters
	check grep -q '^sample-filters: refused' out
	check grep -q 'cause *loading BPF programs: this process has no CAP_BPF' out
	check grep -q 'fix *perf record --setup-filter pin' out
	perf record --setup-filter unpin
	check [ $rc -eq 255 ]
	check grep -q 'nothing is pinned' err
	nobody record --setup-filter pin
	check [ $rc -eq 255 ]
	check grep -q 'no CAP_BPF' err
	check [ ! -e $pins ]
fi

step "pinned: users filter their samples, and leave nothing behind"
if need_mounts; then
	perf record --setup-filter pin
	check [ $rc -eq 0 ]
	check grep -q "pinned at $pins: users without rights may use --filter" err
	check [ "$(stat -c %a $pins $pins/map $pins/program | tr '\n' ' ')" = '755 666 666 ' ]
	nobody record "${faults[@]}" --filter "$low" -o x.data "$SCRATCH/copy/known" touch 50
	check [ $rc -eq 0 ]
	check [ "$(kept)" = 50 ]
	check [ "$(dropped)" -ge 50 ]
	nobody record "${faults[@]}" --filter "uid != 65534" -o x.data "$SCRATCH/copy/known" touch 50
	check [ -z "$(kept)" ]
	check [ "$(dropped)" -ge 100 ]
	nobody doctor sample-filters
	check grep -q '^sample-filters: works' out
	check grep -q "filtered out by the program in $pins" out
	check [ "$("$WORKLOADS/able" elements $pins/map)" = 0 ]
	perf record --setup-filter=pin
	check [ $rc -eq 0 ]
	check grep -q 'is pinned already' err
	perf record "${faults[@]}" --filter "$low" -o x.data "$WORKLOADS/known" touch 50
	check [ "$(kept)" = 50 ]
fi

step "pin puts right what is there in part, and says so"
if need_mounts; then
	in_part() { # pin it, and nobody's filter works
		perf record --setup-filter pin
		check [ $rc -eq 0 ]
		check grep -q "the filter of samples is pinned at $pins" err
		refute grep -q already err
		check [ "$(stat -c %a $pins $pins/map $pins/program | tr '\n' ' ')" = '755 666 666 ' ]
		nobody record "${faults[@]}" --filter "$low" -o x.data "$SCRATCH/copy/known" touch 50
		check [ "$(kept)" = 50 ]
	}
	rm $pins/map
	nobody record "${faults[@]}" --filter "$low" -o x.data "$SCRATCH/copy/known" touch 50
	check [ $rc -eq 255 ]
	check grep -q "'$pins': not all of it is there: 'map' is missing" err
	check grep -q 'as root: perf record --setup-filter pin' err
	nobody doctor sample-filters
	check grep -q "cause *not all of it is there" out
	in_part
	rm $pins/program
	in_part
	rm $pins/map $pins/program
	in_part
	rm $pins/map
	mkdir $pins/other
	perf record --setup-filter pin
	check [ $rc -eq 255 ]
	check grep -q "'other' in it is not from this perf: nothing was removed" err
	check [ -e $pins/program ]
	rmdir $pins/other
	in_part
fi

step "physical addresses are for privileged users: the term is named, and what allows it"
if need_mounts; then
	if [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -le 1 ]; then
		skip "kernel.perf_event_paranoid lets users have them"
	else
		for option in "--filter=phys_addr > 0" --phys-data; do
			nobody record -e page-faults:u "$option" "$SCRATCH/copy/known" touch 50
			check [ $rc -eq 255 ]
			check grep -q 'physical addresses (phys_addr in a filter, --phys-data) are for privileged users: kernel.perf_event_paranoid is' err
			check grep -q 'sysctl kernel.perf_event_paranoid=1' err
			refute grep -q protected err
		done
	fi
fi

step "what a killed recording leaves in the map, the next one removes"
if need_mounts; then
	: > wait.out
	before
	(cd "$SCRATCH/nobody" && HOME=$SCRATCH/nobody exec setpriv --reuid=65534 --regid=65534 --clear-groups \
		timeout -s KILL 100 "$SCRATCH/copy/perf" record -q -e page-faults:u -c 1 --filter "$low" -o y.data \
		timeout 60 "$SCRATCH/copy/known" wait) > wait.out 2> wait.err < /dev/null &
	child=$!
	CHILDREN="$CHILDREN $child"
	until_true grep -q ready wait.out
	check [ "$("$WORKLOADS/able" elements $pins/map)" -gt 0 ]
	nobody record "${faults[@]}" --filter "$high" -o x.data "$SCRATCH/copy/known" touch 50
	check [ "$(kept)" = 50 ]
	check [ "$("$WORKLOADS/able" elements $pins/map)" -gt 0 ] # of the one that runs
	for pid in $(cat "/proc/$child/task/"*/children); do
		# First perf, then what it measures: timeout, which ends known.
		below=$(cat "/proc/$pid/task/"*/children)
		kill -KILL "$pid"
		# shellcheck disable=SC2086
		kill -TERM $below
	done
	wait $child 2> /dev/null
	check [ "$("$WORKLOADS/able" elements $pins/map)" -gt 0 ]
	nobody record "${faults[@]}" --filter "$high" -o x.data "$SCRATCH/copy/known" touch 50
	check [ "$(kept)" = 50 ]
	check [ "$("$WORKLOADS/able" elements $pins/map)" = 0 ]
fi

step "a BPF file system that is closed to users"
if need_mounts; then
	chmod 700 /sys/fs/bpf
	nobody record "${faults[@]}" --filter "$low" true
	check [ $rc -eq 255 ]
	check grep -q 'its mode keeps users out of /sys/fs/bpf (700)' err
	check grep -q 'chmod o+x /sys/fs/bpf' err
	nobody doctor sample-filters
	check grep -q 'fix *chmod o+x /sys/fs/bpf' out
	perf record --setup-filter pin
	check [ $rc -eq 0 ]
	check grep -q 'Warning: users cannot filter samples: its mode keeps users out' err
	chmod 1777 /sys/fs/bpf
fi

step "unpin removes what is ours only, and what somebody else put there is not believed"
if need_mounts; then
	mkdir $pins/other
	perf record --setup-filter unpin
	check [ $rc -eq 255 ]
	check grep -q "'other' in it is not from this perf: nothing was removed" err
	check [ -e $pins/map ]
	check [ -e $pins/program ]
	rmdir $pins/other
	nobody record --setup-filter unpin
	check [ $rc -eq 255 ]
	check [ -e $pins/map ]
	perf record --setup-filter unpin
	check [ $rc -eq 0 ]
	check grep -q 'no longer pinned' err
	check [ ! -e $pins ]
	setpriv --reuid=12345 --regid=12345 --clear-groups mkdir $pins
	nobody record "${faults[@]}" --filter "$low" true
	check [ $rc -eq 255 ]
	check grep -q "'$pins': it is no folder that only root may write to" err
	check rmdir $pins
fi
finish
