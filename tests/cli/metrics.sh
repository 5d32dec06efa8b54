#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Metrics (stat -M) and events of tables, with tables of the test's own: software events only, so
# that it counts on every machine. The rest of it needs counters: tests/guest/arm64/metrics.sh.
. "$(dirname "$0")/../lib.sh"
plan 14
need_events || finish

export PERF_EVENT_TABLES=$PWD/tables PERF_CPUID=GenuineIntel-6-55-4
case $(uname -m) in aarch64) arch=arm64 ;; *) arch=x86 ;; esac
mkdir -p tables/common tables/$arch/mine
printf 'Family-model,Version,Filename,EventType\nGenuineIntel-6-55-[0-4],v1,mine,core\n' > tables/$arch/mapfile.csv
cat > tables/common/all.json << 'END'
[
  { "MetricName": "load", "MetricExpr": "task\\-clock / 1e9 / duration_time", "MetricGroup": "Time" },
  { "MetricName": "faults_per_ms", "MetricExpr": "page\\-faults / (task\\-clock / 1e6)", "MetricGroup": "Time;Mem" },
  { "MetricName": "twice", "MetricExpr": "2 * page\\-faults", "ScaleUnit": "100%", "MetricGroup": "Mem" },
  { "MetricName": "same", "MetricExpr": "twice / page\\-faults" },
  { "MetricName": "ticks", "MetricExpr": "0 * page\\-faults + #system_tsc_freq / 1e6" },
  { "MetricName": "undefined", "MetricExpr": "page\\-faults / emulation\\-faults" }
]
END
cat > tables/$arch/mine/pipe.json << 'END'
[
  { "EventName": "INST.ANY", "EventCode": "0xC0" },
  { "MetricName": "needs_pmu", "MetricExpr": "INST.ANY / INST.OTHER", "MetricGroup": "Mem" }
]
END
faults="dd if=/dev/zero of=/dev/null bs=4M count=1 status=none" # 1,000 page faults and some

step "values beside the first event; the arithmetic is right"
perf stat -M twice,same -x, $faults
check [ $rc -eq 0 ]
check python3 -c '
rows = [line.strip().split(",") for line in open("err") if "," in line]
faults = float(rows[0][0])
assert faults > 1000 and rows[0][2] == "page-faults", rows
figures = {row[-1]: float(row[-2]) for row in rows}
assert figures == {"%  twice": 200 * faults, "same": 2}, figures'

step "the table"
perf stat -M twice,same $faults
check grep -qE '^ +[0-9,.]+ +page-faults  +# +[0-9.]+ %  twice *$' err
check grep -qE '^ {57}# +2\.00 same *$' err

step "groups of metrics; what cannot be counted is left out, and said"
perf stat -M Mem -x, $faults
check [ $rc -eq 0 ]
check grep -q 'left out (1).*needs_pmu' err
check grep -q ',%  twice$' err
check grep -q ',faults_per_ms$' err
perf stat -M nosuch,Time true
check [ $rc -eq 129 ]
perf stat -M needs_pmu true
check [ $rc -eq 129 ]
check grep -q "cannot count metric 'needs_pmu': its event 'INST" err

step "nothing is divided by 0"
perf stat -M undefined -x, $faults
check [ $rc -eq 0 ]
refute grep -q undefined err
check grep -q '^0,,emulation-faults,' err

step "-e comes first; -M may be there twice"
perf stat -x, -M load -M twice -e cs true
check [ "$(cut -d, -f3 err | head -n 1)" = cs ]
check grep -q ',load$' err
check grep -q ',%  twice$' err

step "JSON, --metric-only"
perf stat -j -M twice,load $faults
check python3 -c '
import json
rows = [json.loads(line) for line in open("err")]
assert {"%  twice", "load"} <= {row["metric-unit"] for row in rows if "metric-unit" in row}, rows'
perf stat -j --metric-only -M twice,same $faults
check python3 -c '
import json
(row,) = [json.loads(line) for line in open("err")]
assert row["metrics"]["same"] == 2 and row["metrics"]["%  twice"] > 200000, row'
perf stat --metric-only -x, -M same,load $faults
check [ "$(head -n 1 err)" = "load,same," ]
check grep -qE '^[0-9.]+,2\.00,$' err
perf stat --metric-only -M same $faults
check grep -qE '^ +same $' err

step "#system_tsc_freq: what the source msr counts in the time that it ran"
if [ -e /sys/bus/event_source/devices/msr/events/tsc ] && need_root; then
	perf stat -x, -M ticks true
	check [ $rc -eq 0 ]
	ticks=$(sed -n 's/.*,\([0-9.]*\),ticks$/\1/p' err)
	perf stat -C 0 -x, -e msr/tsc/ sleep 0.1
	check awk -F, -v ticks="$ticks" '{ is = $1 / $4 * 1000 } END { exit !(ticks > 100 && is > 0.95 * ticks && is < 1.05 * ticks) }' err
elif [ $state != skipped ]; then
	skip "no source of events counts ticks here"
fi

step "rows of their own: each CPU"
perf stat -a -A -x, -M same sleep 0.01
if have_user_root 2> /dev/null || [ "$(id -u)" -eq 0 ]; then
	check [ $rc -eq 0 ]
	check [ "$(grep -c ',2.00,same$' err)" -le "$(nproc --all)" ]
else
	skip "only root counts all CPUs here"
fi

step "perf list: metrics, groups, details, JSON"
perf list metric
check [ $rc -eq 0 ]
check grep -qE '^  twice +\[Metric\]$' out
check grep -qE '^  needs_pmu +\[Metric\] \(not counted here\)$' out
perf list metric --details
check grep -qx '       2 \* page\\-faults, unit %' out
perf list metricgroup
check [ "$(awk '{ print $1 }' out | tr '\n' ' ')" = 'Mem Time ' ]
perf list --raw-dump metricgroup
check [ "$(cat out)" = 'Mem Time ' ]
perf list wice
check [ "$(awk '{ print $1 }' out)" = twice ]
perf list -v inst.
check grep -qE '^  inst\.any +\[Table event\]' out
perf list -j -v twice inst.any
check python3 -c '
import json
metric, event = json.load(open("out"))
assert metric["MetricName"] == "twice" and metric["MetricExpr"] == "2 * page\\-faults", metric
assert metric["Countable"] and metric["ScaleUnit"] == "%" and metric["MetricGroup"] == "Mem", metric
assert event["EventName"] == "inst.any" and event["Topic"] == "pipe", event'

step "a name nobody knows: near ones, and which CPU this is"
perf stat -M tvice true
check [ $rc -eq 129 ]
check grep -q "Cannot find metric or group 'tvice'.*did you mean 'twice'" err
PERF_CPUID=GenuineIntel-6-99-1 perf stat -M needs_pmu true
check grep -q 'this CPU has no table of its own' err
check grep -q "GenuineIntel-6-99-1" err
perf stat -e twice true
check [ $rc -eq 129 ]
check grep -q "'twice' is a metric; perf stat -M twice" err

step "events of the table: found in any case, refused without their source"
if [ ! -e /sys/bus/event_source/devices/cpu ] && [ $arch = x86 ]; then
	perf stat -e inst.any true
	check [ $rc -eq 129 ]
	check grep -q "no event source 'cpu'" err
else
	skip "this machine has a PMU"
fi

step "mistakes in a table name file and line, and cost nothing else"
cat > tables/$arch/mine/bad.json << 'END'
[
  { "MetricName": "good", "MetricExpr": "page\\-faults" },
  { "EventName": "NO.CODE" },
  { "MetricName": "open", "MetricExpr": "(page\\-faults" },
  { "MetricName" "broken" }
]
END
perf stat -x, -M good,twice $faults
check [ $rc -eq 0 ]
check grep -q ',good$' err
perf list metric
check grep -q "event table: .*bad.json:3: the event 'NO.CODE'" err
check grep -q "event table: .*bad.json:5: ':' is missing" err
check grep -q '^  good ' out
perf stat -M open true
check grep -q "cannot compute metric 'open': ')' is missing" err
check grep -q "bad.json:4" err
perf stat -M nosuch true
check grep -q 'bad.json:3: the event .NO.CODE. has neither EventCode nor ConfigCode' err
perf stat -e nosuch true
check grep -q "the event table has 2 mistakes, the first: .*bad.json:3" err

step "a group of metrics' kind is broken up where it does not fit (modifier W)"
if ! have_pmu; then
	perf stat -x, -e '{cycles,page-faults}' $faults
	check [ $rc -eq 255 ]
	perf stat -x, -e '{cycles,page-faults}:W,cs' $faults
	check [ $rc -eq 0 ]
	check grep -q '^<not supported>,,cycles' err
	check grep -qE '^[0-9]{4},,page-faults' err
else
	skip "this machine has a PMU"
fi

step "start-up reads no table"
if command -v strace > /dev/null; then
	for words in 'stat -e cs' 'stat -e page-faults,task-clock:u' 'stat'; do
		# shellcheck disable=SC2086
		strace -f -o trace "$PERF" $words true 2> /dev/null
		check [ -s trace ]
		refute grep -E 'tables/common|mapfile' trace
	done
	strace -f -o trace "$PERF" stat -M twice true 2> /dev/null
	check grep -q 'tables/common/all.json' trace
else
	skip "strace is not installed"
fi
finish
