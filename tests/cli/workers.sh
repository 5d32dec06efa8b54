#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The number of workers never shows: 1, 2 and 7 give equal bytes, in every view. Also run with the
# perf that ThreadSanitizer watches.
. "$(dirname "$0")/../lib.sh"
plan 43

step "a recording of several blocks"
if need_events; then
	# Stack copies make it large enough to be cut into many blocks (9 MB here); then one with chains, many
	# programs and threads.
	perf record -e cpu-clock -c 500000 --call-graph dwarf -o large.data "$WORKLOADS/planted" 1.2
	check [ $rc -eq 0 ]
	# setarch -R, for ThreadSanitizer, puts the stack at the end of all addresses: copies end there.
	check [ "$(stat -c %s large.data)" -gt 6000000 ]
	perf record -e cpu-clock/period=100000/,context-switches,page-faults -c 1 -g -o mixed.data -- \
		sh -c 'for i in $(seq 120); do ls / | sort | tail -n 1; done & '"$WORKLOADS/planted"' 1; wait'
	check [ $rc -eq 0 ]
	check [ "$(stat -c %s mixed.data)" -gt 1200000 ] # of less script makes one part
fi

same() {
	local file=$1 nr
	shift
	step "1, 2 and 7 workers agree: $file: $*"
	need_events || return 0
	for nr in 1 2 7; do
		PERF_WORKERS=$nr perf "$@" -i "$file"
		check [ $rc -eq 0 ]
		cat out err > "said.$nr"
	done
	check [ "$(wc -l < said.1)" -gt 10 ]
	check cmp said.1 said.2
	check cmp said.1 said.7
}

for file in large.data mixed.data; do
	same $file report --stdio
	same $file report --stdio --no-children -g callee
	same $file report --stdio --no-children -g folded,0,caller,count --sort sym
	same $file report --stdio --children -g none --sort comm,pid,tid,cpu,dso,sym -n
	same $file report --stdio -g flat,0.1,callee
	same $file report --stdio --sort parent,sym -p 'main|do_|vfs'
	same $file report --json
	same $file script
	same $file script -F comm,tid,time,event,ip,sym,symoff,dso,srcline,period
	same $file script -F folded
	same $file script -G --time 10%-90%
	same $file script --json --time 5%-60%
	same $file script --reltime -F comm,time,ip,sym
	same $file script --comms planted,nosuch -F comm,tid,time,event
	same $file script --show-task-events --show-mmap-events -G -S planted_hot,nosuch
	same $file script --deltatime
	same $file script --deltatime --ns -F comm,time,event --comms planted --show-task-events
	same $file script -F comm,time,ip,sym,insn,insnlen
done

# Of equal rows chance may put one first: asked often.
step "1, 2 and 7 workers agree each time about ties, of two recordings, too"
if need_events; then
	for options in '-i large.data -i mixed.data' '-i large.data -i mixed.data -s comm,dso' '-i mixed.data -g flat,0.1,callee'; do
		# shellcheck disable=SC2086 # words
		PERF_WORKERS=1 perf report --stdio $options
		cat out err > said.1
		check [ "$(wc -l < said.1)" -gt 10 ]
		for nr in 2 7 2 7 2 7; do
			# shellcheck disable=SC2086 # words
			PERF_WORKERS=$nr perf report --stdio $options
			cat out err > said.$nr
			check cmp said.1 said.$nr
		done
	done
fi

step "who reads no more ends perf by SIGPIPE, whichever worker writes"
if need_events; then
	for nr in 1 2 7 7 7; do
		PERF_WORKERS=$nr "$PERF" script -i large.data 2> err | head -n 3 > out
		rc=${PIPESTATUS[0]}
		check [ "$rc" -eq 141 ]
		check [ "$(wc -l < out)" -eq 3 ]
		check [ ! -s err ]
		PERF_WORKERS=$nr "$PERF" report --stdio -q -s pid,sym -g caller,0 -i mixed.data 2> err | head -n 3 > out
		rc=${PIPESTATUS[0]}
		check [ "$rc" -eq 141 ]
		check [ ! -s err ]
	done
fi

step "1, 2 and 7 workers agree where names are loaded while others print"
if need_events; then
	# No index of symbols, and no copy of the kernel's: its list takes long.
	for options in '' --deltatime '-F folded' '-F comm,time,ip,sym --comms planted --deltatime' '--stop-bt planted_hot,main'; do
		for nr in 1 2 7; do
			rm -rf "${PWD:?}/fresh"
			mkdir fresh
			# shellcheck disable=SC2086
			HOME=$PWD/fresh XDG_CACHE_HOME=$PWD/fresh/cache PERF_WORKERS=$nr perf script -i mixed.data $options
			check [ $rc -eq 0 ]
			mv out said.$nr
		done
		check [ "$(wc -l < said.1)" -gt 10 ]
		check cmp said.1 said.2
		check cmp said.1 said.7
	done
	HOME=$PWD/fresh XDG_CACHE_HOME=$PWD/none PERF_WORKERS=7 "$PERF" script -i mixed.data 2> err | head -1 > out
	check [ -s out ]
	check [ ! -s err ]
fi

step "these modes are shared out: so many threads read for it"
if need_events; then
	for options in 'script --deltatime' 'script -F comm,ip,insn' 'script -F ip,sym,srccode' \
		'report --stdio -s pid,sym' 'report --stdio -s pid,sym --hierarchy'; do
		# shellcheck disable=SC2086
		PERF_WORKERS=5 perf record -q -e dummy:u -o self.data -- "$PERF" $options -i mixed.data
		check [ $rc -eq 0 ]
		check [ "$(wc -l < out)" -gt 10 ]
		perf script -i self.data --show-task-events
		echo "$(grep -c 'PERF_RECORD_FORK' out)"
	done > threads
	check [ "$(sed -n 1p threads)" -ge 4 ]
	check [ "$(sed -n 2p threads)" -ge 4 ]
	check [ "$(sed -n 3p threads)" -lt 4 ] # srccode depends on the line before
	check [ "$(sed -n 4p threads)" -eq $(($(sed -n 5p threads) + 12)) ] # three tables; levels are for one
fi

step "1, 2 and 7 workers agree: code between branches"
if command -v python3 > /dev/null && command -v objdump > /dev/null && command -v nm > /dev/null && has capstone; then
	cat > walked.c << 'END'
#define FN(n) __attribute__((noinline)) int fn_##n(int i) { volatile int x = i; while (i--) x += i * n + (x >> n); return x; }
FN(1) FN(2) FN(3) FN(4) FN(5) FN(6)
int main(void) { return fn_1(1) + fn_2(2) + fn_3(3) + fn_4(4) + fn_5(5) + fn_6(6); }
END
	check "${CC:-cc}" -O1 -g -no-pie -fno-inline -o walked walked.c
	check python3 "$TESTS/data/fields.py" walk "$PWD/walked" walk.data 12000
	check [ "$(stat -c %s walk.data)" -gt 1200000 ]
	for fields in ip,sym,srcline,brstackinsn,brstackinsnlen brstackdisasm,sym,ip insn,disasm,time; do
		for nr in 1 2 7; do
			PERF_WORKERS=$nr perf script -i walk.data -F comm,$fields --deltatime
			check [ $rc -eq 0 ]
			mv out said.$nr
		done
		check [ "$(wc -l < said.1)" -gt 5000 ]
		check cmp said.1 said.2
		check cmp said.1 said.7
	done
	check python3 "$TESTS/data/fields.py" counters "$PWD/walked" counters.data 12000
	for nr in 1 2 7; do
		PERF_WORKERS=$nr perf script -i counters.data -F comm,time,brstackinsn,brcntr
		check [ $rc -eq 0 ]
		mv out said.$nr
	done
	check [ "$(grep -c 'br_cntr: ' said.1)" -gt 5000 ]
	check [ "$(grep -c '^# Branch counter abbr list:$' said.1)" -eq 1 ]
	check cmp said.1 said.2
	check cmp said.1 said.7
	if need_events; then
		PERF_WORKERS=5 perf record -q -e dummy:u -o self.data -- "$PERF" script -i counters.data -F comm,brstackinsn,brcntr
		check [ $rc -eq 0 ]
		perf script -i self.data --show-task-events
		check [ "$(grep -c 'PERF_RECORD_FORK' out)" -ge 4 ]
	fi
else
	skip "python3, objdump, nm or capstone is not there"
fi

step "1, 2 and 7 workers agree where entries depend on others, or on what is shared out not at all"
if need_events; then
	for options in --deltatime --reltime --json '-F comm,event' --show-task-events '--comms planted' '-F ip,sym,srccode'; do
		for nr in 1 7; do
			# shellcheck disable=SC2086
			PERF_WORKERS=$nr perf script -i mixed.data $options
			check [ $rc -eq 0 ]
			cat out err > "said.$nr"
		done
		check [ "$(wc -l < said.1)" -gt 10 ]
		check cmp said.1 said.7
	done
	PERF_WORKERS=3 perf script -i mixed.data --time 0,0.000001 # none passes: what is said is of all workers
	check [ ! -s out ]
	check grep -qE 'none of the [0-9]{3,} samples passes --time' err
	PERF_WORKERS=3 "$PERF" script -i large.data > /dev/full 2> err
	check [ $? -eq 1 ]
	check grep -q 'cannot write the output' err
	PERF_WORKERS=3 "$PERF" script -i large.data 2> err | head -1 > out
	check [ -s out ]
	check [ ! -s err ]
fi
finish
