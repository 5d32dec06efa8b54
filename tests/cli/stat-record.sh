#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf stat record and perf stat report: what was counted is reported to the last digit, by us and,
# where Linux's perf 6.1 is there, by that one, and its files by us.
. "$(dirname "$0")/../lib.sh"
plan 16
need_events || finish

# The table, without its title and the times that no counter keeps.
table() {
	grep -vE 'stats for|seconds (user|sys)$|^$' "$1"
}

step "report prints what record counted"
perf stat record -o a.data -e task-clock,page-faults,cycles,duration_time true
check [ $rc -eq 0 ]
cp err counted
perf stat report -i a.data
check [ $rc -eq 0 ]
check [ ! -s out ]
# The line about this machine is for who counts on it.
check diff <(table counted | grep -v '^<not supported>: ') <(table err)
check grep -q "stats for '.*perf stat record -o a.data -e task-clock" err
check grep -qE '<not supported> +cycles|[0-9] +cycles' err

step "the default file; an older one is kept"
perf stat record -e page-faults true
perf stat record -e page-faults true
check [ -s perf.data.old ]
perf stat report
check grep -q page-faults err

step "the command's status, also through record"
perf stat record -o b.data -e page-faults sh -c 'exit 7'
check [ $rc -eq 7 ]
perf stat report -i b.data
check [ $rc -eq 0 ]

step "through a pipe"
perf stat record -o - -e task-clock,page-faults true
check [ $rc -eq 0 ]
cp err counted && cp out stream
IN=stream perf stat report -i -
# The line about this machine is for who counts on it.
check diff <(table counted | grep -v '^<not supported>: ') <(table err)
check grep -q "stats for 'pipe':" err

step "lines for programs: -x, -j, with record and with report"
perf stat record -o a.data -x, -e task-clock,page-faults true
cp err counted
perf stat report -x, -i a.data
check diff counted err
perf stat -x, report -i a.data
check diff counted err
perf stat report -j -i a.data
check python3 -c 'import json
for line in open("err"): assert "event" in json.loads(line)'
perf stat report -x, -j -i a.data
check [ $rc -eq 129 ]

step "intervals: each one again, and no sum"
if need_root; then
	perf stat record -o i.data -a -I 100 -e page-faults,context-switches sleep 1
	cp err counted
	perf stat report -i i.data
	check [ "$(grep -c page-faults err)" -ge 3 ]
	check diff counted err
	refute grep -q elapsed err
fi

step "--interval-count: the last of them is the end"
if need_root; then
	perf stat record -o n.data -a -I 100 --interval-count 2 -e page-faults sleep 3600
	perf stat report -i n.data
	check [ "$(grep -c page-faults err)" -eq 2 ]
	refute grep -q 'has no end' err
fi

step "put together in another way than it was counted"
if need_root; then
	perf stat record -o c.data -a -A -e page-faults,cpu-clock sleep 0.05
	cp err counted
	perf stat report -i c.data
	# The line about this machine is for who counts on it.
check diff <(table counted | grep -v '^<not supported>: ') <(table err)
	for way in per-core per-socket per-die per-node no-aggr; do
		perf stat report -i c.data --$way -x,
		check [ $rc -eq 0 ]
		check [ "$(awk -F, '/page-faults/ { for (i = 2; i < NF; i++) if ($(i + 2) == "page-faults") s += $i }
			END { print s + 0 }' err)" -eq \
			"$(awk '/page-faults/ { s += $2 } END { print s }' counted)" ]
	done
	perf stat report -i c.data --per-socket
	check grep -qE '^S0 +[0-9]+ ' err
fi

step "intervals by core: each core by itself, with its figure"
if need_root; then
	perf stat record -o f.data -a -I 100 -e cpu-clock,page-faults sleep 0.15
	perf stat report -i f.data --per-core -x,
	check [ "$(cut -d, -f 1,2 err | sort | uniq -d | wc -l)" -eq "$(cut -d, -f 1,2 err | sort -u | wc -l)" ]
	check [ "$(cut -d, -f 1,2,6 err | sort | uniq -d | wc -l)" -eq 0 ]
	check grep -q 'CPUs utilized' err
fi

step "threads have their names"
if need_root; then
	perf stat record -o t.data --per-thread -p $$ -e page-faults sleep 0.05
	perf stat report -i t.data
	check grep -q -e " $(cat /proc/$$/comm)-$$ " err
fi

step "groupings of what was counted over all CPUs: said"
perf stat record -o a.data -e page-faults true
perf stat report -A -i a.data
check [ $rc -eq 0 ]
check grep -q 'aggregation mode not set' err
check grep -q page-faults err

step "a killed recording: its last counts, and that it has no end"
holds_counts() { "$PERF" stat report -i k.data 2>&1 | grep -q page-faults; }
perf_signal KILL holds_counts stat record -o k.data -I 100 -e page-faults -p $$
perf stat report -i k.data
check [ $rc -eq 0 ]
check grep -q page-faults err
check grep -q "'k.data' has no end" err

step "not empty COMPRESSED and CLOCK features, which newer perfs refuse"
perf report --header-only -i a.data
check grep -q 'contains stat data' out
refute grep -qE '^# (compressed|clockid)' out

step "a recording of samples is refused, with its reason"
perf record -e page-faults:u -c 1 -o s.data true
perf stat report -i s.data
check [ $rc -eq 255 ]
check grep -q 'there are no counts in it' err

step "what cannot be: no file, an empty one, no command, several runs, a full disk"
perf stat report -i missing
check [ $rc -eq 255 ]
check grep -q "failed to open 'missing'" err
check grep -q 'perf stat record' err
: > empty
perf stat report -i empty
check [ $rc -eq 255 ]
perf stat record -o w.data nosuch-command
check [ $rc -eq 255 ]
check [ ! -e w.data ]
perf stat record -r 3 true
check [ $rc -eq 255 ]
check grep -q 'Cannot use -r option with perf stat record' err
perf stat record --append -o a.data true
check [ $rc -eq 234 ]
perf stat report extra
check [ $rc -eq 129 ]
perf stat record -o /dev/full -e page-faults true
check [ $rc -eq 255 ]
check grep -q 'No space left' err

step "Linux's perf 6.1 reports our recordings the same, and we its own"
linux_perf=/usr/bin/perf
if ! "$linux_perf" --version 2> /dev/null | grep -q 'perf version 6\.1\.'; then
	skip "no perf 6.1 here"
else
	perf stat record -o o.data -e task-clock,page-faults,cycles true
	perf stat report -i o.data
	"$linux_perf" stat report -i o.data 2> theirs
	check diff theirs err
	perf stat record -o - -e task-clock,page-faults true
	cp out stream
	IN=stream perf stat report -i -
	"$linux_perf" stat report -i - < stream 2> theirs
	check diff theirs err
	"$linux_perf" stat record -o l.data -e task-clock,page-faults,cycles true 2> /dev/null
	"$linux_perf" stat report -i l.data 2> theirs
	perf stat report -i l.data
	check diff theirs err
	if [ "$(id -u)" -eq 0 ]; then
		"$linux_perf" stat record -o m.data -a -I 100 -e page-faults sleep 0.25 2> /dev/null
		"$linux_perf" stat report -i m.data 2> theirs
		perf stat report -i m.data
		check diff theirs err
		perf stat record -o m.data -a -A -I 100 -e page-faults sleep 0.25
		perf stat report -i m.data
		"$linux_perf" stat report -i m.data 2> theirs
		check diff theirs err
		"$linux_perf" stat record -o c.data -a -e page-faults sleep 0.05 2> /dev/null
		for way in '' -A --per-core --per-socket --per-node --per-die; do
			"$linux_perf" stat report -i c.data $way 2> theirs
			perf stat report -i c.data $way
			check diff theirs err
		done
	fi
fi
finish
