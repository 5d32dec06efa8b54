# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# For tests of perf top, behind lib.sh: a program that works a tenth of the time ($busy) and one that sleeps
# ($idle), until the end of the suite; top in the background; what its text says. The text goes to the file out.
"$WORKLOADS/planted" 600 9 > busy.log 2>&1 &
busy=$!
sleep 600 &
idle=$!
CHILDREN="$CHILDREN $busy $idle"

# printed N [PID]: it has looked N times
printed() { [ "$(grep -ac PerfTop out)" -ge "$1" ]; }

# top_until WHEN OPTIONS...: until ^C, which comes when that is true
top_until() {
	local when=$1
	shift
	: > out # what is there is of another
	perf_signal INT "$when" top "$@"
	check [ $rc -eq 0 ]
}

# of_busy OPTIONS...: two looks at the user's part of the program that works
of_busy() { top_until 'printed 2' -e cpu-clock:u -c 500000 -d 1 -p $busy "$@"; }

# background OPTIONS...: $child, which has looked once, and its $recorder
background() {
	: > out
	set -m
	"$PERF" top "$@" > out 2> err < /dev/null &
	child=$!
	set +m
	CHILDREN="$CHILDREN $child"
	until_true printed 1
	recorder=$(cat "/proc/$child/task/$child/children")
	recorder=${recorder% }
}

# last [FILE]: the rows of the last look
last() { awk '/PerfTop:/ { rows = "" } !/PerfTop:|^-+$|^$/ { rows = rows $0 "\n" } END { printf "%s", rows }' "${1:-out}"; }

# near NAME SHARE [FILE]: its percentage in the last look is not far from that
near() { last "${3:-out}" | awk -v name="$1" -v want="$2" '$NF == name { got = $1 + 0 } END { exit !(got > want - 8 && got < want + 8) }'; }

# a process that is gone, or waits to be waited for
is_gone() { [ ! -e "/proc/$1/cmdline" ] || ! grep -q . "/proc/$1/cmdline"; }

# last_has NAME [PID]: the last look has a row with that word
last_has() { last | grep -qw -- "$1"; }
