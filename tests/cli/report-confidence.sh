#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf report --confidence: intervals that hold what a program really does, where samples come in bursts
# (workloads/bursts), where those of independent samples do not; ranks; how many samples are lacking.
. "$(dirname "$0")/../lib.sh"
plan 6
. "$TESTS/data/fields.sh"

# rows FILE: share, low end, high end, rank, function.
rows() {
	perf report --stdio --confidence -s sym -g none --percent-limit 0 -t '|' -i "$1"
	check [ $rc -eq 0 ]
	grep -v '^#' out | awk -F'|' 'NF == 4 { gsub(/ *\[.\] *| +|%/, ""); split($2, ends, "-"); print $1, ends[1], ends[2], $3, $4 }' > rows
}
nr_samples() {
	sed -n 's/^# Confidence: \([0-9]*\) samples.*/\1/p' out
}
effect() {
	sed -n 's/.*design effect \([0-9.]*\))$/\1/p' out
}
# Of the three functions: how many expected shares lie in the interval, in that of independent samples.
held() {
	awk -v n="$(nr_samples)" '$1 == "share" { truth[$2] = $3 }
		$5 in truth { p = $1 / 100; half = 196 * sqrt(p * (1 - p) / n); d = truth[$5] - $1; d = d < 0 ? -d : d
			ours += $2 <= truth[$5] && truth[$5] <= $3; naive += d <= half; wide += ($3 - $2) / (2 * half) }
		END { printf "%d %d %.2f\n", ours, naive, wide / 3 }' said rows
}

step "few slices of time: as of independent samples, by the formula"
"$REF" script --ns -F tid,time,event,period,ip,sym --kallsyms symbols -i memory.data < /dev/null > samples 2> ref.err
check [ "$(wc -l < samples)" -eq 400 ]
python3 "$TESTS/data/confidence.py" cycles < samples > want
perf report --stdio --confidence -s sym --percent-limit 0 -t '|' -i memory.data
check [ $rc -eq 0 ]
sed -i '/of events* .instructions/,$d' out
grep -v '^#' out | awk -F'|' 'NF == 4 { gsub(/ *\[.\] *| +/, ""); print $2, $3, $4 }' > ours
check [ "$(wc -l < ours)" -eq 6 ]
check diff <(grep -v '^more' want) ours
check grep -q 'less than 8 slices' out
check grep -q "^# First 10 entries: $(awk '/^more/ { print $2 }' want) more samples" out

step "bursts: the intervals hold the shares that the program has, those of independent samples do not"
if need_events; then
	perf record -q -e cpu-clock:u -c 1000000 -o bursts.data "$WORKLOADS/bursts" 60 50 8
	check [ $rc -eq 0 ]
	cp out said
	check grep -q '^had burst_half 45.0' said
	rows bursts.data
	check [ "$(nr_samples)" -ge 1000 ]
	read -r ours naive wide < <(held)
	check [ "$ours" -eq 3 ]
	check [ "$naive" -le 1 ]
	check awk "BEGIN { exit !($wide > 3) }"
	check awk "BEGIN { exit !($(effect) > 8) }"
	# What more of the same would be worth: not what is there already.
	check [ "$(awk '$5 == "burst_third" { print $4 }' rows)" -eq 1 ]
fi

step "turns as short as the time between samples: hardly wider than of independent samples"
if need_events; then
	perf record -q -e cpu-clock:u -c 1000000 -o steady.data "$WORKLOADS/bursts" 3000 1 3
	cp out said
	rows steady.data
	check [ "$(nr_samples)" -ge 1000 ]
	read -r ours naive wide < <(held)
	check awk "BEGIN { exit !($wide >= 1 && $wide < 1.7) }"
	check awk "BEGIN { exit !($(effect) < 2.5) }"
	check [ "$(awk '/burst_/ { printf "%d ", $4 }' rows)" = '1 2 3 ' ]
	check awk 'NR == FNR && $1 == "had" { had[$2] = $3 } NR != FNR && $5 in had { d = $1 - had[$5]; if (d > 4 || d < -4) exit 1 }' said rows
fi

step "intervals and ranks do not depend on the number of workers, or on other columns"
for workers in 1 2 7; do
	PERF_WORKERS=$workers perf report --stdio --confidence -i memory.data
	mv out out-$workers
done
check grep -qE '^# Overhead +95 % interval +Rank +Command' out-1
check cmp out-1 out-2
check cmp out-1 out-7
perf report --stdio --confidence -s sym -i memory.data -n --show-total-period
check grep -qE '^# Overhead +Samples +Period +95 % interval +Rank +Symbol' out

step "without --confidence nothing of it"
perf report --stdio -s sym -i plain.data
check grep -q fn_4 out
refute grep -qE 'interval|Rank|Confidence' out

step "not with other tables, and not without times"
for option in --json --hierarchy --callers-callees --total-cycles '-i plain.data'; do
	perf report --stdio --confidence -i plain.data $option
	check [ $rc -eq 129 ]
	check grep -q -- '--confidence and' err
done
if need_events; then
	perf record -q --per-thread -e cpu-clock -c 1000000 -o untimed.data "$WORKLOADS/bursts" 60 1 1
	check [ $rc -eq 0 ]
	perf report --stdio --confidence -i untimed.data
	check [ $rc -ne 0 ]
	check grep -q 'record with -T' err
fi
finish
