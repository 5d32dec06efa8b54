#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf top on a terminal, under tmux: the browser, what it writes, the text with its keys.
. "$(dirname "$0")/../lib.sh"
. "$TESTS/screen.sh"
plan 8
need_screen || finish
need_events || finish
. "$TESTS/top.sh"

step "the browser: rows that go on, chains that stay open, stop, annotate, leave"
begin 100x14 "$PERF top -e cpu-clock:u -c 500000 -g -d 1 -p $busy"
check see 'planted_hot'
check see '^h: help  [0-9]+/s  kernel: 0%  lost: 0/0  \(target_pid'
keys Enter
check see '^- '
first=$(sed -n 1p out)
changed() { [ "$(sed -n 1p out)" != "$first" ]; }
check becomes changed # another look
check grep -q '^- ' out
keys f
check see '  stopped'
check see '^h: help  0/s'
keys f
check see '^h: help  [1-9][0-9]*/s'
keys h End
check see 'stop the events, start them again'
check lacks '^(s|i|r) ' # what only a recording has
keys q
check see 'planted_hot'
for key in s i; do
	keys $key
	check see 'what runs is shown, not a recording'
	keys x
done
check see 'planted_hot'
keys q
ended 0

step "z: each look begins again; and no longer"
"$WORKLOADS/planted" 600 > full.log 2>&1 & # works all the time
full=$!
CHILDREN="$CHILDREN $full"
begin 100x14 "$PERF top -e cpu-clock:u -c 200000 -d 1 -p $full"
check see '^Samples: (1[2-9]|[2-9][0-9])K of'
keys z
check see '^Samples: ([0-9]+|[0-9]K) of'
first=$(sed -n 1p out)
check becomes changed
check grep -qE '^Samples: ([0-9]+|[0-9]K) of' out
keys z
check see '^Samples: (1[2-9]|[2-9][0-9])K of'
keys q
ended 0
{ kill $full && wait $full; } 2> /dev/null

step "K, U: without the kernel, without programs"
if need_root; then
	begin 200x20 "$PERF top -e cpu-clock -c 100000 -d 1 --comms planted,sh"
	sh -c 'while :; do /bin/true; done' &
	forks=$!
	CHILDREN="$CHILDREN $forks"
	check see '\[k\]'
	check see '\[\.\]'
	keys K
	check gone '\[k\]'
	check see '\[\.\]'
	check see 'without the kernel$'
	keys K
	check see '\[k\]'
	check gone 'without'
	keys U
	check gone '\[\.\]'
	check see '\[k\]'
	check see 'without programs$'
	keys q
	ended 0
	{ kill $forks && wait $forks; } 2> /dev/null
fi

# rows_of FILE: the rows with a percentage
rows_of() { sed -n 's/^ *\([0-9.]*%.*[^ ]\) *$/\1/p' "$1" | sort; }

step "w: what is shown as text, and as a recording with the same shares, for both perfs"
for options in '-c 500000' '-c 1000000 -g --no-children'; do
	rm -f kept.data* kept.txt
	begin 120x14 "$PERF top -e cpu-clock -s comm,dso,sym $options -d 1"
	check see 'planted_hot'
	keys f
	check see '  stopped'
	check see '^h: help  0/s'
	keys w
	check see 'as text'
	keys Enter
	check see 'Save the report as'
	keys kept.txt Enter
	check see 'written to kept.txt'
	keys x w
	check see 'a recording, for'
	keys Down Enter
	check see 'Save the recording as: perf.data'
	for _ in 1 2 3 4 5 6 7 8 9; do keys BSpace; done
	keys kept.data Enter
	check see 'written to kept.data'
	keys x q
	ended 0
	perf report --stdio -g none --no-children --no-inline -s comm,dso,sym -i kept.data
	check [ $rc -eq 0 ]
	rows_of out > ours
	rows_of kept.txt | grep -vE '^[0-9.]+%(--|[^ ])' > shown
	check [ "$(wc -l < ours)" -gt 20 ]
	check grep -q 'planted_hot' ours
	check diff shown ours
	walk kept.data
	check [ "$(stat -c %a kept.data)" = 600 ]
	if [ -x "$REF" ]; then
		"$REF" report --stdio -g none --no-children --no-inline -s comm,dso,sym -i kept.data < /dev/null 2> ref.err > ref
		check [ "$(rows_of ref | grep -c planted_)" -ge 4 ]
		check diff <(rows_of ref | grep planted_) <(grep planted_ ours)
		check diff <(rows_of ref | awk '{ print $1 }') <(awk '{ print $1 }' ours)
	fi
done

step "w: a recording that is there becomes .old; another file stays; texts of tracepoints are no recording"
cp kept.data first
begin 100x14 "$PERF top -e cpu-clock:u -c 500000 -d 1 -p $busy"
check see 'planted_hot'
for name in kept.data kept.txt; do
	keys w
	check see 'a recording, for'
	keys Down Enter
	check see 'Save the recording as'
	for _ in 1 2 3 4 5 6 7 8 9; do keys BSpace; done
	keys $name Enter
	check see "written to|kept.txt.*not a recording|kept.txt.*neither"
	keys x
done
check grep -q 'kept.txt' out
keys q
ended 0
check cmp first kept.data.old
check grep -q planted_hot kept.txt
if need_tracefs; then
	begin 100x14 "$PERF top -e sched:sched_switch -d 1"
	check see '==>'
	keys w
	check see 'a recording, for'
	keys Down Enter
	check see 'Save the recording as'
	keys x Enter
	check see 'cannot write a recording'
	keys x q
	ended 0
	check [ ! -e perf.datax ]
fi

step "a terminal that goes away ends the browser, and the recorder"
begin 100x14 "$PERF top -e cpu-clock:u,task-clock:u -c 500000 -d 1 -p $busy"
check see 'Available samples'
mine=$(pgrep -f "^$PERF top -e cpu-clock:u,task" | tr '\n' ' ')
check [ "$(echo "$mine" | wc -w)" -eq 2 ]
end_all
for pid in $mine; do
	until_true is_gone "$pid"
done

step "the text on a terminal has keys"
begin 100x14 "$PERF top --stdio -e cpu-clock -c 500000 -d 1 -p $busy"
check see 'planted_hot'
keys x
check see 'Mapped keys'
check see 'planted_hot'
keys e
check see 'Enter display entries'
keys 9 BSpace 1 Enter
few() { [ "$(grep -c '%  planted' out)" -eq 1 ]; }
check becomes few
keys q
ended 0

step "the text on a terminal: z, K and U"
begin 100x40 "$PERF top --stdio -e cpu-clock -c 200000 -n -E 20 -d 1" # all rows are on the screen
check see 'planted_hot'
hot() { awk '$NF == "planted_hot" { print $2; exit }' out; }
samples() { test "$(hot)" "$@" 2> /dev/null; }
if need_root; then
	check see '\[k\]'
	keys K
	check gone '\[k\]'
	keys U
	check gone '\[\.\]'
	keys U
	check see 'planted_hot'
fi
check becomes samples -gt 0
sleep 5 # of some looks together, the older the less: more than one alone has, and at most as eight have
check becomes samples -gt 0
some=$(hot)
keys z
check becomes samples -lt $((2 * some / 3))
some=$(hot)
keys z
check becomes samples -gt $((3 * some / 2))
keys q
ended 0

{ kill $busy $idle && wait $busy $idle; } 2> /dev/null
finish
