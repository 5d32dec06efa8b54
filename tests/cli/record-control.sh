#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf record told what to do while it runs, and into how many files it writes. Checked is the
# effect: the files, the times of their samples, where records stand. Nothing waits for a time: the
# workload runs until the file `over` is there.
. "$(dirname "$0")/../lib.sh"
plan 20
STAMP='[0-9]{16}'
mkfifo ctl ack
exec 7<> ctl 8<> ack

# start ARGS...: perf record in the background, on a loop that ends with `over`.
start() {
	[ $state != skipped ] || return 0
	rm -f over started
	before
	command="record $*"
	# Like perf_signal: a job of its own, so that ^C is not ignored in it.
	set -m
	PERF_TEST_MARK=$mark timeout --foreground -k 5 "$LIMIT" "$PERF" record "$@" -- \
		sh -c ': > started; while [ ! -e over ]; do :; done' > out 2> err < /dev/null 7>&- 8>&- &
	child=$!
	set +m
	CHILDREN="$CHILDREN $child"
	until_true [ -e started ]
}

# The perf below timeout.
perf_pid() {
	awk '{ print $1 }' "/proc/$child/task/$child/children"
}

ended() {
	[ $state != skipped ] || return 0
	: > over
	wait "$child" 2> /dev/null
	rc=$?
	DIES=${1:-} judge "$command"
}

tell() {
	[ $state != skipped ] || return 0
	local answer=
	kill -0 "${child:-$$}" 2> /dev/null || { fail "told '$1', but perf has ended"; return; }
	echo "$1" >&7
	IFS= read -r -t "$LIMIT" answer <&8
	check [ "$answer" = ack ]
}

files() { # NAME: how many files NAME.TIME
	find . -maxdepth 1 -regextype posix-extended -regex "./$1\.$STAMP" -printf '%f\n' | sort
}
nr_files() {
	files "$1" | grep -c .
}
at_least() { # NAME N
	[ "$(nr_files "$1")" -ge "$2" ]
}
times() { # FILE
	"$PERF" script -i "$1" -F time 2> /dev/null | tr -d ' :'
}
in_order() { # no time in standard input below the one before
	awk '{ if ($1 < last) bad = 1; last = $1 } END { exit bad }'
}
within() { # FROM TO: all times are, and there are some
	awk -v from="$1" -v to="$2" '{ n++; if ($1 < from || $1 > to) bad = 1 } END { exit bad || !n }'
}
has_build_ids() {
	"$WORKLOADS/datawalk" "$1" | grep -qE '^features .*\b2\b'
}

ticks() { # of CPU that the workload has used
	awk '{ sub(/.*\) /, ""); print $12 + $13 }' "/proc/$workload/stat"
}
ran() {
	[ "$(ticks)" -ge "$1" ]
}
runs_on() { # for so many ticks more, however busy the machine is
	[ $state != skipped ] || return 0
	workload=$(cat "/proc/$(perf_pid)/task/"*/children | cut -d' ' -f1)
	until_true ran $(($(ticks) + $1))
}

CLOCK="-e cpu-clock -c 100000"
need_events || finish

step "--switch-output: a file for each SIGUSR2, each complete, in the order of time"
start --switch-output $CLOCK -k mono -o sig
for nr in 1 2; do
	runs_on 5 # for samples in each
	kill -USR2 "$(perf_pid)"
	until_true at_least sig $nr
done
runs_on 5
ended
check [ $rc -eq 0 ]
check [ "$(nr_files sig)" -eq 3 ]
check [ ! -e sig ]
check [ "$(grep -cE "^\[ perf record: Dump sig\.$STAMP \]$" err)" -eq 3 ]
check grep -q '^\[ perf record: dump data: Woken up [0-9]* times \]$' err
check grep -q '^\[ perf record: Captured and wrote [0-9.]* MB sig.<timestamp> \]$' err
for file in $(files sig); do
	times "$file" > "t.$file"
	check [ -s "t.$file" ]
	check eval "'$PERF' script -i $file -F comm,ip,dso 2> /dev/null | grep -qE 'sh .*(dash|bash|libc|/sh)'"
done
check eval "cat t.*sig* | in_order"
rm -f t.* sig.*

step "--switch-output: no build-ids, unless asked for"
start --switch-output $CLOCK -o bid
ended
refute has_build_ids "$(files bid)"
rm -f bid.*
start --switch-output --no-no-buildid $CLOCK -o bid
ended
check has_build_ids "$(files bid)"
rm -f bid.*

step "--switch-output=SIZE: all but the last have it"
start --switch-output=20K -m 4 $CLOCK -o size
until_true at_least size 3
ended
check eval "files size | head -n -1 | xargs -n 1 stat -c %s | awk '\$1 < 20480 { bad = 1 } END { exit bad }'"
rm -f size.*

step "--switch-output=TIME"
start --switch-output=1s $CLOCK -o time
until_true at_least time 2
ended
check eval "files time | head -n 2 | while read -r f; do times \$f; done | in_order"
rm -f time.*

step "--switch-max-files keeps the newest"
start --switch-output=20K --switch-max-files=2 -m 4 $CLOCK -o max
until_true eval '[ $(grep -c Dump err) -ge 4 ]'
ended
check [ "$(nr_files max)" -eq 2 ]
check [ "$(files max | tail -n 1)" = "$(sed -n 's/.*Dump \(.*\) ]/\1/p' err | tail -n 1)" ]
rm -f max.*

step "--switch-output-event: the event is not recorded, it switches"
start --switch-output-event context-switches $CLOCK -o ev
until_true at_least ev 2
ended
check eval "'$PERF' evlist -i $(files ev | head -n 1) > events"
refute grep -q context-switches events
rm -f ev.*

step "^C and SIGKILL while files are switched leave readable ones"
start --switch-output=20K -m 4 $CLOCK -o brk
until_true at_least brk 1
kill -INT -- "-$child"
ended INT
for file in $(files brk | head -n -1); do
	check [ -n "$(times "$file" | head -n 1)" ]
done
check "$PERF" script -i "$(files brk | tail -n 1)" # which may have no sample
rm -f brk.*
start --switch-output=200K -m 4 $CLOCK -o brk
until_true at_least brk 1
# Stopped far behind what begins each file, and before the next one.
stopped_there() {
	kill -STOP "$(perf_pid)"
	until_true grep -q '^State:.T' "/proc/$(perf_pid)/status"
	grown brk 100000 || { kill -CONT "$(perf_pid)" && return 1; }
}
until_true stopped_there
kill -KILL "$(perf_pid)"
ended KILL
check [ -n "$(times brk | head -n 1)" ]
rm -f brk brk.*

step "--timestamp-filename"
perf record --timestamp-filename $CLOCK -o stamp true
check [ $rc -eq 0 ]
check [ "$(nr_files stamp)" -eq 1 ]
check grep -qE '^\[ perf record: Captured and wrote [0-9.]+ MB stamp.<timestamp> \([0-9]+ samples\) \]$' err

step "--max-size ends the recording and the command"
start --max-size=40K -m 4 $CLOCK -o limit
wait "$child" 2> /dev/null
rc=$?
judge "$command"
check [ $rc -eq 143 ]
check grep -q '^\[ perf record: perf size limit reached (40 KB), stopping session \]$' err
check eval "[ $(stat -c %s limit) -ge 40960 ] && [ $(stat -c %s limit) -lt 131072 ]"

step "--overwrite keeps the newest samples and all of the tasks"
start --overwrite --per-thread -T -k realtime -m 4 $CLOCK -o ring # one ring
before_last=$(date +%s.%N)
runs_on 30 # rings of 16 KB go round in 0.05 s
after=$(date +%s.%N)
runs_on 2
ended
check [ $rc -eq 0 ]
times ring > t
check eval "tail -n 1 t | within $after 99999999999"
check [ "$(wc -l < t)" -gt 100 ]
check [ "$(wc -l < t)" -le $((16384 / 32)) ]
check eval "[ \$(head -n 1 t | awk -v t=$before_last '{ print (\$1 > t) }') = 1 ]"
check eval "'$PERF' script -i ring -F comm,dso,ip 2> /dev/null | grep -qE 'sh .*(dash|bash|libc|/sh)'"
check eval "'$PERF' evlist -v -i ring | grep -q 'cpu-clock.*write_backward: 1'"

step "--overwrite --switch-output: what the rings hold at SIGUSR2, nothing twice"
start --overwrite --switch-output -m 4 $CLOCK -k mono -o flight
kill -USR2 "$(perf_pid)"
until_true at_least flight 1
ended
check [ "$(nr_files flight)" -eq 2 ]
check eval "files flight | while read -r f; do times \$f; done > t"
check eval "in_order < t && [ -s t ] && [ -z \"\$(uniq -d t | head -n 1)\" ]"

step "--tail-synthesize: what exists is told at the end"
start --tail-synthesize $CLOCK -a -o tail
runs_on 5
ended
"$PERF" report -D -i tail 2> /dev/null | grep -o 'PERF_RECORD_[A-Z0-9_]*' | uniq > kinds
check [ "$(grep -n SAMPLE kinds | head -n 1 | cut -d: -f1)" -lt "$(grep -n THREAD_MAP kinds | cut -d: -f1)" ]
check eval "'$PERF' script -i tail -F comm 2> /dev/null | grep -q '^ *sh'"

step "--control: samples only between enable and disable"
start -D -1 -k realtime $CLOCK --control fifo:ctl,ack -o win
tell ping
from=$(date +%s.%N)
tell enable
runs_on 5
tell disable
to=$(date +%s.%N)
runs_on 5
ended
check [ $rc -eq 0 ]
check eval "times win | within $from $to"
check grep -q '^Events enabled$' err
check grep -q '^Events disabled$' err

step "--control fd: one event by name"
rm -f over
before
PERF_TEST_MARK=$mark timeout "$LIMIT" "$PERF" record -D -1 -e cpu-clock,task-clock -c 100000 --control fd:7,8 \
	-o one -- sh -c 'while [ ! -e over ]; do :; done' > out 2> err < /dev/null &
child=$! command="record --control fd:7,8"
CHILDREN="$CHILDREN $child"
tell 'enable task-clock'
tell 'enable nosuch'
for how in '' ' -v' ' -g' ' -F'; do
	tell "evlist$how"
done
runs_on 5
ended
check grep -q '^Event task-clock enabled$' err
check grep -q "^failed: can't find 'nosuch' event\$" err
check [ "$(grep -c '^task-clock$' err)" -eq 2 ]
check grep -q '^cpu-clock: type: 1, size: 128, .*sample_period, sample_freq }: 100000' err
check grep -q '^cpu-clock: sample_period=100000$' err
"$PERF" script -i one -F event 2> /dev/null | sort -u > events
check grep -q task-clock events
refute grep -q cpu-clock events

step "--control: snapshot switches the file, stop ends perf and the command"
start --switch-output $CLOCK --control fifo:ctl,ack -o snap
tell snapshot
until_true at_least snap 1
tell stop
wait "$child" 2> /dev/null
rc=$?
judge "$command"
check [ "$(nr_files snap)" -eq 2 ]
check [ $rc -eq 143 ]
rm -f snap.*

step "--control: garbage is said once and harms nothing"
start $CLOCK --control fifo:ctl,ack -o garbage
printf 'nonsense \033[2J\n\n\0more\n%5000d\n' 1 >&7
tell ping
runs_on 2
ended
check [ $rc -eq 0 ]
check [ "$(grep -c Warning err)" -eq 1 ]
check grep -qF "unknown command 'nonsense ?[2J'" err
check [ -n "$(times garbage | head -n 1)" ]

step "--control: a pipe that ends does not end the recording"
rm -f over
before
command="record --control fd:0"
echo enable | PERF_TEST_MARK=$mark timeout "$LIMIT" "$PERF" record -D -1 $CLOCK --control fd:0 -o gone \
	-- sh -c 'while [ ! -e over ]; do :; done' > out 2> err &
child=$!
CHILDREN="$CHILDREN $child"
until_true grep -q 'the other side is gone' err
runs_on 5
ended
check [ $rc -eq 0 ]
check grep -q 'the other side is gone; the recording goes on' err
check [ -n "$(times gone | head -n 1)" ]

step "--affinity: where perf runs while it reads rings"
for row in sys:many node:many cpu:one; do
	start --affinity="${row%:*}" -a $CLOCK -m 1 -o aff
	until_true grown aff 65536
	many=$(sed -n 's/^Cpus_allowed_list:\t//p' "/proc/$(perf_pid)/status")
	if [ "$(nproc)" -gt 1 ]; then
		case $row in
		*:one) check eval '[[ $many =~ ^[0-9]+$ ]]' ;;
		*) check eval '[[ $many =~ [-,] ]]' ;;
		esac
	fi
	ended
done

step "-v, -vv, -vvv: what is opened, in the words of 6.1; when sampling runs"
perf record -v --affinity=node --aio=3 --mmap-flush=4K --switch-output=20K $CLOCK -m 4 -o said true
check [ "$(grep -cE '^(switch-output with 20K size threshold|nr_cblocks: 3|affinity: NODE|mmap flush: 4096|mmap size 20480B)$' err)" -eq 5 ]
refute grep -q sys_perf_event_open err
perf record -vv $CLOCK -m 4 -C 0 -o said true
check grep -qE '^  \{ sample_period, sample_freq \}   100000$' err
check grep -qE '^  sample_type                      IP\|TID\|TIME\|CPU\|IDENTIFIER$|^  sample_type  ' err
check grep -qE '^sys_perf_event_open: pid -1  cpu 0  group_fd -1  flags 0x8 = [0-9]+$' err
refute grep -q 'has started' err
perf record -vvv -e cycles:ppp -o said true
check grep -q '^perf record has started$' err
have_pmu || check grep -qE '^sys_perf_event_open failed, error -2$' err

step "--dry-run looks at the options and writes nothing"
perf record --dry-run $CLOCK -o dry true
check [ $rc -eq 0 ]
check [ ! -e dry ]
perf record --dry-run -e nosuchevent -o dry true
check [ $rc -ne 0 ]
finish
