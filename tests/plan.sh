#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# plan.sh SUITE...: runs each and writes the number of its steps into it, `plan NUMBER`, where it is
# another; what the steps say does not matter. One that skips itself as a whole keeps what it has.
for suite; do
	number=$("$suite" 2>&1 | sed -n 's/^  # write: plan //p')
	[ -n "$number" ] || continue
	if grep -q '^plan ' "$suite"; then
		sed -i "s/^plan .*/plan $number/" "$suite"
	else
		sed -i "s|^\. .*/lib\.sh\"\$|&\nplan $number|" "$suite"
	fi
	echo "$suite: plan $number"
done
