#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# perf test where the TSC is the kernel's clock: its value is turned into the time of a sample.
. "$(dirname "$0")/../lib.sh"

step "perf test 21: the TSC lies between the times of two samples"
perf test -v 21
check [ $rc -eq 0 ]
cat out err > both
check grep -q '^sample [0-9]*, TSC [0-9]*, sample [0-9]*$' both
check grep -q '^The TSC as a time of perf: Ok' both
finish
