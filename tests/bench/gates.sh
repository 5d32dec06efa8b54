#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Instruction counts: the only speed figures that a loaded machine cannot spoil, so the only ones
# that `make check` judges. Two kinds of gate: a share of what Linux's perf spends on the same
# thing, and a stored limit where there is nothing to compare with.
. "$(dirname "$0")/../lib.sh"
plan $((18 + $(grep -cv '^#' "$TESTS/bench/gates.txt")))
REF=${PERF_REF:-/usr/bin/perf}

have_valgrind() {
	command -v valgrind > /dev/null && return 0
	skip "valgrind is not installed"
	return 1
}

# instructions PROGRAM ARGS...: of the whole process, user space
instructions() {
	valgrind --tool=callgrind --callgrind-out-file=/dev/null "$@" 2>&1 > /dev/null |
		sed -n 's/^==[0-9]*== I *refs: *//p' | tr -d ,
}

step "perf --version spends at most 0.15 of what Linux's perf spends"
if have_valgrind; then
	if [ -x "$REF" ]; then
		ours=$(instructions "$PERF" --version) theirs=$(instructions "$REF" --version)
		echo "  # ours ${ours:-?}, Linux's ${theirs:-?}"
		check [ "$((ours * 100))" -le "$((theirs * 15))" ]
	else
		skip "Linux's perf is not installed"
	fi
fi

step "perf --version spends at most 0.7 million instructions"
if have_valgrind; then
	check [ "$(instructions "$PERF" --version)" -le 700000 ]
fi

# ---- a file of 1 MB, the same bytes on every machine ----
step "the file of the instruction gates can be made"
have_valgrind && {
	{
		for i in $(seq 0 1023); do
			echo "void function_$i(void) { __asm__ volatile(\"nop\"); }"
		done
	} > functions.c
	check gcc -O1 -falign-functions=64 -fvisibility=hidden -fPIC -shared -nostdlib -o functions.so functions.c
	check gcc -O2 -o gen-profile "$TESTS/bench/gen-profile.c"
	check ./gen-profile 4500 "$PWD/functions.so" gates.data
	perf script -F ip,sym -i gates.data
	check grep -q ' function_1023$' out
	refute grep -q unknown out
	perf script -G -F comm -i gates.data
	check [ "$(wc -l < out)" -eq 4500 ]
}

export PERF_WORKERS=1
while IFS='|' read -r limit name command; do
	case $limit in '#'* | '') continue ;; esac
	name=${name%"${name##*[! ]}"} name=${name# }
	step "$name: at most ${limit%% *} million instructions"
	have_valgrind || continue
	# shellcheck disable=SC2086
	spent=$(instructions "$PERF" $command -i gates.data)
	echo "  # $name: ${spent:-?}"
	check [ "${spent:-0}" -gt 1000000 ]
	check [ "${spent:-0}" -le $((limit * 1000000)) ]
done < "$TESTS/bench/gates.txt"

# ---- the browser: from key to screen, with a million rows, and a million nodes in one of them ----
# key_costs KEYS ARGS...: instructions from one painting to the next, in rising order. They are
# counted from the first screen on: before it valgrind runs several times faster.
key_costs() {
	local keys=$1
	shift
	rm -f keys.out* log
	: > out
	{
		for _ in $(seq 1200); do
			grep -q 'h: help' out && break
			sleep 0.1
		done
		callgrind_control -i on "$(sed -n '1s/==\([0-9]*\)==.*/\1/p' log)" > control 2>&1
		# shellcheck disable=SC2059
		printf "$keys"
	} | TERM=xterm timeout 200 script -qfec "valgrind --tool=callgrind --log-file=log --instr-atstart=no \
		--callgrind-out-file=keys.out --dump-before=report_draw__all $PERF report $*" /dev/null > out
	sed -n 's/^summary: //p' keys.out.* | sort -n # keys.out: leaving
}

KEY_LIMIT=130
step "each key of the browser: at most $KEY_LIMIT million instructions in 1,000,000 rows"
if ! has ncurses; then
	skip "this perf is built without ncurses"
elif have_valgrind; then
	check ./gen-profile 1000000 "$PWD/functions.so" rows.data 1 2
	# Down, PgDn, End, PgUp, Home, Enter; E, End, Home, C; callers and back; zoom, back, filter,
	# leave
	spent=$(key_costs '\033OB\033[6~\033OF\033[5~\033OH\rE\033OF\033OHCbqd\033d/f\rq' \
		--no-children -g graph,0 -s time,sym --time-quantum 1ns -i rows.data)
	check grep -q function_ out
	check grep -q 'Samples: 1000K' out
	echo "  # keys of the browser:" $spent
	check [ "$(wc -l <<< "$spent")" -eq 17 ]
	check grep -q 'Callers above' out
	check [ "$(tail -n 1 <<< "$spent")" -gt 10000000 ]
	check [ "$(tail -n 1 <<< "$spent")" -le $((KEY_LIMIT * 1000000)) ]
	rm -f rows.data
fi

# What is opened first costs the weights of all nodes; then only what is drawn.
OPEN_LIMIT=150
step "a row with 1,000,000 nodes in it: at most $OPEN_LIMIT million instructions, and 6 for the next screens"
if ! has ncurses; then
	skip "this perf is built without ncurses"
elif have_valgrind; then
	check ./gen-profile 9500 "$PWD/functions.so" nodes.data 100 120
	perf report --stdio -g none --no-children -s comm -i nodes.data
	check grep -q '100.00% *profiled' out
	for args in '--no-children -g graph,0,caller -s comm' '--no-children -g graph,0,callee -s comm' \
		'--children -g graph,0,caller' '--children -g graph,0,callee'; do
		# Enter, Down, Enter, Down, C; E, PgDn, End, C; e
		spent=$(key_costs '\r\033OB\r\033OBCE\033[6~\033OFCeq' "$args" -i nodes.data)
		check grep -q function_ out
		echo "  # a million nodes, $args:" $spent
		check [ "$(wc -l <<< "$spent")" -eq 10 ]
		check [ "$(tail -n 1 <<< "$spent")" -gt 1000000 ]
		check [ "$(tail -n 1 <<< "$spent")" -le $((OPEN_LIMIT * 1000000)) ]
		check [ "$(tail -n 2 <<< "$spent" | head -n 1)" -le 6000000 ]
	done
	rm -f nodes.data keys.out*
fi

# ---- tracepoints: the text of sched_switch, 20,000 times ----
step "script of tracepoints: at most 84 million instructions"
if ! has libtraceevent; then
	skip "this perf is built without libtraceevent"
elif have_valgrind; then
	check gcc -O2 -o gen-trace "$TESTS/bench/gen-trace.c"
	check ./gen-trace 20000 trace.data
	perf script -i trace.data
	check [ "$(grep -c ' prev_comm=task-[0-9]* .* prev_state=.* ==> next_comm=task-' out)" -eq 20000 ]
	# The last line: a child that tries the formats has one, too.
	spent=$(instructions "$PERF" script -i trace.data | tail -n 1)
	echo "  # script of tracepoints: ${spent:-?}"
	check [ "${spent:-0}" -gt 10000000 ]
	check [ "${spent:-0}" -le 84000000 ]
fi

# ---- a live profile (tests/live/rounds.c) ----
step "live: a round after 1,000 costs at most 1.2 of one after 300"
live=${PERF%/*}/live-rounds
if [ ! -x "$live" ]; then
	skip "$live is not built"
elif have_valgrind; then
	rm -f rounds.out*
	valgrind --tool=callgrind --toggle-collect=measured_rounds --dump-after=measured_rounds \
		--callgrind-out-file=rounds.out "$live" rounds 500 1200 > out 2>&1
	# 10,000 against 1,000: in make bench
	early=$(sed -n 's/^summary: //p' rounds.out.1) late=$(sed -n 's/^summary: //p' rounds.out.2)
	echo "  # 200 rounds after 300: $early, after 1,000: $late"
	check [ "${early:-0}" -gt 1000000 ]
	check [ $((late * 10)) -le $((early * 12)) ]
	check [ "${late:-0}" -gt $((early / 2)) ]
fi

step "live: a snapshot of 100,000 rows spends at most 10 million instructions"
if [ ! -x "$live" ]; then
	skip "$live is not built"
elif have_valgrind; then
	# 51 of them
	spent=$(instructions --toggle-collect=profile_builder__snapshot "$live" snapshot 100000)
	echo "  # a snapshot: $((spent / 51))"
	check [ $((spent / 51)) -gt 100000 ]
	check [ $((spent / 51)) -le 10000000 ]
fi

# ---- names: what is spent on them alone (callgrind.py), first and with the index ----
step "the file for lines can be made"
has libdw && LINES_KNOWN=1 || LINES_KNOWN=
if [ -z "$LINES_KNOWN" ]; then
	skip "this perf is built without libdw"
elif have_valgrind; then
	{
		echo 'static inline __attribute__((always_inline)) void inner(volatile int *x) { ++*x; }'
		for i in $(seq 0 1023); do
			echo "void function_$i(volatile int *x) { inner(x); x[1] = 2; inner(x + 2); }"
		done
	} > lines.c
	check gcc -g -O1 -falign-functions=64 -fvisibility=hidden -fPIC -shared -nostdlib -o lines.so lines.c
	check ./gen-profile 4500 "$PWD/lines.so" lines.data
	sleep 0.5 # of what was built just now no index is kept
	perf report --stdio --inline -s srcline,sym -i lines.data
	check grep -q 'lines.c:[0-9].*function_' out
	check grep -q '(inlined)' out
fi

# Limits in thousands of instructions, a quarter above what was spent; of reading DWARF a half, since
# most of that is libdw's. The report above has left an index of lines.data.
while IFS='|' read -r limit name command; do
	name=${name%"${name##*[! ]}"} name=${name# }
	step "$name: at most ${limit%% *} thousand instructions"
	have_valgrind || continue
	if ! command -v python3 > /dev/null; then
		skip "python3 is not installed"
		continue
	elif [ -z "$LINES_KNOWN$(grep -o gates.data <<< "$command")" ]; then
		skip "this perf is built without libdw"
		continue
	fi
	# shellcheck disable=SC2086
	valgrind --tool=callgrind --callgrind-out-file=names.out "$PERF" $command > /dev/null 2>&1
	read -r spent total <<< "$(python3 "$TESTS/bench/callgrind.py" names.out)"
	echo "  # $name: ${spent:-?} of ${total:-?}"
	check [ "${spent:-0}" -gt 500000 ]
	check [ "${spent:-0}" -le $((limit * 1000)) ]
done << 'END'
1900  | names of a first report   | report --stdio --no-children -g none --no-symbol-cache -i gates.data
1900  | names of a second report  | report --stdio --no-children -g none -i gates.data
2200  | names of a first script   | script -F ip,sym --no-symbol-cache -i gates.data
60000 | lines of a first report   | report --stdio --no-children -g none -s srcline --no-symbol-cache -i lines.data
2400  | lines of a second report  | report --stdio --no-children -g none -s srcline -i lines.data
2400  | inlined in a second report | report --stdio --no-children --inline -i lines.data
END

# ---- the kernel's list of symbols: read once, and only for addresses of the kernel ----
in_list() {
	valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect=kallsyms__load "$PERF" \
		"$@" --no-symbol-cache --kallsyms list 2>&1 > out | sed -n 's/^==[0-9]*== I *refs: *//p' | tr -d ,
}

step "a list of 100,000 symbols is read once: at most 33 million instructions"
have_valgrind && {
	awk 'BEGIN {
		print "ffffffff81000000 T _text\nffffffff81000000 T _stext"
		for (i = 1; i < 100000; i++)
			printf "ffffffff%x t function_of_kernel_%d\n", 2164260864 + i * 256, i
	}' > list
	check gcc -O2 -o gen-stress "$TESTS/bench/gen-stress.c"
	check ./gen-stress kernel 200 kernel.data abababababababababababababababababababab
	spent=$(in_list report --stdio -i kernel.data)
	echo "  # report of kernel addresses: ${spent:-?}"
	check [ "$(grep -c function_of_kernel out)" -gt 150 ]
	check [ "${spent:-0}" -gt 10000000 ]
	check [ "${spent:-0}" -le 33000000 ]
}

step "the list is not read for programs alone"
have_valgrind && {
	check [ "$(in_list report --stdio -i gates.data)" -eq 0 ]
	check grep -q 'function_1023$' out
	check [ "$(in_list script -F ip,sym -i gates.data)" -eq 0 ]
	check grep -q ' function_1023$' out
}

# ---- the unwind tables of a large program: its first address costs a walk over all entries ----
TABLES_LIMIT=45
step "unwind tables of 100,000 functions: at most $TABLES_LIMIT million instructions"
if ! need_built record || ! need_events; then
	:
elif [ "$(uname -m)" != x86_64 ]; then
	skip "the program is written for x86-64"
elif have_valgrind; then
	cat > many.s <<- 'END'
		.text
		.globl many
		many:
		.rept 100000
		.cfi_startproc
		push %rbp
		.cfi_def_cfa_offset 16
		.cfi_offset 6, -16
		mov %rsp, %rbp
		.cfi_def_cfa_register 6
		pop %rbp
		.cfi_def_cfa 7, 8
		ret
		.p2align 4
		.cfi_endproc
		.endr
		.section .note.GNU-stack, "", @progbits
	END
	echo 'void many(void); volatile unsigned x; int main(void) { for (int i = 0; i < 30000000; i++) x += i; many(); }' > main.c
	check gcc -O1 -o many main.c many.s
	perf record -q -e cpu-clock:u -F 199 --call-graph dwarf,1024 -o many.data ./many
	perf script -F ip,sym -i many.data
	check grep -q ' main' out
	spent=$(instructions "$PERF" script --no-inline -F ip -i many.data)
	echo "  # unwind tables: ${spent:-?}"
	check [ "${spent:-0}" -gt 5000000 ]
	check [ "${spent:-0}" -le $((TABLES_LIMIT * 1000000)) ]
fi
finish
