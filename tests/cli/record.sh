#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf record on real workloads. Workloads print what a recording of them must hold (known.c); the
# files are looked at by datawalk.c, which shares no code with perf.
. "$(dirname "$0")/../lib.sh"
plan 30
said() { # the number that the workload printed under NAME
	awk -v name="$1" '$1 == name { print $2 }' out
}
has_feature() {
	grep -qE "^features .*\b$1\b" facts
}
samples_said() {
	sed -n 's/.*Captured and wrote.*(\([0-9]*\) samples).*/\1/p' err
}

step "a command: both lines, mode 0600, a file that holds together"
need_events || finish
perf record -e cpu-clock -c 100000 "$WORKLOADS/planted" 0.2
check [ $rc -eq 0 ]
check grep -qE '^\[ perf record: Woken up [0-9]+ times to write data \]$' err
check grep -qE '^\[ perf record: Captured and wrote [0-9]+\.[0-9]{3} MB perf.data \([0-9]+ samples\) \]$' err
check [ "$(stat -c %a perf.data)" = 600 ]
walk perf.data
check [ "$(fact samples)" -gt 100 ]
check [ "$(fact samples)" = "$(samples_said)" ]
check grep -q "^map $WORKLOADS/planted" facts
check [ "$(fact 'type 82')" -eq 1 ]
check [ "$(fact 'type 68')" -ge 1 ]

step "the header features of Linux's perf 6.1 are there"
for feature in 2 3 4 5 6 7 10 11 12 21 25 26 31; do
	check has_feature $feature
done
for feature in 1 15 17 18 19 23 24 27 29; do
	check eval "! has_feature $feature"
done

step "the older recording is kept as perf.data.old"
cp perf.data first
echo PERFILE2 older > perf.data.old
perf record -q -e cpu-clock true
check cmp -s first perf.data.old
check [ ! -s err ]

step "no samples: no parenthesis"
perf record -e dummy -o x.data true
check grep -qE 'Captured and wrote [0-9.]+ MB x.data \]$' err

step "the exit status of the workload, and its death by a signal, are passed on"
perf record -e cpu-clock -o x.data sh -c 'exit 7'
check [ $rc -eq 7 ]
for signal in 9 11 15; do
	DIES=yes perf record -e cpu-clock -o x.data sh -c "kill -$signal \$\$"
	check [ $rc -eq $((128 + signal)) ]
	walk x.data
done

step "the workload has the signals of its parent, not ours"
grep -E '^Sig(Ign|Blk)' /proc/self/status > want
perf record -q -e cpu-clock -o x.data grep -E '^Sig(Ign|Blk)' /proc/self/status
check cmp -s want out

# Linux has such slices from 6.12 on.
step "the recorder has short slices, the workload those of everybody, and -r stays"
slice() { awk '$1 == "se.slice" { print $3 }' "$1"; }
cat > slices << 'END'
for i in $(seq 500); do
	grep -qE 'se.slice .* 100000$' /proc/$PPID/sched && break
	sleep .02
done
cat /proc/$PPID/sched > recorder
cat /proc/self/sched > workload
END
if [ "$(printf '%s\n' 6.12 "$(uname -r)" | sort -V | head -n 1)" = 6.12 ] && [ "$(slice /proc/self/sched)" ]; then
	perf record -q -e cpu-clock -o x.data sh slices
	check [ "$(slice recorder)" = 100000 ]
	check [ "$(slice workload)" = "$(slice /proc/self/sched)" ]
	perf record -q -e cpu-clock -r 1 -o x.data sh -c 'sleep .3; cat /proc/$PPID/sched > recorder'
	[ $rc -ne 0 ] || check grep -qE '^policy +: +1$' recorder
else
	skip "the kernel has no slices of a task's own, or does not show them"
fi

step "a workload that ignores SIGTERM goes with the second ^C"
set -m
"$PERF" record -e cpu-clock -o x.data sh -c 'trap "" TERM; echo ready > here; while :; do sleep 0.05; done' \
	> out 2> err &
child=$!
set +m
CHILDREN="$CHILDREN $child"
until [ -s here ]; do sleep 0.02; done
kill -TERM $child
until_true took TERM $child # or both would be one
kill -TERM $child
wait $child
check [ $? -eq 137 ]
walk x.data

step "-vv shows the events as the kernel took them"
perf record -vv -e cpu-clock:p -o x.data true
check grep -qE '^  precise_ip +1$' err
check grep -qE '^  sample_type +IP\|TID\|TIME\|PERIOD$' err

step "counts are exact: tracepoints"
if need_tracefs; then
	perf record -m 8M -e syscalls:sys_enter_getppid -o x.data "$WORKLOADS/known" getppid 12345
	walk x.data
	check [ "$(fact samples)" -eq "$(said calls)" ]
	check [ "$(samples_said)" -eq "$(said calls)" ]
	check has_feature 1
fi

step "what does not fit into the rings is counted to the last one, and said"
if need_tracefs; then
	# perf, its parent, stands still while it works.
	# shellcheck disable=SC2016
	perf record -m 1 -e syscalls:sys_enter_getppid -o x.data \
		sh -c 'kill -STOP $PPID; "$1" getppid 50000; kill -CONT $PPID' sh "$WORKLOADS/known"
	walk x.data
	check [ "$(fact lost)" -gt 10000 ]
	# The kernel counts other records of the event (its exit) there, too.
	check [ $(($(fact samples) + $(fact lost) - $(said calls))) -ge 0 ]
	check [ $(($(fact samples) + $(fact lost) - $(said calls))) -le 8 ]
	check grep -qE '^Warning: lost [0-9]+ events .*: the rings were full' err
	check grep -qE -e '-m ' err
fi

step "--filter holds for the event before it"
if need_tracefs; then
	perf record -m 8M -e syscalls:sys_enter_close --filter 'fd == 77' -o x.data \
		"$WORKLOADS/known" close 321
	walk x.data
	check [ "$(fact samples)" -eq 321 ]
	perf record -m 8M -e syscalls:sys_enter_close --filter 'fd >= 77' --filter 'fd < 79' \
		-o x.data "$WORKLOADS/known" close 321
	walk x.data
	check [ "$(fact samples)" -eq 642 ]
fi

step "every fork, thread and exec of the workload is followed"
perf record -q -e cpu-clock -o x.data "$WORKLOADS/known" forks 500
walk x.data
check [ "$(fact 'type 7')" -eq "$(said forks)" ]
check [ "$(fact 'type 4')" -eq $(($(said forks) + 1)) ]
perf record -q -e cpu-clock -o x.data "$WORKLOADS/known" threads 500
walk x.data
check [ "$(fact 'type 7')" -eq "$(said forks)" ]
perf record -q -e cpu-clock -o x.data "$WORKLOADS/known" exec 20
walk x.data
check [ "$(fact exec)" -eq "$(said exec)" ]

step "samples of children count, with -i they do not"
if need_tracefs; then
	perf record -q -m 8M -e syscalls:sys_enter_getppid -o x.data sh -c "'$WORKLOADS/known' getppid 50; true"
	walk x.data
	check [ "$(fact samples)" -ge 50 ] # some shells ask for their own parent, too
	check [ "$(fact samples)" -lt 60 ]
	perf record -q -i -e syscalls:sys_enter_getppid -o x.data sh -c "'$WORKLOADS/known' getppid 50; true"
	walk x.data
	check [ "$(fact samples)" -lt 10 ]
fi

step "groups, several events, call graphs, stacks, data, clocks: files that hold together"
for options in '-g' '--call-graph dwarf -F 500' '--call-graph dwarf,4096 -e page-faults' '-d' \
	'-e {cpu-clock,cs}:S' '-e cpu-clock,page-faults,cs' '-k mono' '-R' '-T -P' '-s' '--per-thread' \
	'-m 16' '-m 64K' '-c 1000000' '-F max -D -1' '-n' '-e cpu-clock/max-stack=3/ -g' '--no-bpf-event' \
	'--all-user' '-e cpu-clock:u' '-D 1' '-W'; do
	case $options in *-e*) ;; *) options="-e cpu-clock $options" ;; esac
	set -f
	# shellcheck disable=SC2086
	perf record -o x.data $options "$WORKLOADS/planted" 0.05
	set +f
	check [ $rc -eq 0 ]
	walk x.data
	# One sample of a :S group tells of each member that counted since the last one.
	case $options in
	*:S*) check [ "$(samples_said)" -ge "$(fact samples)" ] ;;
	*) check [ "$(samples_said)" = "$(fact samples | sed 's/^0$//')" ] ;;
	esac
done

step "groups and clocks have their features"
perf record -q -e '{cpu-clock,cs}' -k mono -o x.data true
walk x.data
check has_feature 17
check has_feature 23
check has_feature 29

step "the default event works without a PMU, and says so once"
perf record -o x.data "$WORKLOADS/planted" 0.05
check [ $rc -eq 0 ]
check [ "$(grep -c "cannot sample 'cycles'" err)" -le 1 ]
walk x.data
check [ "$(fact samples)" -gt 0 ]

step "its modifiers stay in its name as they were given"
if have_pmu; then
	skip "this machine has cycles"
else
	for given in u k p pp H uP; do
		perf record -q -e "cycles:$given" -o x.data true
		perf evlist -i x.data
		check grep -qx "cpu-clock:$given" out
		perf evlist -v -i x.data
		refute grep -q precise_ip out
	done
fi

step "attach to a process: what it had mapped is told"
: > ready
"$WORKLOADS/known" wait > ready &
child=$!
CHILDREN="$CHILDREN $child"
until grep -q ready ready; do sleep 0.02; done
perf record -e cpu-clock -p $child -o x.data "$WORKLOADS/nap" $child 100
check [ $rc -eq 0 ]
walk x.data
check [ "$(fact samples)" -gt 0 ]
check grep -q "^map $WORKLOADS/known" facts
perf record -e cpu-clock -t "$child" -o x.data "$WORKLOADS/nap" $child 100
walk x.data
check [ "$(fact samples)" -gt 0 ]

step "the recording ends when the attached process does, and takes its own command along"
timeout -k 5 "$LIMIT" "$PERF" record -e cpu-clock -p $child -o x.data > out 2> err &
recorder=$!
CHILDREN="$CHILDREN $recorder"
until_recording $recorder
kill -KILL $child
wait $recorder
check [ $? -eq 0 ]
walk x.data
wait $child 2> wait.log

step "of several processes the last one ends the recording"
tasks=''
for _ in 1 2 3; do
	: > ready
	"$WORKLOADS/known" wait > ready &
	tasks=$tasks${tasks:+,}$!
	CHILDREN="$CHILDREN $!"
	until grep -q ready ready; do sleep 0.02; done
done
PERF_TEST_MARK=$SCRATCH:last timeout -k 5 60 "$PERF" record -e cpu-clock -p "$tasks" -o x.data > out 2> err &
child=$!
until_recording $child
for task in ${tasks//,/ }; do
	check kill -0 $child # perf is still there
	kill -KILL "$task"
	wait "$task" 2> wait.log
	sleep 0.1
done
wait $child
check [ $? -eq 0 ]
walk x.data

step "the whole system: -a, -C, no target at all"
if need_root; then
	perf record -e cpu-clock -a -o x.data sleep 0.1
	check [ $rc -eq 0 ]
	walk x.data
	check [ "$(fact attrs)" -eq 2 ]
	check [ "$(fact 'type 7')" -gt 5 ] # tasks that existed before
	perf record -e cpu-clock -C 0 -o x.data sleep 0.1
	check [ $rc -eq 0 ]
	perf record -e cpu-clock "-C0-$(($(getconf _NPROCESSORS_ONLN) - 1))" -o x.data sleep 0.1
	check [ $rc -eq 0 ]
	walk x.data
	perf_signal INT saw_work record -e cpu-clock -o x.data
	check [ $rc -eq 130 ]
	walk x.data
	check [ "$(fact samples)" -gt 0 ]
fi

step "counters of what happens run before /proc is read for what is there"
if ! command -v strace > /dev/null; then
	skip "strace is not installed"
else
	sleep 3600 &
	child=$!
	CHILDREN="$CHILDREN $child"
	for target in "-p $child" "-p $child --delay 1" -a "-a --delay 1"; do
		case $target in -a*) need_root || break ;; esac
		# shellcheck disable=SC2086
		strace -v -f -o calls -e trace=perf_event_open,ioctl,openat \
			"$PERF" record -e cpu-clock $target -o x.data true > out 2> err
		# Those with task=1 carry the side-band; each must be on when the first maps are read.
		check [ "$(awk '
			/perf_event_open/ && / task=1,/ { side[$NF] = 1; if (/ disabled=0,/) on[$NF] = 1 }
			match($0, /ioctl\([0-9]+, PERF_EVENT_IOC_ENABLE/) { split($0, at, /[(,]/); on[at[2]] = 1 }
			/openat/ && /[\/"]maps"/ {
				for (fd in side) if (fd in on) running++; else late++
				print late ? late " late" : running ? "running" : "none"
				exit
			}' calls)" = running ]
	done
fi

step "BPF programs that were loaded before are told"
"$WORKLOADS/bpfload" > loaded 2>&1 &
child=$!
CHILDREN="$CHILDREN $child"
until [ -s loaded ]; do sleep 0.02; done
if ! grep -q ready loaded; then
	skip "no BPF here: $(cat loaded)"
elif [ "$(cat /proc/sys/net/core/bpf_jit_enable 2> no.jit || echo 0)" -lt 1 ]; then
	skip "BPF programs are not compiled here (net.core.bpf_jit_enable)"
else
	perf record -q -e cpu-clock -o x.data true
	walk x.data
	check [ "$(fact 'type 17')" -ge 1 ]
	check [ "$(fact 'type 18')" -ge 1 ]
	check grep -qaE 'bpf_prog_[0-9a-f]{16}_planted' x.data
	perf record -q --no-bpf-event -e cpu-clock -o x.data true
	walk x.data
	check [ "$(fact 'type 18')" -eq 0 ]
fi
kill $child 2> kill.log
wait $child 2> wait.log

step "a tracefs that is not mounted is mounted, and -v says so"
if need_tracefs && unshare -m true 2> unshare.log; then
	# In a mount table of its own: nothing outside changes.
	# shellcheck disable=SC2016
	unshare -m sh -c 'umount -a -t tracefs; "$0" record -v -e sched:sched_process_exec -o x.data true' \
		"$PERF" > out 2> err
	rc=$?
	check [ $rc -eq 0 ]
	check grep -qE 'tracefs was not mounted: mounted it on /sys/kernel/tracing' err
	walk x.data
	check [ "$(fact samples)" -eq 1 ]
	check has_feature 1
fi

step "signals end a recording cleanly"
for signal in INT TERM HUP; do
	perf_signal $signal 'has_run 10' record -e cpu-clock -o x.data "$WORKLOADS/known" wait
	check grep -q 'Captured and wrote' err
	walk x.data
	check has_feature 12
	check [ "$(fact samples)" -gt 0 ]
done
perf_signal TERM 'has_run 10' record -e cpu-clock -o x.data "$WORKLOADS/known" wait
check [ $rc -eq 143 ]

step "build-ids and their cache"
rm -rf -- "${SCRATCH:?}/home/.debug"
perf record -q -e cpu-clock:u -o x.data "$WORKLOADS/planted" 0.05
walk x.data
check has_feature 2
id=$(readelf -n "$WORKLOADS/planted" 2> readelf.log | sed -n 's/ *Build ID: //p')
if [ -n "$id" ]; then
	check cmp -s "$HOME/.debug/.build-id/${id:0:2}/${id:2}/elf" "$WORKLOADS/planted"
fi
rm -rf -- "${SCRATCH:?}/home/.debug"
perf record -q -N -e cpu-clock -o x.data "$WORKLOADS/planted" 0.05
walk x.data
check has_feature 2
check [ ! -e "$HOME/.debug" ]
perf record -q -B -e cpu-clock -o x.data "$WORKLOADS/planted" 0.05
walk x.data
check eval '! has_feature 2'
check [ ! -e "$HOME/.debug" ]

step "a file that is only ever a caller has its build-id stored"
if need_tracefs; then
	rm -rf -- "${SCRATCH:?}/home/.debug"
	perf record -q -g -e syscalls:sys_enter_getppid -o x.data "$WORKLOADS/known" getppid 10
	id=$(readelf -n "$WORKLOADS/known" 2> readelf.log | sed -n 's/ *Build ID: //p')
	[ -z "$id" ] || check [ -e "$HOME/.debug/.build-id/${id:0:2}/${id:2}/elf" ]
fi

step "software events of one kind: whose a sample is cannot be told, and that is said"
shared="cannot be told: this kernel gives samples of software events of one kind"
newer=$(uname -r | awk -F. '{ print $1 > 6 || ($1 == 6 && $2 >= 2) }')
while IFS='|' read -r events names; do
	# shellcheck disable=SC2086
	perf record -c 1 $events -o x.data "$WORKLOADS/known" touch 50
	check [ $rc -eq 0 ]
	if [ -z "$names" ] || [ "$newer" = 0 ]; then
		refute grep -q "$shared" err
	else
		check grep -qF "Warning: which samples belong to which of $names $shared" err
		check grep -q '^  make a recording of its own for each$' err
	fi
done << 'END'
-e page-faults -e page-faults:u|'page-faults' and 'page-faults:u'
-e page-faults:u -e page-faults:u -e faults|'page-faults:u', 'page-faults:u' and 'faults'
-e faults/name=a/u,minor-faults,faults/name=b/|'a' and 'b'
-e minor-faults -e minor-faults|'minor-faults' and 'minor-faults'
-e page-faults:u -e page-faults:k|
-e page-faults:u -e minor-faults:u -e dummy -e dummy|
-e page-faults|
-e alignment-faults -e alignment-faults|
END
perf record -c 1000000 -e cpu-clock -e cpu-clock:u -e cpu-clock -o x.data "$WORKLOADS/planted" 0.1
refute grep -q "$shared" err
# Where nothing is said the numbers are right.
perf record -c 1 -e page-faults:u -e page-faults:k -e minor-faults:u -o x.data "$WORKLOADS/known" touch 50
perf script -i x.data -F event
check [ "$(grep -c page-faults:u out)" -gt 50 ]
check [ "$(grep -c page-faults:u out)" -ge "$(grep -c minor-faults:u out)" ]
check [ "$(grep -c page-faults:k out)" -lt "$(grep -c page-faults:u out)" ]

step "Linux's perf reads the same number of samples"
if [ ! -x "$REF" ]; then
	skip "Linux's perf is not here"
else
	perf record -q -g -e cpu-clock,page-faults -o x.data "$WORKLOADS/planted" 0.1
	walk x.data
	"$REF" script -i x.data -F event > theirs 2> theirs.err
	check [ "$(grep -cE 'cpu-clock|page-faults' theirs)" -eq "$(fact samples)" ]
fi
finish
