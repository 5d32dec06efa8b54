#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What the arm64 guest recorded, read on this machine: as it was read there.
. "$(dirname "$0")/../../lib.sh"
PERF=${PERF_HOST:-$SRC/build/perf}
mkdir -p root/w root/usr/lib/aarch64-linux-gnu && cp "$GUEST_BUILD/workloads/fixed" root/w/ &&
	cp -L "$SYSROOT/usr/lib/aarch64-linux-gnu/libc.so.6" root/usr/lib/aarch64-linux-gnu/ || exit 2

for name in cycles fp dwarf group; do
	step "$name.data of the arm64 guest, read here"
	case $name in
	cycles) perf report -i "$GUEST_OUT/cycles.data" --symfs root --stdio -n --show-total-period --sort sym --dso fixed ;;
	fp | dwarf) perf script -i "$GUEST_OUT/$name.data" --symfs root -F ip,sym ;;
	group) perf script -i "$GUEST_OUT/$name.data" --symfs root -F event,period ;;
	esac
	check [ $rc -eq 0 ]
	grep -v '^#' out > here
	grep -v '^#' "$GUEST_OUT/$name.txt" > there
	check diff there here
	check [ -s here ]
done
finish
