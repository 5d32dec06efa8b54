#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf report --confidence: intervals that hold what a program really does, where samples come in bursts
# (workloads/bursts), where those of independent samples do not; ranks; how many samples are lacking.
. "$(dirname "$0")/../lib.sh"
plan 12
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

# text FILE: the lines of the tables as "event low high rank function", and what their heads say, as JSON has it.
text() {
	perf report --stdio --no-group --confidence -s sym -g none --percent-limit 0 --kallsyms symbols -t '|' -i "$1"
	check [ $rc -eq 0 ]
	awk -F'|' '/^# Samples: / { split($0, quoted, "\x27"); event = quoted[2]; worth = "null"; effect = "null" }
		/^# Confidence: [0-9]/ { split($0, word, " "); worth = word[7]; effect = word[12]; sub(/)/, "", effect) }
		/^# First 10 entries: / { split($0, word, " "); more = $0 ~ /all can be/ ? 0 : $0 ~ /no number/ ? "null" : word[5]
			print event, worth, effect, more }
		!/^#/ && NF == 4 { gsub(/ *\[.\] *| +|%/, ""); split($2, ends, "-"); print event, ends[1], ends[2], $3, $4 }' out
}
PYTHON=/usr/bin/python3 # which has the packages of Debian
cat > lines.py << 'END'
import json
for event in json.load(open("out"))["events"]:
    sure = event["confidence"]
    shown = sum(row["samples"] for row in event["rows"])
    assert sure["samples"] == event["samples"] == shown > 0 and sure["first"] == 10, sure
    words = [sure[key] for key in ("independent_samples", "design_effect", "more_samples")]
    print(event["event"], *["null" if word is None else word for word in words])
    for row in event["rows"]:
        print(event["event"], "%.2f %.2f" % tuple(row["interval"]), row["rank"], row["symbol"])
END
cat > valid.py << 'END'
import copy, json, sys, jsonschema
schema, report = json.load(open(sys.argv[1])), json.load(open("out"))
jsonschema.Draft7Validator.check_schema(schema)
jsonschema.validate(report, schema)
def broken(change):
    other = copy.deepcopy(report)
    change(other["events"][0], other["events"][0]["rows"][0])
    try:
        jsonschema.validate(other, schema)
    except jsonschema.ValidationError:
        return
    raise SystemExit("it is valid all the same")
broken(lambda event, row: row.update(interval="12.34-15.00%"))
broken(lambda event, row: row["interval"].append(3.5))
broken(lambda event, row: row.update(interval=[1, 100.5]))
broken(lambda event, row: row.update(rank=0))
broken(lambda event, row: row.update(rank=1.5))
broken(lambda event, row: row.pop("rank"))
broken(lambda event, row: row.pop("interval"))
broken(lambda event, row: event["confidence"].update(design_effect=0.5))
broken(lambda event, row: event["confidence"].update(more_samples=-1))
broken(lambda event, row: event["confidence"].pop("samples"))
END

step "--json: the numbers of the text, by the schema"
for file in plain memory; do
	python_records "$TESTS/data/stretch.py" $file-long.data < $file.data
done
for file in plain-long plain memory-long memory; do
	text $file.data > want
	perf report --json --confidence -s sym -g none --kallsyms symbols -i $file.data
	check [ $rc -eq 0 ]
	"$PYTHON" lines.py > ours
	check diff want ours
	check [ "$(wc -l < ours)" -ge 14 ]
	# With few slices it is not known how much they are worth.
	check [ "$(grep -c ' null null ' ours)" -eq "$(case $file in *-long) echo 0 ;; *) echo 2 ;; esac)" ]
	if "$PYTHON" -c 'import jsonschema' 2> /dev/null; then
		check "$PYTHON" valid.py "$TESTS/../Documentation/report.schema.json"
	fi
done
# Shares of nothing are equal: no number of samples tells them apart.
python_records "$TESTS/data/stretch.py" nothing.data 1000 0 < plain.data
text nothing.data > want
perf report --json --confidence -s sym -g none --kallsyms symbols -i nothing.data
"$PYTHON" lines.py > ours
check diff want ours
check grep -q '^cycles .* null$' ours
perf report --json -s sym -i plain-long.data
check grep -q '"self"' out
refute grep -qE 'interval|rank|confidence' out

# table FILE OPTION...: lines "keys low high [low high] rank", by name; of the last key of a hierarchy with blanks before it.
table() {
	local file=$1
	shift
	perf report --stdio --confidence --kallsyms symbols --percent-limit 0 -g none -t '|' -i "$file" "$@"
	check [ $rc -eq 0 ]
	grep -v '^#' out | awk -F'|' 'NF > 3 { gsub(/%/, "", $2); gsub(/-/, " ", $2); key = ""
		for (i = 4; i <= NF; i++) key = key "|" $i
		gsub(/ *$/, "", key); gsub(/ +[|]/, "|", key); gsub(/ /, "", $3); $1 = $1; n = split($2, ends, " ")
		text = ends[1]; for (i = 2; i <= n; i++) text = text " " ends[i]; print key, text, $3 }'
}

step "filters hide rows, not what 100 % is: intervals stay, unless percentages are relative"
table plain-long.data --no-group -s comm,sym > all
for of in first second; do
	table plain-long.data --no-group -s sym,comm -c $of > filtered
	check [ "$(wc -l < filtered)" -ge 17 ]
	check diff <(grep -F "|$of|" all | sed -E 's/^[|][^|]*//; s/ [0-9]+$//' | LC_ALL=C sort) \
		<(sed -E 's/ [0-9]+$//' filtered | LC_ALL=C sort)
done
# Of keys that do not show what the filter is about.
table plain-long.data --no-group -s comm -S fn_1 > filtered
check [ "$(wc -l < filtered)" -eq 6 ]
check diff <(grep -F '|[.] fn_1' all | sed -E 's/[|]\[.\] fn_1//; s/ [0-9]+$//' | LC_ALL=C sort) <(sed -E 's/ [0-9]+$//' filtered | LC_ALL=C sort)
table plain-long.data --no-group -s comm -S fn_1 --percentage relative > relative
refute cmp -s filtered relative

step "--group: each event has the intervals of its own report; ranks are those of the event that sorts"
for event in cycles instructions; do
	table plain-long.data --no-group -s sym > /dev/null
	sed -n "/^# Samples: .*'$event'/,/^$/p" out > own
	mv own out.own && grep '^# [CF]' out.own | sed "s/Confidence/& of '$event'/" > head.$event
	grep -v '^#' out.own | awk -F'|' 'NF == 4 { gsub(/ *$/, "", $4); gsub(/[ %]/, "", $2); gsub(/ /, "", $3); print $4, $2, $3 }' |
		LC_ALL=C sort > own.$event
	check [ "$(wc -l < own.$event)" -eq 9 ]
done
for index in 0 1; do
	perf report --stdio --confidence --kallsyms symbols -s sym -g none -t '|' --percent-limit 0 --group-sort-idx $index -i plain-long.data
	check [ $rc -eq 0 ]
	grep -v '^#' out | awk -F'|' 'NF == 4 { gsub(/ *$/, "", $4); gsub(/%/, "", $2); gsub(/ /, "", $3); split($2, both, " ")
		print $4, both[1], $3 > "group.cycles"; print $4, both[2], $3 > "group.instructions" }'
	sorting=cycles other=instructions
	[ $index -eq 0 ] || sorting=instructions other=cycles
	check diff own.$sorting <(LC_ALL=C sort group.$sorting)
	check diff <(cut -d' ' -f1-3 own.$other) <(LC_ALL=C sort group.$other | cut -d' ' -f1-3)
	check diff <(grep -h Confidence head.cycles head.instructions; grep '^# First' head.$sorting) <(grep '^# [CF][oi][nr]' out)
done
# The event that does not sort has other ranks.
refute diff -q <(cut -d' ' -f1,2,4 own.cycles) <(cut -d' ' -f1,2,4 own.instructions)
perf report --stdio --confidence --kallsyms symbols -s sym -g none -i plain-long.data
check grep -qE '^ +[0-9.]+% +[0-9.]+% +[0-9.]+-[0-9.]+% +[0-9.]+-[0-9.]+% +[0-9]+  \[.\] fn_1' out

step "--hierarchy: each level as a table of its own, ranks among what is in one row above"
table plain-long.data --no-group -s comm > levels.comm
table plain-long.data --no-group -s comm,sym > levels.sym
perf report --stdio --no-group --confidence --kallsyms symbols --percent-limit 0 -g none -t '|' --hierarchy -s comm,sym -i plain-long.data
awk -F'|' '!/^#/ && NF == 4 { gsub(/ *$/, "", $4); gsub(/%/, "", $2); gsub(/-/, " ", $2); gsub(/ /, "", $3); split($2, ends, " ")
	top = $0 !~ /^    /; if (top) comm = $4; print (top ? "|" comm : "|" comm "|" $4), ends[1], ends[2], $3 > (top ? "ours.comm" : "ours.sym") }' out
check [ "$(wc -l < ours.comm)" -eq 6 ]
check [ "$(wc -l < ours.sym)" -ge 53 ]
check diff levels.comm ours.comm
check diff <(sed -E 's/ [0-9]+$//' levels.sym | LC_ALL=C sort) <(sed -E 's/ [0-9]+$//' ours.sym | LC_ALL=C sort)
for of in first second; do
	table plain-long.data --no-group -s sym -c $of > filtered
	check diff filtered <(grep -F "|$of|" ours.sym | sed "s/^|$of//")
done
table plain-long.data --hierarchy -s comm,sym > both
check [ "$(grep -cE '( [0-9.]+){4} [0-9]+$' both)" -eq 30 ]
check grep -q "^# Confidence of 'instructions'" out
perf report --json --confidence --kallsyms symbols -g none --hierarchy -s comm,sym -i plain-long.data
"$PYTHON" -c '
import json
for event in json.load(open("out"))["events"]:
    for level in event["rows"]:
        print("|" + level["comm"], "%.2f %.2f" % tuple(level["interval"]), level["rank"])' > ours
check diff levels.comm ours

step "several recordings: slices are those of each"
table memory-long.data -s sym > one
one=$(effect | head -n 1)
table memory-long.data -s sym -i memory-long.data > two
check [ "$(wc -l < two)" -eq 12 ]
# Twice the same says twice as much: slices of both at one time would be bursts of twice the size.
check awk "BEGIN { exit !($(effect | head -n 1) < 1.2 * $one) }"
check grep -q '^# Confidence: 534 samples' out
paste -d' ' one two | awk '{ key = NF / 2; ratio = ($(NF - 1) - $(NF - 2)) / ($(key - 1) - $(key - 2)); if (ratio < .55 || ratio > .95) print }' > off
check [ ! -s off ]
if need_events; then
	perf record -q -e cpu-clock:u -c 1000000 -o more.data "$WORKLOADS/bursts" 60 50 11
	check [ $rc -eq 0 ]
	perf report --stdio --confidence -s sym -g none --percent-limit 0 -t '|' -i bursts.data -i more.data
	check [ $rc -eq 0 ]
	grep -v '^#' out | awk -F'|' 'NF == 4 { gsub(/ *\[.\] *| +|%/, ""); split($2, ends, "-"); print $1, ends[1], ends[2], $3, $4 }' > rows
	read -r ours naive wide < <(held)
	check [ "$ours" -eq 3 ]
	check awk "BEGIN { exit !($wide > 3) }"
	check awk "BEGIN { exit !($(effect) > 8) }"
fi

step "sampled in lockstep with the work: a warning where the program does just that, and none where it does not"
# report_of FILE: with its warnings in err.
report_of() {
	perf report --stdio --confidence -s sym -g none -i "$1"
	check [ $rc -eq 0 ]
	check grep -q '^# Confidence: ' out
}
# sampled OUT.data PERIOD_US MS: rounds of 2 ms, on one CPU, where no other program can move the clock.
sampled() {
	perf record -q -a -C "$cpu" -e cpu-clock:u -c "$2"000 -o "$1" taskset -c "$cpu" "$WORKLOADS/lockstep" "$3" 2000 50
	check [ $rc -eq 0 ]
}
if need_root && need_events && command -v taskset > /dev/null; then
	cpu=$(taskset -pc $$ | sed -E 's/.*[ ,-]//')
	# Other programs may leave few samples; or the moments lie where the work changes over.
	for ms in 1500 3000 5000 0; do
		sampled locked.data 1000 $ms
		report_of locked.data
		grep -q 'taken in lockstep with the work' err && break
	done
	check [ $ms -gt 0 ]
	check grep -qE "^Warning: [0-9]+ samples were taken in lockstep with the work by 'cpu-clock:u': always the same 2 moments" err
	check grep -q 'record with a period that is no round number' err
	perf report --json --confidence -s sym -g none -i locked.data
	check [ "$("$PYTHON" -c 'import json; print(json.load(open("out"))["events"][0]["confidence"]["lockstep"]["round"])')" -eq 2 ]
	if "$PYTHON" -c 'import jsonschema' 2> /dev/null; then
		check "$PYTHON" valid.py "$TESTS/../Documentation/report.schema.json"
	fi
	perf report --stdio -s sym -g none -i locked.data
	refute grep -q lockstep err
	# The same program with a period that it knows nothing of; and work that is a burst of many periods.
	sampled free.data 997 1500
	for file in free bursts steady; do
		report_of $file.data
		refute grep -q lockstep err
	done
	"$PYTHON" -c 'import random; print("\n".join(str(random.random()) for _ in range(500000)))' > numbers
	for program in "sort -g --parallel=1 numbers -o sorted" "$PYTHON -c 'sum(i * i for i in range(60000000))'"; do
		eval "perf record -q -e cpu-clock:u -c 1000000 -o plain.clock.data $program"
		check [ $rc -eq 0 ]
		report_of plain.clock.data
		check [ "$(nr_samples)" -ge 256 ]
		refute grep -q lockstep err
	done
fi

step "not with other tables, and not without times"
perf report --stdio --confidence -i plain.data --callers-callees
check [ $rc -eq 129 ]
check grep -q -- '--confidence and --callers-callees: a sample counts in many of its rows' err
perf report --stdio --confidence -i plain.data --total-cycles
check [ $rc -eq 129 ]
check grep -q -- '--confidence and --total-cycles: each sample brings many blocks' err
if need_events; then
	perf record -q --per-thread -e cpu-clock -c 1000000 -o untimed.data "$WORKLOADS/bursts" 60 1 1
	check [ $rc -eq 0 ]
	perf report --stdio --confidence -i untimed.data
	check [ $rc -ne 0 ]
	check grep -q 'record with -T' err
fi
finish
