# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
# Steps and what is checked in them, for tests on this machine (lib.sh) and in guests
# (guest/lib.sh), where busybox reads it. The words are explained at the top of lib.sh.
rc=0 nr_failed=0 nr_runs=0 shown=-1 current='' state=none reason=''

close_step() {
	case $state in
	ok) echo "ok - $current" ;;
	bad) nr_failed=$((nr_failed + 1)) && echo "not ok - $current" ;;
	skipped) echo "skip - $current: $reason" ;;
	esac
	state=none
}

step() {
	close_step
	current=$1 state=ok
}

# Say why the step fails, with what perf said last: once for each run of perf.
fail() {
	[ $state = skipped ] || state=bad
	echo "  # $current: $*"
	[ ! -s err ] || [ $shown = $nr_runs ] || sed -n 's/^/  #   err: /;1,15p' err
	shown=$nr_runs
	return 1
}

# A command as it can be typed again, where the shell can say so.
typed() {
	echo "$*"
}

check() {
	[ $state != skipped ] || return 0
	"$@" > check.log 2>&1 && return 0
	fail "$(typed "$@") is false (status of perf: $rc)"
	sed -n 's/^/  #   /;1,10p' check.log
	return 1
}

# The command must fail: refute grep -q lost err
refute() {
	[ $state != skipped ] || return 0
	"$@" > check.log 2>&1 || return 0
	fail "$(typed "$@") is true (status of perf: $rc)"
}

skip() {
	state=skipped reason=$1
}

finish() {
	close_step
	exit $((nr_failed > 0))
}
