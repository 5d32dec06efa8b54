#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The options of perf record that change what is recorded, each by its effect in the file:
# datawalk.c, which shares no code with perf, says what is there.
. "$(dirname "$0")/../lib.sh"
plan 29
attr() { # FIELD [EVENT]: of an attr
	sed -n "s/^attr ${2:-0} .*\b$1 \([^ ]*\).*/\1/p" facts
}
has() { # FIELD BIT [EVENT]
	[ $((($(attr "$1" "${3:-0}") >> $2) & 1)) -eq 1 ]
}
need_events || finish

# What the option sets: bits of a field of the first attr; and only with the option.
step "each option sets its bits, and nothing sets them without it"
perf record -q -e cpu-clock -o plain.data true
walk plain.data
mv facts plain.facts
while read -r options field bit; do
	options=${options//_/ }
	# shellcheck disable=SC2086
	perf record -q -e cpu-clock -o x.data $options true
	check [ $rc -eq 0 ]
	walk x.data
	check has "$field" "$bit" || fail "$options sets no bit $bit of $field"
	cp facts with.facts
	cp plain.facts facts
	refute has "$field" "$bit"
	cp with.facts facts
done << 'END'
-W sample_type 24
--weight sample_type 24
--phys-data sample_type 19
--data-page-size sample_type 22
--code-page-size sample_type 23
--transaction sample_type 17
--sample-cpu sample_type 7
--sample-identifier sample_type 16
--intr-regs sample_type 18
--user-regs sample_type 12
--all-cgroups sample_type 21
--all-cgroups flags 32
-d sample_type 3
-g sample_type 5
-R sample_type 10
-g_--kernel-callchains flags 22
-g_--user-callchains flags 21
--call-graph_fp sample_type 5
--data sample_type 3
--data-mmap flags 17
--raw-samples sample_type 10
--stat flags 11
--running-time read_format 0
--running-time read_format 1
-s read_format 0
-s flags 11
--namespaces flags 28
--switch-events flags 26
--buildid-mmap flags 34
--all-user flags 5
--all-kernel flags 4
-k_mono flags 25
--clockid_mono flags 25
--no-buffering wakeup 0
END

step "each option clears its bits"
while read -r options field bit; do
	perf record -q -e cpu-clock -o x.data "$options" true
	walk x.data
	refute has "$field" "$bit"
	cp plain.facts facts
	check has "$field" "$bit"
done << 'END'
-i flags 1
--no-inherit flags 1
--no-bpf-event flags 30
--per-thread flags 1
--per-thread sample_type 2
END

step "registers: all, or those of a list, in any case of letters; both sets together"
perf record -q -e cpu-clock --intr-regs=SP,ip --user-regs=Ax -o x.data true
walk x.data
if [ "$(uname -m)" = x86_64 ]; then
	check [ "$(attr regs_intr)" = 0x180 ]
	check [ "$(attr regs_user)" = 0x1 ]
fi
perf record -q -e cpu-clock -I --user-regs -o x.data true
walk x.data
check [ "$(attr regs_intr)" = "$(attr regs_user)" ]
check [ $(($(attr regs_user))) -gt 255 ]
perf record -q -e cpu-clock --call-graph dwarf --user-regs=ax -o x.data true
walk x.data
[ "$(uname -m)" != x86_64 ] || check [ "$(attr regs_user)" = 0x181 ] # what unwinding cannot miss
for option in '-I?' '--intr-regs=?' '--user-regs=?'; do
	perf record $option
	check [ $rc -eq 129 ]
	check grep -qiE '^available registers: .*\bsp\b' err
	refute test -e perf.data
done

step "clocks: by all names and numbers"
for clock in mono MONOTONIC CLOCK_MONOTONIC 1; do
	perf record -q -e cpu-clock -k $clock -o x.data true
	walk x.data
	check [ "$(attr clock)" -eq 1 ]
done
for pair in realtime:0 real:0 monotonic_raw:4 raw:4 boottime:7 boot:7 tai:11 11:11; do
	perf record -q -e cpu-clock -k ${pair%:*} -o x.data true
	walk x.data
	check [ "$(attr clock)" -eq ${pair#*:} ]
done

step "-s: counts of each thread at its exit"
perf record -q -e cpu-clock -s -o x.data "$WORKLOADS/known" threads 50
walk x.data
check [ "$(fact 'type 8')" -ge 50 ]
perf record -q -e cpu-clock -o x.data "$WORKLOADS/known" threads 50
walk x.data
check [ "$(fact 'type 8')" -eq 0 ]

step "-n: no samples, but the rest"
perf record -q -e cpu-clock -n -o x.data "$WORKLOADS/planted" 0.1
walk x.data
check [ "$(fact samples)" -eq 0 ]
check [ "$(fact exec)" -eq 1 ]

step "--switch-events: records of switches"
perf record -q -e cpu-clock --switch-events -o x.data sleep 0.1
walk x.data
check [ "$(fact 'type 14')" -ge 2 ]

step "--namespaces: of the command, of what existed, of what starts"
perf record -q -e cpu-clock --namespaces -o x.data true
walk x.data
check [ "$(grep -c '^namespaces ' facts)" -ge 1 ]
perf record -q -e cpu-clock -o x.data true
walk x.data
check [ "$(grep -c '^namespaces ' facts)" -eq 0 ]
sleep 3600 &
child=$!
CHILDREN="$CHILDREN $child"
perf record -q -e cpu-clock --namespaces -p $child -o x.data true
walk x.data
check grep -qx "namespaces $child 7" facts
net=$(stat -L -c %i /proc/$child/ns/net)
perf script -i x.data --show-namespace-events -F comm
check grep -q "0/net: [0-9]*/$(printf '%#x' "$net")," out

step "--synth: what is told about what ran before"
while read -r what tasks maps; do
	need_root || break
	perf record -q -e dummy -a --synth "$what" -o x.data true
	check [ $rc -eq 0 ]
	walk x.data
	perf script -i x.data --show-task-events --show-mmap-events
	check [ "$(grep -c "RECORD_COMM: .*:$child/$child" out)" -eq $tasks ]
	check [ $(($(grep -c "RECORD_MMAP2 $child/$child" out) > 0)) -eq $maps ]
	check [ "$(fact 'type 1')" -ge 1 ] # the kernel's map, always
done << 'END'
all 1 1
no 0 0
task 1 0
mmap 1 1
cgroup 0 0
task,mmap 1 1
END

step "--buildid-mmap: build-ids in the maps, none in the header, nothing in the cache"
rm -rf -- "${SCRATCH:?}/home/.debug"
perf record -q -e cpu-clock --buildid-mmap -p $child -o x.data true
walk x.data
check [ "$(fact map-ids)" -ge 2 ]
refute grep -qE '^features .*\b2\b' facts
check [ ! -e "$HOME/.debug" ]
perf buildid-list -i x.data
perf record -q -e cpu-clock -p $child -o x.data true
walk x.data
check [ "$(fact map-ids)" -eq 0 ]
id=$(readelf -n "$WORKLOADS/planted" 2> readelf.log | sed -n 's/ *Build ID: //p')
perf record -q -e cpu-clock --buildid-mmap -o x.data "$WORKLOADS/planted" 0.1
perf report -i x.data --stdio
check grep -q planted_hot out
perf report -i x.data -D
[ -z "$id" ] || check grep -q "MMAP2.*<$id>.*planted" out
perf report -i x.data --mmaps
[ -z "$id" ] || check grep -qE ' r-xp [0-9a-f]+ 0 /.*planted$' out

step "--sample-identifier, --group"
perf record -q -e cpu-clock,cs --group -o x.data true
walk x.data
check grep -qE '^features .*\b17\b' facts
refute has flags 0 1 # the follower runs when the leader does
check has flags 0 0

step "--exclude-perf"
if need_tracefs; then
	# shellcheck disable=SC2016
	for option in '' --exclude-perf; do
		perf record -q -a -e raw_syscalls:sys_enter $option -o x.data sh -c 'echo $PPID > recorder'
		check [ $rc -eq 0 ]
		perf script -i x.data -F pid
		check [ "$(($(grep -cwF "$(cat recorder)" out) > 0))" -eq "$([ -z "$option" ]; echo $((1 - $?)))" ]
	done
	perf record -q -a -e syscalls:sys_enter_getppid --filter 'common_pid > 0' --exclude-perf \
		-o x.data "$WORKLOADS/known" getppid 30
	walk x.data
	check [ "$(fact samples)" -ge 30 ]
fi

step "-D: nothing before, the side-band records all the same; messages as 6.1"
perf record -e cpu-clock -D -1 -o x.data "$WORKLOADS/planted" 0.2
check grep -qx 'Events disabled' err
refute grep -q 'Events enabled' err
walk x.data
check [ "$(fact samples)" -eq 0 ]
check [ "$(fact exec)" -ge 1 ]
# It runs until it was measured, too.
perf record -e cpu-clock -D 100 -o x.data sh -c '
	"$0" 3000 & until grep -q "Events enabled" err; do sleep 0.05; done; "$1" $! 50; kill $!' "$WORKLOADS/planted" "$WORKLOADS/nap"
check [ "$(grep -c '^Events ' err)" -eq 2 ]
walk x.data
check [ "$(fact samples)" -gt 0 ]
perf record -q -e cpu-clock -D 5 -o x.data "$WORKLOADS/planted" 0.05
check [ ! -s err ]

step "-D: ranges"
perf record -e cpu-clock -c 1000000 -D 200-1200,1400-2400 -o x.data sh -c '
	"$0" 3000 & until [ $(grep -c "Events disabled" err) -eq 3 ]; do sleep 0.05; done; kill $!' "$WORKLOADS/planted"
check [ "$(grep -c '^Events disabled$' err)" -eq 3 ]
check [ "$(grep -c '^Events enabled$' err)" -eq 2 ]
walk x.data
check [ "$(fact samples)" -gt 0 ]
# Samples come in two bursts, with a rest between them; between bursts nothing is sampled.
perf script -i x.data -F time --ns
check [ "$(sed 's/[ :]//g' out | awk 'NR > 1 && $1 - last > 0.05 { gaps++ } { last = $1 } END { print gaps + 0 }')" -ge 1 ]

step "-D with an attached process, and -a"
"$WORKLOADS/known" wait 4 > ready &
busy=$!
CHILDREN="$CHILDREN $busy"
until grep -q ready ready; do sleep 0.02; done
perf record -e cpu-clock -D 50-1050 -p $busy -o x.data sleep 1.2
walk x.data
check [ "$(fact samples)" -gt 0 ]
check grep -q "^map $WORKLOADS/known" facts
if need_root; then
	perf record -e cpu-clock -D 50-1050 -a -o x.data sleep 1.2
	walk x.data
	check [ "$(fact samples)" -gt 0 ]
fi

step "-u: the processes of a user"
perf record -e cpu-clock -u "$(id -u)" -o x.data "$WORKLOADS/nap" $busy 100
check [ $rc -eq 0 ]
walk x.data
check [ "$(fact samples)" -gt 0 ]
check grep -q "^map $WORKLOADS/known" facts

step "-u: and of nobody else"
if need_root; then
	chmod 711 "$SCRATCH" "$SCRATCH/dir"
	cp "$WORKLOADS/known" . && chmod 755 known
	setpriv --reuid=65534 --regid=65534 --clear-groups ./known wait > ready &
	theirs=$!
	CHILDREN="$CHILDREN $theirs"
	until grep -q ready ready; do sleep 0.02; done
	for user in 65534 nobody; do
		id "$user" > /dev/null 2>&1 || continue
		perf record -e cpu-clock -u "$user" -o x.data "$WORKLOADS/nap" $theirs 100
		check [ $rc -eq 0 ]
		perf script -i x.data -F pid
		check grep -qw $theirs out
		check [ "$(sort -u out | tr -d ' ')" = $theirs ]
	done
	kill $theirs
fi

step "a group that may be broken up (:W): its events one by one, where the kernel refuses it"
perf record -q -c 1000000 -e '{cs,cpu-clock/no-inherit/}' -o x.data true # one inherits, one does not
check [ $rc -ne 0 ]
check grep -q 'this combination of settings' err
perf record -q -c 1000000 -e '{cs,cpu-clock/no-inherit/}:W' -o x.data "$WORKLOADS/planted" 0.05
check [ $rc -eq 0 ]
perf evlist -v -i x.data
check [ "$(grep -c 'disabled: 1,.* enable_on_exec: 1' out)" -eq 2 ]
perf evlist -g -i x.data
refute grep -q '{' out
perf script -F event -i x.data
check grep -q cpu-clock out

step "-G: only the tasks of a cgroup; --all-cgroups tells them"
group=test-perf-$$
if need_cgroup $group; then
	echo $busy > "$cgroups/$group/cgroup.procs"
	perf record -q -e cpu-clock -a -G $group -o x.data "$WORKLOADS/nap" $busy 100
	check [ $rc -eq 0 ]
	perf script -i x.data -F pid
	check [ "$(sort -u out | tr -d ' ')" = $busy ]
	perf record -q -e cpu-clock -e task-clock -a -G $group, -o x.data sh -c '"$0" $1 100; "$2" 0.1' "$WORKLOADS/nap" $busy "$WORKLOADS/planted"
	perf script -i x.data -F pid,event
	check [ "$(grep -w cpu-clock out | awk '{ print $1 }' | sort -u)" = $busy ]
	check [ "$(grep -w task-clock out | awk '{ print $1 }' | sort -u | wc -l)" -gt 1 ]
	perf record -q -e cpu-clock --all-cgroups -p $busy -o x.data "$WORKLOADS/nap" $busy 100
	walk x.data
	id=$(stat -c %i "$cgroups/$group")
	check grep -qx "cgroup $id /$group" facts
	check grep -qx "cgroup [0-9]* /" facts
	perf script -i x.data --show-cgroup-events
	check grep -q "PERF_RECORD_CGROUP cgroup: $id /$group" out
	check grep -qE '^ *swapper +0 .* cgroup: [0-9]+ /$' out
	perf script -i x.data -F pid,cgroup
	check [ "$(awk '{ print $2 }' out | sort -u)" = "/$group" ]
	perf record -q -e cpu-clock --all-cgroups --synth=task -p $busy -o x.data true
	walk x.data
	refute grep -q '^cgroup ' facts
	echo $busy > "$cgroups/cgroup.procs"
	rmdir "$cgroups/$group"
fi

{ kill $busy && wait $busy; } 2> /dev/null

step "frequencies: max is what the kernel allows; --strict-freq takes that, and nothing above"
limit=$(cat /proc/sys/kernel/perf_event_max_sample_rate)
for pair in "-D -1 -F max:$limit" "-F 97:97" "-D -1 -F $limit --strict-freq:$limit" "-c 543210:543210"; do
	perf record -q -e cpu-clock ${pair%:*} -o x.data true
	check [ $rc -eq 0 ]
	walk x.data
	check [ "$(attr period)" -eq "${pair#*:}" ]
done
cp x.data kept.data
perf record -q -e cpu-clock -F $((limit + 1)) --strict-freq -o x.data true
check [ $rc -eq 234 ]
check cmp kept.data x.data

step "--buildid-all: of files without a sample, too"
perf record -q -e dummy -o x.data "$WORKLOADS/planted" 0.05
perf buildid-list -i x.data
refute grep -q '/' out
perf record -q -e dummy --buildid-all -o x.data "$WORKLOADS/planted" 0.05
perf buildid-list -i x.data
check grep -qF " $WORKLOADS/planted" out
check grep -q '/libc' out

step "--mmap-flush: rings are left until they have that much; --aio changes nothing"
cat > small.py << 'END'
# How many rounds brought less than 8 KB of what the kernel writes (samples, THROTTLE), but for the last one.
import struct
data = open("x.data", "rb").read()
at, size = struct.unpack_from("<QQ", data, 40)
end, rounds, now = at + size, [], 0
while at < end:
    kind, _, size = struct.unpack_from("<IHH", data, at)
    at += size
    if kind < 64:
        now += size
    elif kind == 68 and now:
        rounds.append(now)
        now = 0
print(sum(round < 8192 for round in rounds[:-1]))
END
small_rounds() { # OPTIONS: of many wake-ups, one for each sample
	perf record --no-buffering -m 64K -e cpu-clock -c 200000 "$@" -o x.data "$WORKLOADS/planted" 0.3
	check [ $rc -eq 0 ]
	walk x.data
	check [ "$(fact samples)" -gt 300 ]
	small=$(python3 small.py)
}
small_rounds
check [ "$small" -gt 0 ]
small_rounds --aio=4
check [ "$small" -gt 0 ]
plain=$small
small_rounds --mmap-flush=8K
check [ "$small" -le 1 ] # the first has to be written at times, where perf looks after a while
[ "$plain" -le 5 ] || check [ "$small" -lt "$plain" ]

step "-r: real-time priority"
if need_root; then
	# shellcheck disable=SC2016
	perf record -q -r 7 -e cpu-clock -o x.data sh -c 'awk "{ sub(/.*\) /, \"\"); print \$39, \$38 }" /proc/$PPID/stat'
	check [ $rc -eq 0 ]
	check grep -qx '1 7' out # SCHED_FIFO
fi

step "accepted, as nothing hangs on them: --num-thread-synthesize, --proc-map-timeout, --clang-path ..."
perf record -q -e cpu-clock --num-thread-synthesize 2 --proc-map-timeout=500 --timestamp-boundary \
	--clang-path x --clang-opt y --vmlinux z -o x.data true
check [ $rc -eq 0 ]
check [ ! -s err ]

step "script prints what samples carry, as Linux's perf does"
options='-e page-faults -c 1 -d -W --phys-data --data-page-size --code-page-size --intr-regs --user-regs=sp,ip'
# shellcheck disable=SC2086
perf record -q $options -o x.data "$WORKLOADS/planted" 0.05
list=comm,tid,weight,ins_lat,ip,sym,iregs,uregs,phys_addr,data_page_size,code_page_size
perf script -i x.data -F $list
check [ $rc -eq 0 ]
check grep -qE ' 0 +0 +[0-9a-f]+ .* ABI:2 .* SP:0x[0-9a-f]+ .* +0 (N/A|[0-9]+[KM]) [0-9]+[KM]$' out
check [ "$(grep -c ' ABI:' out)" -eq "$(wc -l < out)" ]
if [ -x "$REF" ]; then
	"$REF" script -i x.data -F $list 2> theirs.err | any_plt > theirs
	any_plt < out > ours
	check cmp -s theirs ours || fail "$(diff theirs ours | head -n 4)"
	# shellcheck disable=SC2086
	"$REF" record -q -g $options -o theirs.data true > theirs.out 2>&1
	"$REF" script -i theirs.data -F ${list/ip,sym,/} > theirs 2> theirs.err
	perf script -i theirs.data -F ${list/ip,sym,/}
	check cmp -s theirs out || fail "$(diff theirs out | head -n 4)"
fi
perf record -q -e cpu-clock -c 100000 -o x.data "$WORKLOADS/planted" 0.05
for field in iregs uregs data_page_size code_page_size ins_lat cgroup; do
	perf script -i x.data -F comm,$field
	check [ $rc -eq 255 ]
	check grep -q "Cannot print '$field' field" err
done

step "the default event has the bits and the name that Linux's perf gives it"
if [ ! -x "$REF" ]; then
	skip "Linux's perf is not here"
else
	for options in '' -g -a; do
		# shellcheck disable=SC2086
		"$REF" record -q -o theirs.data $options true > theirs.out 2>&1
		# shellcheck disable=SC2086
		perf record -q -o x.data $options true
		"$PERF" evlist -v -i theirs.data > theirs 2> theirs.err
		"$PERF" evlist -v -i x.data > ours 2> ours.err
		check cmp -s theirs ours || fail "$options: $(diff theirs ours | head -n 4)"
	done
fi

step "Linux's perf and ours give events the same bits, and each reads the other's file"
if [ ! -x "$REF" ]; then
	skip "Linux's perf is not here"
else
	while read -r options; do
		# shellcheck disable=SC2086
		"$REF" record -q -e cpu-clock -o theirs.data $options true > theirs.out 2>&1
		# shellcheck disable=SC2086
		perf record -q -e cpu-clock -o x.data $options true
		for by in "$REF" "$PERF"; do
			"$by" evlist -v -i theirs.data > theirs 2> theirs.err
			"$by" evlist -v -i x.data > ours 2> ours.err
			check cmp -s theirs ours || fail "$options: $(diff theirs ours | head -n 4)"
		done
		"$REF" script -i x.data > theirs 2> theirs.err
		# One frame for want of registers, and what a busy machine lets a recorder lose.
		grep -vE "unwind: can't read reg|^Warning:$|^Processed .* lost [0-9]+ chunks!$|^Check IO/|^$" theirs.err > complaints
		check [ ! -s complaints ] || fail "$options: $(head -n 2 theirs.err)"
	done << 'END'
-W --phys-data --data-page-size --code-page-size --transaction
--intr-regs --user-regs=ip,sp
-a --intr-regs --user-regs -W
--call-graph dwarf --user-regs=ax
-g --kernel-callchains
-g --user-callchains
--count 5000000
--count=5000000 --period
-c5000000 -P --timestamp
--no-samples --stat -e cs
--clockid=boot --raw-samples
--freq=9000
--namespaces --all-cgroups --switch-events
-a --namespaces --all-cgroups --switch-events
--buildid-mmap
--sample-identifier -s --running-time
--group -e cs
-n -a
-n -s -e cs
--no-buffering --no-bpf-event
-k mono --per-thread -T
-D 1-2,3-4
-D 1 -a --namespaces
-F 100 -e page-faults -P
-D -1
-D -1 -F 500
-D -1 -F 500 -g
-D -1 -F 500 -P
-D -1 -c 1000
-D -1 -F 500 -e page-faults
-D -1 -F 500 --per-thread
-D -1 -F max
-a -F 500 --switch-events
-a -F 500 -n
-a -c 500 -n
-n -c 3
-D -1 -F 500 -e sched:sched_switch
-D -1 -e cpu-clock/period=10000/ -F 500
END
	# A dummy of the user's own, as the first event, takes the place of perf's.
	for options in '-D -1' '-D -1 -F 500' -a '-a -F 500' '-a -e cpu-clock' '-D -1 -e cpu-clock' '-n -e cpu-clock/period=1000/'; do
		# shellcheck disable=SC2086
		"$REF" record -q -e dummy $options -o theirs.data true > theirs.out 2>&1
		# shellcheck disable=SC2086
		perf record -q -e dummy $options -o x.data true
		for by in "$REF" "$PERF"; do
			"$by" evlist -v -i theirs.data > theirs 2> theirs.err
			"$by" evlist -v -i x.data > ours 2> ours.err
			check cmp -s theirs ours || fail "-e dummy $options: $(diff theirs ours | head -n 4)"
		done
	done
fi

step "PERF_TEST_ATTR: a file for each counter, as the attr tests of Linux's perf read them"
mkdir attr their.attr
for command in 'record -o attr.data' stat; do
	rm -f attr/*
	# shellcheck disable=SC2086
	PERF_TEST_ATTR=$PWD/attr perf $command -e cpu-clock:u -C 0 true
	check [ $rc -eq 0 ]
	file=$(find attr -name 'event-1-0-*' | head -n 1)
	check [ -n "$file" ]
	check grep -qxF "[$(basename "${file:-none}")]" "$file"
	check [ "$(grep -cxE '(cpu|config|exclude_user)=0|exclude_kernel=1|type=1|size=128|group_fd=-1' "$file")" -eq 7 ]
done
perf record -o attr.data -e cpu-clock true
check [ "$(find attr -type f | wc -l)" -eq 1 ] # nobody asked
if [ -x "$REF" ]; then
	PERF_TEST_ATTR=$PWD/their.attr "$REF" stat -e cpu-clock:u -C 0 true > ref.log 2>&1
	check [ "$(cut -d = -f 1 their.attr/event-1-0-* | tail -n +2)" = "$(cut -d = -f 1 "$file" | tail -n +2)" ]
fi

step "each option of -h is in a test of recording"
"$PERF" record -h > help 2>&1
# Refused for want of hardware, BPF or /proc/kcore (diagnostics.sh), or about reading.
known=' aux-sample debuginfod kcore off-cpu '
sed -nE 's/^ +(-([A-Za-z]), )?(--([a-z-]+))?.*/\4 \2/p' help | while read -r long short; do
	[ -n "$long" ] && [ "${known#* "$long" }" = "$known" ] || continue
	pattern="--$long([^a-z-]|\$)"
	[ -z "$short" ] || pattern="$pattern|(^|[ '(])-$short"
	grep -qE -e "$pattern" "$TESTS"/cli/{record*,sample-filter,forms-write,losses,bundle,unwind-live,report-latency}.sh || echo "$long"
done > untested
check [ ! -s untested ] || fail "no test has: $(tr '\n' ' ' < untested)"
check [ "$(wc -l < help)" -gt 80 ]
finish
