#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# perf test where there are hardware counters: its numbers are looked at, and right.
. "$(dirname "$0")/../lib.sh"

step "perf test 8: instructions and cycles of a loop are counted and plausible"
perf test -v 8
check [ $rc -eq 0 ]
cat out err > both
check grep -q '^instructions:u: [1-9][0-9]*$' both
check grep -q '^Hardware counters subtest 1: Ok' both
check grep -q '^Hardware counters subtest 3: Ok' both
check grep -q "^Hardware counters subtest 2: Skip (cannot open 'branches:u': this machine's PMU does not count it)" both
finish
