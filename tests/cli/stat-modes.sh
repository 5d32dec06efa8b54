#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf stat: the ways to put counts together, intervals, lines for programs, control groups,
# --control; and the command lines of courses, each in its shape or refused politely.
. "$(dirname "$0")/../lib.sh"
plan 113
need_events || finish
need_root || finish
NUMBER='[0-9]+\.[0-9]+'

# Each row: status | command line | what must be on stderr. ~ stands for the number of CPUs.
online=$(getconf _NPROCESSORS_ONLN)
sleep 3600 &
sleeper=$!
CHILDREN="$CHILDREN $sleeper"

rows() {
	local status line regex
	while IFS='|' read -r status line regex; do
		case $status in '#'* | '') continue ;; esac
		line=${line# } line=${line% } regex=${regex# }
		step "stat $line"
		eval "perf stat ${line//PID/$sleeper}"
		check [ $rc -eq "$status" ]
		check grep -qE -e "$regex" err
	done
}

# ---- perf-course.md, section 3: Counting. Longer sleeps and larger loads are shortened. ----
rows << 'EOF'
0 | true | stats for 'true':
0 | -d true | LLC-load-misses
0 | -p PID sleep 0.05 | stats for process id '[0-9]+':
0 | -p PID,PID,PID,PID sleep 0.05 | stats for process id
0 | -t PID,PID,PID,PID sleep 0.05 | stats for thread id
0 | -a sleep 0.05 | msec cpu-clock +# +[0-9.]+ CPUs utilized
0 | --event=cycles:{k,u} -- sleep 0.05 | cycles:u
129 | -e 'cycles:{k,u}' sleep 0.05 | cycles:\{k,u\}
0 | -aA -- sleep 0.05 | ^CPU0 +[0-9.]+ msec cpu-clock
0 | -aA -C0 -- sleep 0.05 | ^CPU0 +[0-9]+      context-switches
234 | -aA -C0,60000 -- true | not online
0 | -a --per-core sleep 0.05 | ^S0-D0-C[0-9]+ +[1-9] +[0-9.]+ msec cpu-clock
0 | -a --per-socket -- sleep 0.05 | ^S0 +[1-9][0-9]* +[0-9.]+ msec cpu-clock
0 | -e cycles,instructions,cache-references,cache-misses,bus-cycles -a sleep 0.05 | bus-cycles
0 | -e L1-dcache-loads,L1-dcache-load-misses,L1-dcache-stores true | L1-dcache-stores
0 | -e dTLB-loads,dTLB-load-misses,dTLB-prefetch-misses true | dTLB-prefetch-misses
0 | -e dTLB-loads,dTLB-load-misses,dTLB-stores,dTLB-store-misses,iTLB-loads,iTLB-load-misses df | iTLB
0 | -e LLC-loads,LLC-load-misses,LLC-stores,LLC-prefetches true | LLC-prefetches
0 | -e r003c -a sleep 0.05 | r003c
0 | -e cycles,instructions,r80a2,r2b1 true | r2b1
0 | -e cpu-cycles:u df | cpu-cycles:u
0 | -e cycles:k,cycles:u -- sleep 0.05 | cycles:k
0 | -e cpu-cycles:pp df | cpu-cycles:pp
0 | -e bus-cycles -a -x: -- sleep 0.05 | ::bus-cycles:
0 | -a -d -x, sleep 0.05 | ,LLC-load-misses,
0 | -d --pre free --post date -- df | LLC-load-misses
EOF

if need_tracefs; then
	rows << 'EOF'
0 | -e 'syscalls:sys_enter_re*' -p PID sleep 0.05 | syscalls:sys_enter_read
0 | -e 'syscalls:sys_enter_re*' -a sleep 0.05 | syscalls:sys_enter_read
0 | -e 'sched:sched_w*' -p PID sleep 0.05 | sched:sched_wakeup
0 | -e 'sched:sched_process_*' -a sleep 0.05 | sched:sched_process_exit
0 | -e 'block:block_rq_*' -a sleep 0.05 | block:block_rq_issue
0 | -e 'vmscan:mm_vmscan_w*' -a -I 100 sleep 0.15 | ^ +[0-9]+\.[0-9]+ +[0-9]+ +vmscan:
0 | --repeat 2 -a -e kmem:mm_page_a* -- sleep 0.05 | \(2 runs\)
0 | --repeat 2 -e kmem:mm_page_alloc -e kmem:mm_page_free ls | kmem:mm_page_free
EOF
fi

# ---- how the options go together ----
rows << 'EOF'
234 | -A true | Error: -A is only available in system-wide mode: add -a
234 | --per-core -p PID true | Error: --per-core is only available in system-wide mode: add -a
234 | --per-socket true | Error: --per-socket is only available in system-wide mode: add -a
234 | --per-thread true | only available with -p, -t or -a
234 | --per-thread -C 0 true | not with -C
234 | --per-thread --metric-only -p PID true | not supported with --per-thread
234 | --table true | only supported with -r
234 | --interval-count 2 true | together with interval-print
234 | --timeout 5 true | >= 10ms
234 | --timeout 50 -I 100 true | not supported with interval-print
234 | -x, -B true | not supported with -x
234 | -x, -j true | not supported with -x
234 | --metric-only -r 2 true | not supported with -r
234 | --topdown true | requires system-wide mode
129 | -I x true | -I
129 | -I -5 true | -I
0 | -I 0 -e cs true | seconds time elapsed
0 | -A --per-socket -a -e cs true | ^S0 
0 | -a --per-socket --no-aggr -e cs true | ^CPU0 
0 | --no-merge -e cs true | cs
0 | --td-level 1 -e cs true | cs
234 | --topdown --td-level 2 -a true | The max level is 1
0 | --percore-show-thread -a -A -e cs true | ^CPU0
EOF
# lacking FILE ROW: a row for machines whose event sources in sysfs have no such file.
lacking() {
	if compgen -G "/sys/bus/event_source/devices/$1" > /dev/null; then
		step "$2" && skip "this machine has $1"
	else
		rows <<< "$2"
	fi
}
lacking 'cpu*/events/tx-start' '234 | -T true | Cannot set up transaction events'
lacking 'cpu*/events/*topdown*' '234 | --topdown -a true | System does not support topdown'
lacking 'cpu*/freeze_on_smi' '234 | --smi-cost true | freeze_on_smi is not supported'
lacking 'uncore_iio*' '234 | --iostat true | Unsupported uncore pmu configuration'
lacking 'uncore_iio*' '234 | --iostat=list true | Unsupported uncore pmu configuration'
lacking 'cpu_core' '234 | --cputype core true | --cputype is not supported'
lacking 'cpu_core' '0 | --hybrid-merge -e cs true | cs'

step "all threads of the machine: those that did something, the busiest first"
perf stat -a --per-thread -e task-clock sh -c 'i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done'
check [ $rc -eq 0 ]
check grep -qE "^ +[^ ]+-[0-9]+ +$NUMBER msec task-clock +# +$NUMBER CPUs utilized" err
awk '/msec task-clock/ { sub(/ msec.*/, ""); print $NF }' err > values
check [ "$(sort -rn values | cksum)" = "$(cksum < values)" ]
# A thread of microseconds is 0.00, too: those that did nothing are most of the kernel's.
check [ "$(grep -c . values)" -lt "$(find /proc/[0-9]*/task -mindepth 1 -maxdepth 1 2> /dev/null | wc -l)" ]

step "the CPUs of a group are the number of those that counted"
perf stat -a --per-socket -x, -e cs sleep 0.02
check [ "$(awk -F, '{ n += $2 } END { print n }' err)" = "$online" ]

step "--hide-zero-events: what was counted as 0 has no row, what was not counted has"
perf stat --hide-zero-events --metric-no-threshold --no-affinity -x, -e alignment-faults,page-faults,bus-cycles:h true
check [ $rc -eq 0 ]
check grep -qE '^[1-9][0-9]*,,page-faults' err
check grep -q 'bus-cycles' err
refute grep -q alignment-faults err

step "--pmu-filter: which sources a name means; before -e"
if [ -d /sys/bus/event_source/devices/msr ]; then
	perf stat --pmu-filter 'm?r' -x, -e 'm*/tsc/,page-faults' true
	check [ $rc -eq 0 ]
	check grep -q ',m\*/tsc/,' err
	perf stat --pmu-filter cpu -x, -e 'm*/tsc/' true
	check [ $rc -eq 129 ]
	check grep -q "pmu-filter=cpu leaves out all its sources, as 'msr'" err
fi
perf stat -e page-faults --pmu-filter cpu true
check [ $rc -eq 129 ]
check grep -q "'--pmu-filter': it follows an event" err

step "-I: heading, times that grow, the last part"
perf stat -I 100 -e task-clock,cs sleep 1
check [ "$(head -n 1 err)" = '#           time             counts unit events' ]
check [ "$(grep -c task-clock err)" -ge 2 ]
check [ "$(awk 'NR > 1 { print $1 }' err | sort -n | cksum)" = "$(awk 'NR > 1 { print $1 }' err | cksum)" ]
refute grep -q elapsed err

step "-I: the parts add up to the whole"
perf stat -I 100 --summary -x, --no-csv-summary -e faults:u sh -c 'ls; sleep 0.15; ls; sleep 0.1; ls'
check [ "$(awk -F, '$1 ~ /^ / { sum += $2 } $1 !~ /^ / { whole = $1 } END { print (sum == whole && sum > 0) }' err)" = 1 ]
perf stat -I 100 --summary -x, -e faults true
check grep -qE '^         summary,[0-9]+,,faults,' err

step "-I below 100 ms says once that it costs"
perf stat -I 10 -e cs sleep 0.05
check [ "$(grep -c 'overhead' err)" -eq 1 ]
perf stat -I 10 -x, -e cs sleep 0.03 # but not between lines for programs
refute grep -q overhead err

step "-I: --interval-count ends it"
perf stat -I 100 --interval-count 2 -e cs sleep 20
check [ $rc -eq 0 ]
check [ "$(grep -c ' cs ' err)" -eq 2 ]

step "--interval-clear clears terminals only"
perf stat -I 100 --interval-count 1 --interval-clear -e cs sleep 20
refute grep -q $'\033' err
refute grep -q $'\033' out
if command -v script > /dev/null; then
	script -qec "$PERF stat -I 100 --interval-count 1 --interval-clear -e cs sleep 20" x > /dev/null
	check grep -q $'\033\\[H\033\\[2J' x
fi

step "--table: each run, its distance from the mean"
perf stat -r 3 --table -e cs sleep 0.01
check grep -qE '^ +# Table of individual measurements:$' err
check [ "$(grep -cE "^ +$NUMBER \([+-]$NUMBER\) #+$" err)" -eq 3 ]
check grep -qE '^ +# Final result:$' err

# ---- read back ----
# read.py json|SEPARATOR KEYS[|KEYS...] FILE: of fields, each line has one of these sets of them; of
# JSON, each object has the keys.
cat > read.py << 'EOF'
import csv, json, sys
how, keys, path = sys.argv[1], [k.split() for k in sys.argv[2].split("|")], sys.argv[3]
known = {"interval", "cpu", "core", "die", "socket", "node", "thread", "aggregate-number",
         "counter-value", "unit", "event", "cgroup", "variance", "event-runtime", "pcnt-running",
         "metric-value", "metric-unit", "metrics"}
def is_number(text):
    return float(text) == float(text)
def is_count(text):
    return text in ("<not counted>", "<not supported>") or is_number(text)
checks = {"value": is_count, "counter-value": is_count, "runtime": str.isdigit, "nr": str.isdigit,
          "percent": is_number, "interval": is_number, "metric": lambda v: v == "" or is_number(v),
          "spread": lambda v: is_number(v.rstrip("%")), "summary": lambda v: v.strip() == "summary",
          "event": bool, "cgroup": bool}
seen = set()
for line in open(path):
    if how == "json":
        row = json.loads(line)
        assert set(row) <= known, set(row) - known
        fit = [k for k in keys if set(k) <= set(row)]
    else:
        row = next(csv.reader([line], delimiter=how))
        fit = [k for k in keys if len(k) == len(row) and (k[0] != "summary" or "summary" in row[0])]
        row = dict(zip(fit[0], row)) if fit else row
    assert fit, (keys, line)
    for key in set(row) & set(checks):
        assert checks[key](row[key]), (key, row)
    seen.add(keys.index(fit[0]))
assert how == "json" and seen or len(seen) == len(keys), seen
EOF
back() {
	step "$1: read back by Python ($2)"
	shift
	if ! command -v python3 > /dev/null; then
		skip "no python3"
		return
	fi
	local keys=$1
	shift
	perf stat "$@" -x';' -e task-clock,cs,cycles sleep 0.12
	check [ $rc -eq 0 ]
	check python3 read.py ';' "$keys" err
	perf stat "$@" -j -e task-clock,cs,cycles sleep 0.12
	check [ $rc -eq 0 ]
	check python3 read.py json "$JSON" err
}
fields='value unit event runtime percent metric metric-unit'
JSON='counter-value' back plain "$fields" -n --no-null
JSON='variance' back -r "value unit event spread runtime percent metric metric-unit" -r 2
JSON='interval' back -I "interval $fields" -I 100
JSON='cpu' back -A "cpu $fields" -a -A
JSON='cpu variance' back "-A -r" "cpu value unit event spread runtime percent metric metric-unit" -a -A -r 2
JSON='core aggregate-number' back --per-core "core nr $fields" -a --per-core
JSON='die aggregate-number' back --per-die "die nr $fields" -a --per-die
JSON='socket aggregate-number interval' back --per-socket "interval socket nr $fields" -a --per-socket -I 50
JSON='node aggregate-number' back --per-node "node nr $fields" -a --per-node
JSON='cgroup' back --for-each-cgroup "value unit event cgroup runtime percent metric metric-unit" -a --for-each-cgroup /
JSON='thread' back --per-thread "thread $fields" --per-thread -p $sleeper
JSON='interval' back "-I --interval-count" "interval $fields" -I 50 --interval-count 2
JSON='counter-value' back --summary "summary $fields|interval $fields" -I 200 --summary
JSON='counter-value' back --no-csv-summary "interval $fields|$fields" -I 200 --summary --no-csv-summary
step "a field with the separator inside, --metric-only and --cmd: rows of one length for Python's csv"
cat > rows.py << 'EOF'
import csv, sys
rows = [row for row in csv.reader(open(sys.argv[1]), delimiter=sys.argv[2]) if row]
assert len(rows) >= int(sys.argv[3]) and len({len(row) for row in rows}) == 1, rows
assert all(any(word in field for row in rows for field in row) for word in sys.argv[4:]), rows
EOF
name='uprobe/retprobe=0,config1=0/'
[ -e /sys/bus/event_source/devices/uprobe ] || name=cs
perf stat -x, -e "$name,cs" true
check python3 rows.py err , 2 "$name"
perf stat -x, -r 2 --cmd 'sh -c "true a,b"' --cmd true -e "$name,cs"
check python3 rows.py err , 3 "$name"
perf stat -x'=' -r 2 -e "$name,cs" true
check python3 rows.py err = 2 "$name"
perf stat -x';' --metric-only -a -A -I 20 -e task-clock,cycles,instructions sleep 0.05
check python3 rows.py err ';' 3 time CPU0
perf stat -x, --metric-only -a --per-socket -e task-clock,cycles,instructions true
check python3 rows.py err , 2 socket S0
cp "$(command -v sleep)" ./'sl,"ep'
./'sl,"ep' 20 &
comma=$!
CHILDREN="$CHILDREN $comma"
perf stat -x, --per-thread -p $comma -e cs,page-faults true
check python3 rows.py err , 2 'sl,"ep-'
kill $comma

step "a recording reported: read back by Python"
if command -v python3 > /dev/null; then
	perf stat record -o r.data -a -e task-clock,cs,cycles sleep 0.02
	perf stat report -i r.data --per-core -x';'
	check python3 read.py ';' "core nr $fields" err
	perf stat report -i r.data -A -j
	check python3 read.py json "cpu counter-value" err
fi
JSON='counter-value' back "-a --no-scale" "$fields" -a --no-scale

step "-j --metric-only is JSON"
perf stat -j --metric-only -a --per-socket -e cycles,instructions true
check grep -qE '^\{"socket" : "S0", "aggregate-number" : [1-9][0-9]*, "metrics" : \{.*\}\}$' err
perf stat -x';' --metric-only -a --per-socket -I 100 -e cycles,instructions sleep 0.12
check python3 -c '
rows = [line.rstrip("\n").split(";") for line in open("err")]
assert rows[0][:3] == ["time", "socket", "cpus"], rows
assert len(rows) > 1 and {len(row) for row in rows} == {len(rows[0])}, rows'

# ---- --control ----
step "--control: enable, disable, answers"
mkfifo commands answers
(
	exec 3<> commands 4<> answers
	"$PERF" stat -D -1 -e task-clock --control fd:3,4 sh -c \
		'while :; do :; done' 2> err > out &
	measured=$!
	answer() { timeout "$LIMIT" head -c 5 <&4 | tr -d '\0'; }
	echo enable >&3 && answer
	sleep 0.1
	echo disable >&3 && answer
	echo nonsense >&3
	echo ping >&3 && answer
	echo stop >&3 && answer
	wait $measured
) > said
check [ "$(sort said | uniq -c | tr -d ' \n')" = 4ack ]
check [ "$(grep -c 'Events disabled' err)" -eq 2 ]
check [ "$(grep -c 'Events enabled' err)" -eq 1 ]
check grep -q "unknown command 'nonsense'" err
check grep -qE "$NUMBER msec task-clock" err

step "--control: a fifo that vanishes, a writer that ends"
perf stat --control fifo:commands,answers -e cs sh -c 'rm commands answers; sleep 0.05'
check [ $rc -eq 0 ]
check grep -q 'seconds time elapsed' err
echo 'until grep -q "nobody can send commands" err; do sleep 0.05; done' > until-said
timeout "$LIMIT" "$PERF" stat --control fd:5 -e cs sh until-said 2> err 5< <(:)
check [ $? -eq 0 ]
check [ "$(grep -c 'nobody can send commands' err)" -eq 1 ]
check grep -q 'seconds time elapsed' err

rows << 'EOF'
129 | --control fifo:nosuch true | 'nosuch': No such file
129 | --control fd:99 true | 99
129 | --control bogus true | bogus
EOF

# ---- control groups ----
mount=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
made=''
at_end_cgroups() { [ -z "$made" ] || rmdir "$mount/$made/a" "$mount/$made/b" "$mount/$made"; }
trap 'ended=$?; at_end_cgroups; at_end $ended' EXIT
step "cgroups: a group counts its tasks, and nobody else's"
if [ -n "$mount" ] && ! grep -q 'cgroup .*[ ,]perf_event' /proc/mounts && mkdir "$mount/perf-test-$$" 2> /dev/null; then
	made=perf-test-$$
	mkdir "$mount/$made/a" "$mount/$made/b"
	perf stat -x, -a -e task-clock,faults -G $made/a sh -c \
		"echo \$\$ > $mount/$made/a/cgroup.procs; ls > /dev/null; ls > /dev/null"
	check [ $rc -eq 0 ]
	check grep -qE "^[1-9][0-9]*,,faults,$made/a,[1-9]" err
	JSON='cgroup' back --for-each-cgroup "${fields/event/event cgroup}" -a --for-each-cgroup $made/a,$made/b
	step "cgroups: rows and refusals"
	rows << EOF
0 | -a -e cs,cpu-clock -G $made/a sleep 0.02 | ^     <not counted> msec cpu-clock                 $made/a
0 | -a -x, -e cs,cpu-clock -G $made/a,$made/b sleep 0.02 | cpu-clock,$made/b,
0 | -a -x, -e cs -e faults -G $made/a, sleep 0.02 | ^[0-9]+,,faults,,[0-9]+,
0 | -a -x, -e cs --for-each-cgroup $made/a,$made/b true | cs,$made/b,
0 | -a -x, -e cs --for-each-cgroup '^$made/.' true | cs,$made/b,
234 | -a -e cs --for-each-cgroup '^$made/x' true | none fits
234 | -a -e cs --for-each-cgroup '$made/(' true | regular expression
234 | -a -e cs --for-each-cgroup nonesuch true | no access to cgroup
129 | -a -e cs -G nonesuch true | no access to cgroup
129 | -a -e cs -G $made/a,$made/b true | cgroup without an event
129 | -a -G $made/a true | must define events before
234 | -e cs -G $made/a true | Error: cgroups are only available in system-wide mode: add -a
234 | -a -e cs -G $made/a --for-each-cgroup $made/b true | cannot be used together
EOF
else
	skip "no unified hierarchy that can be written to"
fi
finish
