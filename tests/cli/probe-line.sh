#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf probe --line marks those lines that a definition takes, all of them and no other: each line of
# each function and file is asked for, however the program was compiled.
. "$(dirname "$0")/../lib.sh"
plan 15
has libdw || skip_all "this perf is built without libdw"
command -v gcc > /dev/null || skip_all "no gcc"

mkdir -p one two
cat > inc.h <<- 'END'
	int outside(int v, int by);
	/* A header comes to each unit by a folder of its own. */
	static inline __attribute__((always_inline)) int within(int v)
	{
		int r = v * 3;

		if (r > 10)
			r += outside(r, 1);
		return r;
	}
END
printf '#include "../inc.h"\nint first(int n) { return within(n) + 1; }\n' > one/a.c
cat > two/b.c <<- 'END'
	#include <stdio.h>
	#include "../inc.h"
	int first(int n);
	static volatile int sink;
	__attribute__((noipa)) int outside(int v, int by)
	{
		return printf("%d\n", v * by);
	}
	static inline __attribute__((always_inline)) int
	square(int v)
	{
		int w = v * v;
		sink += w;
		return w;
	}
	static int maybe(int a, int b)
	{
		if (a > b) {
			/* nothing here */
			sink++;
			return a;
		}
		return square(b);
	}
	__attribute__((noinline)) int pick(int k)
	{
		switch (k) {
		case 1: return square(2);
		case 2:
			sink = 7;
			break;
		default:
			for (int i = 0; i < k; i++)
				sink += maybe(i, k);
		}
		return maybe(k, 3) + maybe(sink, k);
	}
	int main(int argc, char **argv)
	{
		return first(argc + 4) + within(argc) + pick(argc) == 0;
	}
END
cat > c.cpp <<- 'END'
	#include <cstdio>
	struct Cart {
		int items[8], nr = 0, sum = 0;
		__attribute__((noinline)) void add(int price)
		{
			items[nr++] = price;
			sum += price;
		}
		template <typename F> __attribute__((noinline)) void each(F fn)
		{
			for (int i = 0; i < nr; i++)
				fn(items[i]);
		}
	};
	int main(int argc, char **argv)
	{
		Cart cart;
		for (int i = 0; i < argc + 2; i++)
			cart.add(i * 3);
		int dear = 0;
		cart.each([&](int item) {
			if (item > 2)
				dear++;
		});
		return printf("%d %d\n", cart.sum, dear) == 0;
	}
	int behind(int v) { return v + 1; }
END
# What ends where: the last line of each function, counted from its own.
ends='within:7 first:0 outside:3 square:5 maybe:8 pick:12 main:3'
ends_cpp='Cart::add:4 main:10 behind:0'

# The lines that are marked, those of Linux's perf if it is "theirs".
marked() { # LINES [theirs]
	if [ $# -eq 2 ]; then
		# (It dies by SIGSEGV where clang wrote DWARF 5.)
		{ timeout 20 "$REF" probe -x "$prog" --line "$1" > shown < /dev/null; } 2> /dev/null
	else
		perf probe -x "$prog" --line "$1"
		cp out shown
	fi
	sed -n '2,$s/^ *\([0-9][0-9]*\)  .*/\1/p' shown
}

# Each of these lines that a definition takes.
taken() { # PLACE FIRST LAST
	local line
	for line in $(seq "$2" "$3"); do
		perf probe -x "$prog" -D "$1:$line"
		[ $rc -ne 0 ] || ! grep -q "^p:" out || echo "$line"
	done
}

agree() { # PLACE FIRST LAST
	local place=$1
	marked "$place:$2-$3" > marks
	taken "$@" > lines
	check diff lines marks
	[ -x "$REF" ] || return
	marked "$place:$2-$3" theirs > theirs
	# What it marks is marked, too (it shows nothing of what has no statement of its own).
	check [ -z "$(grep -vxFf marks theirs)" ]
}

for flags in "gcc -O0" "gcc -O2" "gcc -O2 -flto" "gcc -O1 -gdwarf-4" "clang -O2"; do
	step "each line that is marked is taken, and the other way round: $flags"
	compiler=${flags%% *} prog=./lined
	command -v "$compiler" > /dev/null || { skip "no $compiler" && continue; }
	# shellcheck disable=SC2086 # several
	(cd one && $flags -g -w -c a.c) && (cd two && $flags -g -w -c b.c) && $flags -g -o "$prog" one/a.o two/b.o ||
		skip "it builds no program"
	[ $state != skipped ] || continue
	for function in $ends; do
		agree "${function%:*}" 0 "${function##*:}"
	done
	agree b.c 1 42
	check [ "$(wc -l < marks)" -ge 8 ] # it is not that neither takes any
	refute grep -qxE '1|4|11|17|19|22|26|42' marks
	agree inc.h 1 12
	check [ -s marks ]
	refute grep -qxE '1|2|6|12' marks
	# The entry, also of what has been inlined everywhere.
	[ "$(marked square | head -n 1)" = 0 ]
	check [ $? -eq 0 ]
	# What is behind its last line is no line of a function, by a definition neither.
	check [ -z "$(taken square 6 20)" ] # maybe() begins there
	marked square:0-20 > marks
	check grep -qx 3 marks
	refute grep -qxE '[6-9]|1.|20' marks
done

step "functions without a name are in the lines of the one around them: g++"
prog=./lined_c
if command -v g++ > /dev/null && g++ -g -O0 -w -o "$prog" c.cpp 2> build.log; then
	for function in $ends_cpp; do
		agree "${function%:*}" 0 "${function##*:}"
	done
	marked main > marks
	check [ "$(tr '\n' ' ' < marks)" = '0 2 3 4 5 6 7 8 9 10 11 ' ]
	agree c.cpp 1 30
	marked main:0-20 > marks
	refute grep -qx 12 marks # behind()
else
	skip "no g++"
fi

step "--line of a lambda of gcc, which has no place in the source: said; of a function sdt_..., a line"
printf 'int main(int argc, char **argv) { auto l = [argc](int n) __attribute__((noinline)) { return n + argc; }; return l(5); }\n' > lambda.cc
if command -v g++ > /dev/null && g++ -g -O0 -w -o "lined_lambda" lambda.cc 2> build.log; then
	perf probe -x "./lined_lambda" -L 'main::{lambda(int)#1}::operator()'
	check [ $rc -ne 0 ]
	check grep -qF "does not tell where its source is" err
	check grep -qF "the lines of the function around it have it" err
	refute grep -q 'did you mean' err
	perf probe -x "./lined_lambda" -L 'main::{lambda(int)#2}::operator()'
	check grep -qF "did you mean 'main::{lambda(int)#1}::operator()'" err
else
	skip "no g++"
fi
printf 'int sdt__f(int n)\n{\n\treturn n + 1;\n}\nint main(int argc, char **argv) { return sdt__f(argc); }\n' > sdt.c
gcc -g -O0 -o "lined_sdt" sdt.c
perf probe -x "./lined_sdt" -D sdt__f:2
check [ $rc -eq 0 ]
check grep -q "sdt__f_L2 .*:0x$(printf '%x' $((0x$(nm "lined_sdt" | sed -n 's/^0*\([0-9a-f]*\) T sdt__f$/\1/p') + 7)))\$" out
perf probe -x "./lined_sdt" -D sdt__f:x
check grep -q "cannot find the static probe point '_f:x'" err

step "a source that is a folder by now is said to be one"
gcc -g -O0 -w -o lined one/a.c two/b.c 2> build.log
mv two/b.c two/was
mkdir two/b.c
perf probe -x ./lined --line pick
check [ $rc -ne 0 ]
check grep -q "cannot read the source '$PWD/two/b.c': Is a directory" err
rmdir two/b.c
perf probe -x ./lined --line pick
check grep -q "cannot read the source '$PWD/two/b.c': No such file or directory" err
mv two/was two/b.c

step "a range shows and marks the lines that it has"
prog=./lined
gcc -g -O0 -w -o "$prog" one/a.c two/b.c 2> build.log
marked pick:1-5 > marks
check [ "$(tr '\n' ' ' < marks)" = '2 3 5 ' ]
check [ "$(wc -l < shown)" -eq 6 ]
marked b.c:30-33 > marks
check [ "$(tr '\n' ' ' < marks)" = '30 31 33 ' ]
perf probe -x "$prog" --line b.c:1-4
check [ $rc -eq 254 ]
check grep -q 'none of these lines has code' err

step "a source that is newer than the program: said, for its lines may be others"
newer() { # FILE: the source that is so, as perf says
	[ "$(cat err)" = "Warning: '$1' is newer than '$PWD/lined': its lines may be others" ]
}
made=$(stat -c %Y lined)
touch -d "@$((made - 1))" two/b.c
perf probe -x ./lined --line pick
check [ $rc -eq 0 ]
check [ ! -s err ]
perf probe -x ./lined -D 'pick;*?*'
check [ $rc -eq 0 ]
check [ ! -s err ]
mkdir moved
cp two/b.c moved/b.c
touch -d "@$((made + 1))" moved/b.c
perf probe -x ./lined --source moved --line pick
check newer moved/b.c
touch -d "@$((made + 1))" two/b.c
for lines in pick b.c:30-33; do
	perf probe -x ./lined --line $lines
	check [ $rc -eq 0 ]
	check newer "$PWD/two/b.c"
done
perf probe -q -x ./lined --line pick
check [ ! -s err ]
perf probe -x ./lined -D 'pick;*?*'
check [ $rc -eq 0 ]
check newer "$PWD/two/b.c"
perf probe -x ./lined -D 'pick:2' # the source is not read
check [ ! -s err ]

step "DWARF 5 of clang has an MD5 of each source: that decides, not its age"
if ! command -v clang > /dev/null || ! clang -gdwarf-5 -O0 -w -o lined one/a.c two/b.c 2> build.log; then
	skip "clang builds no program"
else
	other() { # FILE: the source that is another, as perf says
		[ "$(cat err)" = "Warning: '$1' is not the source that '$PWD/lined' was made of, by its MD5: its lines may be others" ]
	}
	made=$(stat -c %Y lined)
	cp two/b.c kept.c
	touch -d "@$((made + 1))" two/b.c inc.h
	for lines in pick b.c:30-33 inc.h within square; do
		perf probe -x ./lined --line $lines
		check [ $rc -eq 0 ]
		check [ ! -s err ]
	done
	perf probe -x ./lined -D 'pick;*?*'
	check [ $rc -eq 0 ]
	check [ ! -s err ]
	for end in '' x '\n\n'; do # a byte more or less
		{ head -c -1 kept.c && printf "$end"; } > two/b.c
		touch -d "@$((made - 9))" two/b.c
		perf probe -x ./lined --line pick
		check [ $rc -eq 0 ]
		check other "$PWD/two/b.c"
		perf probe -x ./lined --line b.c:30-33
		check other "$PWD/two/b.c"
		perf probe -x ./lined -D 'pick;*?*'
		check other "$PWD/two/b.c"
		perf probe -x ./lined --line first # of a.c
		check [ ! -s err ]
		perf probe -q -x ./lined --line pick
		check [ ! -s err ]
	done
	tr 7 8 < kept.c > moved/b.c
	perf probe -x ./lined --source moved --line pick
	check other moved/b.c
	cp kept.c two/b.c
	check clang -gdwarf-4 -O0 -w -o lined one/a.c two/b.c # has none
	touch -d "@$(($(stat -c %Y lined) + 1))" two/b.c
	perf probe -x ./lined --line pick
	check newer "$PWD/two/b.c"
fi

# of the instructions of FUNCTION ... in "${ME}_copies" the place that --list shows means them
places() {
	local function

	for function in "$@"; do
		objdump -d "${ME}_copies" --no-show-raw-insn | awk -v head="<$function>:" '/^[0-9a-f]+ </ { on = $2 == head; next } /^$/ { on = 0 } on && /^ / && !/nop/ { sub(":", "", $1); print $1 }'
	done > addresses
	check [ "$(wc -l < addresses)" -gt 8 ]
	# shellcheck disable=SC2046 # words
	perf probe -q -x "./${ME}_copies" $(sed "s/.*/-a $ME:p&=0x&/" addresses)
	perf probe -l "$ME:*"
	mv out listed
	again
	perf probe -q -d "$ME:*"
}

# what "listed" has, given back, means the "addresses"
again() {
	local definition definitions=()

	while read -r definition; do
		definitions+=(-D "$definition")
	done < <(sed -n "s/^ *$ME:p\([0-9a-f]*\) *(on \(.*\) in .*)\$/$ME:p\1=\2/p" listed)
	perf probe -q -x "./${ME}_copies" -D main "${definitions[@]}"
	check [ $rc -eq 0 ]
	while read -r address; do
		check grep -q "^p:$ME/p$address\(_[0-9]*\)* .*:0x${1:-}$address\$" out
	done < addresses
}

step "--list shows a place as a definition that means it, in inlined copies, too"
cat > copies.c <<- 'END'
	#include <stdio.h>
	static inline __attribute__((always_inline)) int low(int a)
	{
		int b = a * 3;
		if (b & 8)
			b += a / 5;
		return b;
	}
	static inline __attribute__((always_inline)) int mid(int a)
	{
		int c = low(a) + 1;
		__asm__ volatile("" ::: "memory");
		c ^= low(c);
		return c;
	}
	__attribute__((noinline)) int top(int a)
	{
		int d = mid(a);
		__asm__ volatile("" ::: "memory");
		d -= mid(d);
		return d + low(d);
	}
	int main(int argc, char **argv) { printf("%d\n", top(argc) + mid(argc)); return 0; }
END
if need_uprobe_events; then
	own_probes
	gcc -g -O2 -o "${ME}_copies" copies.c
	places top
fi

step "--list of a part that gcc split from a function, and of one on a line that has copies, means that place"
cat > split.c <<- 'END'
	#include <stdio.h>
	#include <stdlib.h>
	volatile int sink, sink2;
	int heavy(int *p, int n)
	{
		if (!p) return -1;
		for (int i = 0; i < n; i++) { sink += p[i]; sink2 ^= p[i] * 3; if (sink > 100000) abort(); }
		sink2 += sink; sink += 7; sink2 *= 3; sink -= sink2; printf("heavy %d\n", n);
		return sink & 1;
	}
	int user1(int *p, int n) { return heavy(p, n) + 1; }
	int user2(int *p, int n) { return heavy(p, n + 1) * 2; }
	int user3(int *p, int n) { return heavy(p, n + 2) * 3; }
	int oldstyle(int a, short b) { printf("%d %d\n", a, b); return a + b; }
	int main(int argc, char **argv)
	{
		int a[10] = { 1, 2, 3 };
		heavy(a, 3);
		heavy(0, 1);
		return user1(a, 2) + user2(a, 2) + user3(0, 1) + oldstyle(argc, 4);
	}
END
if need_uprobe_events; then
	own_probes
	gcc -g -O2 -w -o "${ME}_copies" split.c
	part=$(nm "${ME}_copies" | awk '$3 ~ /^heavy\.part\.[0-9]+$/ { print $3 }')
	places main oldstyle user1 $part
	if [ -n "$part" ]; then
		check grep -q "p$(nm "${ME}_copies" | sed -n "s/^0*\([0-9a-f]*\) . $part\$/\1/p") *(on $part in" listed
		refute grep -q '(on heavy@' listed
	fi
	if command -v clang > /dev/null; then
		clang -g -O2 -w -o "${ME}_copies" split.c
		places main oldstyle
	fi
fi

step "--list names functions of C++ with namespaces, lambdas too; a number is an address"
cat > spaces.cc <<- 'END'
	#include <stdio.h>
	#define NI __attribute__((noinline))
	namespace a { NI int f(int n) { printf("a::f\n"); return n + 1; } namespace b { NI int f(int n) { printf("a::b::f\n"); return n + 2; } } }
	namespace c { NI int f(int n) { printf("c::f\n"); return n + 3; } }
	namespace { NI int hidden(int n) { printf("hidden\n"); return n; } }
	struct Op { int v; NI Op operator+(int n) { printf("+\n"); return Op{v + n}; } NI operator int() { return v; } template <class T> NI T gen(T n) { printf("gen\n"); return n; } };
	int main(int argc, char **argv)
	{
		Op op{argc};
		auto l = [argc](int n) NI { printf("lambda\n"); return n + argc; };
		return a::f(1) + a::b::f(2) + c::f(3) + (int)(op + 4) + l(5) + op.gen<int>(3) + op.gen<short>(4) + hidden(6) == 0;
	}
END
if need_uprobe_events; then
	own_probes
	for build in g++:-O0 g++:-O2 clang++:-O0 clang++:-O2; do
		IFS=: read -r compiler level <<< "$build"
		command -v "$compiler" > /dev/null && "$compiler" -g $level -w -o "${ME}_copies" spaces.cc || continue
		# shellcheck disable=SC2046 # words
		places $(nm "${ME}_copies" | awk '$2 ~ /[tTW]/ && ($3 ~ /^_Z/ || $3 == "main") { print $3 }')
		refute grep -q '(null)' listed
		for name in a::f a::b::f c::f 'Op::operator\\+\|Op::operator+' 'Op::operator\\ int' 'Op::gen<int>'; do
			check grep -q "(on \($name\)@" listed
		done
	done
	gcc -g -O1 -no-pie -w -o "${ME}_copies" split.c # an address is not the place in the file
	nm "${ME}_copies" | sed -n 's/^0*\([0-9a-f]*\) t deregister_tm_clones$/\1/p' > addresses
	check [ -s addresses ]
	perf probe -q -x "./${ME}_copies" -a "$ME:p$(cat addresses)=deregister_tm_clones"
	objdump -d "${ME}_copies" --no-show-raw-insn | awk '/<deregister_tm_clones>:/ { on = NR } on && NR == on + 2 { sub(":", "", $1); print $1 }' >> addresses
	perf probe -q -x "./${ME}_copies" -a "$ME:p$(tail -n 1 addresses)=0x$(tail -n 1 addresses)"
	perf probe -l "$ME:*"
	mv out listed
	perf probe -q -x "./${ME}_copies" -D main "$(sed -n "s/^ *$ME:p$(tail -n 1 addresses) *(on \(.*\) in .*)\$/-D\1/p" listed)"
	check [ $rc -eq 0 ]
	check [ "$(sed -n 's/.*:\(0x[0-9a-f]*\)$/\1/p' out | tail -n 1)" = "$(printf '0x%x' $((0x$(tail -n 1 addresses) - 0x400000)))" ]
	perf probe -q -d "$ME:*"
fi

step "a file's path may have a plus, as the library of C++ has"
mkdir -p c++/12
echo 'static inline __attribute__((always_inline)) int twice(int n) { __asm__ volatile(""); return n * 2; }
__attribute__((noinline)) int thrice(int n)
{
	return n * 3;
}' > c++/12/times.h
printf '#include "c++/12/times.h"\nint main(int argc, char **argv) { return twice(argc) + thrice(argc); }\n' > plus.c
gcc -g -O0 -o "${ME}_plus" plus.c
entry=$(nm "${ME}_plus" | sed -n 's/^0*\([0-9a-f]*\) T thrice$/\1/p')
for definition in thrice@c++/12/times.h thrice:2@c++/12/times.h thrice@c++/12/times.h:2 thrice@c++/12/times.h+0 c++/12/times.h:4 e=c++/12/times.h:4 thrice%return@c++/12/times.h 'c++/12/times.h;return*3*'; do
	perf probe -x "./${ME}_plus" -D "$definition"
	check [ $rc -eq 0 ]
	place=$entry
	case $definition in *:[24]* | *';'*) place=$(printf '%x' $((0x$entry + 7))) ;; esac # behind push, mov and mov
	check grep -q ":0x$place\$" out
done
for definition in thrice+x thrice+ thrice@times.h+x; do
	perf probe -x "./${ME}_plus" -D "$definition"
	check grep -q "no number of bytes follows '+'" err
done
finish
