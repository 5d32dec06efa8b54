#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf record --call-graph auto: frame pointers or copies of stacks, and how large, by what a pilot
# sees. Whatever it chooses, the chains of all samples are whole.
. "$(dirname "$0")/../lib.sh"
plan 11
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

# whole FILE DEPTH [LEAST]: nearly all samples (LEAST of them) are below main and all calls of deep().
whole() {
	"$PERF" script --no-inline -F comm,ip,sym -i "$1" 2> script.err |
		awk -v RS= -v depth="$2" -v least="${3:-20}" '
			/^ *with(out)? / && / burn/ { nr++; whole = $0; if (gsub(/ deep/, "", whole) == depth && / main/) good++; else other = $0 }
			END { print nr + 0, good + 0; print other; exit !(nr >= least && good >= 0.97 * nr) }'
}

step "a program with frame pointers: they are taken, and the file holds plain chains"
perf record -v -e cpu-clock:u -F 999 --call-graph auto -o fp.data ./with 10 100 0.8
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
perf record -e cpu-clock:u -F 999 -d --call-graph auto -o fields.data ./with 10 100 0.8
check grep -q 'Call graphs: fp;' err
check whole fields.data 11
perf script -D -i fields.data
grep -i 'data_src' out > sources
check [ "$(grep -c . sources)" -gt 50 ]
check [ "$(sort -u sources | grep -c .)" = 1 ]

step "without: copies, no larger than is needed"
perf record -v -e cpu-clock:u -F 999 --call-graph auto -o small.data ./without 10 100 0.8
check grep -qE '^\[ perf record: Call graphs: dwarf,4096; frame pointers show all callers of [0-9.]+ % of ' err
check whole small.data 11
perf record -e cpu-clock:u -F 999 --call-graph auto -o middle.data ./without 30 300 0.8
check grep -q 'Call graphs: dwarf,16384;' err
check whole middle.data 31
check [ "$(stat -c %s small.data)" -lt "$(stat -c %s middle.data)" ]
perf report --stack-health -i small.data
refute grep -q 'fell behind' out

step "stacks of more than can be copied"
perf record -e cpu-clock:u -F 499 --call-graph auto -o large.data ./without 100 1000 0.6
check grep -q 'Call graphs: dwarf,65528;' err
perf report --stack-health -i large.data
check grep -q 'stack copy too small' out
perf record -e cpu-clock:u -F 499 --call-graph auto -o pointers.data ./with 100 1000 0.6
check grep -q 'Call graphs: fp;' err
check whole pointers.data 101

step "both kinds of programs: what serves both"
perf record -v -e cpu-clock:u -F 999 --call-graph auto -o both.data sh -c './with 10 100 0.6 & ./without 20 100 0.6; wait'
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

step "unwinding goes on where that is wished"
perf record -e cpu-clock:u -F 999 --call-graph auto --unwind-live -o live.data ./without 10 100 0.8
check grep -qE '^\[ perf record: Unwound ([0-9]+) of \1 stacks while recording \]$' err
check whole live.data 11
check [ "$("$PERF" script -F uregs -i live.data | grep -c ABI:2)" -le 60 ]
check [ $(($(stat -c %s live.data) * 3)) -lt "$(stat -c %s small.data)" ]

step "programs that run already, all CPUs, several events, streams, packed"
./with 10 100 30 &
target=$!
CHILDREN="$CHILDREN $target"
perf record -e cpu-clock:u -F 999 --call-graph auto -p $target -o attach.data sleep 0.8
check grep -q 'Call graphs: fp;' err
check whole attach.data 11
perf record -e cpu-clock:u -F 999 --call-graph auto --per-thread -p $target -o thread.data sleep 0.8
check grep -q 'Call graphs: fp;' err
check whole thread.data 11
./with 10 100 30 &
other=$!
CHILDREN="$CHILDREN $other"
for how in "" --per-thread; do
	# shellcheck disable=SC2086
	perf record -e cpu-clock:u -F 999 --call-graph auto $how -p $target,$other -o targets.data sleep 0.8
	check grep -q 'Call graphs: fp;' err
	check whole targets.data 11
	perf script -F pid -i targets.data
	check [ "$(sort -u out | grep -c .)" = 2 ]
done
kill $target $other
perf record -a -e cpu-clock:u -F 499 --call-graph auto -o all.data ./without 10 100 0.8
check grep -q 'Call graphs: dwarf,' err
check whole all.data 11
perf record -e cpu-clock:u,task-clock:u -F 499 --call-graph auto -o two.data ./with 10 100 0.8
check grep -q 'Call graphs: fp;' err
check whole two.data 11
perf script -F event -i two.data
check [ "$(grep -c task-clock out)" -gt 50 ]
"$PERF" record -e cpu-clock:u -F 999 --call-graph auto -o - ./with 10 100 0.8 2> err > piped.data
check grep -q 'Call graphs: fp;' err
check whole piped.data 11
perf record -e cpu-clock:u -F 999 --call-graph auto -z -o packed.data ./without 10 100 0.8
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

step "Linux's perf reads the same chains"
if [ -x "$REF" ]; then
	for data in fp small short live two; do
		"$REF" script --no-inline -F comm,tid,time,event,ip,dso -i $data.data 2> ref.err < /dev/null | sed 's/ *$//' > ref
		perf script --no-inline -F comm,tid,time,event,ip,dso -i $data.data
		sed 's/ *$//' out > ours
		check [ "$(grep -c . ours)" -gt 100 ]
		check cmp ref ours
		check [ ! -s ref.err ]
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
