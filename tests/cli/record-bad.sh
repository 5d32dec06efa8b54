#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf record where something goes wrong: nothing good is lost, the message names cause and way
# out, the status is that of Linux's perf.
. "$(dirname "$0")/../lib.sh"
plan 23

step "a workload that is not there: status 255, and the older recording keeps its name"
need_events || finish
echo PERFILE2 precious > perf.data
perf record -e cpu-clock /no/such/program
check [ $rc -eq 255 ]
check grep -q "'/no/such/program' workload: No such file or directory" err
check [ "$(cat perf.data)" = "PERFILE2 precious" ]
check [ ! -e perf.data.old ]
perf record -e cpu-clock nosuchprogram
check [ $rc -eq 255 ]
touch notexecutable
perf record -e cpu-clock ./notexecutable
check [ $rc -eq 255 ]
check grep -q "Permission denied" err

step "a process that is not there: 244, a thread: 255"
perf record -e cpu-clock -p 999999999 -o x.data true
check [ $rc -eq 244 ]
check grep -q '999999999' err
perf record -e cpu-clock -t 999999999 -o x.data true
check [ $rc -eq 255 ]
check [ ! -e x.data ]

step "targets and numbers that mean nothing"
for bad in '-p x' '-t x' '-C x' '-F x' '-c x' '-m x' '-D x' '-k x' '--call-graph x' \
	'--call-graph dwarf,0' '--call-graph dwarf,65529' '-u nosuchuser' '-F 0' \
	'-m 2G' '--filter a==1' '-e cpu-clock --filter a==1' '-o /no/such/folder/x.data' '-o .'; do
	# shellcheck disable=SC2086
	perf record -e cpu-clock $bad true
	check [ $rc -ge 129 ]
	check [ -s err ]
done

step "an event that does not exist: 129 and its neighbours"
perf record -e cpu-clok -o x.data true
check [ $rc -eq 129 ]
check grep -q "cpu-clock" err

step "an option that does not exist: 129, what it is near to, and nothing is touched"
echo PERFILE2 precious > perf.data
while read -r options near; do
	perf record $options -e cpu-clock true
	check [ $rc -eq 129 ]
	check grep -q "unknown option '${options%%=*}'" err
	[ -z "$near" ] || check grep -q -e "$near" err
	[ ! -x "$REF" ] || { "$REF" record $options -e cpu-clock true > ref.log 2>&1; check [ $? -eq $rc ]; }
done << 'END'
--nosuch
-Y
--swich-output=1M --switch-output
--frequenzy --freq
END
check [ "$(cat perf.data)" = "PERFILE2 precious" ]
check [ ! -e perf.data.old ]

# limited LIMITS ARGS...: perf record under prlimit
limited() {
	local limits=$1
	shift
	before
	PERF_TEST_MARK=$mark timeout -k 5 "$LIMIT" prlimit $limits "$PERF" record "$@" > out 2> err < /dev/null
	rc=$?
	judge "perf record $* with $limits"
}
many=$(printf 'cs,%.0s' $(seq 100))

step "64 open files: one event fits, a hundred do not, and the older recording keeps its name"
for limits in --nofile=64:64 --nofile=64:; do # what may be raised is raised
	limited $limits -e cpu-clock,cs -o few.data "$WORKLOADS/planted" 0.1
	check [ $rc -eq 0 ]
	walk few.data
	check [ "$(fact samples)" -gt 10 ]
	limited $limits --threads -z -e cpu-clock -o parts.data "$WORKLOADS/planted" 0.1
	check [ $rc -eq 0 ]
	cp few.data many.data
	limited $limits -e "${many%,}" -o many.data true
	case $limits in
	*64)
		check [ $rc -eq 255 ]
		check grep -q 'Too many events are opened' err
		check grep -q 'ulimit -n) is 64' err
		check grep -q 'prlimit --pid' err
		check cmp few.data many.data
		check [ ! -e many.data.old ]
		;;
	*)
		check [ $rc -eq 0 ]
		check cmp few.data many.data.old
		;;
	esac
done

step "no locked memory: root needs none"
limited --memlock=0:0 -m 4M -e cpu-clock -o x.data "$WORKLOADS/planted" 0.1
check [ $rc -eq 0 ]
walk x.data
check [ "$(fact samples)" -gt 10 ]

step "-g takes no argument: explained"
perf record -e cpu-clock -g dwarf true
check [ $rc -eq 255 ]
check grep -q -e '--call-graph dwarf' err

step "branch stacks and lbr are refused with the reason, before anything is written"
for bad in -b '-j any,u' '--call-graph lbr'; do
	# shellcheck disable=SC2086
	perf record -e cpu-clock $bad -o y.data true
	check [ $rc -eq 255 ]
	check grep -qE 'branch stack|last-branch' err
	check [ ! -e y.data ]
done

step "a pid that vanishes while we look"
for _ in 1 2 3 4 5 6 7 8; do
	sh -c 'sleep 0.01' &
	child=$!
	perf record -e cpu-clock -p $child -o x.data
	case $rc in
	0) walk x.data ;;
	244 | 255) check grep -q "$child" err ;;
	*) fail "status $rc" ;;
	esac
	wait $child
done

step "a full disk: what was written stays readable"
if need_root; then
	mkdir disk
	if mount -t tmpfs -o size=1m none disk 2> mount.log; then
		umount_at_end=$PWD/disk
		perf record -e cpu-clock -c 100000 -g -o disk/x.data "$WORKLOADS/known" forks 16000
		check [ $rc -eq 255 ]
		check grep -q 'No space left on device' err
		walk disk/x.data
		check [ "$(fact samples)" -gt 100 ]
		check grep -qE "^features .*\b12\b" facts
		rm disk/x.data
		# Room for one small write only: all but a few pages of it is kept, and counted.
		head -c 800000 /dev/zero > disk/fill
		perf record -e cpu-clock -c 100000 -g -o disk/x.data "$WORKLOADS/planted" 2
		check [ $rc -eq 255 ]
		check grep -q 'No space left on device' err
		walk disk/x.data
		check [ "$(fact samples)" -gt 100 ]
		check grep -qF "($(fact samples) samples)" err
		head -c 10000000 /dev/zero > disk/fill 2> /dev/null
		rm disk/x.data
		head -c 10000000 /dev/zero >> disk/fill 2> /dev/null
		perf record -e cpu-clock -o disk/x.data true
		check [ $rc -eq 255 ]
		check grep -q 'No space left on device' err
		check [ ! -e disk/x.data ]
		# shellcheck disable=SC2034 # lib.sh looks at it
		umount disk && umount_at_end=''
	else
		skip "tmpfs cannot be mounted"
	fi
fi

step "two recorders of one file: each has its own, whole; a third finds no room"
wait_for() { # FILE to have something in it
	until_true [ -s "$1" ]
}
rm -f -- two.data*
"$PERF" record -e cpu-clock -o two.data "$WORKLOADS/planted" 3000 > out 2> first.err &
first=$!
CHILDREN="$CHILDREN $first"
wait_for two.data
"$PERF" record -e task-clock -o two.data sh -c 'while :; do :; done' > out 2> second.err &
second=$!
CHILDREN="$CHILDREN $second"
wait_for two.data.old
until_true [ -s two.data ]
perf record -e cpu-clock -o two.data true
check [ $rc -eq 255 ]
check grep -q "cannot remove 'two.data.old': another perf record writes to it just now" err
until_true has_run 5 $first
until_true has_run 5 $second
kill -INT $first $second
wait $first $second
check grep -q "^Warning: another recording was started as 'two.data' meanwhile: this one is 'two.data.old' now" first.err
refute grep -q Warning second.err
for pair in two.data.old:cpu-clock two.data:task-clock; do
	file=${pair%:*}
	walk "$file"
	check [ "$(fact samples)" -gt 10 ]
	check grep -qE "^features .*\b12\b" facts
	perf report --stdio -i "$file"
	check grep -q "of event '${pair#*:}'" out
done
# Each was looked through itself.
perf buildid-list -i two.data.old
check grep -q planted out
perf buildid-list -i two.data
check [ -s out ]
refute grep -q planted out

step "two recorders: the first file of --switch-output gets its own name, whoever took the plain one"
rm -f -- sw.data*
"$PERF" record -e cpu-clock --switch-output=signal -o sw.data "$WORKLOADS/planted" 3000 > out 2> first.err &
first=$!
CHILDREN="$CHILDREN $first"
wait_for sw.data
until_true waits $first
perf record -e task-clock -o sw.data true
kill -USR2 $first
until_true grep -q Dump first.err
kill -INT $first
wait $first
check [ "$(find . -name 'sw.data.2*' | wc -l)" -eq 2 ]
for file in sw.data.2*; do
	perf evlist -i "$file"
	check grep -q cpu-clock out
done
# The second file of the first recorder took the name again; so the other's went.
perf evlist -i sw.data.old
check grep -q task-clock out

step "a recording that is removed while it is made: said"
"$PERF" record -e cpu-clock -o lost.data "$WORKLOADS/planted" 3000 > out 2> err &
first=$!
CHILDREN="$CHILDREN $first"
wait_for lost.data
until_true waits $first
rm lost.data
kill -INT $first
wait $first
check grep -q "^Warning: 'lost.data' was removed or renamed while it was written" err
check [ ! -e lost.data ]

step "a file-size limit is an error, not a signal"
(
	ulimit -f 100
	PERF_TEST_MARK=x timeout 200 "$PERF" record -e cpu-clock -c 100000 -g -o x.data \
		"$WORKLOADS/planted" 3 > out 2> err
	echo $? > rc
)
rc=$(cat rc)
check [ "$rc" -eq 255 ]
check grep -q "'x.data': File too large" err
check grep -qx '  raise the limit of file sizes of this process, 102400 bytes: ulimit -f' err
walk x.data
check [ "$(fact samples)" -gt 100 ]
perf report --stdio --header-only -i x.data # the header has its place, too
check grep -q '^# cmdline : ' out

# small BLOCKS FILE ARGS...: each file has that many KiB at most; FILE is what cannot be written.
small() {
	local blocks=$1 file=$2
	shift 2
	# The limit must not cut err.
	(ulimit -f "$blocks" && exec "$PERF" "$@") 2>&1 < /dev/null > small.out | cat > err
	rc=${PIPESTATUS[0]}
	check [ $rc -eq 1 -o $rc -eq 255 ]
	check grep -q "^Error: cannot write .*$file.*: File too large$" err
	check grep -qx "  raise the limit of file sizes of this process, $((blocks * 1024)) bytes: ulimit -f" err
}

step "the same in every command that writes a file"
perf record -g -e cpu-clock -c 100000 -o whole.data "$WORKLOADS/planted" 3 # enough where the kernel throttles
small 100 y.data inject -b -i whole.data -o y.data
check [ ! -e y.data ] # nor is half of a copy, whose original is still there
small 100 'standard output' inject -b -i whole.data -o -
small 10 j.json data convert --to-json j.json -i whole.data
check [ ! -e j.json ] # half of a JSON text is none
small 1 whole.data.tar.bz2 archive whole.data
check [ ! -e whole.data.tar.bz2 ]
small 10 'the output' script -i whole.data
check [ "$(stat -c %s small.out)" -eq 10240 ]
small 1 'the report' report --stdio -i whole.data
small 1 l list -o l
small 1 st.txt stat -I 100 -e cs,cpu-clock -o st.txt sleep 4
small 1 st.data stat record -I 100 -e cs,cpu-clock -o st.data sleep 4

step "what is kept for the next time is not worth an error"
mkdir fresh
(ulimit -f 1 && HOME=$PWD/fresh exec "$PERF" script -G -F ip,sym -i whole.data 2>&1) < /dev/null |
	sort -u > names
check [ "${PIPESTATUS[0]}" -eq 0 ]
check grep -q planted_hot names
check [ -z "$(find fresh -name '.tmp-*')" ]
refute grep -qE 'Error|Warning' names

step "a file-size limit ends the command that is measured, as it would alone"
# shellcheck disable=SC2016
(ulimit -f 1 && exec "$PERF" stat -e cs -o st.txt sh -c 'head -c 4096 /dev/zero > zeros; kill -l $?') > out 2> /dev/null
check grep -qx XFSZ out

step "/dev/null stays a device"
perf record -e cpu-clock -o /dev/null true
check [ $rc -eq 0 ]
check grep -q Captured err
check [ -c /dev/null ]

step "another user's file, and links that others made, are not written over"
if need_root; then
	chmod 711 "$SCRATCH" "$SCRATCH/dir"
	mkdir -m 777 theirs
	mkdir copy && cp "$PERF" copy/perf && chmod 755 copy copy/perf
	echo mine > theirs/x.data
	(cd theirs && setpriv --reuid=65534 --regid=65534 --clear-groups env HOME=/nonexistent \
		timeout 200 ../copy/perf record -e cpu-clock -o x.data true > ../out 2> ../err)
	rc=$?
	check [ $rc -eq 255 ]
	check grep -q 'belongs to another user' err
	check [ "$(cat theirs/x.data)" = mine ]
	echo precious > target
	ln -s ../target theirs/link && chown -h 65534 theirs/link
	perf record -e cpu-clock -o theirs/link true
	check [ $rc -eq 255 ]
	check [ "$(cat target)" = precious ]
fi

step "as nobody: own programs in user space; what is missing is said"
if need_root; then
	paranoid=$(cat /proc/sys/kernel/perf_event_paranoid)
	if [ "$paranoid" -ne 2 ]; then
		skip "perf_event_paranoid is $paranoid"
	else
		as_nobody() {
			(cd theirs && prlimit ${limits:-} setpriv --reuid=65534 --regid=65534 --clear-groups \
				env HOME="$PWD" timeout 200 ../copy/perf record "$@" > ../out 2> ../err)
			rc=$?
		}
		cp "$WORKLOADS/planted" theirs/ && chmod 755 theirs/planted
		as_nobody -e cpu-clock -o n.data ./planted 0.1
		check [ $rc -eq 0 ]
		check grep -q 'perf_event_paranoid is 2' err
		check grep -q 'user space only' err
		walk theirs/n.data
		check [ "$(fact samples)" -gt 0 ]
		check eval '! grep -q "kernel.kallsyms" facts'
		as_nobody -e cpu-clock:u -o n.data ./planted 0.1
		check eval '! grep -q Warning err'
		as_nobody -a -o n.data true
		check [ $rc -eq 255 ]
		check grep -q 'perf_event_paranoid is 2' err
		as_nobody -e sched:sched_switch -o n.data true
		check [ $rc -eq 129 ]
		check grep -q 'Permission denied' err
		as_nobody -p 1 -o n.data
		check [ $rc -eq 255 ]
		# No memory may be locked but what the kernel leaves everybody.
		limits=--memlock=0:0
		as_nobody -e cpu-clock:u -o small.data ./planted 0.1
		check [ $rc -eq 0 ]
		cp theirs/small.data few.data
		walk few.data
		check [ "$(fact samples)" -gt 10 ]
		as_nobody -m 64M -e cpu-clock:u -o small.data ./planted 0.1
		check [ $rc -eq 255 ]
		check grep -q 'than this user may lock: .* RLIMIT_MEMLOCK 0 KB' err
		check grep -qE 'use a smaller -m .*, or: sysctl kernel.perf_event_mlock_kb=[0-9]+' err
		check cmp few.data theirs/small.data
		check [ ! -e theirs/small.data.old ]
	fi
fi

step "a cgroup that goes away while it is recorded: its samples stay, the recording goes on"
group=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)/test-gone-$$
if ! need_root; then
	:
elif grep -q 'cgroup .*[ ,]perf_event' /proc/mounts || ! mkdir "$group" 2> mkdir.log; then
	skip "no cgroup2 with perf_event here"
else
	trap 'ended=$?; rmdir "$group" 2> /dev/null; at_end $ended' EXIT
	# shellcheck disable=SC2016
	perf record -e cpu-clock -a -G "${group##*/}" --all-cgroups -o x.data sh -c \
		'sh -c "echo \$\$ > $0/cgroup.procs; exec $1 0.2"; rmdir "$0" && sleep 0.3' "$group" "$WORKLOADS/planted"
	check [ $rc -eq 0 ]
	check [ ! -e "$group" ]
	walk x.data
	check [ "$(fact samples)" -gt 10 ]
	perf script -i x.data -F comm,cgroup
	sort -u out | tr -s ' ' > seen # the shell of it, too, at times
	check grep -qx " planted /${group##*/}" seen
	refute grep -qv " /${group##*/}\$" seen
	cp x.data kept.data
	perf record -e cpu-clock -a -G "${group##*/}" -o x.data true
	check [ $rc -eq 129 ]
	check grep -q 'no access to cgroup' err
	check cmp kept.data x.data
fi

step "^C after 100 random delays: each file is whole, or there is none; nothing is left behind"
RANDOM=4711
mark=$SCRATCH:hundred
for round in $(seq 100); do
	rm -f x.data
	set -m
	PERF_TEST_MARK=$mark "$PERF" record -e cpu-clock -F 10000 -g -o x.data "$WORKLOADS/known" wait > out 2> err &
	child=$!
	set +m
	sleep "0.$(printf '%03d' $((RANDOM % 60)))"
	kill -INT -- "-$child" 2> /dev/null
	wait $child 2> /dev/null
	rc=$?
	# As with Linux's, SIGTERM is the status when perf ended the workload before ^C reached it.
	[ $rc -eq 130 ] || [ $rc -eq 143 ] || fail "round $round: status $rc"
	[ -e x.data ] || continue
	walk x.data
	check [ "$(fact data)" -gt 0 ]
	check grep -qE "^features .*\b12\b" facts
done
check [ -z "$(left_behind)" ]
finish
