#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf leaves the system as it found it: tracefs, sysctls, limits, processes; after every command,
# after ^C, after being killed, and when it had to mount tracefs itself. (Every other test checks
# the same around each perf it runs: see lib.sh.)
. "$(dirname "$0")/../lib.sh"
plan 51

step "the picture sees what changes"
# In a folder that looks like tracefs: the real one belongs to everybody.
(
	tracefs() { echo "$SCRATCH/fake"; }
	mkdir -p "$SCRATCH/fake/instances" && cd "$SCRATCH/fake" || exit 1
	touch set_event current_tracer tracing_on kprobe_events uprobe_events
	before
	unchanged || exit 1
	for change in 'echo sched:sched_switch > set_event' 'echo 0 > tracing_on' \
		'echo "p:x do_fork" > kprobe_events' 'echo "p:x /bin/true:0" > uprobe_events' \
		'mkdir instances/x' 'ulimit -S -n 77'; do
		before
		eval "$change"
		if unchanged; then echo "unseen: $change" && exit 1; fi
	done
) > out 2> err
rc=$?
check [ $rc -eq 0 ]

step "the picture sees a process left behind"
before
PERF_TEST_MARK=$mark sleep 3600 > watch.log 2>&1 &
left=$!
CHILDREN="$CHILDREN $left"
seen() { ! unchanged; }
until_true seen || fail "a process was left behind unseen"
kill "$left"
wait "$left" 2> /dev/null

for command in $("$PERF" help | sed -nE 's/^   ([a-z0-9-]+) .*/\1/p'); do
	step "perf $command -h, without arguments, with nonsense"
	perf "$command" -h
	case $command in
	record | stat | top | trace | kvm | daemon) ;; # alone they measure the system until ^C
	*) perf "$command" ;;
	esac
	perf "$command" --no-such-option
done

signalled() {
	local signal=$1 after
	shift
	for after in 0.02 0.1 0.4; do
		perf_signal "$signal" "$after" "$@"
	done
}

for signal in INT TERM KILL HUP; do
	step "record -a and SIG$signal"
	if need_root && need_events; then
		signalled $signal record -a -g -o x.data
	fi
	step "record of tracepoints and SIG$signal"
	if need_tracefs; then
		signalled $signal record -a -e 'sched:*' -o x.data
	fi
	step "stat -a and SIG$signal"
	if need_root && need_events; then
		signalled $signal stat -a
	fi
done

step "a killed record leaves its workload to itself, not a second perf"
if need_events; then
	perf_signal TERM 0.3 record -e cpu-clock -o x.data sleep 0.5
fi

step "a tracefs that perf had to mount stays mounted, and nothing else changes"
if need_root; then
	# In a mount namespace of its own: nobody else loses his tracefs.
	before
	unshare -m bash -c '
		while grep -q " tracefs " /proc/mounts; do
			umount "$(awk "\$3 == \"tracefs\" { print \$2; exit }" /proc/mounts)" || exit 3
		done
		timeout 200 "$1" record -v -e sched:sched_switch -o x.data true > out 2> err || exit 4
		grep " tracefs " /proc/mounts > mounted' sh "$PERF"
	rc=$?
	unshare -m true 2> /dev/null || rc=3 # in a chroot
	[ $rc -ne 3 ] || skip "no mount namespace to unmount tracefs in"
	check [ $rc -eq 0 ]
	check [ "$(wc -l < mounted)" -eq 1 ]
	check grep -qi 'mount.*tracefs\|tracefs.*mount' err
	same_picture "record in a mount namespace"
fi
finish
