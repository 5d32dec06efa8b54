#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The loss ledger: what a recording lacks is counted to the last record, and said everywhere.
. "$(dirname "$0")/../lib.sh"
plan 7

N=200000
EVENT=syscalls:sys_enter_getsid
[ "$(id -u)" -eq 0 ] || skip_all "needs root for tracepoints"
at=$(tracefs)
[ -n "$at" ] && [ -d "$at/events/syscalls/sys_enter_getsid" ] || skip_all "this kernel has no $EVENT"

SUM='
import json, sys
n, file = int(sys.argv[1]), json.load(sys.stdin)
for cpu in file["cpus"]:
    # A record about a fork or an end can be among the lost ones, too.
    if not 0 <= cpu["kept"] + cpu["lost"] - n <= 8:
        sys.exit("CPU %s: kept %d + lost %d is not %d" % (cpu["cpu"], cpu["kept"], cpu["lost"], n))
for loss in file["losses"]:
    if loss["to_ns"] and not 0 < loss["from_ns"] <= loss["to_ns"]:
        sys.exit("a gap from %d to %d" % (loss["from_ns"], loss["to_ns"]))
if not file["lost"] <= sum(loss["records"] for loss in file["losses"]) < file["lost"] + 100:
    sys.exit("the gaps do not add up")
print(len(file["cpus"]), file["lost"])
'

step "an overload: on each CPU lost + kept = produced"
for _ in 1 2 3 4 5; do # small rings are full sooner or later
	perf record -o over.data -m 1 -e $EVENT -c 1 "$WORKLOADS/overload" $N
	check [ "$rc" -eq 0 ]
	grep -q "lost" err && break
done
cp err record.err
perf report --losses --json -i over.data
check python3 -c "$SUM" $N < out
lost=$(python3 -c 'import json, sys; print(json.load(sys.stdin)["lost"])' < out)
[ "$lost" -gt 0 ] || skip "nothing was lost in five overloads"

step "record, report and the table say the same number"
[ "$lost" -gt 0 ] || skip "nothing was lost"
check grep -qE "lost [0-9]+ events" record.err
perf report --stdio -i over.data
check grep -q "^# Lost: $lost records (perf" out
perf report --losses -i over.data
check grep -q "^# Lost: $lost records in" out
check grep -q "ring full" out

step "--max-loss: the exit status tells"
perf record -o over.data -m 1 -e $EVENT -c 1 --max-loss 100% "$WORKLOADS/overload" $N
check [ $rc -eq 0 ]
for _ in 1 2 3 4 5; do
	perf record -o over.data -m 1 -e $EVENT -c 1 --max-loss 0 "$WORKLOADS/overload" $N
	[ $rc -eq 0 ] || break
done
if [ $rc -eq 0 ] && ! grep -q lost err; then
	skip "nothing was lost in five overloads"
else
	check [ $rc -eq 1 ]
	check grep -q "more than --max-loss 0 allows" err
fi
perf record -o over.data -m 1 -e $EVENT -c 1 --max-loss 0 sh -c "'$WORKLOADS/overload' $N; exit 7"
check [ $rc -eq 7 ]
perf record --max-loss 101 true
check [ $rc -eq 129 ]
check grep -q "a percentage from 0 to 100" err

step "a stream and a packed recording: how many were kept is not counted, and nobody says so"
for options in "-o -" "-z -o packed.data"; do
	for _ in 1 2 3 4 5; do
		# shellcheck disable=SC2086
		perf record $options -m 1 -e $EVENT -c 1 --max-loss 50 "$WORKLOADS/overload" $N
		grep -qE "lost [0-9]+ events" err && break
	done
	grep -qE "lost [0-9]+ events" err || skip "nothing was lost in five overloads"
	check grep -qE "lost [0-9]+ events: the rings were full" err
	check grep -q "not counted" err
	check [ $rc -eq 1 ]
done

step "nothing lost: no word of it"
perf record -o good.data -e cpu-clock true
refute grep -qi lost err
perf report --stdio -i good.data
refute grep -q "^# Lost" out
perf report --losses -i good.data
check grep -q "^# Lost: 0 records in 0 gaps" out

step "--json alone: what it goes with"
perf report --json -i good.data
check [ $rc -eq 129 ]
check grep -q "it goes with --losses" err

step "what Linux's perf recorded: its gaps, and what its counters say besides"
if [ -x "$REF" ]; then
	"$REF" record -q -o ref.data -m 1 -e $EVENT -c 1 "$WORKLOADS/overload" $N > /dev/null 2>&1
	perf report --losses -i ref.data
	check [ $rc -eq 0 ]
	"$REF" report --stats -i over.data > ref 2> /dev/null
	check grep -q "SAMPLE events" ref # and it reads ours
else
	skip "Linux's perf is not here"
fi

finish
