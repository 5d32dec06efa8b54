#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A build that counts as failed when the compiler or the linker warned: build.sh MAKE ARGS...
log=$(mktemp) || exit 2
trap 'rm -f "$log"' EXIT
"$@" > "$log" 2>&1
status=$?
cat "$log"
if grep -v '^make' "$log" | grep -q 'warning: '; then
	echo "FAIL warnings"
	exit 1
fi
exit $status
