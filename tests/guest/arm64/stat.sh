#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Counting on real counters. On one processor QEMU counts exactly: ours and Linux's agree to the
# last digit. (Its cycles are instructions times two; it offers no branches and no cache events.)
# guest: linux=1 programs=fixed
. "$(dirname "$0")/../lib.sh"

# events FILE: what was counted, without the counts
events() {
	awk -F, '$3 != "" { print $3, ($1 ~ /^</) ? $1 : "counted", $7 }' "$1"
}

# figures FILE: counts without times
figures() {
	awk -F, '$3 != "" { print $1, $2, $3, $6, $7 }' "$1"
}

# Linux's perf tells a command's environment more; reading it costs the command instructions.
# And so does another place of its stack.
echo 0 > /proc/sys/kernel/randomize_va_space
linux stat -o /dev/null -e cpu-clock env
linux_environment=$(cat lout)
perf_so() {
	# shellcheck disable=SC2086 # words
	timeout -s KILL 100 env -i $linux_environment /perf/perf "$@" > out 2> err
	rc=$?
}

# both ARGS...: stat -x, by both, ours as it was told Linux's environment
both() {
	perf_so stat -x, "$@"
	linux stat -x, "$@"
	check [ $rc -eq $lrc ]
}

# exactly ARGS...: every figure is equal
exactly() {
	both "$@"
	figures err > ours
	figures lerr > theirs
	same ours theirs
}

step "no -e: the hardware events, and what the machine does not count"
both ./fixed 1000
events err > ours
events lerr > theirs
same ours theirs
check grep -q '^cycles counted' ours
check grep -q '^branches <not supported>' ours

step "-d, -d -d and -d -d -d"
for more in '' '-d' '-d -d'; do
	# shellcheck disable=SC2086
	both -d $more ./fixed 1000
	events err > ours
	events lerr > theirs
	same ours theirs
done
check grep -q '^L1-dcache-loads <not supported>' ours

step ":u counts to the last digit"
exactly -e cycles:u,instructions:u ./fixed 5000
check [ "$(count err cycles:u)" -gt 200000000 ]
check [ "$(count err cycles:u)" -eq $((2 * $(count err instructions:u))) ]

step ":k, and the whole is its parts"
both -e instructions:k ./fixed 5000
check near "$(count err instructions:k)" "$(count lerr instructions:k)" 40
perf_so stat -x, -e instructions,instructions:u,instructions:k ./fixed 5000
check near "$(count err instructions)" $(($(count err instructions:u) + $(count err instructions:k))) 1

step "groups"
exactly -e '{cycles:u,instructions:u}' ./fixed 5000
exactly -e '{cycles,instructions}:u' ./fixed 1000

step "raw events, terms of the PMU, its named events"
exactly -e r8:u,r11:u,r0:u ./fixed 1000
check [ "$(count err r11:u)" -eq $((2 * $(count err r8:u))) ]
exactly -e armv8_pmuv3/event=0x8/u,armv8_pmuv3/inst_retired/u,armv8_pmuv3/cpu_cycles/u ./fixed 1000
exactly -e armv8_pmuv3/inst_retired,name=mine/u ./fixed 1000
exactly -e inst_retired:u,cpu_cycles:u ./fixed 1000
check [ "$(count err inst_retired:u)" -gt 10000000 ]

step "counted beside not supported"
exactly -e branch-misses:u,instructions:u,cache-references:u,cpu_cycles:u ./fixed 1000
check grep -q '^<not supported>,,branch-misses:u' err

step "more events than counters: they take turns, and it is said for how long"
many=cycles:u
for i in 1 2 3 4 5 6 7 8 9 10 11; do
	many=$many,instructions:u
done
both -e $many ./fixed 10000
check [ "$(grep -c instructions:u err)" -eq 11 ]
check [ "$(awk -F, '$5 < 99' err | wc -l)" -gt 3 ]
check [ "$(awk -F, '$5 < 99' lerr | wc -l)" -gt 3 ]
exact=$(perf_so stat -x, -e instructions:u ./fixed 10000 && count err instructions:u)
for figure in $(awk -F, '$3 == "instructions:u" { print $1 }' err lerr); do
	check near "$figure" "$exact" 25
done

step "instructions per cycle, GHz"
perf stat -e cycles:u,instructions:u ./fixed 1000
check grep -q 'instructions:u  *#  *0.50  insn per cycle' err
perf stat -e task-clock,cycles ./fixed 5000
linux stat -e task-clock,cycles ./fixed 5000
check grep -Eq 'cycles  *#  *[01]\.[0-9]+ GHz' err
check near "$(awk '/GHz/ { print $4 }' err)" "$(awk '/GHz/ { print $4 }' lerr)" 5

step "-r: mean and spread"
exactly -r 3 -e instructions:u ./fixed 1000
perf stat -r 3 -e instructions:k ./fixed 1000
check grep -q 'instructions:k .*( +- *[0-9]*\.[0-9][0-9]% )' err

step "-j"
perf_so stat -j -e cycles:u,instructions:u ./fixed 1000
linux stat -j -e cycles:u,instructions:u ./fixed 1000
sed 's/"event-runtime" : [0-9]*, //' err > ours
sed 's/"event-runtime" : [0-9]*, //' lerr > theirs
same ours theirs
finish
