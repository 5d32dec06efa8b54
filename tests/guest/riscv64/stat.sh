#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Counting with Sscofpmf: cycles, instructions and TLB misses.
# guest: linux=1 programs=fixed
. "$(dirname "$0")/../lib.sh"

# events FILE: what was counted, without the counts
events() {
	awk -F, '$3 != "" { print $3, ($1 ~ /^</) ? $1 : "counted" }' "$1"
}

step "no -e"
perf stat -x, ./fixed 1000
linux stat -x, ./fixed 1000
check [ $rc -eq 0 ]
events err > ours
events lerr > theirs
same ours theirs
check grep -q '^instructions counted' ours

step "cycles and instructions, alone and in a group"
# alike COMMAND OUTPUT EVENTS PERCENT: both count so alike, once in five times: QEMU's counters are a clock of
# the host, which may do something else between one and the other.
alike() {
	for _ in 1 2 3 4 5; do
		$1 stat -x, -e "$3" ./fixed 5000
		near "$(count "$2" instructions:u)" "$(count "$2" cycles:u)" "$4" && return 0
	done
	return 1
}
check alike perf err cycles:u,instructions:u 2
check [ "$(count err instructions:u)" -gt 10000000 ]
check alike perf err '{cycles:u,instructions:u}' 1
check alike linux lerr '{cycles:u,instructions:u}' 1

step "TLB misses; branches are not supported"
perf stat -x, -e dTLB-load-misses,dTLB-store-misses,iTLB-load-misses,branches ./fixed 1000
for event in dTLB-load-misses dTLB-store-misses iTLB-load-misses; do
	check [ "$(count err $event)" -gt 0 ]
done
check [ "$(count err branches)" = "<not supported>" ]
finish
