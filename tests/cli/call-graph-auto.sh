#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf record --call-graph auto: frame pointers or copies of stacks, and how large, by what a pilot
# sees. Whatever it chooses, the chains of all samples are whole; and it notices when they are no more.
. "$(dirname "$0")/../lib.sh"
plan 16
need_events || finish
[ "$(uname -m)" = x86_64 ] || skip_all "the planted programs: written for x86-64"

# A program that burns SECONDS of CPU time DEPTH calls deep, each with SIZE bytes of stack. With a
# second argument for the time it goes on with the other way of calling after it.
cat > calls.c << 'END'
#include <stdlib.h>
#include <time.h>
static volatile unsigned long sink;
static double cpu(void)
{
	struct timespec ts;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}
__attribute__((noinline)) void burn(double until)
{
	while (cpu() < until)
		for (int i = 0; i < 1000000; i++)
			sink += i;
	sink++;
}
__attribute__((noinline)) void deep(int n, int size, double until)
{
	volatile char room[size];
	room[0] = n;
	if (n > 0)
		deep(n - 1, size, until);
	else
		burn(until);
	sink += room[0];
}
int main(int argc, char **argv)
{
	(void)argc;
	deep(atoi(argv[1]), atoi(argv[2]), atof(argv[3]));
	return sink == 1;
}
END
gcc -O1 -fno-omit-frame-pointer -o with calls.c || skip_all "no compiler"
gcc -O2 -fomit-frame-pointer -fno-optimize-sibling-calls -o without calls.c

# A program that burns CPU time in framed code up to the first moment, up to the second below mid1()
# and mid2(), which keep no frame. It makes a system call at each turn, with the number of the turn,
# and says how many there were.
cat > late.c << 'END'
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
volatile int turns;
static volatile unsigned long sink;
void mid1(double until);
__attribute__((noinline)) static double cpu(void)
{
	struct timespec ts;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}
__attribute__((noinline)) void burn(void)
{
	long ret;
	sink += cpu() > 1e9; /* no leaf: those keep no frame, whatever is asked for */
	turns++;
	asm volatile("syscall" : "=a"(ret) : "0"(SYS_getsid), "D"((long)turns) : "rcx", "r11", "memory");
	for (int i = 0; i < 200000; i++)
		sink += i;
	sink += cpu() > 1e9;
}
__attribute__((noinline)) void below(double until)
{
	while (cpu() < until)
		burn();
	sink++;
}
__attribute__((noinline)) void top(double until)
{
	mid1(until);
	sink++;
}
int main(int argc, char **argv)
{
	(void)argc;
	below(atof(argv[1]));
	top(atof(argv[2]));
	printf("%d\n", turns);
	return 0;
}
END
cat > mid.c << 'END'
extern volatile int turns;
void below(double until);
__attribute__((noinline)) void mid2(double until)
{
	below(until);
	turns += 0;
}
__attribute__((noinline)) void mid1(double until)
{
	mid2(until);
	turns += 0;
}
END
gcc -O1 -fno-omit-frame-pointer -c late.c
gcc -O1 -fomit-frame-pointer -fPIE -c mid.c
gcc -o late late.o mid.o

# whole FILE DEPTH [LEAST]: nearly all samples (LEAST of them) are below main and all calls of deep().
whole() {
	"$PERF" script --no-inline -F comm,ip,sym -i "$1" 2> script.err |
		awk -v RS= -v depth="$2" -v least="${3:-20}" '
			/^ *with(out)? / && / burn/ { nr++; whole = $0; if (gsub(/ deep/, "", whole) == depth && / main/) good++; else other = $0 }
			END { print nr + 0, good + 0; print other; exit !(nr >= least && good >= 0.97 * nr) }'
}

# chooses TEXT ARGS...: record says so. On a busy machine a pilot of 30 stacks may have some of the
# program's start, in code of others; so it is asked again, up to 20 times.
chooses() {
	local text=$1
	shift
	for _ in $(seq 20); do
		perf record "$@"
		! grep -q "$text" err || return 0
	done
	fail "record never says '$text'"
}

step "a program with frame pointers: they are taken, and the file holds plain chains"
chooses 'Call graphs: fp;.* stacks \]$' -v -e cpu-clock:u -F 999 --call-graph auto -o fp.data ./with 10 100 0.5
check [ $rc -eq 0 ]
check grep -qE '^\[ perf record: Call graphs: fp; frame pointers show all callers of [0-9.]+ % of [0-9]+ stacks \]$' err
check grep -qE '^auto: with: [0-9]+ stacks; all callers by frame pointers [0-9.]+ %, by unwinding 100.0 %; 99 % need [0-9]+ bytes of stack$' err
check grep -qE '^auto:   .*/with: [0-9]+ frames; around them [1-9][0-9]* of [0-9]+ functions keep a frame pointer$' err
check whole fp.data 11
perf evlist -v -i fp.data
refute grep -qE 'REGS_USER|STACK_USER' out
check [ "$(perf script -F event -i fp.data; sort -u out | grep -c .)" = 1 ]
perf record -e cpu-clock:u -F 999 --call-graph auto -o quiet.data ./with 10 100 0.5
refute grep -q '^auto:' err

step "fields behind the chain are those of every sample"
chooses 'Call graphs: fp;' -e cpu-clock:u -F 999 -d --call-graph auto -o fields.data ./with 10 100 0.5
check grep -q 'Call graphs: fp;' err
check whole fields.data 11
perf script -D -i fields.data
grep -i 'data_src' out > sources
check [ "$(grep -c . sources)" -gt 50 ]
check [ "$(sort -u sources | grep -c .)" = 1 ]

step "without: copies, no larger than is needed"
chooses 'Call graphs: dwarf,4096;' -v -e cpu-clock:u -F 999 --call-graph auto -o small.data ./without 10 100 0.5
check grep -qE '^\[ perf record: Call graphs: dwarf,4096; frame pointers show all callers of [0-9.]+ % of ' err
check whole small.data 11
chooses 'Call graphs: dwarf,16384;' -e cpu-clock:u -F 999 --call-graph auto -o middle.data ./without 30 300 0.5
check grep -q 'Call graphs: dwarf,16384;' err
check whole middle.data 31
check [ "$(stat -c %s small.data)" -lt "$(stat -c %s middle.data)" ]
perf report --stack-health -i small.data
refute grep -q 'fell behind' out

step "stacks of more than can be copied"
perf record -e cpu-clock:u -F 499 --call-graph auto -o large.data ./without 100 1000 0.5
check grep -q 'Call graphs: dwarf,65528;' err
perf report --stack-health -i large.data
check grep -q 'stack copy too small' out
perf record -e cpu-clock:u -F 499 --call-graph auto -o pointers.data ./with 100 1000 0.5
check grep -q 'Call graphs: fp;' err
check whole pointers.data 101

step "both kinds of programs: what serves both"
chooses '^auto: with: .* by frame pointers \(9[0-9]\|100\)' -v -e cpu-clock:u -F 999 --call-graph auto -o both.data sh -c './with 10 100 0.5 & ./without 20 100 0.5; wait'
check grep -q 'Call graphs: dwarf,' err
check grep -qE '^auto: with: .* by frame pointers (9[0-9]|100)' err
check grep -qE '^auto: without: .* by frame pointers [0-9]\.' err
check [ "$("$PERF" script --no-inline -F comm,ip,sym -i both.data --comm without | awk -v RS= '/ burn/ && gsub(/ deep/, "") == 21' RS= ORS='\n\n' | grep -c ' main')" -gt 20 ]

step "a program that ends within the pilot, which needs 30 stacks"
perf record -e cpu-clock:u -F 200 --call-graph auto -o short.data ./without 10 100 0.1
check [ $rc -eq 0 ]
check grep -q 'Call graphs: it ended within the pilot' err
check whole short.data 11 10
perf record -e cpu-clock:u --call-graph auto -o empty.data true
check [ $rc -eq 0 ]
perf script -i empty.data
check [ $rc -eq 0 ]

step "several events: each is as rare in the pilot as its copies of stacks need"
perf record -e cpu-clock:u,task-clock:u -F 999 --call-graph auto -o two.data true
check [ $rc -eq 0 ]
perf evlist -v -i two.data
check [ "$(grep -c '^[a-z]*-clock:u: ' out)" -eq 2 ]
check [ "$(grep '^[a-z]*-clock:u: ' out | grep -o 'sample_freq }: [0-9]*' | uniq | wc -l)" -eq 1 ]
check [ "$(grep -om1 'sample_freq }: [0-9]*' out | grep -o '[0-9]*$')" -lt 999 ]

step "unwinding goes on where that is wished"
perf record -e cpu-clock:u -F 999 --call-graph auto --unwind-live -o live.data ./without 10 100 0.5
check grep -qE '^\[ perf record: Unwound ([0-9]+) of \1 stacks while recording \]$' err
check whole live.data 11
check [ "$("$PERF" script -F uregs -i live.data | grep -c ABI:2)" -le 60 ]
check [ $(($(stat -c %s live.data) * 3)) -lt "$(stat -c %s small.data)" ]

step "programs that run already, all CPUs, several events, streams, packed"
./with 10 100 3000 &
target=$!
CHILDREN="$CHILDREN $target"
perf record -e cpu-clock:u -F 999 --call-graph auto -p $target -o attach.data "$WORKLOADS/nap" $target 400
check grep -q 'Call graphs: fp;' err
check whole attach.data 11
perf record -e cpu-clock:u -F 999 --call-graph auto --per-thread -p $target -o thread.data "$WORKLOADS/nap" $target 400
check grep -q 'Call graphs: fp;' err
check whole thread.data 11
./with 10 100 3000 &
other=$!
CHILDREN="$CHILDREN $other"
for how in "" --per-thread; do
	# shellcheck disable=SC2086
	perf record -e cpu-clock:u -F 999 --call-graph auto $how -p $target,$other -o targets.data sh -c '"$0" $1 300; "$0" $2 300' "$WORKLOADS/nap" $target $other
	check grep -q 'Call graphs: fp;' err
	check whole targets.data 11
	perf script -F pid -i targets.data
	check [ "$(sort -u out | grep -c .)" = 2 ]
done
kill $target $other
perf record -a -e cpu-clock:u -F 499 --call-graph auto -o all.data ./without 10 100 0.5
check grep -q 'Call graphs: dwarf,' err
check whole all.data 11
chooses 'Call graphs: fp;' -e cpu-clock:u,task-clock:u -F 499 --call-graph auto -o two.data ./with 10 100 0.5
check grep -q 'Call graphs: fp;' err
check whole two.data 11
perf script -F event -i two.data
check [ "$(grep -c task-clock out)" -gt 50 ]
for _ in $(seq 20); do
	"$PERF" record -e cpu-clock:u -F 999 --call-graph auto -o - ./with 10 100 0.5 2> err > piped.data
	! grep -q 'Call graphs: fp;' err || break
done
check grep -q 'Call graphs: fp;' err
check whole piped.data 11
perf record -e cpu-clock:u -F 999 --call-graph auto -z -o packed.data ./without 10 100 0.5
check [ $rc -eq 0 ]
check whole packed.data 11

step "no sample is missed, none counted twice, and the pilot weighs as the rest"
perf record -e cpu-clock:u -F 200 --call-graph auto -o weigh.data ./with 2 100 1
check [ $rc -eq 0 ]
perf script -F time,period -i weigh.data
check python3 - << 'END'
lines = [line.split() for line in open("out") if line.strip()]
times = [float(t.rstrip(":")) for t, _ in lines]
assert len(set(times)) == len(times)
assert 0.8 < sum(int(p) for _, p in lines) / 1e9 < 1.2, len(lines)
END

# changed FILE: the last event of that name has copies of stacks; its samples, which came last, are
# whole, which those of frame pointers never are below mid1().
changed() {
	check grep -qE '^\[ perf record: Call graphs: then dwarf,16384; frame pointers showed all callers of [0-9.]+ % of 3[0-9] stacks \]$' err
	perf evlist -v -i "$1"
	check [ "$(grep -c '^cpu-clock:u: ' out)" = 2 ]
	check [ "$(grep '^cpu-clock:u: ' out | tail -n 1 | grep -c STACK_USER)" = 1 ]
	"$PERF" script --no-inline -F comm,ip,sym -i "$1" 2> script.err | awk -v RS= '
		/^ *late/ && / below/ { nr++; whole[nr] = / mid2/ && / mid1/ && / top/ && / main/ }
		END { first = nr; while (whole[first]) first--; print nr - first, nr; exit !(nr - first >= 50) }' > last
	check [ "${PIPESTATUS[1]}" = 0 ]
}

step "a program that leaves framed code later: then copies of stacks, under the same name"
perf record -g -e cpu-clock:u -F 999 -o pointers.data ./late 0.3 0.6 # the negative control
perf script --no-inline -F ip,sym -i pointers.data
check grep -q ' mid2' out
refute grep -qE ' (mid1|top)$' out
chooses 'Call graphs: then dwarf,16384;' -v -e cpu-clock:u -F 499 --call-graph auto -o late.data ./late 0.4 2
check grep -q 'Call graphs: fp;' err
check grep -qE '^auto: late: 3[0-9] stacks; all callers by frame pointers [0-9.]+ %, by unwinding 100.0 %' err
changed late.data
perf script -F time,period -i late.data
check python3 - << 'END'
lines = [line.split() for line in open("out") if line.strip()]
times = [float(t.rstrip(":")) for t, _ in lines]
assert times == sorted(times) and len(set(times)) == len(times)
assert 1.8 < sum(int(p) for _, p in lines) / 1e9 < 2.2, len(lines)
END
perf report --stdio --no-children -g none -i late.data
check [ "$(grep -c "^# Samples: .* of event 'cpu-clock:u'$" out)" = 1 ]
check awk '/^# Call graphs: [0-9.]+ % of samples by frame pointers, then [0-9.]+ % by unwinding copies of stacks$/ { sum = $4 + $12 } END { exit !(sum > 99.8 && sum < 100.2) }' out
check [ "$(grep -cE '%  late  .* burn$' out)" = 1 ]
perf report --stdio --no-children -g none -i fp.data
refute grep -q '^# Call graphs' out
perf evlist -i fp.data
check [ "$(grep -c cpu-clock out)" = 1 ]
chooses 'Call graphs: then dwarf,16384;' -e cpu-clock:u -F 499 --call-graph auto --unwind-live -o live-late.data ./late 0.4 2
changed live-late.data
check [ $(($(stat -c %s live-late.data) * 3)) -lt "$(stat -c %s late.data)" ]
chooses 'Call graphs: then dwarf,16384;' -e cpu-clock:u,task-clock:u -F 499 --call-graph auto -z -o packed-late.data ./late 0.4 2
changed packed-late.data
./late 0.4 3000 > turns &
target=$!
"$PERF" record -q -e cpu-clock:u -F 499 --call-graph auto -p $target -o killed.data 2> err &
recorder=$!
CHILDREN="$CHILDREN $target $recorder"
has_changed() {
	sleep 0.3
	"$PERF" report --stdio --no-children -g none -i killed.data 2> report.err |
		grep -qE '^# Call graphs: [0-9.]+ % of samples by frame pointers, then [1-9][0-9.]* %'
}
until_true has_changed
kill -KILL $recorder $target
perf report --stdio --no-children -g none -i killed.data
check [ "$(grep -c "^# Samples: .* of event 'cpu-clock" out)" = 1 ]
check grep -qE '^# Call graphs: [0-9.]+ % of samples by frame pointers, then [1-9][0-9.]* %' out

step "nothing is missed and nothing counted twice while it changes over"
if need_tracefs; then
	perf record -m 16M -e syscalls:sys_enter_getsid -c 1 --call-graph auto -o turns.data ./late 0.4 2
	check grep -q 'Call graphs: then dwarf' err
	turns=$(cat out)
	perf report --losses --json -i turns.data
	check python3 -c '
import json, sys
cpus = json.load(open("out"))["cpus"]
sum = sum(c["kept"] + c["lost"] for c in cpus)
sys.exit(0 if sum == int(sys.argv[1]) else "%d of %s" % (sum, sys.argv[1]))' "$turns"
fi

# once FILE TURNS: each turn is there once, or lost. What the old counter lost while the new one ran, too,
# which kept it, is counted as lost: a few at most.
once() {
	"$PERF" script -F comm,pid,trace -G -i "$1" 2> script.err | grep 'pid: 0x' > kept.turns
	check [ "$(sort kept.turns | uniq -d | wc -l)" = 0 ]
	perf report --losses --json -i "$1"
	check python3 -c '
import json, sys
lost = sum(c["lost"] for c in json.load(open("out"))["cpus"])
kept = sum(1 for _ in open("kept.turns"))
turns = int(sys.argv[1])
sys.exit(0 if 100 < kept <= turns <= kept + lost <= turns + 3 else "%d kept, %d lost of %d" % (kept, lost, turns))' "$2"
}

# Many turns, so that some fall between the last sample of the one kind and the first of the other.
sed 's/200000/20000/' late.c > fast.c
gcc -O1 -fno-omit-frame-pointer -c fast.c
gcc -o fast fast.o mid.o
gcc -O2 -fomit-frame-pointer -o bare fast.c mid.c
step "each event is taken once: in the pilot, when it ends, when it changes over; of tasks and of all CPUs"
if need_tracefs; then
	for targets in '' -a; do
		while read -r program; do
			# shellcheck disable=SC2086
			perf record $targets -m 8M -e syscalls:sys_enter_getsid -c 1 --call-graph auto -o once.data ./$program
			check [ $rc -eq 0 ]
			once once.data "$(cat out)"
		done <<- 'END'
			fast 0.1 0
			fast 0.5 0
			bare 0.1 0
			bare 0.5 0
			fast 0.5 2
		END
	done
	once turns.data "$turns"
fi

# Two of the program (with fewer turns) on each of two CPUs, in a cgroup: others may run, too.
sed 's/200000/4000000/' late.c > slow.c
gcc -O1 -fno-omit-frame-pointer -c slow.c
gcc -o slow slow.o mid.o
mount=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
made=''
at_end_cgroup() { [ -z "$made" ] || rmdir "$made"; }
trap 'ended=$?; at_end_cgroup; at_end $ended' EXIT
step "all CPUs of a busy machine change over, and nothing is missed"
if need_tracefs && [ -n "$mount" ] && ! grep -q 'cgroup .*[ ,]perf_event' /proc/mounts &&
	mkdir "$mount/perf-test-$$" 2> mkdir.log; then
	made=$mount/perf-test-$$
	cat > four.sh << END
echo \$\$ > $made/cgroup.procs
for cpu in 0 1; do
	taskset -c \$cpu ./slow 0.5 2 || ./slow 0.5 2 &
	taskset -c \$cpu ./slow 0.5 2 || ./slow 0.5 2 &
done
wait
END
	perf record -a -e syscalls:sys_enter_getsid -G "${made#"$mount"/}" -c 1 --call-graph auto -o all.data sh four.sh
	check grep -q 'Call graphs: fp;' err
	check grep -q 'Call graphs: then dwarf' err
	turns=$(awk '{ sum += $1; n++ } END { print n == 4 ? sum : 0 }' out)
	perf report --losses --json -i all.data
	check python3 -c '
import json, sys
cpus = json.load(open("out"))["cpus"]
sum = sum(c["kept"] + c["lost"] for c in cpus)
sys.exit(0 if sum == int(sys.argv[1]) else "%d of %s" % (sum, sys.argv[1]))' "$turns"
	perf evlist -v -i all.data
	check [ "$(grep -c '^syscalls:sys_enter_getsid: ' out)" = 2 ]
	# The last of each CPU are whole, of those before some lack top().
	"$PERF" script --no-inline -F comm,cpu,ip,sym -i all.data 2> script.err | awk -v RS= '
		/ below/ { cpu = $2; if (/ mid2/ && !/ top/) lack[cpu]++; if (!/ mid2/ || (/ mid1/ && / top/ && / main/)) last[cpu]++; else last[cpu] = 0 }
		END { for (cpu in last) { nr++; if (lack[cpu] && last[cpu] < 50) exit 1 } exit !nr }'
	check [ "${PIPESTATUS[1]}" = 0 ]
	for cpu in 0 1; do
		[ ! -d /sys/devices/system/cpu/cpu1 ] || check [ "$("$PERF" script -F cpu -C $cpu -G -i all.data 2> script.err | wc -l)" -gt 50 ]
	done
else
	[ $state != ok ] || skip "no cgroup can be made"
fi

step "Linux's perf reads the same chains"
if [ -x "$REF" ]; then
	for data in fp small short live two late live-late; do
		"$REF" script --no-inline -F comm,tid,time,event,ip,dso -i $data.data 2> ref.err < /dev/null | sed 's/ *$//' > ref
		perf script --no-inline -F comm,tid,time,event,ip,dso -i $data.data
		sed 's/ *$//' out > ours
		check [ "$(grep -c . ours)" -gt 100 ]
		check cmp ref ours
		check [ -z "$(words ref.err)" ]
	done
else
	skip "'$REF' is not there"
fi

step "what excludes it is said"
while IFS='|' read -r options cause; do
	# shellcheck disable=SC2086
	perf record -e cpu-clock --call-graph auto $options -o never.data true
	check [ $rc -eq 255 ]
	check grep -q "cannot use --call-graph auto together with '$cause'" err
	check [ ! -e never.data ]
done << 'END'
-a --threads|--threads
--overwrite|--overwrite
--tail-synthesize|--tail-synthesize
--user-regs=ax|--user-regs
--switch-output=1M|--switch-output
-D 100|-D
--kernel-callchains|--kernel-callchains
-n|-n
END
perf record -e cpu-clock/call-graph=fp/ --call-graph auto -o never.data true
check grep -q "together with 'call-graph='" err

finish
