#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What `make check` makes of its jobs (tests/jobs.sh): nothing that says nothing is green, and what
# passes alone only is remembered.
. "$(dirname "$0")/lib.sh"
plan 13

# run NAME COMMAND...: jobs side by side, in a run of their own. `after NAME` may stand between them.
# ONE=PERCENT: one at a time, two where the processors, which have nothing to do for so much of their
# time, allow it.
run() {
	bash -c 'set -u
		logs=$PWD/logs parallel=2 wanted=() silent=("quiet*")
		. "$1"
		shift
		if [ -n "${ONE:-}" ]; then
			parallel=1 most=2 nr=0
			ticks() { nr=$((nr + 1)) idle=$((nr * ONE)) all=$((nr * 100)); }
		fi
		while [ $# -gt 0 ]; do
			[ "$1" = after ] && after "$2" || job "$1" 5 sh -c "$2"
			shift 2
		done
		finish_jobs
		again
		summary' run "$TESTS/jobs.sh" "$@" > out 2> err
	rc=$?
}

step "results are added up"
run one 'echo "ok - a"; echo "skip - b: no c"' two 'echo "ok - d"'
check [ $rc -eq 0 ]
check [ "$(tail -n 1 out)" = "2 passed, 0 failed, 1 skipped" ]
refute grep -q unsteady out

step "the line of each tells what it took of the clock and of the processors, the end what all did"
run wait 'sleep 1; echo "ok - a"' work 'i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done; echo "ok - b"'
check grep -qE '^ok    wait \(1, [0-9]+ s, CPU 0\.[0-9] s\)$' out
check grep -qE '^ok    work \(1, [0-9]+ s, CPU [0-9]+\.[0-9] s\)$' out
check [ "$(sort -n logs/times | cut -f 3 | tr '\n' ' ')" = "wait work " ]
check grep -qE '^most CPU: work [0-9]+ s \([0-9]+ s\), wait 0 s \([0-9]+ s\)$' out
check grep -qE '^2 jobs: CPU [0-9]+ s, [0-9]+% of [0-9]+ processors; [0-9]+ s side by side$' out

step "one that fails fails alone, too, with what it said"
run one 'echo "  # the reason"; echo "not ok - a"' two 'exit 3'
check [ $rc -eq 1 ]
check [ "$(tail -n 1 out)" = "0 passed, 2 failed, 0 skipped" ]
check grep -q 'the reason' out
check grep -q 'two (status 3' out
refute grep -q unsteady out

step "one without a result fails, whatever its status"
run one 'echo "all is well"'
check [ $rc -eq 1 ]
check grep -q 'one .*: it says no result' out
check [ "$(tail -n 1 out)" = "0 passed, 1 failed, 0 skipped" ]

step "what a job leaves running is named and ended, whatever session it went to"
run one 'setsid sh -c "sh -c \"exec sleep 4321\" & echo \$! > pid" ; echo "ok - a"'
check [ $rc -eq 1 ]
check grep -q 'not ok - left running: sleep 4321' out
refute kill -0 "$(cat pid)"
run two 'setsid sleep 1 & echo "ok - a"' # what ends by itself soon is waited for
check [ $rc -eq 0 ]

step "one whose time is over ends with all it started"
run one 'echo $$ > pid; setsid sh -c "trap : TERM; while :; do sleep 1; done" & wait'
check [ $rc -eq 1 ]
check grep -q 'one (status 124' out
refute kill -0 "$(cat pid)"
refute pgrep -f 'trap : TERM; while :; do sleep 1; done'

step "more run side by side where the processors have nothing to do"
meets='for _ in 1 2 3 4 5 6; do [ ! -e there ] || break; sleep 0.5; done; rm there && echo "ok - a"'
rm -rf logs
ONE=30 run one "$meets" two ': > there; echo "ok - b"'
check [ $rc -eq 0 ]
check [ "$(tail -n 1 out)" = "2 passed, 0 failed, 0 skipped" ]
refute grep -q unsteady out
rm -rf logs there
ONE=20 run one "$meets" two ': > there; echo "ok - b"'
check grep -q '^FAIL  one' out

step "a job is begun after another has ended"
rm -rf logs
run one 'sleep 1; : > made; echo "ok - a"' after one two 'rm made && echo "ok - b"' after none three 'echo "ok - c"'
check [ $rc -eq 0 ]
check [ "$(tail -n 1 out)" = "3 passed, 0 failed, 0 skipped" ]
refute grep -q unsteady out
rm -rf logs

step "but for those that never say any"
run quiet/one true
check [ $rc -eq 0 ]
check [ "$(tail -n 1 out)" = "1 passed, 0 failed, 0 skipped" ]

# Fails the first time in each run.
unsteady='[ -e seen ] && rm seen && echo "ok - a" || { : > seen; echo "not ok - a"; }'

step "one that passes alone is unsteady: said, not yet a failure"
rm -rf logs
run one "$unsteady" two 'echo "ok - b"'
check [ $rc -eq 0 ]
check grep -qx '1 unsteady (failed beside others, passed alone): one' out
check [ "$(tail -n 1 out)" = "2 passed, 0 failed, 0 skipped" ]

step "a name may have a space: two of a kind are not one twice"
rm -rf logs
run "one [asan]" "$unsteady" "two [asan]" "${unsteady//seen/seen2}"
check [ $rc -eq 0 ]
check grep -qE '^2 unsteady \(.*\): (one \[asan\], two|two \[asan\], one) \[asan\]$' out
rm -rf logs
run one "$unsteady"

step "twice in ten runs is a failure, and stays one"
run one "$unsteady"
check [ $rc -eq 1 ]
check grep -q '^FAIL  one: unsteady in 2 of the last 2 runs' out
check [ "$(tail -n 1 out)" = "1 passed, 1 failed, 0 skipped" ]
run one 'echo "ok - a"'
check [ $rc -eq 1 ]

step "until ten runs have passed"
for _ in 1 2 3 4 5 6 7 8; do
	run one 'echo "ok - a"'
done
check [ $rc -eq 0 ]
check [ "$(wc -l < logs/unsteady)" -eq 10 ]
finish
