#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf script: fields, filters, order, chains, and the awk recipes that live on its text.
. "$(dirname "$0")/../lib.sh"
plan 24
need_events || finish

record() {
	timeout 200 "$PERF" record -q "$@" > record.log 2>&1
}

step "there is something to read"
record -e cpu-clock -F 2000 -g -o chain.data "$WORKLOADS/planted" 0.3
record -e cpu-clock -F 2000 -o flat.data "$WORKLOADS/planted" 0.3
check [ -s chain.data ]
check [ -s flat.data ]

step "default line of a sample without a chain"
perf script -i flat.data
check [ $rc -eq 0 ]
check [ ! -s err ]
refute grep -qvE '^ *[^ ].* +[0-9]+ +[0-9]+\.[0-9]{6}: +[0-9]+ cpu-clock[a-zA-Z:]*:  +[0-9a-f]+ .* \(.*\)$' out
check grep -qE '^         planted +[0-9]+ .*planted_hot\+0x[0-9a-f]+ \(/.*/planted\)$' out

step "entries with chains: comm unpadded, tab, empty line"
perf script -i chain.data
check [ $rc -eq 0 ]
check grep -qE '^planted +[0-9]+ +[0-9]+\.[0-9]{6}: +[0-9]+ cpu-clock[a-zA-Z:]*: $' out
check grep -qE '^	 *[0-9a-f]+ planted_hot\+0x[0-9a-f]+ \(.*/planted\)$' out
check [ "$(grep -c '^$' out)" -eq "$(grep -c '^[^	]' out)" ]

step "-G and --max-stack"
perf script -i chain.data -G
refute grep -q '^	' out
refute grep -q '^$' out
perf script -i chain.data --max-stack 1 -F ip
check [ "$(grep -c '^	' out)" -le "$(grep -c '^$' out)" ]

step "times never go back"
perf script -i chain.data -G --ns -F time
check [ $rc -eq 0 ]
check sort -c -n out
check grep -qE '^ *[0-9]+\.[0-9]{9}: $' out

step "-F: fields in their places"
perf script -i flat.data -F comm,tid
check grep -qE '^         planted +[0-9]+ $' out
perf script -i flat.data -F pid,tid,event
check grep -qE '^ *[0-9]+/[0-9]+ +cpu-clock[^ ]*: $' out
perf script -i flat.data -F ip,sym
refute grep -qvE '^ +[0-9a-f]+ [^(]*$' out
perf script -i flat.data -F ip,dso
refute grep -qvE '^ +[0-9a-f]+ \(.*\)$' out
perf script -i flat.data -F +misc,-period -F -comm
check grep -qE '^ *[0-9]+ U +[0-9.]+: cpu-clock' out
perf script -i flat.data -F sw:tid
check grep -qE '^ *[0-9]+ $' out
perf script -i flat.data -F hw:tid
check grep -qE '^         planted ' out
perf script -i flat.data -F sw:
check [ $rc -eq 255 ]
check [ ! -s out ]

# Where there are no samples, that is what is true, whatever fields are chosen; else what the samples are of.
perf record -q -e cpu-clock/period=1000000000000000/ -o none.data true
for fields in '' '-F addr' '-F comm,phys_addr'; do
	# shellcheck disable=SC2086
	perf script -i none.data $fields
	check [ $rc -eq 0 ]
	check [ ! -s out ]
	check grep -q "'none.data' data has no samples" err
	refute grep -q 'other types' err
done
perf record -q -e cpu-clock/period=100000/ -e page-faults/period=1000000000000000/ -o some.data "$WORKLOADS/planted" 0.05
perf script -i some.data -F addr
check [ $rc -eq 255 ]
check grep -q "Samples for 'cpu-clock/period=100000/' event do not have ADDR" err

step "-F: what cannot be"
perf script -i flat.data -F nosuch
check [ $rc -eq 129 ]
check grep -q 'Invalid field requested' err
perf script -i flat.data -F comm,+tid
check [ $rc -eq 129 ]
check grep -q 'Cannot mix' err
perf script -i flat.data -F srcline
check [ $rc -eq 255 ]
check grep -q 'source line number requested.*ip is not selected' err
perf script -i flat.data -F addr
check [ $rc -eq 255 ]
check grep -q "do not have ADDR attribute set. Cannot print 'addr' field" err
perf script -i flat.data -F ip,symoff
check [ $rc -eq 255 ]
perf script -i flat.data -F sym
check [ $rc -eq 255 ]

step "filters"
perf script -i chain.data --comms planted -F comm
check [ -s out ]
refute grep -qv '^ *planted $' out
perf script -i chain.data --comms nosuch
check [ $rc -eq 0 ]
check [ ! -s out ]
perf script -i flat.data -S planted_hot -F ip,sym
check [ -s out ]
refute grep -qv planted_hot out
perf script -i flat.data --dsos planted -F ip,dso
check [ -s out ]
refute grep -qv '/planted)$' out
perf script -i flat.data --dsos "$(readlink -f "$WORKLOADS/planted")" -F ip,dso
check [ -s out ]
pid=$("$PERF" script -i flat.data -F pid | awk '{ print $1; exit }')
perf script -i flat.data --pid "$pid" -F pid
check [ -s out ]
refute grep -qv "^ *$pid \$" out
perf script -i flat.data --tid 1
check [ ! -s out ]
perf script -i flat.data --pid x
check [ $rc -eq 255 ]

step "a filter that no sample passes says so, and what there is"
empty() { # REGEX OPTION...: a warning like REGEX, status 0, no lines
	local regex=$1
	shift
	perf script -i flat.data "$@"
	check [ $rc -eq 0 ]
	check [ ! -s out ]
	check grep -qE "$regex" err
}
empty "^Warning: no sample has the comm 'nosuch'$" -c nosuch
check grep -qE "^  comms that samples have: 'planted' \([0-9]+\)" err
empty "did you mean 'planted'\?" -c plantd
empty "no sample has the dso 'libnosuch'" --dsos libnosuch
empty "did you mean 'planted_hot'\?" -S planted_ht
empty "no sample has the pid '1'" --pid 1
empty "no sample has the tid '1'" --tid 1
empty "none of the [0-9]+ samples passes --time" --time 1,2
if "$PERF" script -i flat.data -F ip,dso | grep -qF '[kernel.kallsyms]'; then
	empty "no sample passes all the filters together" -S planted_hot --dsos '[kernel.kallsyms]'
fi
for words in '-c planted' '-S planted_hot' '--dsos planted' "--pid $pid" "-c planted -S planted_hot"; do
	perf script -i flat.data $words
	check [ ! -s err ]
	check [ -s out ]
done
perf script -q -i flat.data -c nosuch
check [ ! -s err ]
if [ "$("$PERF" script -i flat.data | wc -c)" -gt 100000 ]; then # more than a pipe holds: it sees a part only
	"$PERF" script -i flat.data -c nosuch,planted 2> err | head -n 1 > /dev/null
	refute grep -q 'no sample' err
fi

step "--time"
perf script -i flat.data -F time
check [ $rc -eq 0 ]
all=$(wc -l < out) third=$(sed -n 3p out | tr -d ' :') fifth=$(sed -n 5p out | tr -d ' :')
perf script -i flat.data -F time --time "$third,$fifth"
check [ "$(wc -l < out)" -ge 2 ]
check [ "$(wc -l < out)" -le 3 ] # the fraction beyond the microsecond may leave out the last
perf script -i flat.data -F time --time "$fifth,"
check [ "$(wc -l < out)" -ge $((all - 5)) ]
perf script -i flat.data -F time --time 50%/1
first=$(wc -l < out)
perf script -i flat.data -F time --time 50%/2
check [ $((first + $(wc -l < out))) -eq "$all" ]
perf script -i flat.data --time 2,1
check [ $rc -eq 234 ]
check grep -q 'Invalid time string' err
perf script -i flat.data -F time --reltime
check [ "$(head -1 out)" = "    0.000000: " ]

step "-C needs a list of CPUs, and -a recordings have the field"
perf script -i flat.data -C x
check [ $rc -eq 255 ]
if need_root; then
	record -e cpu-clock -F 500 -a -o all.data taskset -c 0 "$WORKLOADS/planted" 0.1
	perf script -i all.data -C 0 -F cpu
	check [ -s out ]
	refute grep -qv '^\[000\] $' out
	perf script -i all.data -C 4095 # no such CPU: no lines
	check [ $rc -eq 0 ]
	check [ ! -s out ]
fi

step "side-band records are printed in order"
perf script -i flat.data --show-task-events --show-mmap-events
check grep -qE 'PERF_RECORD_COMM exec: planted:[0-9]+/[0-9]+$' out
check grep -qE 'PERF_RECORD_MMAP2 [0-9]+/[0-9]+: \[0x[0-9a-f]+\(0x[0-9a-f]+\) @ .* r-xp /.*/planted$' out
check grep -qE 'PERF_RECORD_EXIT\([0-9]+:[0-9]+\):\([0-9]+:[0-9]+\)$' out
check awk '/COMM exec/ { exec = 1 } /planted_hot/ && !exec { exit 1 }' out

step "tracepoints: the kernel's text"
if need_tracefs; then
	record -e sched:sched_process_exec -o exec.data sh -c /bin/true
	perf script -i exec.data
	if grep -q 'built without libtraceevent' err; then
		check grep -qE 'sched:sched_process_exec: raw:( [0-9a-f]{2})+$' out
	else
		check grep -qE 'sched:sched_process_exec: filename=/bin/true pid=[0-9]+ old_pid=[0-9]+' out
		check [ ! -s err ]
	fi
	record -e sched:sched_process_exec -g -o exec.data sh -c /bin/true
	perf script -i exec.data
	check grep -q '^	 *[0-9a-f]* .*exec' out
fi

step "a sample before the exec carries the comm of that moment"
if need_root; then
	record -a -e page-faults -c 1 -o exec.data "$WORKLOADS/planted" 0.02
	perf script -F comm,tid -i exec.data
	tid=$(awk '$1 == "planted" { print $2; exit }' out)
	# First perf-exec, then planted, never back.
	check [ "$(awk -v tid="$tid" '$2 == tid { print $1 }' out | uniq | tr '\n' ' ')" = 'perf-exec planted ' ]
	mv out lines
	perf report --stdio -n --sort comm -i exec.data
	for comm in perf-exec planted; do
		check [ "$(awk -v c=$comm '$NF == c { print $2 }' out)" -eq "$(grep -cE "^ *$comm " lines)" ]
	done
fi

step "--header"
perf script -i flat.data --header
check grep -q '^# hostname : ' out
check grep -q planted_hot out
perf script -i flat.data --header-only
refute grep -q planted_hot out

step "names from a file cannot write to the terminal"
cp "$WORKLOADS/planted" "$(printf 'pl\033[31manted')"
record -e cpu-clock -F 2000 -o esc.data "./$(printf 'pl\033[31manted')" 0.05
perf script -i esc.data --show-task-events --show-mmap-events
check grep -q 'pl?\[31manted' out
refute grep -q "$(printf '\033')" out

step "a reader that goes away early ends it quietly"
"$PERF" script -i chain.data 2> err | head -1 > out
check [ -s out ]
check [ ! -s err ]

step "what is not there yet says so"
for option in -l '-g python'; do
	# shellcheck disable=SC2086
	perf script -i flat.data $option
	check [ $rc -eq 255 ]
	check grep -q 'does not have it yet' err
done
perf script -i flat.data nosuchscript
check [ $rc -eq 129 ]
check grep -q "Couldn't find script" err

# ---- the recipes ----
step "recipe: folded stacks, comm first, root to leaf"
"$PERF" script -i chain.data | awk '
	/^[^\t]/ { sub(/ +[0-9]+ .*/, ""); comm = $0; stack = ""; next }
	/^\t/ { sub(/^\t *[0-9a-f]+ /, ""); sub(/ \([^()]*\)$/, ""); sub(/\+0x[0-9a-f]+$/, "")
		stack = ";" $0 stack; next }
	/^$/ { count[comm stack]++ }
	END { for (s in count) print s, count[s] }' > folded
check grep -qE '^planted;.*main;.*planted_hot [0-9]+$' folded
check [ "$(awk '{ n += $NF } END { print n }' folded)" -eq "$(grep -c '^$' <("$PERF" script -i chain.data))" ]

step "recipe: samples by CPU, pid and event with fixed fields"
if need_root; then
	perf script -i all.data -F pid,cpu,time,event
	refute awk 'NF != 4 || $2 !~ /^\[[0-9]+\]$/ { bad = 1 } END { exit !bad }' out
fi

step "recipe: histogram of sampled functions"
"$PERF" script -i flat.data -F ip,sym | awk '{ n[$2]++ } END { for (f in n) print n[f], f }' |
	sort -rn > functions
check grep -q planted_hot <(head -1 functions)

step "recipe: gaps between samples from the time field"
"$PERF" script -i flat.data -F time --ns | awk '{ sub(":", ""); if (last && $1 < last) bad = 1
	last = $1 } END { exit bad }'
check [ $? -eq 0 ]
step "addr is named: variables of programs, memory without a file"
if need_events; then
	cat > data.c <<- 'END'
		#include <stdlib.h>
		#include <string.h>
		static long table[2048] = { 1 };
		const long constant[512] = { 3 };
		volatile long sink;
		int main(void)
		{
			volatile long *heap = malloc(1 << 20);

			for (int i = 0; i < 512; i++) {
				table[i & 2047] += constant[i];
				heap[i * 8] = 1;
				sink += table[i] + heap[i];
			}
			return 0;
		}
	END
	check "${CC:-cc}" -O1 -o data data.c
	perf record -d -e page-faults:u -c 1 -o addr.data ./data
	perf script -F addr,sym,symoff,dso -i addr.data
	check grep -qE '^ *[0-9a-f]+ (table|constant)\+0x[0-9a-f]+ \(.*/data\)' out
	check grep -q ' \[unknown\] (//anon)' out
	refute grep -q 'perf-[0-9]*.map\|ELF' out err
	if [ -x "$REF" ]; then
		grep -v __TMC_END__ out | any_plt > ours
		"$REF" script -F addr,sym,symoff,dso -i addr.data 2> ref.log | grep -v __TMC_END__ | any_plt > theirs
		check cmp theirs ours
	fi
fi

step "addr is only named where it is an address"
if need_events; then
	perf record -d -e cpu-clock/period=100000/u,page-faults/period=1/u -o addr.data sh -c 'i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done'
	perf script -F event,addr,sym,dso -i addr.data
	check grep -qE '^ *page-faults/.*: +[0-9a-f]+ [^ ]+ \(' out
	check grep -qE '^ *cpu-clock/.*: +0 *$' out
	refute grep -qE 'cpu-clock/.*: +0 +[^ ]' out
fi
finish
