#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What perf's own start costs, in instructions, which this guest counts exactly: at most 0.7 of
# Linux's perf.
# guest: linux=1
. "$(dirname "$0")/../lib.sh"

# of COMMAND...: instructions of user space, counted by ours
of() {
	perf stat -x, -e instructions:u "$@"
	count err instructions:u
}

# cheap NAME ARGS...: ours and Linux's, and the share
cheap() {
	name=$1
	shift
	step "$name: at most 0.7 of Linux's"
	ours=$(of /perf/perf "$@")
	theirs=$(of /linux/perf "$@")
	echo "  # $name: $ours, Linux's $theirs: $(awk -v a="$ours" -v b="$theirs" 'BEGIN { printf "%.2f", a / b }')"
	check [ "$ours" -gt 10000 ]
	check [ $((ours * 10)) -le $((theirs * 7)) ]
}

cheap "--version" --version
cheap "stat true" stat -o /dev/null true
cheap "record true" record -o r.data true
cheap "report" report -i r.data --stdio
finish
