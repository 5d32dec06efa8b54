#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Inlined functions and source lines at report time, of a program whose source says what they are.
. "$(dirname "$0")/../lib.sh"
plan 12

CC=${CC:-cc}
command -v "$CC" > /dev/null || skip_all "inlined functions: $CC is not installed"
has libdw || skip_all "inlined functions: this perf is built without libdw"

cat > inl.c << 'END'
#include <stdlib.h>
#include <time.h>
#define INLINED static inline __attribute__((always_inline))
volatile unsigned long sink;
void __attribute__((noinline)) tick(void) { sink++; } /* work() is no leaf: it has a frame */
INLINED void low(unsigned long n)
{
	for (unsigned long i = 0; i < n; i++)
		sink += i; /* line 9 */
}
INLINED void mid(unsigned long n)
{
	low(n); /* line 13 */
}
static void __attribute__((noinline)) work(unsigned long n)
{
	mid(n); /* line 17 */
	tick();
}
INLINED void both(void)
{
	work(100000); /* line 22 */
	sink++;
}
int main(int argc, char **argv)
{
	double seconds = argc > 1 ? atof(argv[1]) : 0.2;
	while (clock() < seconds * CLOCKS_PER_SEC)
		both(); /* line 29 */
	return 0;
}
END
check "$CC" -O1 -g -fno-omit-frame-pointer -fno-shrink-wrap -fno-optimize-sibling-calls -o inl inl.c
if need_events; then
	perf record -F 2000 -g -e cpu-clock:u -o fp.data ./inl
	perf record -F 1000 --call-graph dwarf -e cpu-clock:u -o dwarf.data ./inl
fi

# The first sample in the loop with its chain, offsets left out.
first_chain() {
	awk '/^\t.* low\+0x/ { found = 1 } found { if (!NF) exit; print }' out |
		sed -E 's/^\t *[0-9a-f]+ //; s/\+0x[0-9a-f]+//; s/ \([^ ]*\/inl\)/ (inl)/'
}

step "chains unwound from stacks have the inlined functions"
perf script -i dwarf.data
first_chain | head -5 > got
printf '%s\n' 'low (inlined)' 'mid (inlined)' 'work (inl)' 'both (inlined)' 'main (inl)' > want
check diff got want
cp out ours
perf script -i dwarf.data --no-inline
refute grep -q inlined out
check grep -qE 'work\+0x.*/inl\)' out

step "the lines of Linux's perf 6.1"
if ! "$REF" script -i dwarf.data > theirs 2> /dev/null; then
	skip "$REF does not read it"
else
	for f in ours theirs; do grep -E ' (low|mid|work|both|main)\+0x' $f | sort | uniq -c > $f.frames; done
	check diff ours.frames theirs.frames
fi

step "chains by frame pointers have them, too"
perf script -i fp.data --no-inline
refute grep -q inlined out
for option in '' --inline; do
	perf script -i fp.data $option
	first_chain | head -5 > got
	check diff got want
done

step "a function that debug information calls otherwise is not an inlined one"
cat > other.c << 'END'
#include <time.h>
volatile unsigned long sink;
static void __attribute__((noinline)) within(void) { for (int i = 0; i < 20000; i++) sink += i; }
void __attribute__((noinline)) said(void) { within(); sink++; }
int main(void)
{
	while (clock() < CLOCKS_PER_SEC / 4)
		said();
	return 0;
}
END
check "$CC" -O0 -g -fno-omit-frame-pointer -c other.c
check objcopy --redefine-sym said=meant other.o
check "$CC" -o other other.o
perf record -q -g -e cpu-clock:u -o other.data ./other
for command in 'script -F ip,sym' 'report --stdio -g caller' 'script -F folded'; do
	# shellcheck disable=SC2086
	perf $command -i other.data
	check grep -q meant out
	# (The dynamic linker may have inlined functions.)
	refute grep -qE '\<said|(meant|within|main)( \(inlined\)|_\[i\])' out
done

step "reports have them in chains and as callers"
perf report --stdio -i dwarf.data
check [ $rc -eq 0 ]
check grep -qE '^ +[0-9.]+% +0\.00% +inl +inl +\[\.\] mid \(inlined\) *$' out
check grep -qE '^ +[0-9.]+% +[1-9][0-9.]+% +inl +inl +\[\.\] work *$' out
check grep -qE '[|-]-.*both \(inlined\)$|^ +(\| +)*both \(inlined\)$' out
perf report --stdio -i dwarf.data --no-inline
refute grep -q inlined out
perf report --stdio -i fp.data --no-inline
refute grep -q inlined out
perf report --stdio -i fp.data
check grep -qE '\[\.\] mid \(inlined\) *$' out
cp out fp.report

step "any number of workers gives the same bytes"
for n in 1 2 7; do
	PERF_WORKERS=$n perf report --stdio -i fp.data
	check cmp out fp.report
done

step "no other program is started"
if command -v strace > /dev/null; then
	check strace -f -e trace=execve,fork,vfork -o calls "$PERF" report --stdio -i fp.data
	check [ "$(grep -c 'exec\|fork' calls)" = 1 ]
else
	skip "strace is not installed"
fi

step "script -F srcline"
perf script -i dwarf.data -F +srcline
awk '/^\t.* low\+0x/ { found = 1 } found { if (!NF) exit; if (!/^\t/) print }' out | head -5 > got
printf '  inl.c:%s\n' '9 (inlined)' '13 (inlined)' 17 '22 (inlined)' 29 > want
# The loop's head is a line of its own.
check diff <(sed '1s/:[89] /:9 /' got) want
perf script -i dwarf.data -F ip,sym,srcline --full-source-path
check grep -qxF "  $PWD/inl.c:29" out
perf script -i fp.data -G -F ip,sym,srcline
check grep -qxE '  inl\.c:[89]' out
# A caller's line is that of its call, not the one it returns to: main is shown behind work alone.
perf script -i fp.data --no-inline -F ip,sym,srcline
awk '!NF { frames = 0 } $2 == "main" && frames { getline; print $1 } /^\t/ { frames++ }' out | sort | uniq -c > callers
check [ "$(awk '$2 == "inl.c:22" { print $1 }' callers || echo 0)" -gt 5 ]
refute grep -q 'inl.c:23' callers
perf script -i fp.data -F comm,srcline
check [ $rc -eq 255 ]
check grep -q 'ip is not selected' err

step "as callers and callees: nothing calls itself for what was inlined into it"
perf report --stdio --callers-callees -i dwarf.data
awk -v RS='#\n' '/%            work\n/' out > of_work
check grep -qE '^ +[0-9.]+% {12}work$' of_work
refute grep -qE '% {6}work$' of_work
check grep -qE '^ +[0-9.]+% {6}mid \(inlined\)$' of_work
check grep -qE '^ +[0-9.]+% {12}low \(inlined\)$' out
check [ "$(grep -cE '% {6}\[self\]$' out)" -ge 1 ]

step "with little stack, too"
perf script --no-symbol-cache -i dwarf.data -F +srcline
cp out want
for size in 64 160; do
	check bash -c "ulimit -s $size && exec '$PERF' script --no-symbol-cache -i dwarf.data -F +srcline > out"
	check cmp out want
done
perf report --stdio --no-symbol-cache -i dwarf.data
cp out want
check bash -c "ulimit -s 64 && exec '$PERF' report --stdio --no-symbol-cache -i dwarf.data > out"
check cmp out want

step "sort keys srcline and srcfile"
perf report --stdio --no-children -g none -s srcline,symbol -i dwarf.data
check grep -qE '^# Overhead +Source:Line +Symbol' out
check grep -qE '^ +[1-9][0-9.]+% +inl\.c:[89] +\[\.\] work$' out
perf report --stdio --no-children -g none -s srcfile -i dwarf.data
check [ "$(grep -cE '^ +[0-9.]+% +inl\.c *$' out)" = 1 ]
perf report --stdio --no-children -g none -s srcfile --full-source-path -i dwarf.data
check grep -qE "^ +[0-9.]+% +$PWD/inl\.c *\$" out
check "$CC" -O1 -o bare -fno-omit-frame-pointer inl.c
perf record -F 2000 -e cpu-clock:u -o bare.data ./bare
perf report --stdio --no-children -s srcline -i bare.data
check grep -qE '^ +[0-9.]+% +work\+[0-9]+ *$' out

step "a function that is not inlined goes by its symbol where DWARF has no name of linkers"
cat > lt.cc << 'END'
#include <ctime>
volatile unsigned long sink;
namespace space {
template <int N> struct box {
	static inline __attribute__((always_inline)) void low(int n) { for (int i = 0; i < n; i++) sink += i; }
	static void __attribute__((noinline)) work(int n) { low(n); sink++; }
};
}
int main() { while (clock() < CLOCKS_PER_SEC / 4) space::box<3>::work(10000); }
END
command -v clang++ > /dev/null || skip "clang is not installed"
if need_events; then
	check clang++ -O1 -gline-tables-only -fno-omit-frame-pointer -o lt lt.cc
	perf record -F 2000 -g -e cpu-clock:u -o lt.data ./lt
	perf script -F ip,sym --inline -i lt.data
	check [ "$(grep -A1 ' low (inlined)$' out | grep -c ' space::box<3>::work$')" -gt 10 ]
	refute grep -q 'work (inlined)' out
	perf report --stdio --inline --no-children -G -i lt.data
	check grep -qE '^ +([|-]-*)? *space::box<3>::work$' out
	refute grep -q 'work (inlined)' out
fi
finish
