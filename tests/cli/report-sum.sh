#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf report -i A -i B: several recordings as one profile, equal to the sum of their own; objects by
# build-id, so that two builds of one program keep their own names.
. "$(dirname "$0")/../lib.sh"
plan 14
step "events can be opened"
need_events || finish

# The functions change places: what is `early` in the first build lies where `late` is in the second.
build() {
	cat > prog.c << END
#define WORK(name) __attribute__((noinline, aligned(4096))) long name(long n) { volatile long x = 0; while (n--) x += n; return x; }
WORK($1) WORK($2)
int main(void) { return ($1(40000000) + $2(80000000)) & 1; }
END
	"${CC:-cc}" -O1 -g -no-pie -fno-omit-frame-pointer -Wl,--build-id=sha1 -o prog.new prog.c 2> cc.err && mv prog.new prog
}
place() {
	nm prog | awk -v name="$1" '$3 == name { print $1 }'
}

# rows FILE...: samples, period, command, object, function of each entry of the first event, added up.
rows() {
	local files=()
	for file in "$@"; do files+=(-i "$file"); done
	perf report --stdio --no-children -g none --percent-limit 0 -F sample,period,comm,dso,sym -t '|' "${files[@]}"
	check [ $rc -eq 0 ]
	sed -n '/^#.*Samples.*|/,/^$/p' out | grep -v '^#' |
		awk -F'|' 'NF > 4 { for (i = 1; i <= NF; i++) gsub(/^ +| +$/, "", $i); k = $3 "|" $4 "|" $5; n[k] += $1; p[k] += $2 }
			END { for (k in n) print k "|" n[k] "|" p[k] }' | LC_ALL=C sort
}
# sum ROWS...: these files of rows, added up.
sum() {
	cat "$@" | awk -F'|' '{ k = $1 "|" $2 "|" $3; n[k] += $4; p[k] += $5 } END { for (k in n) print k "|" n[k] "|" p[k] }' | LC_ALL=C sort
}

build early late && early=$(place early) || skip "no program: $(head -n 1 cc.err)"
for file in a b; do
	perf record -q -g -e cpu-clock -c 1000000 -o $file.data ./prog
	check [ $rc -eq 0 ]
done
rows a.data > a.rows
rows b.data > b.rows
check [ "$(awk -F'|' '{ n += $4 } END { print n + 0 }' a.rows)" -gt 8 ]

step "two runs are the sum of both, in any order, whatever an entry is"
sum a.rows b.rows > want
check grep -q 'early' want
for files in 'a.data b.data' 'b.data a.data'; do
	rows $files > ours
	check diff want ours
done
check grep -q '^# Recordings: b.data, a.data' out
check [ ! -s err ]
perf report --stdio --no-children -g none -s cpu -F sample,cpu -t '|' -i a.data -i b.data
check [ "$(grep -v '^#' out | awk -F'|' '{ n += $1 } END { print n }')" = "$(awk -F'|' '{ n += $4 } END { print n }' want)" ]
perf report --stdio -s tid -F sample,tid -t '|' --no-children -g none -i a.data -i b.data
for file in a b; do
	"$PERF" script -F tid -i $file.data 2> script.err | awk '{ print $1 }' | LC_ALL=C sort | uniq -c | awk '{ print $2, $1 }'
done > tids
check diff <(LC_ALL=C sort tids) <(grep -v '^#' out | awk -F'[|:]' 'NF > 2 { gsub(/ /, ""); print $2, $1 }' | LC_ALL=C sort)

step "call chains are added up"
chains() {
	grep -E '^[0-9]+ ' out | awk '{ n[$2] += $1 } END { for (c in n) print c, n[c] }' | LC_ALL=C sort
}
for file in a b; do
	perf report --stdio --no-children -g folded,0,count,function -s comm -i $file.data
	grep -E '^[0-9]+ ' out
done > chains.all
perf report --stdio --no-children -g folded,0,count,function -s comm -i a.data -i b.data
chains > ours
cp chains.all out
chains > want
check grep -q 'main' want
check diff want ours

step "the same for any number of workers"
for workers in 1 2 7; do
	PERF_WORKERS=$workers perf report --stdio -i a.data -i b.data
	mv out out-$workers
done
check grep -q early out-1
check cmp out-1 out-2
check cmp out-1 out-7

step "another build at the same path: each address has the name of its own build"
build late early
check [ "$(place late)" = "$early" ]
perf record -q -g -e cpu-clock -c 1000000 -o c.data ./prog
rows c.data > c.rows
sum a.rows c.rows > want
check [ "$(grep -c '[|].*early\|late' want)" -ge 2 ]
for files in 'a.data c.data' 'c.data a.data'; do
	rows $files > ours
	check diff want ours
	check grep -q "other builds of 1 objects ('/.*/prog' ...)" err
done

step "without build-ids: what was replaced is kept apart, which is said; what was not is one object"
perf record -q -B --no-buildid-mmap -e cpu-clock -c 1000000 -o d.data ./prog
perf record -q -B --no-buildid-mmap -e cpu-clock -c 1000000 -o e.data ./prog
rows d.data > d.rows
rows e.data > e.rows
sum d.rows e.rows > want
rows d.data e.data > ours
check diff want ours
check [ "$(grep -c 'prog|.*late' ours)" -eq 1 ]
refute grep -q 'may be other builds' err
build early late
perf record -q -B --no-buildid-mmap -e cpu-clock -c 1000000 -o f.data ./prog
rows d.data f.data > ours
check grep -q "lack build-ids of [1-9][0-9]* objects ('/.*/prog' ...): they may be other builds" err
rows f.data > f.rows
check [ "$(awk -F'|' '{ n += $4 } END { print n }' ours)" = "$(cat d.rows f.rows | awk -F'|' '{ n += $4 } END { print n }')" ]

step "events are the same by name; one that not all have is said"
perf record -q -e page-faults -c 1 -o g.data ./prog
perf report --stdio -i a.data -i g.data
check [ $rc -eq 0 ]
check grep -q "of event 'cpu-clock" out
check grep -q "of event 'page-faults" out
check grep -q "event 'page-faults" err
perf report --stdio -i g.data -i g.data -F sample,comm -s comm -t '|'
check [ "$(grep -v '^#' out | awk -F'|' '{ n += $1 } END { print n }')" -eq $((2 * $("$PERF" script -i g.data 2> script.err | grep -c page-faults))) ]

step "what only one of them has is said: chains, branches; and one that is named twice"
perf record -q -e cpu-clock -c 1000000 -o plain.data ./prog
perf report --stdio -i plain.data -i a.data
check [ $rc -eq 0 ]
check grep -q "call chains of 'a.data' are not shown, nor what functions called, as 'plain.data' has none" err
perf report --stdio -i a.data -i plain.data
check grep -q 'Children' out
check grep -q "'plain.data' has no call chains, unlike 'a.data'" err
for files in 'plain.data a.data' 'a.data plain.data'; do # nothing of them is shown
	perf report --stdio --no-children -g none -i ${files% *} -i ${files#* }
	check [ ! -s err ]
done
perf report --stdio -q -i plain.data -i a.data
check [ ! -s err ]
ln -s a.data same.data
perf report --stdio -i a.data -i b.data -i same.data
check grep -q "'same.data' is the same recording as 'a.data': its samples count once more" err
check [ "$(wc -l < err)" -eq 1 ]
if command -v python3 > /dev/null; then
	mkdir fields && cd fields || finish # it makes a program called prog, too
	. "$TESTS/data/fields.sh"
	cd ..
	mv fields/branches.data .
	perf report --stdio -i branches.data -i plain.data
	check [ $rc -eq 0 ]
	check grep -q "'plain.data' has no branches, which are what is shown" err
	perf report --stdio -i plain.data -i branches.data
	check grep -q "branches of 'branches.data' are not shown, as 'plain.data' has none" err
	perf report --stdio -i branches.data -i plain.data --no-branch-stack
	refute grep -qE 'no branches|branches of' err
else
	skip "python3 is not there"
fi

step "--json: the sum, and of each recording its header and its losses"
perf report --json -g none --no-children -F sample,period,comm,dso,sym -i a.data -i b.data
check [ $rc -eq 0 ]
cat > recordings.py << 'END'
import json, sys
report = json.load(open("out"))
assert [one["file"] for one in report["recordings"]] == ["a.data", "b.data"] and "headers" not in report
for one, nr in zip(report["recordings"], sys.argv[1:]):
    assert one["losses"]["kept"] == int(nr), (one["losses"], nr)
    assert "a.data" in one["headers"]["cmdline"] if one["file"] == "a.data" else "b.data" in one["headers"]["cmdline"]
for row in report["events"][0]["rows"]:
    print("%s|%s|[%s] %s|%d|%d" % (row["comm"], row["dso"], "k" if row["mode"] == "kernel" else ".", row["symbol"], row["samples"], row["period"]))
END
if command -v python3 > /dev/null; then
	python3 recordings.py "$("$PERF" script -F tid -i a.data 2> a.err | wc -l)" "$("$PERF" script -F tid -i b.data 2> b.err | wc -l)" > rows.out
	check [ $? -eq 0 ]
	LC_ALL=C sort rows.out > ours
	sum a.rows b.rows > want
	check diff want ours
	if /usr/bin/python3 -c 'import jsonschema' 2> /dev/null; then
		check /usr/bin/python3 -c 'import json, jsonschema, sys
jsonschema.validate(json.load(open("out")), json.load(open(sys.argv[1])))' "$TESTS/../Documentation/report.schema.json"
	fi
else
	skip "python3 is not there"
fi

step "--time: each recording has its own; percents are of each"
for times in 0%-40% 10%/2,10%/4; do
	for file in a b; do
		perf report --stdio --no-children -g none -s comm -F sample,comm -t '|' --percent-limit 0 --time $times -i $file.data
		grep -v '^#' out | awk -F'|' 'NF > 1 { n += $1 } END { print n + 0 }'
	done > parts
	perf report --stdio --no-children -g none -s comm -F sample,comm -t '|' --percent-limit 0 --time $times -i a.data -i b.data
	check [ $rc -eq 0 ]
	both=$(grep -v '^#' out | awk -F'|' 'NF > 1 { n += $1 } END { print n + 0 }')
	check [ "$both" -eq "$(awk '{ n += $1 } END { print n }' parts)" ]
	check [ "$both" -gt 0 ]
	check [ "$both" -lt "$(awk -F'|' '{ n += $4 } END { print n }' want)" ]
done
perf report --stdio --time 1x -i a.data -i b.data
check [ $rc -eq 234 ]
for file in a b; do
	"$PERF" script -F time -i $file.data > $file.all 2> script.err
done
perf report --stdio -g none --time 1,2 -i a.data -i b.data # of neither
check [ $rc -eq 0 ]
check grep -q "^Warning: none of the $(cat a.all b.all | wc -l) samples passes --time\$" err
check grep -qE "^  'a.data' is from [0-9.]+ to [0-9.]+, 'b.data' is from [0-9.]+ to [0-9.]+\$" err
check [ "$(sed -n "s/.*'b.data' is from [0-9.]* to //p" err)" = "$(tail -n 1 b.all | tr -d ' :')" ]
first=$("$PERF" script -F time -i b.data 2> script.err | head -n 1 | tr -d ' :')
perf report --stdio --no-children -g none -s comm -F sample,comm -t '|' --percent-limit 0 --time "$first," -i a.data -i b.data
check [ "$(grep -v '^#' out | awk -F'|' 'NF > 1 { n += $1 } END { print n + 0 }')" -eq "$(awk -F'|' '{ n += $4 } END { print n }' b.rows)" ]

step "--latency, --parallelism: of each recording how many threads ran; one without switches is named"
switches="-e cpu-clock -c 1000000 --latency"
for file in l m; do
	# shellcheck disable=SC2086
	perf record -q $switches -o $file.data ./prog
	perf report --stdio -g none -F sample,parallelism -s parallelism -t '|' --percent-limit 0 -i $file.data
	check [ $rc -eq 0 ]
	grep -v '^#' out
done > parts
perf report --stdio -g none -F sample,parallelism -s parallelism -t '|' --percent-limit 0 -i l.data -i m.data
check [ $rc -eq 0 ]
levels() {
	awk -F'|' 'NF > 1 { n[$2 + 0] += $1 } END { for (k in n) print k, n[k] }' | LC_ALL=C sort
}
check diff <(levels < parts) <(grep -v '^#' out | levels)
perf report --stdio -g none --latency -s sym -i l.data -i m.data
check [ $rc -eq 0 ]
check grep -qE '^# Latency +Overhead +Symbol' out
check grep -q early out
for files in 'l.data a.data' 'a.data l.data'; do
	# shellcheck disable=SC2086
	perf report --stdio --latency -g none -i ${files% *} -i ${files#* }
	check [ $rc -eq 255 ]
	check grep -q "not known how many threads ran at a time in 'a.data'" err
done

step "--switch-on: of each recording from there on"
for file in a b; do
	perf report --stdio --no-children -g none -s comm -F sample,comm -t '|' --switch-on cpu-clock -i $file.data
	grep -v '^#' out
done > parts
perf report --stdio --no-children -g none -s comm -F sample,comm -t '|' --switch-on cpu-clock -i a.data -i b.data
check [ $rc -eq 0 ]
rows_of() {
	awk -F'|' 'NF > 1 { gsub(/ /, ""); n[$2] += $1 } END { for (k in n) print k, n[k] }'
}
check diff <(rows_of < parts) <(grep -v '^#' out | rows_of)
perf report --stdio --switch-on page-faults -i g.data -i a.data
check [ $rc -eq 255 ]
check grep -q "page-faults.*(in 'a.data')" err

step "fields of tracepoints: by the formats of each recording, equal contents are one"
if [ "$(id -u)" -ne 0 ] || ! ls /sys/kernel/tracing/events/sched/sched_switch > /dev/null 2>&1; then
	skip "no tracepoints"
else
	# The numbers of events are not the same, nor are their places in the files.
	perf record -q -e sched:sched_process_exit,sched:sched_process_fork -o t.data sh -c 'true | true; ls / | true'
	perf record -q -e sched:sched_process_fork -o u.data sh -c 'true | true; true | true; ls / | true'
	for key in child_comm sched_process_fork.parent_comm/raw trace; do
		for file in t u; do
			perf report --stdio -F sample,$key -t '|' --percent-limit 0 -i $file.data
			check [ $rc -eq 0 ]
			sed -n "/sched_process_fork/,\$p" out | grep -v '^#'
		done > parts
		check grep -q '[a-z0-9]' parts
		perf report --stdio -F sample,$key -t '|' --percent-limit 0 -i t.data -i u.data
		check [ $rc -eq 0 ]
		check diff <(rows_of < parts | LC_ALL=C sort) <(sed -n "/sched_process_fork/,\$p" out | grep -v '^#' | rows_of | LC_ALL=C sort)
	done
	perf report --stdio -F sample,child_comm -t '|' -i u.data -i t.data
	check [ $rc -eq 0 ]
	check [ "$(sed -n "/sched_process_fork/,/^\$/p" out | grep -c '|ls\|| *sh')" -ge 1 ]
	perf report --stdio -i t.data -i u.data
	check grep -q 'Trace output' out
fi

step "what is about one recording is refused; a file that is not there, too"
for option in -D --stats --tasks --mmaps --losses --stack-health --threads --header '--socket-filter 0'; do
	perf report --stdio -i a.data -i b.data $option
	check [ $rc -eq 129 ]
	check grep -q 'it is about one recording, and -i names 2' err
done
perf report --stdio -i m.data -i m.data -s cgroup,sym
check [ $rc -ne 0 ]
check grep -qE "cannot sort by 'cgroup'|no sample" err
perf report --stdio -i a.data -i nosuch.data
check [ $rc -ne 0 ]
check grep -q nosuch.data err
finish
