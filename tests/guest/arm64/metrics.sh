#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Events of the table and metrics on real counters: equal to the generic events, to Linux's perf, and
# to the arithmetic of what was counted.
# guest: linux=1 programs=fixed
. "$(dirname "$0")/../lib.sh"

step "events of the table count what the generic ones do"
perf stat -x, -e INST_RETIRED:u,instructions:u,Cpu_Cycles:u,cycles:u ./fixed 1000
check [ $rc -eq 0 ]
check [ "$(count err INST_RETIRED:u)" -gt 10000000 ]
check [ "$(count err INST_RETIRED:u)" -eq "$(count err instructions:u)" ]
check [ "$(count err Cpu_Cycles:u)" -eq "$(count err cycles:u)" ]
perf stat -x, -e armv8_pmuv3/INST_RETIRED/u,armv8_pmuv3/inst_retired/u ./fixed 1000
check [ "$(count err armv8_pmuv3/INST_RETIRED/u)" -eq "$(count err armv8_pmuv3/inst_retired/u)" ]

step "and what Linux's do"
perf stat -x, -e INST_RETIRED:u,br_mis_pred:u ./fixed 1000
linux stat -x, -e INST_RETIRED:u,br_mis_pred:u ./fixed 1000
check near "$(count err INST_RETIRED:u)" "$(count lerr INST_RETIRED:u)" 1
check [ "$(count err br_mis_pred:u)" = "$(count lerr br_mis_pred:u)" ]

step "-M: the arithmetic of its row"
perf stat -x, -M ipc --all-user ./fixed 1000
check [ $rc -eq 0 ]
check [ "$(grep -c ',ipc$' err)" -eq 1 ]
check [ "$(count err cycles)" -eq $((2 * $(count err instructions))) ]
check grep -q ',0\.50,ipc$' err
perf stat -M ipc --all-user ./fixed 1000
check grep -q 'instructions  *#  *0\.50  insn per cycle' err
check grep -qE '^ {57}#     0\.50 ipc' err

step "metrics of the table of this processor"
perf stat -x, -M stalled_backend,wasted_instructions ./fixed 100
check [ $rc -eq 0 ]
check grep -q '^0,,STALL_BACKEND,.*,0\.0,%  stalled_backend$' err
check [ "$(count err INST_RETIRED)" -gt 1000000 ]
perf stat -j --metric-only -M cpi --all-user ./fixed 1000
check grep -q '"cpi" : 2.000000' err

step "the metric of Linux's perf, from its own formula: the same lines"
mkdir -p t/common
cat > t/common/a.json << 'END'
[{ "MetricName": "retiring", "MetricExpr": "INST_RETIRED / (CPU_CYCLES * 4)", "MetricGroup": "TopDownL1" }]
END
cp -R /perf/events/arm64 t/
PERF_CPUID=0x00000000480fd010 PERF_EVENT_TABLES=$PWD/t
export PERF_CPUID PERF_EVENT_TABLES
for more in '' '-x,' '--metric-only -x,' '--metric-only'; do
	# shellcheck disable=SC2086
	perf stat $more -M retiring --all-user -o ours.txt ./fixed 1000
	# shellcheck disable=SC2086
	linux stat $more -M retiring --all-user -o theirs.txt ./fixed 1000
	check [ $rc -eq $lrc ]
	for file in ours theirs; do # times, counts: how much the environment was read differs
		grep -v 'started on\|seconds' $file.txt | sed 's/[0-9]\{5,\}/N/g; s/  *$//; s/^  *N/N/; /^$/d' > $file
	done
	check [ -s ours ]
	same ours theirs
done
unset PERF_CPUID PERF_EVENT_TABLES

step "perf list has the table"
perf list br_retired
cp out lout
perf list --no-desc pmu
check grep -q '^  br_mis_pred ' out
check grep -q '^  inst_retired' out
check grep -q '^       \[Executed branches\]' lout
perf list metric
check grep -q '^  ipc ' out
check grep -q '^  stalled_backend ' out
finish
