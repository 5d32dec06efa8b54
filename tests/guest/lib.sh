# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
# What every guest test starts with. The test is started on the host: this file has it run in a
# guest of the architecture its folder names (run.sh); there the test's steps are done by busybox.
#
#	# guest: linux=1			what run.sh is asked for
#	. "$(dirname "$0")/../lib.sh"
#	step "cycles are counted"		names the next result
#	perf stat -e cycles true		files out and err, exit status in $rc
#	check grep -q cycles err
#	linux stat -e cycles true		the same by Linux's perf: lout, lerr, $lrc
#	finish
#
# step, check, refute, skip are those of tests/steps.sh. Files in /out come back to the host.
if [ ! -e /rig/cmd ]; then
	exec "$(dirname "$0")/../run.sh" "$0"
fi
set -u
. /t/steps.sh
lrc=0
LIMIT=${LIMIT:-100} # seconds for each perf

# same FILE FILE: what they hold, as ours and Linux's
same() {
	[ $state != skipped ] || return 0
	diff "$1" "$2" > same.log && return 0
	fail "$1 and $2 differ"
	sed -n 's/^/  #   /;1,20p' same.log
	return 1
}

perf() {
	[ $state != skipped ] || { : > out && : > err && rc=0 && return 0; }
	nr_runs=$((nr_runs + 1))
	timeout -s KILL "$LIMIT" /perf/perf "$@" > out 2> err < /dev/null
	rc=$?
	case $rc in
	13[2-9]) fail "perf $* died or ran longer than $LIMIT s, status $rc" ;;
	esac
}

# Linux's perf cannot know options of ours: what it says is compared, not judged.
linux() {
	[ $state != skipped ] || { : > lout && : > lerr && lrc=0 && return 0; }
	timeout -s KILL "$LIMIT" /linux/perf "$@" > lout 2> lerr < /dev/null
	lrc=$?
}

# recordings ARGS...: one by ours and one by Linux's, ours.data and theirs.data; what ours said: said
recordings() {
	perf record -o ours.data "$@"
	check [ $rc -eq 0 ]
	cp err said
	linux record -o theirs.data "$@"
}

# nr_samples FILE: of what a recorder said at its end
nr_samples() {
	sed -n 's/.*(\([0-9]*\) samples).*/\1/p' "$1"
}

# count FILE EVENT: the figure of an event in lines of -x, (also <not supported>)
count() {
	awk -F, -v event="$2" '$3 == event { print $1; exit }' "$1"
}

# near A B PERCENT: do two figures agree so far?
near() {
	awk -v a="$1" -v b="$2" -v p="$3" 'BEGIN { d = a > b ? a - b : b - a
		if (d * 100 <= p * (a > b ? a : b)) exit 0
		print a " and " b " are not within " p " %"; exit 1 }'
}
