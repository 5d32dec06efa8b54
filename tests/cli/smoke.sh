#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The shortest walk through perf: count, record, report, script. Also run against the perf that
# was built without any optional library.
. "$(dirname "$0")/../lib.sh"
plan 4

step "stat counts"
if need_events; then
	perf stat -e task-clock,page-faults true
	check [ $rc -eq 0 ]
	check grep -q 'task-clock' err
	check grep -qE '^ +[1-9][0-9,]* +page-faults' err
	check grep -q 'seconds time elapsed' err
fi

step "record writes a profile"
if need_events; then
	perf record -g -F 2000 -o x.data "$WORKLOADS/planted" 0.3
	check [ $rc -eq 0 ]
	check grep -qE 'Captured and wrote [0-9.]+ MB x.data \([0-9]+ samples\)' err
	check [ "$(stat -c %a x.data)" = 600 ]
fi

step "report names the planted function"
if need_events; then
	perf report --stdio --no-children -g none -i x.data
	check [ $rc -eq 0 ]
	check grep -qE '^ +[0-9.]+% +planted +planted +\[\.\] planted_hot' out
fi

step "script prints every sample"
if need_events; then
	perf script -F comm,ip,sym -i x.data
	check [ $rc -eq 0 ]
	check grep -q planted_hot out
fi
finish
