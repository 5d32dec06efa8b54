#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf annotate --stdio2 and key c of the browser: instructions a cycle and cycles of branches beside the
# code, on recordings as no machine of the tests makes them (tests/data/fields.py).
. "$(dirname "$0")/../lib.sh"
. "$TESTS/screen.sh"
plan 6
[ -x "$REF" ] || skip_all "to compare with: '$REF' is not there"
for tool in python3 nm readelf objdump "${CC:-cc}"; do
	command -v "$tool" > /dev/null || skip_all "to make recordings: $tool is not there"
done

# Many functions: 6.1 ends with SIGSEGV when more branches had cycles than functions have samples.
cat > prog.c << 'END'
#define FN(n) __attribute__((noinline)) int fn_##n(int i) { volatile int x = i; while (i--) x += i * n + (x >> (n & 7)); return x; }
#define TEN(n) FN(n##0) FN(n##1) FN(n##2) FN(n##3) FN(n##4) FN(n##5) FN(n##6) FN(n##7) FN(n##8) FN(n##9)
#define ALL(n) TEN(n##0) TEN(n##1) TEN(n##2) TEN(n##3) TEN(n##4) TEN(n##5) TEN(n##6) TEN(n##7) TEN(n##8) TEN(n##9)
ALL(1) ALL(2) ALL(3) ALL(4)
int main(void) { return fn_100(1) + fn_200(2); }
END
"${CC:-cc}" -O1 -no-pie -fno-inline -o prog prog.c 2> cc.err || skip_all "no programs at fixed addresses: $(head -n 1 cc.err)"
for nr in 401 402 404 410 430 460; do
	python3 "$TESTS/data/fields.py" cycles "$PWD/prog" $nr.data $nr
done
python3 "$TESTS/data/fields.py" spans "$PWD/prog" spans.data 430

# columns WIDTH: behind the figures of samples, which are WIDTH wide and of branches in 6.1: the heading and each instruction.
columns() {
	sed -n '/IPC Cover/,$p' | sed -E "s/^.{$1}//; s/ +$//" | grep -v "event" | grep -E 'IPC|[a-z]+ +[-%$0-9a-f]|ret$'
}

# as_linux FILE OPTION...: both say the same, in ours.
as_linux() {
	local file=$1 width=$2
	shift 2
	"$REF" annotate --stdio2 -i "$file" "$@" fn_100 < /dev/null 2> ref.err > ref.all
	check [ $? -eq 0 ]
	perf annotate --stdio2 -i "$file" "$@" fn_100
	check [ $rc -eq 0 ]
	columns "$width" < ref.all > ref
	columns "$width" < out > ours
	check diff ref ours
	check [ "$(grep -c 'ret$' ours)" -ge 1 ]
	check [ "$(grep -c 'mov ' ours)" -ge 2 ]
}

step "--stdio2: instructions a cycle of each block, cycles of each branch, as Linux's perf"
for nr in 401 402 404 410 430 460; do
	as_linux $nr.data 7
	check grep -qE '^  IPC Cycle \(Average IPC: [0-9.]+, IPC Coverage: [0-9.]+%\)$' ours
	check grep -qE '^.{6}[ 0-9]{4}[0-9] ' ours
done
check grep -qE '^ +[0-9]+\.[0-9]{2} +[0-9]+ ' ours

step "--stdio2: the same beside samples, periods, and several events"
as_linux 430.data 7 -n
as_linux 430.data 12 --show-total-period
as_linux 430.data 14 --group

step "no columns without such branches, in --stdio and in --json; what -C leaves out does not count"
perf annotate --stdio2 -i 430.data fn_150
check grep -q 'ret$' out
refute grep -q IPC out
perf annotate --stdio -i 430.data fn_100
check grep -q 'ret$' out
refute grep -q IPC out
perf annotate --json --stdio2 -i 430.data fn_100
check [ $rc -eq 0 ]
check python3 -c 'import json, sys; json.load(sys.stdin)' < out
refute grep -qi ipc out
perf annotate --stdio2 -i 430.data -C 2 fn_100
check grep -q 'IPC Coverage' out
columns 7 < out > some
refute cmp -s some ours

step "between calls there may have been jumps: cycles, and no blocks"
perf annotate --stdio2 -i spans.data fn_100
check grep -q 'Average IPC: 0.00, IPC Coverage: 0.0%' out
columns 7 < out | cut -c 7-11 | sed 1d > cycles
perf annotate --stdio2 -i 430.data fn_100
check diff <(columns 7 < out | cut -c 7-11 | sed 1d) cycles
check grep -q '[0-9]' cycles

step "through a pipe, and with any number of workers"
perf annotate --stdio2 -i 460.data fn_100
mv out whole
IN=460.data perf annotate --stdio2 -i - fn_100
check cmp out whole
check grep -q 'IPC Coverage' out
for workers in 1 2 7; do
	PERF_WORKERS=$workers perf annotate --stdio2 -i 460.data fn_100
	check cmp out whole
done

step "the browser: c shows them, then the least and the most, then none"
need_screen && {
	begin 120x40 "$PERF report --no-branch-stack -S fn_100 -i 430.data"
	check see 'Available samples'
	keys Enter
	check see 'fn_100'
	keys a
	check see 'ret *$'
	refute grep -q IPC out
	keys c
	check see 'IPC Cycle +\(Average IPC'
	perf annotate --stdio2 -i 430.data fn_100
	columns 7 < out | head -n 1 | grep -oE 'Average IPC: [0-9.]+, IPC Coverage: [0-9.]+%' > want
	check [ -s want ]
	check see "$(cat want)"
	keys c
	check see 'IPC +Cycle\(min/max\) +\(Average'
	check see ' [0-9]+\([0-9]+/[0-9]+\) '
	keys c
	check gone 'IPC'
}
finish
