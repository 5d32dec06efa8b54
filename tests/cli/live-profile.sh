#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A profile that is shown while its program runs (tests/live/profile.c), fed by record -o -.
. "$(dirname "$0")/../lib.sh"
plan 1

step "a live profile tells what a program does while it does it"
live=$(dirname "$WORKLOADS")/live-profile
if ! [ -x "$live" ]; then
	skip "$live is not built"
elif need_events; then
	# More than a second of CPU: one passes before the end, at least.
	"$PERF" record -q -e cpu-clock:u -F 499 -g -o - "$WORKLOADS/planted" 1.3 2> record.err |
		timeout -k 5 "$((LIMIT * 4))" "$live" > live 2> err
	check [ "${PIPESTATUS[0]}${PIPESTATUS[1]}" = 00 ]
	check [ "$(grep -c ' samples$' live)" -ge 2 ]
	check grep -q '% *planted_hot$' live
	refute grep -q '^0 samples' live
fi
finish
