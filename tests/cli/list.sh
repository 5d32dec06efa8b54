#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf list: line by line as Linux's perf where it is installed, and what it says of its own.
. "$(dirname "$0")/../lib.sh"
plan 13
need_events || finish

# Without the probes that other tests make and remove meanwhile.
lasting() {
	grep -vE '^$|tried[0-9]|sdt_planted' "$@"
}

# Lines with a class, but for metrics and for events that stand in a table: those of ours and those that Linux's
# perf has built in are others, and are looked at by metrics.sh.
classes() {
	local names
	names=$(find /sys/bus/event_source/devices/cpu/events/ -type f -printf ' %f ' 2> /dev/null)
	grep -E ' \[[A-Z][a-z]+( [A-Za-z]+)* (event|descriptor|breakpoint)\]$' "$1" | grep -v '\[Table event\]$' | lasting |
		awk -v names="$names" 'match($0, / OR cpu\/[^\/ ]+\//) &&
			!index(names, " " substr($0, RSTART + 8, RLENGTH - 9) " ") { next } { print }'
}

# The same of names on one line, by the names of a list with classes.
names_of_classes() {
	tr ' ' '\n' | grep -xFf <(classes "$1" | awk '{ print $1 } $2 == "OR" { print $3 }')
}

# reference ARGS: what Linux's perf lists, in ref, and its status. On a busy machine it aborts at times.
reference() {
	local ref_rc
	for _ in 1 2 3 4 5; do
		"$REF" list "$@" > ref 2> /dev/null
		ref_rc=$?
		[ $ref_rc -ge 128 ] || return $ref_rc
	done
	skip "Linux's perf died of its list five times"
	return $ref_rc
}

# same ARGS: the events and the exit status of Linux's perf.
same() {
	[ -x "$REF" ] || return 0
	perf list "$@"
	classes out > ours
	reference "$@"
	check [ $rc -eq $? ]
	classes ref > theirs
	check diff ours theirs
}

step "all, by class, by glob and by word: as Linux's perf"
if need_tracefs; then
	same
	for words in sw software pmu tracepoint 'sched:*' 'kmem:*' sched faults 'cpu*' 'msr/*' 'psys*' \
		tsc sched_switch sched:sched_switch 'kmem:*alloc' time '*:*read*' cs 'r*' 'sw pmu' \
		'probe:*' '*' '*:*' 's?hed:*switch' '[st]*:*wakeup*' duration CYCLES system_time rNNN \
		'--no-desc sw' '-d pmu' '--long-desc pmu' '--deprecated sw' '--debug sw' 'sched:nosuch'; do
		set -f
		# shellcheck disable=SC2086
		same $words
		set +f
	done
	[ -x "$REF" ] || skip "'$REF' is not there"
fi

step "--raw-dump: as Linux's perf, and a newline"
if need_tracefs && [ -x "$REF" ]; then
	perf list
	cp out all
	reference
	for words in sw pmu tracepoint 'sched:*' switch; do
		perf list --raw-dump "$words"
		check [ $rc -eq 0 ]
		check [ "$(wc -l < out)" -eq 1 ]
		names_of_classes all < out > ours
		for _ in 1 2 3; do # it says nothing when a probe goes meanwhile
			"$REF" list --raw-dump "$words" | names_of_classes ref > theirs
			[ ! -s theirs ] || break
		done
		check diff ours theirs
		check [ -s ours ]
	done
	perf list sw --raw-dump
	check grep -qE '^alignment-faults .* context-switches cpu-clock .* system_time $' out
	perf list --raw-dump nosuchevent
	check [ ! -s out ]
fi

step "usable in a pipe: no title, no pager, one line for each"
perf list
check [ $rc -eq 0 ]
refute grep -q 'List of' out
sed '/^$/,$d' out | grep -v '^       \[' > rows
sed '1,/^Metric Groups:$/d' out > groups
check grep -qx 'OS:' groups
check grep -qx '  context_switch_rate' groups
refute grep -vqE '^($|[^ ].*:$|  [^ ]+$)' groups
refute grep -vqE '^  [^ ].* \[[A-Z][A-Za-z ]*\]$' rows
check grep -qE '^  rNNN +\[Raw hardware event descriptor\]$' out
check grep -qE '^  cpu/t1=v1\[,t2=v2,t3 \.\.\.\]/modifier +\[Raw hardware event descriptor\]$' out
check grep -qE '^  mem:<addr>\[/len\]\[:access\] +\[Hardware breakpoint\]$' out
"$PERF" list | head -n 1 > first
check [ "${PIPESTATUS[0]}" -eq 0 -o "${PIPESTATUS[0]}" -eq 141 ]
check [ "$(wc -l < first)" -eq 1 ]

step "the folders of tracefs and the list are the same"
if need_tracefs; then
	perf list tracepoint
	for folder in "$(tracefs)"/events/kmem/*/; do
		[ -f "$folder/id" ] && echo "  kmem:$(basename "$folder")"
	done | sort > folders
	grep '^  kmem:' out | sed 's/ *\[.*//' | sort > listed
	check cmp folders listed
	check [ -s listed ]
	check [ "$(cut -d: -f1 < out | sort -u | wc -l)" -gt 10 ]
	perf stat -x, -e 'kmem:*' true
	cut -d, -f3 err | sed 's/^/  /' | sort > counted
	check cmp counted listed
fi

step "what cannot be counted here is listed with hw, cache and -v, with the reason"
perf list hw
check [ "$(grep -c '\[Hardware event\]' out)" -eq 10 ]
check grep -qE '^  cpu-cycles OR cycles +\[Hardware event\]' out
check grep -qE '^  stalled-cycles-frontend OR idle-cycles-frontend +\[Hardware event\]' out
if ! have_pmu; then
	check [ "$(grep -c '\[Hardware event\] (not counted here)$' out)" -eq 10 ]
	check grep -q '^       \[not counted here: .*no hardware counters' out
	check [ "$(wc -l < out)" -eq 11 ]
	perf list --no-desc hardware
	check [ "$(wc -l < out)" -eq 10 ]
	perf list cache
	check grep -qE '^  L1-dcache-load-misses +\[Hardware cache event\] \(not counted here\)$' out
	perf list --raw-dump hw
	check [ ! -s out ]
	perf list cycles
	refute grep -q 'Hardware event' out
	perf list -v cycles
	check grep -q 'cpu-cycles OR cycles .*(not counted here)' out
	perf list -v
	check [ "$(grep -c '(not counted here)' out)" -ge 40 ]
fi

step "--details, --unit"
perf list --details sw
check grep -qx '       type=1,config=0x3' out
if need_tracefs; then
	id=$(cat "$(tracefs)/events/sched/sched_switch/id")
	perf list --details sched:sched_switch
	check [ "$(tail -n 1 out)" = "$(printf '       type=2,config=%#x' "$id")" ]
fi
if [ -f /sys/bus/event_source/devices/msr/events/tsc ]; then
	perf list --unit msr pmu
	check [ "$(cut -d/ -f1 out | sort -u)" = '  msr' ]
	perf list --details --unit=msr tsc
	check grep -qx '       msr/event=0x00/' out
fi
perf list --cputype nosuch pmu
check [ $rc -eq 0 ]
check grep -q "no event source 'cpu_nosuch'" err

step "-j: what Python reads is what the lines say"
if command -v python3 > /dev/null; then
	perf list -v --no-desc
	sed '/^$/,$d' out | lasting > lines
	perf list -j -v
	check [ $rc -eq 0 ]
	cat > read.py <<-'END'
		import json, sys
		for e in json.load(open("out")):
		    name = (e.get("EventName") or e["MetricName"]) + (" OR " + e["EventAlias"] if "EventAlias" in e else "")
		    assert ("Reason" in e) == (e.get("Countable") is False)
		    print("  %-50s [%s]%s" % (name, e["EventType"], " (not counted here)" if "Reason" in e else ""))
	END
	check python3 read.py
	python3 read.py | lasting > read.out
	check diff lines read.out
	for words in hw 'nosuchevent' 'sw pmu'; do
		# shellcheck disable=SC2086
		perf list --json $words
		check python3 -c 'import json; json.load(open("out"))'
	done
else
	skip "python3 is not installed"
fi
perf list -j --raw-dump
check [ $rc -eq 129 ]

step "-o"
perf list sw
cp out expected
perf list -o list.txt sw
check [ ! -s out ]
check cmp list.txt expected
perf list -o /nosuch/list.txt
check [ $rc -eq 255 ]
check grep -q "'/nosuch/list.txt'" err
if [ -c /dev/full ]; then
	perf list -o /dev/full
	check [ $rc -eq 1 ]
	check grep -q 'No space left' err
fi

step "nothing fits"
perf list nosuchevent
check [ $rc -eq 0 ]
check [ ! -s out ]
check grep -q "fits 'nosuchevent'" err

step "a user who may not read tracefs gets the rest and one warning"
if need_root && setpriv --reuid=65533 --regid=65533 --clear-groups true 2> /dev/null; then
	chmod 755 "$SCRATCH" "$SCRATCH/dir"
	mkdir bin && install -m 755 "$PERF" bin/perf && mkdir -m 700 closed closed/events
	as_other() {
		PERF_TRACEFS_DIR=$PWD/closed setpriv --reuid=65533 --regid=65533 --clear-groups bin/perf "$@"
	}
	as_other list sw tracepoint sched: sched > out 2> err
	check [ $? -eq 0 ]
	check [ "$(grep -c 'tracepoints are not listed' err)" -eq 1 ]
	refute grep -q Tracepoint out
else
	[ $state = skipped ] || skip "no other user to be"
fi

step "names of tracefs may hold any byte"
# shellcheck disable=SC2016
odd=$(printf 'a\033[31mb"\n\\')
mkdir -p "odd/events/x y/$odd"
echo 7 > "odd/events/x y/$odd/id"
export PERF_TRACEFS_DIR=$PWD/odd
perf list tracepoint
check [ "$(cat out)" = "$(printf '  %-50s [Tracepoint event]' 'x y:a?[31mb"?\')" ]
perf list -j tracepoint
if command -v python3 > /dev/null; then
	check python3 -c 'import json; assert json.load(open("out"))[0]["EventName"] == "x y:a\x1b[31mb\"\n\\"'
fi
unset PERF_TRACEFS_DIR

step "a terminal gets title and sections"
if command -v script > /dev/null; then
	PAGER='tee paged' TERM=dumb script -qec "'$PERF' list sw pmu" /dev/null < /dev/null > /dev/null
	check [ "$(sed -n 2p paged)" = 'List of pre-defined events (to be used in -e or -M):' ]
	check [ "$(sed -n 1p paged)$(sed -n 3p paged)" = '' ]
	check grep -qE '^  cpu-clock +\[Software event\]$' paged
	sed -n '/duration_time/,$p' paged | sed -n 4p > behind
	check [ "$(cat behind)" = '' ]
else
	skip "script(1) is not installed"
fi

step "--help explains raw events"
perf list --help
check grep -qiE 'r20c4|raw' out
check grep -q 'cpu/event=0xc4,umask=0x20' "$SRC/Documentation/perf-list.txt"
finish
