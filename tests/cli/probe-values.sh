#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What probes read where a function returns, in front of the code, of rows and of texts without an end:
# what --vars shows is taken, and values are those that the program printed.
. "$(dirname "$0")/../lib.sh"
plan 8
has libdw || skip_all "this perf is built without libdw"
command -v gcc > /dev/null || skip_all "no gcc"
own_probes

cat > values.c <<- 'END'
	#include <stdio.h>
	#define APART __attribute__((noipa, noinline))
	struct pair { long a, b, c; };
	struct holder { int m[2][3]; short t[2][2][3]; char words[2][4], tag[4]; char *name; } holder = {
		{ { 1, 2, 3 }, { 4, 5, 6 } }, { { { 11, 12, 13 }, { 14, 15, 16 } }, { { -21, 22, 23 }, { 24, 25, 26 } } },
		{ "ab", "cde" }, { 'w', 'x', 'y', 'z' }, "named"
	};
	const int table[4] = { 7, 8, 9, 10 };
	int counter = 40;
	APART int grow(int by)
	{
		static int calls;
		int before = counter;
		counter += by;
		calls++;
		return before + calls;
	}
	APART void nothing(int by) { counter += by; }
	APART double floating(int n) { return n * counter; }
	APART struct pair triple(int n) { return (struct pair) { n, n, counter }; }
	APART int use(struct holder *h, const int *t, int i) { return h->m[1][i] + t[i] + h->t[1][i][0]; }
	int main(int argc, char **argv)
	{
		int grown = grow(argc + 1);
		nothing(argc);
		printf("%d %d\n", grown, counter);
		return floating(use(&holder, table, argc)) < 0 || triple(argc).a < 0;
	}
END
gcc -g -O1 -o "./$ME" values.c || skip_all "gcc builds no program"

step "--vars of a return shows what --add takes there: \$retval, and with --externs what stays"
perf probe -x "./$ME" -V 'grow%return'
check [ $rc -eq 0 ]
check [ "$(grep -c '	' out)" -eq 3 ] # the place, and two
check grep -qx '		int	\$retval' out
check grep -qx '		int	calls' out
perf probe -x "./$ME" -V 'grow%return' --externs
for name in '\$retval' calls counter holder table; do
	check grep -q "	$name\$" out
done
refute grep -qE '	(by|before)$' out
for name in $(sed -n 's/^		.*	//p' out); do
	perf probe -x "./$ME" -D "grow%return $name"
	check [ $rc -eq 0 ]
	check grep -q "^r:probe_$ME/grow__return " out
done
for name in by before; do
	perf probe -x "./$ME" -D "grow%return $name"
	check [ $rc -eq 234 ]
	check [ ! -s out ]
	check grep -qF "cannot fetch '$name': variables are gone when a function returns" err
	check grep -qF 'take $retval, or probe its entry, too' err
done
perf probe -x "./$ME" -V 'grow%return' --filter 'c*'
refute grep -qF '$retval' out
for function in nothing floating triple; do
	perf probe -x "./$ME" -V "$function%return"
	check grep -qx '		(No matched variables)' out
	perf probe -x "./$ME" -D "$function%return \$retval"
	check [ $rc -ne 0 ]
done
perf probe -x "./$ME" -V 'grow' # not at its entry
refute grep -qF '$retval' out
check grep -qx '		int	by' out

step "a row of an array is all of its numbers, and a text"
perf probe -x "./$ME" -D 'use h->m[1] h->t[1] h->t[1][0] h->m[1]:u h->m[1][2] h->m h->words[1]:string h->m[1]:s8'
check [ $rc -eq 0 ]
check grep -q " m=+12(%di):s32\[3\] t=+36(%di):s16\[6\] t_2=+36(%di):s16\[3\] m_2=+12(%di):u32\[3\] m_3=+20(%di):s32 m_4=+0(%di):s32\[6\] words=+52(%di):string m_5=+12(%di):s8\$" out
perf probe -x "./$ME" -D 'use h->m[1]:string'
check [ $rc -eq 234 ]
perf probe -x "./$ME" -D 'use h->words:string'
check [ $rc -eq 0 ]
perf probe -x "./$ME" -D 'use h->words[1][1]:string'
check [ $rc -eq 234 ]

step "a text that is an array has no end that the kernel knows: said once for a probe, with its size"
perf probe -x "./$ME" -D 'use h->tag:string h->words[0]:string h->name:string'
check [ $rc -eq 0 ]
check grep -qF "'h->tag:string' is an array of 4 characters: if none of them is zero, what lies behind it is read, too" err
check grep -qF "'h->words[0]:string' is an array of 4 characters" err
check [ "$(grep -c 'characters' err)" -eq 2 ]
perf probe -x "./$ME" -D 'use h->tag:char[4] h->tag'
check [ $rc -eq 0 ]
refute grep -q characters err
check grep -q 'tag_char_4_=+56(%di):char\[4\] tag=+56(%di):[sux]8\[4\]$\|tag=+56(%di):char\[4\] tag_2=+56(%di):[sux]8\[4\]$' out

step "they are what the program has, at a return, too"
if need_uprobe_events; then
	perf probe -x "./$ME" --try 'use h->m[1] h->t[1] h->t[1][0] word=h->words[1]:string whole=h->tag:string part=h->tag:u8[4]' \
		--try 'grow%return counter calls holder.m[1] $retval' -- "./$ME"
	check [ $rc -eq 0 ]
	check grep -q 'm={4,5,6} t={-21,22,23,24,25,26} t_2={-21,22,23} word="cde" whole="wxyz.*" part={119,120,121,122}$' out
	check grep -q 'counter=42 calls=1 m={4,5,6} .*41$' out
	check grep -qx '41 43' out
fi

step "data that the linker put in front of the code is read by a negative distance"
if ! command -v ld.lld > /dev/null || ! command -v clang > /dev/null; then
	skip "no clang with lld"
elif need_uprobe_events; then
	for pie in -pie -no-pie; do
		check clang -g -O1 "$pie" -fuse-ld=lld -Wno-unknown-attributes -o "${ME}_lld" values.c
		perf probe -x "./${ME}_lld" -D 'use table'
		check [ $rc -eq 0 ]
		check grep -qE ' table=@\+-0x[0-9a-f]+:s32\[4\]$' out
		perf probe -x "./${ME}_lld" --try 'use table table[2] counter' -- "./${ME}_lld"
		check [ $rc -eq 0 ]
		check grep -q 'table={7,8,9,10} table_2=9 counter=43$' out
		[ -z "$(mine)" ] || fail "a probe was left"
	done
fi

cat > refs.cc <<- 'END'
	#include <cstdio>
	struct pair { int a, b; } pair = { 7, 8 };
	int number = -42; short narrow = -5; const char *text = "words";
	#define N extern "C" __attribute__((noinline))
	N int &ref() { asm volatile("" ::: "memory"); return number; }
	N const short &&rvalue() { asm volatile("" ::: "memory"); return (const short &&)narrow; }
	N const char *const &pointer() { asm volatile("" ::: "memory"); return text; }
	N struct pair &whole() { asm volatile("" ::: "memory"); return pair; }
	N int plain() { asm volatile("" ::: "memory"); return number; }
	int main()
	{
		int a = ref(), b = rvalue();
		long c = (long)pointer();
		printf("%d %d %#lx %p\n", a, b, c, (void *)&whole());
		return plain() > 0;
	}
END
step "\$retval of a reference is what it refers to; with a type the register, said"
if ! command -v g++ > /dev/null; then
	skip "no g++"
elif need_uprobe_events; then
	for opt in -O0 -O2; do
		g++ -g $opt -w -o "${ME}_refs" refs.cc
		perf probe -x "./${ME}_refs" --try "$ME:a=ref%return \$retval" --try "$ME:b=rvalue%return \$retval" \
			--try "$ME:c=pointer%return \$retval" --try "$ME:d=whole%return \$retval" -- "./${ME}_refs"
		printed=$(grep '^-42 ' out)
		check [ -n "$printed" ]
		check [ "$(sed -n 's/.*arg1=//p' out | sed 's/ *$//' | tr '\n' ' ')" = "$printed " ]
		check [ ! -s err ]
		perf probe -x "./${ME}_refs" -D 'ref%return $retval:s32'
		check grep -q ' $retval:s32$' out
		check grep -qF "Warning: '\$retval:s32' is of the address that the function returns: of the reference's value it is '+0(\$retval):s32'" err
		perf probe -x "./${ME}_refs" -D 'plain%return $retval:s32' -D 'plain%return $retval'
		check [ ! -s err ]
	done
fi

cat > array.c <<- 'END'
	int three[3] = { 3, 4, 5 }; short two[2] = { 3, 0 };
	__attribute__((noinline)) int look(int n) { asm volatile("" ::: "memory"); return n + three[0] + two[0]; }
	int main(void) { return look(1) < 0; }
END
step "a filter of an array: refused where the kernel compares it with no number"
if need_uprobe_events; then
	gcc -g -O1 -o "${ME}_array" array.c
	perf probe -q -x "./${ME}_array" -a "$ME:look=look three two first=three[0]"
	# By the deed: the kernel takes it, and is never equal nor unequal.
	own=$(tracefs)/instances/$ME
	mkdir "$own"
	for filter in 'three == 3' 'three != 3' 'first == 3' 'two == 3'; do
		echo "$filter" > "$own/events/$ME/look/filter"
		echo 1 > "$own/events/$ME/look/enable"
		"./${ME}_array"
		echo 0 > "$own/events/$ME/look/enable"
		grep -c 'look: ' "$own/trace" >> passed
		echo > "$own/trace"
	done
	rmdir "$own"
	check [ "$(tr '\n' ' ' < passed)" = "0 0 1 1 " ]
	for filter in 'three == 3' 'first == 3 || three != 3'; do
		perf record -e "$ME:look" --filter "$filter" -o a.data "./${ME}_array"
		check [ $rc -eq 255 ]
		check grep -q "'three' is an array: the kernel compares its 12 bytes with no number, so that nothing would pass" err
	done
	for filter in 'first == 3' 'two == 3'; do
		perf record -q -e "$ME:look" --filter "$filter" -o a.data "./${ME}_array"
		perf script -i a.data
		check [ "$(wc -l < out)" -eq 1 ]
	done
	perf probe -q -d "$ME:look"
fi
# the kernel refuses the line, too
refute_kernel() {
	if echo "$1" >> "$(tracefs)/uprobe_events" 2> /dev/null; then
		echo "-:$ME/k" >> "$(tracefs)/uprobe_events"
		check [ "the kernel takes" = "$1" ]
	fi
}

step "what no kernel takes is refused, with what to write instead: it refuses the same lines"
cat > taken.cc <<- 'END'
	#include <stdio.h>
	const char *word = "hello";
	__attribute__((noinline)) const char *text(int a_variable_whose_name_is_longer_than_32_letters) { printf("text\n"); return word; }
	__attribute__((noinline)) const char *&refs(int common_pid) { printf("refs\n"); return word; }
	int main() { return text(41) == refs(2) && *word == 'x'; }
END
g++ -g -O0 -w -o "${ME}_taken" taken.cc
for function in text refs; do
	for type in string ustring; do
		perf probe -x "./${ME}_taken" -D "$function%return \$retval:$type"
		check [ $rc -ne 0 ]
		way="+0(\$retval):$type"
		[ $function = text ] || way="+0(+0(\$retval)):$type"
		check grep -qF "the text that it points to is '$way'" err
		refute grep -q 'of the reference' err
		if need_uprobe_events; then
			perf probe -x "./${ME}_taken" --try "$ME:t=$function%return t=$way" -- "./${ME}_taken"
			check grep -q 't="hello"' out
		fi
	done
done
perf probe -x "./${ME}_taken" -D 'text $params'
check [ $rc -eq 0 ]
check grep -q ' a_variable_whose_name_is_longe=-' out
long=$(printf 'a%.0s' {1..33})
if need_uprobe_events; then
	for arg in 'a=\5:u8[2]' 'a=+0xffffffffffffffff(%sp)' 'a=+0x8000000000000000(%sp)' 'a=+0($comm):u8' 'a=+0(+0($comm)):u8' common_pid=%di common_type=%di common_flags=%di common_preempt_count=%di __probe_ip=%di __probe_func=%di __probe_ret_ip=%di "$long=%di" \
		'+a=\5:u8' '+a=+0(\5):u8[2]' '+a=+0x7fffffffffffffff(%sp)' '+a=-0x8000000000000000(%sp)' '+a=$comm' '+common_x=%di' "+${long#a}=%di"; do
		perf probe -x "./${ME}_taken" -D "main ${arg#+}"
		if [ "$arg" = "${arg#+}" ]; then
			check [ $rc -ne 0 ]
			check [ ! -s out ]
			line="p:$ME/k $PWD/${ME}_taken:0x$(nm "${ME}_taken" | sed -n 's/^0*\([0-9a-f]*\) T main$/\1/p') $arg"
			refute_kernel "$line"
		else
			check [ $rc -eq 0 ]
			perf probe -q -x "./${ME}_taken" -a "$ME:k=main ${arg#+}"
			check [ $rc -eq 0 ]
			perf probe -q -d "$ME:k"
		fi
	done
	perf probe -x "./${ME}_taken" -D 'refs common_pid'
	check [ $rc -ne 0 ]
	check grep -qF 'NAME=VALUE gives it another one' err
	perf probe -x "./${ME}_taken" -D 'refs pid=common_pid'
	check [ $rc -eq 0 ]
fi
finish
