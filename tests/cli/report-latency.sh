#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# record --latency, report --latency, --parallelism: each share, worked out again from the switches
# and samples that script prints.
. "$(dirname "$0")/../lib.sh"
plan 8
CC=${CC:-cc}
command -v "$CC" > /dev/null || skip_all "report-latency: $CC is not installed"
command -v python3 > /dev/null || skip_all "report-latency: python3 is not there"
need_events || finish

cat > par.c << 'END'
#include <pthread.h>
#include <time.h>
volatile unsigned long sink;
static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}
__attribute__((noinline)) void alone(void) { for (int i = 0; i < 200000; i++) sink++; }
__attribute__((noinline)) void shared(void) { for (int i = 0; i < 200000; i++) sink += 2; }
static void *work(void *arg)
{
	double end = now() + 1;
	while (now() < end)
		shared();
	return arg;
}
int main(void)
{
	pthread_t one, two;
	double end = now() + 0.5;
	while (now() < end)
		alone();
	pthread_create(&one, 0, work, 0);
	pthread_create(&two, 0, work, 0);
	pthread_join(one, 0);
	pthread_join(two, 0);
	return 0;
}
END

step "record --latency keeps the switches of each thread"
check "$CC" -O0 -g -fno-omit-frame-pointer -o par par.c -lpthread
perf record --latency -e cpu-clock:u -F 2000 -g -o par.data ./par
check [ $rc -eq 0 ]
perf script --show-switch-events --show-task-events -F comm,tid,time,event,period,ip,sym -i par.data
check grep -q 'PERF_RECORD_SWITCH IN' out
mv out script

# The parts of time in which each thread ran; the shares of functions, by symbol and parallelism.
cat > expected.py << 'END'
import collections, re, sys
what, only = sys.argv[1], [int(n) for n in sys.argv[2:]]
runs, since, samples = [], {}, []
lines = open("script").read().split("\n")
records = []
for i, line in enumerate(lines):
    m = re.match(r"\s*(.*?)\s+(\d+)\s+(\d+)\.(\d+): (.*)$", line)
    if m:
        chain = []
        for frame in lines[i + 1:]:
            if not frame.strip():
                break
            if not re.match(r"\s+[0-9a-f]+ ", frame):
                break
            chain.append(frame.split(None, 1)[1].strip())
        records.append((int(m[3]) * 1000000 + int(m[4]), i, int(m[2]), m[5], chain))
records.sort()
for time, _, tid, text, chain in records:
    away = "SWITCH OUT" in text or "PERF_RECORD_EXIT" in text
    if not tid or not time:
        continue
    if away and tid in since:
        runs.append((since.pop(tid), time))
    elif not away:
        since.setdefault(tid, time)
    if "cpu-clock" in text:
        samples.append((time, int(text.split()[0]), chain))
runs += [(time, 1 << 62) for time in since.values()]
starts, ends = sorted(run[0] for run in runs), sorted(run[1] for run in runs)
import bisect
def width(time):
    return max(1, bisect.bisect_right(starts, time) - bisect.bisect_right(ends, time))
period, latency, whole, passed = collections.Counter(), collections.Counter(), 0, 0
for time, each, chain in samples:
    n = width(time)
    whole += each
    passed += each / n
    if only and n not in only:
        continue
    for key in {"symbol": {chain[0]}, "children": set(chain), "parallelism": {str(n)}}[what]:
        period[key] += each
        latency[key] += each / n
for key in latency:
    print("%s %.2f %.2f" % (key, 100 * latency[key] / passed, 100 * period[key] / whole))
END

# compare LIMIT WHAT... -- OPTION...: the same keys; latency (first) and overhead at most LIMIT apart:
# script cuts times to microseconds, and so moves samples over a switch beside them.
compare() {
	local limit=$1 words=()
	shift
	while [ "$1" != -- ]; do
		words+=("$1")
		shift
	done
	shift
	python3 expected.py "${words[@]}" > theirs
	perf report --stdio -g none --latency -i par.data "$@"
	check [ $rc -eq 0 ]
	sed -n 's/%//g; s/\[\.\] //; s/\[k\] //; s/^ *\([0-9]\)/\1/p' out > ours
	check awk -v limit="$limit" '
		NR == FNR { latency[$1] = $2; overhead[$1] = $3; next }
		{ key = $NF; n++; apart = latency[key] - $1; other = overhead[key] - $2 }
		!(key in latency) || apart > limit || apart < -limit || other > limit || other < -limit {
			print key, $0 > "/dev/stderr"; bad = 1 }
		END { exit bad || !n }' theirs ours
}

step "shares of functions are those of the time that passed"
compare 0.5 symbol -- --no-children -s sym
check grep -q 'alone' ours
check grep -qE '^# Latency  Overhead  Symbol' out

step "the table by parallelism, too"
compare 0.5 parallelism -- --no-children -s parallelism
check [ "$(awk '{ a += $1; b += $2 } END { print (a > 99.9 && a < 100.1 && b > 99.9 && b < 100.1) }' ours)" -eq 1 ]

step "with callees: each counts for its callers once"
compare 0.5 children -- --children -s sym
check grep -qE '^# Latency  Children      Self  Symbol' out
check [ "$(awk '$NF == "main" { print ($1 > 20) }' ours)" -eq 1 ]

step "a filter on how many ran at a time"
compare 0.5 symbol 1 -- --no-children -s sym --parallelism 1
compare 0.5 symbol 1 2 3 -- --no-children -s sym --parallelism 1-3
perf report --stdio -i par.data --parallelism 0
check [ $rc -eq 129 ]
check grep -q "not a list of numbers '0'" err
perf report --stdio -i par.data --parallelism 77
check grep -qi 'warning' err

step "a recording for it shows both; -F and hierarchies; 1, 2 and 7 workers agree"
perf report --stdio -g none -i par.data --no-children
check grep -qE '^# Overhead  Latency  Command  Shared Object' out
perf report --stdio -g none -i par.data -F latency,sym
check grep -qE '^# Latency  Symbol' out
for nr in 1 2 7; do
	PERF_WORKERS=$nr perf report --stdio -i par.data -g none -s latency,parallelism,sym --hierarchy
	check [ $rc -eq 0 ]
	mv out with.$nr
done
check grep -qE '^#    Latency  Overhead  Parallelism / Symbol' with.1
check grep -qE '^ +[0-9.]+% +[0-9.]+% +\[\.\] shared' with.1
check cmp with.1 with.2
check cmp with.1 with.7

step "JSON has them as numbers"
perf report --json --latency -i par.data --no-children -s sym
check python3 -c '
import json
rows = json.load(open("out"))["events"][0]["rows"]
assert rows and all(isinstance(row["latency"], float) for row in rows)
assert rows == sorted(rows, key=lambda row: -row["latency"])
assert 99.5 < sum(row["latency"] for row in rows) < 100.5'

step "without switches: said, with the way to have them"
perf record -q -e cpu-clock:u -o plain.data ./par
for option in --latency '-s parallelism' '-s latency,sym' '--parallelism 1'; do
	# shellcheck disable=SC2086
	perf report --stdio -i plain.data $option
	check [ $rc -eq 255 ]
	check grep -q 'record with --latency' err
done
perf report --stdio -i plain.data
check [ $rc -eq 0 ]
refute grep -q Latency out
finish
