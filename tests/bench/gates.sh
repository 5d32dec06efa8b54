#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Instruction counts: the only speed figures that a loaded machine cannot spoil, so the only ones
# that `make check` judges. Two kinds of gate: a share of what Linux's perf spends on the same
# thing, and a stored limit where there is nothing to compare with.
. "$(dirname "$0")/../lib.sh"
REF=${PERF_REF:-/usr/bin/perf}

have_valgrind() {
	command -v valgrind > /dev/null && return 0
	skip "valgrind is not installed"
	return 1
}

# instructions PROGRAM ARGS...: of the whole process, user space
instructions() {
	valgrind --tool=callgrind --callgrind-out-file=/dev/null "$@" 2>&1 > /dev/null |
		sed -n 's/^==[0-9]*== I *refs: *//p' | tr -d ,
}

step "perf --version spends at most 0.15 of what Linux's perf spends"
if have_valgrind; then
	if [ -x "$REF" ]; then
		ours=$(instructions "$PERF" --version) theirs=$(instructions "$REF" --version)
		echo "  # ours ${ours:-?}, Linux's ${theirs:-?}"
		check [ "$((ours * 100))" -le "$((theirs * 15))" ]
	else
		skip "Linux's perf is not installed"
	fi
fi

step "perf --version spends at most 0.7 million instructions"
if have_valgrind; then
	check [ "$(instructions "$PERF" --version)" -le 700000 ]
fi
finish
