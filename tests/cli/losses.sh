#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The loss ledger: what a recording lacks is counted to the last record, and said everywhere.
. "$(dirname "$0")/../lib.sh"
plan 14

N=200000
EVENT=syscalls:sys_enter_getsid
[ "$(id -u)" -eq 0 ] || skip_all "needs root for tracepoints"
at=$(tracefs)
[ -n "$at" ] && [ -d "$at/events/syscalls/sys_enter_getsid" ] || skip_all "this kernel has no $EVENT"

SUM='
import json, sys
n, file = int(sys.argv[1]), json.load(sys.stdin)
for cpu in file["cpus"]:
    # A record about a fork or an end can be among the lost ones, too: see the next step.
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

# A lost record about a task is counted by the event that asked for it: the first one, or a dummy.
step "with side-band records from an event of their own: exactly what was produced"
mkfifo ctl
for _ in 1 2 3; do
	"$PERF" record -q -o apart.data -m 1 --sample-cpu --control fifo:ctl -e $EVENT -c 1 "$WORKLOADS/overload" $N > /dev/null 2> err
	perf report --losses --json -i apart.data
	check python3 -c 'import json, sys
for cpu in json.load(sys.stdin)["cpus"]:
    if cpu["cpu"] not in range(4096) or cpu["kept"] + cpu["lost"] != int(sys.argv[1]):
        sys.exit(str(cpu))' $N < out
done

step "record, report and the table say the same number"
[ "$lost" -gt 0 ] || skip "nothing was lost"
check grep -qE "lost [0-9]+ events" record.err
perf report --stdio -i over.data
check grep -q "^# Lost: $lost records (perf" out
perf report --losses -i over.data
check grep -q "^# Lost: $lost records in" out
check grep -q "ring full" out

step "filters: of CPUs and times the gaps that lie there, of all others the whole recording"
[ "$lost" -gt 0 ] || skip "nothing was lost"
perf report --losses --json -i over.data
first=$(python3 -c 'import json; print(min(g["from_ns"] for g in json.load(open("out"))["losses"] if g["records"]))')
some=$(python3 -c 'import json; f = json.load(open("out"));
cpu = f["losses"][0]["cpu"]; print(cpu, sum(g["records"] or 0 for g in f["losses"] if g["cpu"] == cpu))')
perf report --stdio -C "${some% *}" -i over.data
check grep -q "^# Lost: ${some#* } records (perf" out
perf report --stdio -C 4095 -i over.data
refute grep -q "^# Lost" out
perf report --stdio --time "0,$((first / 1000000000)).$(printf %09d $((first % 1000000000 - 1)))" -i over.data
refute grep -q "^# Lost" out
perf report --stdio --time "$((first / 1000000000)).0," -i over.data
check grep -qE '^# Lost: [1-9][0-9]* records \(perf' out
# Whose are the lost ones? Nobody knows: not of a CPU either, then.
for filter in "--comms nosuch" "--tid 1" "-d overload" "-S nosuch" "-S nosuch -C ${some% *}"; do
	# shellcheck disable=SC2086
	perf report --stdio $filter -i over.data
	check grep -q "^# Lost: $lost records in the whole recording (perf" out
	# shellcheck disable=SC2086
	perf report --losses $filter -i over.data
	check grep -q '^# The whole recording: filters do not apply to --losses' out
done

step "events of different layouts: each lost what its own counters say"
cat > events.py <<'PY'
import json, sys
n, file = int(sys.argv[1]), json.load(sys.stdin)
if any(cpu["cpu"] is None or cpu["cpu"] > 4096 for cpu in file["cpus"]):
    sys.exit("CPUs that are none: %s" % [cpu["cpu"] for cpu in file["cpus"]])
if [event["event"] for event in file["events"]] != ["syscalls:sys_enter_getsid", "cpu-clock/period=100000/", "page-faults"]:
    sys.exit("not the three events")
if sum(event["lost"] for event in file["events"]) != file["lost"] or sum(event["kept"] for event in file["events"]) != file["kept"]:
    sys.exit("the events do not add up")
for cpu in file["cpus"]:
    for what in "kept", "lost":
        if sum(event[what] for event in cpu["events"]) != cpu[what]:
            sys.exit("the events of CPU %d do not add up" % cpu["cpu"])
    calls = cpu["events"][0]
    if not 0 <= calls["kept"] + calls["lost"] - n <= 3000:  # forks and maps are counted there, too
        sys.exit("CPU %d: kept %d + lost %d calls are not %d" % (cpu["cpu"], calls["kept"], calls["lost"], n))
if not file["lost"] <= sum(slot["lost"] for slot in file["slots"]) < file["lost"] + 100:
    sys.exit("the slots do not add up")
if any(slot["from_ns"] and slot["from_ns"] % 100000000 for slot in file["slots"]):
    sys.exit("slots are not of 100 ms")
print(*(event["lost"] for event in file["events"]))
PY
# shellcheck disable=SC2016 # for the inner shell
OVERLOAD='"$0" "$1" & for i in $(seq 60); do /bin/true; done; wait'
for _ in 1 2 3 4 5; do
	perf record -o three.data -m 1 -e $EVENT -e cpu-clock/period=100000/ -e page-faults -c 1 sh -c "$OVERLOAD" "$WORKLOADS/overload" $N
	check [ $rc -eq 0 ]
	perf report --losses --json -i three.data
	python3 events.py $N < out > sums
	check [ $? -eq 0 ]
	read -r calls clock faults < sums
	[ $((calls > 0 && clock > 0 && faults > 0)) -eq 0 ] || break
done
[ $((calls > 0 && clock > 0 && faults > 0)) -eq 1 ] || skip "not each event lost something in five overloads"
perf report --losses -i three.data
check grep -qE "^ +[0-9]+ +$calls +[0-9.]+  $EVENT\$" out
check grep -qE "^ +[0-9]+ +$faults +[0-9.]+  page-faults\$" out
if [ -x "$REF" ]; then
	perf report --stats -i three.data
	cp out ours
	"$REF" report --stats -i three.data > ref 2> /dev/null
	check [ "$(grep -c LOST_SAMPLES ref)" -eq 4 ] # of all, and of each event
	check cmp <(grep -A2 ' stats:$' ours) <(grep -A2 ' stats:$' ref)
fi

step "--losses=time: what was lost in which tenth of a second"
if [ "${calls:-0}" -gt 0 ]; then
	perf report --losses=time -i three.data
	check [ "$(awk '/^ +[0-9]/ { sum += $3 } END { print sum }' out)" -ge "$(sed -n 's/^# Lost: \([0-9]*\) .*/\1/p' out)" ]
	check [ "$(grep -cE '^ +[0-9]+\.[0-9]+' out)" -ge 2 ]
	perf report --losses=nosuch -i three.data
	check [ $rc -eq 129 ]
	check grep -q "time" err
else
	skip "nothing was lost"
fi

step "why: the reader of a pipe took nothing, or perf itself came late"
mkfifo pipe go
# An overload that waits for a line in go, and another, in whose records the loss of the first is told.
# shellcheck disable=SC2016 # for the inner shell
TWICE='{ echo ready; read line < go; "$0" "$1"; read line < go; "$0" 10; } >&2'
# The same, but nothing is recorded behind the loss: only the counters tell of it.
# shellcheck disable=SC2016
ONCE='{ echo ready; read line < go; "$0" "$1"; read line < go; } >&2'
# perf_to_pipe SCRIPT [OPTION]...
perf_to_pipe() {
	local script=$1
	shift
	"$PERF" record -q -o - -m 16 -e $EVENT -c 1 "$@" sh -c "$script" "$WORKLOADS/overload" $N \
		> pipe 2> err < /dev/null &
	recorder=$!
	CHILDREN="$CHILDREN $recorder"
	for _ in $(seq 300); do
		! grep -q '^ready$' err || return
		sleep 0.1
	done
	fail "the recording does not begin"
}
# Until the first overload is over.
has_run() {
	for _ in $(seq 300); do
		! grep -q "^calls $N " err || return
		sleep 0.1
	done
	fail "the overload does not end"
}
# A pipe is full when it takes no more: a page of it may hold a short write only, so bytes tell nothing.
cat > full.py << 'END'
import os, select, time
writer = select.poll()
writer.register(os.open("pipe", os.O_WRONLY), select.POLLOUT)
while writer.poll(0):
    time.sleep(0.05)
time.sleep(0.5) # who writes is held up
END
# The reader of the pipe takes nothing: most of what is lost is lost by that.
behind() {
	rm -f pipe && mkfifo pipe
	exec 3<> pipe # so that nobody waits for the other
	perf_to_pipe "$@"
	exec 4< pipe 3<&- 3<&4 4<&-
	echo > go
	has_run # the rings are full ...
	check timeout 200 python3 full.py # ... and the pipe
	cat <&3 > behind.data &
	reader=$!
	echo > go
	wait $recorder $reader
	exec 3<&-
	perf report --losses -i behind.data
}
# The share of lost records, in percent, of which that is said to be the cause.
share_of() {
	awk -v why=" $1\$" '/why$/ { table = 1 } table && /^ +[0-9]/ { n = $(NF - 2); all += n; sum += $0 ~ why ? n : 0 }
		END { print all ? int(100 * sum / all) : 0 }' out
}
behind "$TWICE"
check [ "$(share_of 'writer behind')" -gt 90 ]
check grep -q '^# writer behind: ' out
cp out behind
perf report --losses --json -i behind.data
check grep -q '"reason": "writer behind"' out
if [ -x "$REF" ]; then
	perf inject -i behind.data -o file.data # 6.1 reads no stream with tracepoints
	perf report --stats -i file.data
	"$REF" report --stats -i file.data > ref 2> /dev/null
	check grep -q ' SAMPLE events:' ref # whose kernel may not have got round to a LOST record
	check cmp <(grep ' events:' out) <(grep ' events:' ref)
fi
cat < pipe > late.data &
reader=$!
perf_to_pipe "$TWICE"
kill -STOP $recorder
echo > go
has_run
kill -CONT $recorder
echo > go
wait $recorder $reader
perf report --losses -i late.data
check grep -q ' ring full$' out
refute grep -q 'writer behind' out
behind "$ONCE"
check [ "$(share_of 'writer behind')" -gt 90 ]
# A thread unwinds and writes. First as much as may wait for it, then what the rings are not read for.
# shellcheck disable=SC2016
FILLED='{ echo ready; read line < go; for i in $(seq 40); do "$0" 100; sleep 0.02; done; "$0" "$1"; read line < go; } >&2'
for _ in 1 2 3 4 5; do # perf gets no CPU in time, sooner or later
	behind "$FILLED" -m 1024 --call-graph dwarf,32768 --unwind-live=1M
	[ "$(share_of 'writer behind')" -le 50 ] || break
done
check [ "$(share_of 'writer behind')" -gt 50 ]

step "why: packing is perf's own work, no writer's"
if need_library zstd; then
	for _ in 1 2 3 4 5; do
		perf record -z15 -o packed.data -m 256 -e $EVENT -c 1 -g "$WORKLOADS/overload" $N
		perf report --losses -i packed.data
		! grep -q ' ring full$' out || break
	done
	grep -q ' ring full$' out || skip "nothing was lost in five overloads"
	check [ "$(share_of 'ring full')" -gt 90 ]
fi

step "samples that carry no CPU: nobody knows which share one CPU lost"
for _ in 1 2 3 4 5; do
	perf record -m 1 -e cpu-clock -c 100000 -g -o nocpu.data "$WORKLOADS/overload" 1000000
	grep -q "lost" err && break
done
if grep -q "lost" err; then
	perf report --losses -i nocpu.data
	check grep -qE '^    \? +[1-9][0-9]* +[0-9]+ +\?$' out
	check grep -qE '^ +[0-9]+            \? +[1-9][0-9]* +\?$' out
	refute grep -q ' 100\.00$' out
	perf report --losses --json -i nocpu.data
	check python3 -c 'import json
for cpu in json.load(open("out"))["cpus"]:
    assert (cpu["kept"] is None) == (cpu["cpu"] is not None), cpu
    lost = [event["lost"] for event in cpu["events"]]
    assert None in lost or sum(lost) == cpu["lost"], cpu'
else
	skip "nothing was lost in five overloads"
fi

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

step "a quarter of a ring wakes perf, and no attr in the file says so"
perf record -vv -m 16 -o good.data -e cpu-clock true
check grep -qE 'wakeup_watermark } +16384$' err
perf evlist -v -i good.data
refute grep -q watermark out

step "nothing lost: no word of it"
perf record -o good.data -e cpu-clock true
refute grep -qi lost err
perf report --stdio -i good.data
refute grep -q "^# Lost" out
perf report --losses -i good.data
check grep -q "^# Lost: 0 records in 0 gaps" out

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
