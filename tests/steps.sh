# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
# Steps and what is checked in them, for tests on this machine (lib.sh) and in guests
# (guest/lib.sh), where busybox reads it. The words are explained at the top of lib.sh.
rc=0 nr_failed=0 nr_runs=0 nr_steps=0 planned='' shown=-1 current='' state=none reason=''

close_step() {
	case $state in
	ok) echo "ok - $current" ;;
	bad) nr_failed=$((nr_failed + 1)) && echo "not ok - $current" ;;
	skipped) echo "skip - $current: $reason" ;;
	esac
	state=none
}

# plan NUMBER: of the steps to come, skipped ones included; another number fails in the end.
plan() {
	planned=$1
}

step() {
	close_step
	nr_steps=$((nr_steps + 1))
	current=$1 state=ok
}

# Say why the step fails, with what perf said last: once for each run of perf. STOP=yes: the test ends with it.
fail() {
	[ $state = skipped ] || state=bad
	echo "  # $current: $*"
	[ ! -s err ] || [ $shown = $nr_runs ] || sed -n 's/^/  #   err: /;1,15p' err
	shown=$nr_runs
	[ "${STOP:-}" != yes ] || finish
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

# What failed before stays failed.
skip() {
	[ $state = bad ] || state=skipped reason=$1
}

# Without a plan, or skipped as a whole: any number of steps is right.
as_planned() {
	[ -z "$planned" ] || [ "${STOP:-}" = yes ] || [ "$nr_steps" -eq "$planned" ] && return 0
	echo "  # write: plan $nr_steps"
	echo "not ok - $nr_steps steps, planned were $planned"
	return 1
}

finish() {
	[ "$nr_steps" -gt 0 ] || [ $state != skipped ] || planned=''
	close_step
	as_planned || nr_failed=$((nr_failed + 1))
	state=finished
	exit $((nr_failed > 0))
}
