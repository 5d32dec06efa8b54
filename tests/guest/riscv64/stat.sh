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
perf stat -x, -e cycles:u,instructions:u ./fixed 5000
check [ "$(count err instructions:u)" -gt 10000000 ]
check near "$(count err instructions:u)" "$(count err cycles:u)" 2
perf stat -x, -e '{cycles:u,instructions:u}' ./fixed 5000
check near "$(count err instructions:u)" "$(count err cycles:u)" 1
linux stat -x, -e '{cycles:u,instructions:u}' ./fixed 5000
check near "$(count lerr instructions:u)" "$(count lerr cycles:u)" 1

step "TLB misses; branches are not supported"
perf stat -x, -e dTLB-load-misses,dTLB-store-misses,iTLB-load-misses,branches ./fixed 1000
for event in dTLB-load-misses dTLB-store-misses iTLB-load-misses; do
	check [ "$(count err $event)" -gt 0 ]
done
check [ "$(count err branches)" = "<not supported>" ]
finish
