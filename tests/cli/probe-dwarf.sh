#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Debug information that compilers make rarely, and what probes make of it: values known by the
# function's caller only, names of Rust, code that was inlined from headers.
. "$(dirname "$0")/../lib.sh"
plan 33
has libdw || skip_all "this perf is built without libdw"
command -v gcc > /dev/null || skip_all "no gcc"
own_probes

# ---- values that only the caller knows ----

cat > entry.c <<- 'END'
	#include <stdio.h>
	static volatile int sink;
	__attribute__((noipa)) int use(int v) { return sink += v; }
	__attribute__((noipa)) int lost(int n, int m)
	{
		int r = use(m);
		r += use(r);
		sink = r;
		return r;
	}
	int main(int argc, char **argv) { return printf("n=%d m=%d\n", argc + 41, argc) + lost(argc + 41, argc) < 0; }
END
for version in 4 5; do
	step "DWARF $version: what the function was called with, and is gone: read at the entry, refused behind it"
	check gcc -gdwarf-$version -O2 -w -o "${ME}_e" entry.c
	if ! readelf --debug-dump=loc "${ME}_e" 2> /dev/null | grep -q 'entry_value: (DW_OP_reg'; then
		skip "this compiler writes no DW_OP_entry_value"
		continue
	fi
	perf probe -x "./${ME}_e" -D 'lost:3 n'
	check [ $rc -eq 254 ]
	check [ ! -s out ]
	check grep -q "'n' has no value at this address any more: only what the function was called with is known" err
	check grep -q "where the function begins: 'lost n'" err
	perf probe -x "./${ME}_e" --vars lost:3
	check grep -qx '		int	r' out
	refute grep -q '	n$' out
	perf probe -x "./${ME}_e" -D 'lost:3 $vars'
	check grep -q ' r=%ax:s32' out
	refute grep -q ' n=' out
	perf probe -x "./${ME}_e" -D 'lost n m'
	check grep -q ' n=%di:s32 m=%si:s32$' out
	if [ "$(uname -m)" = x86_64 ] && need_uprobe_events; then
		perf probe -x "./${ME}_e" --try 'lost n m' -- "./${ME}_e"
		check [ "$(grep -o ' n=[0-9]* m=[0-9]*$' out | tail -n 1)" = " $(grep -o '^n=[0-9]* m=[0-9]*$' out)" ]
		check [ -z "$(mine)" ]
	fi
done

step "a value that is a constant at the place, and elsewhere in a register: read, by name and by \$vars"
cat > constant.c <<- 'END'
	#include <stdio.h>
	static volatile int sink;
	__attribute__((noipa)) int f(int a, int b)
	{
		int seven = 7;
		int sum = -3;
		sink = a;
		for (int i = 0; i < b; i++) {
			sum += a;
			sink += i;
		}
		return printf("seven=%d sum=%d\n", seven, sum);
	}
	int main(int argc, char **argv) { return f(argc, argc + 2) < 0; }
END
check gcc -g -Og -w -o "${ME}_k" constant.c
if readelf --debug-dump=loc "${ME}_k" | grep -q 'DW_OP_const1s: -3; DW_OP_stack_value'; then
	perf probe -x "./${ME}_k" -D 'f:5 $vars'
	check grep -q ' i=\\0:s32 a=%di:s32 b=%si:s32 seven=\\7:s32 sum=\\-3:s32$' out
	check grep -q ' i=%[a-z]*:s32 .* sum=%[a-z]*:s32$' out
	perf probe -x "./${ME}_k" -D 'f:6 sum' # its value is -3 no more
	refute grep -q 'sum=.-3' out
	perf probe -x "./${ME}_k" -D 'f sum' # where it has none
	check [ $rc -eq 254 ]
	if [ "$(uname -m)" = x86_64 ] && need_uprobe_events; then
		perf probe -x "./${ME}_k" --try 'f:5 i sum seven' -- "./${ME}_k"
		check [ "$(grep -o ' i=.*' out | sed -n '1p;$p' | tr '\n' ';')" = ' i=0 sum=-3 seven=7; i=3 sum=0 seven=7;' ]
		check grep -q 'seven=7 sum=0$' out
		check [ -z "$(mine)" ]
	fi
else
	skip "this compiler writes another location list"
fi

# ---- values in several places ----

cat > parts.c <<- 'END'
	#include <stdio.h>
	struct two { long a, b; };
	struct mix { int i; unsigned u; const char *s; };
	struct small { short h; unsigned short k; unsigned char c; unsigned f : 5, g : 9; };
	struct low { int x, y; };
	struct flt { double d; long n; };
	volatile long sink;
	__attribute__((noinline)) long two(struct two t, long n) { sink += n; return t.a * 3 + t.b + n; }
	__attribute__((noinline)) long mix(struct mix m) { sink += m.i; return m.u + *m.s; }
	__attribute__((noinline)) long small(struct small s) { sink += s.h; return s.k + s.c + s.f * s.g; }
	__attribute__((noinline)) long low(struct low l) { sink++; return l.x - l.y; }
	__attribute__((noinline)) long flt(struct flt f) { sink++; return f.d + f.n; }
	__attribute__((noinline)) long sra(long n)
	{
		struct two t = { n * 7, n + 3 };
		for (long i = 0; i < n; i++) {
			t.a += sink;
			t.b ^= t.a;
			sink = t.b;
		}
		printf("sra a=%ld b=%ld\n", t.a, t.b);
		return t.a;
	}
	int main(int argc, char **argv)
	{
		struct two t = { -argc * 1000001L, 77 + argc };
		struct mix m = { -5 - argc, 4000000000u + argc, argv[0] };
		struct small s = { 9 + argc, 60000, 200, 21, 300 };
		struct low l = { -3 - argc, 12 };
		struct flt f = { 2.5, 8 + argc };
		printf("two a=%ld b=%ld n=%d\n", t.a, t.b, argc);
		printf("mix i=%d u=%u s=\"%s\" ch=%d\n", m.i, m.u, m.s, m.s[2]);
		printf("small h=%d k=%u c=%u f=%u g=%u\n", s.h, s.k, s.c, s.f, s.g);
		printf("low x=%d y=%d\n", l.x, l.y);
		printf("flt n=%ld\n", f.n);
		fflush(stdout);
		return (two(t, argc) + mix(m) + small(s) + low(l) + flt(f) + sra(argc + 4)) == 1;
	}
END
# What FUNCTION printed of its values is what a probe with these arguments, in this order, has got.
same_values() { # DEFINITION
	local of=${1%%[:+ ]*}
	perf probe -x "./${ME}_p" --try "$1" -- "./${ME}_p"
	check [ $rc -eq 0 ]
	check [ "$(sed -n "s/^$of //p" out)" = "$(sed -n "s/.* probe_${ME}_p:${of}[^ ]*: ([0-9a-f]*) //p" out)" ]
	check grep -q "^$of .*=" out
}
refused() { # DEFINITION REGEX
	perf probe -x "./${ME}_p" -D "$1"
	check [ $rc -ne 0 ]
	check [ ! -s out ]
	check grep -q "cannot fetch '.*': $2" err
}
for compiler in gcc clang; do
	step "$compiler -O2: members of a struct in registers have the values that the program prints"
	[ "$(uname -m)" = x86_64 ] && command -v $compiler > /dev/null || { skip "no $compiler on x86-64" && continue; }
	check $compiler -g -O2 -w -o "${ME}_p" parts.c
	readelf --debug-dump=loc "${ME}_p" 2> /dev/null > places
	check grep -q 'DW_OP_reg5 (rdi); DW_OP_piece: 8; DW_OP_reg4 (rsi); DW_OP_piece: 8' places
	refused 'two t' "it is spread over several places"
	check grep -q "take a member of it: 't.NAME'" err
	refused 'two t.c' "'t' (type two) has no member 'c'"
	refused 'two t.a:string' "'a' is no array of or pointer to characters"
	refused 'flt f.d' 'it is in a register that probes cannot read'
	if need_uprobe_events; then
		same_values 'two t.a t.b n'
		same_values 'flt f.n'
		[ $compiler = gcc ] && same_values 'mix m.i m.u m.s:string ch=m.s[2]'
		[ $compiler = gcc ] && same_values 'small s.h s.k s.c s.f s.g'
		[ $compiler = gcc ] && same_values 'low l.x l.y:u'
		[ $compiler = clang ] && same_values "sra:$(awk '/long sra/ { base = NR } /printf."sra/ { print NR - base }' parts.c) t.a t.b"
		check [ -z "$(mine)" ]
	fi
	if [ $compiler = gcc ]; then # the numbers' beginnings are there, others' signs are not
		refused 'low l.x l.y' "'y' is in the middle of a register, from where probes fetch no sign: give it the type 'u'"
		refused 'low l.y:s32' "'y' is in the middle of a register"
		refused 'low l.y:u64' "'y' is in the middle of a register"
		refused 'low l.y:symbol' "'y' is in the middle of a register"
		perf probe -x "./${ME}_p" -D 'low l.x l.y:x16'
		check grep -q ' x=%di:s32 y=%di:b16@32/64$' out
	else # what the compiler left out of the struct
		refused 'mix m.u' "'u' has no value at this address: it was optimized out"
		refused 'low l.y' "'y' has no value at this address: it was optimized out"
		perf probe -x "./${ME}_p" -D 'mix m.i m.s'
		check grep -q ' i=%di:s32 s=%si$' out
	fi
done

# ---- bit fields ----

cat > bits.c <<- 'END'
	#include <stdio.h>
	struct F { unsigned a : 3; int b : 5; unsigned c : 20; int pad : 4; int e : 9; unsigned g : 11; };
	struct H { int x; unsigned lo : 8, mid : 16; int s : 16, t : 32; };
	struct __attribute__((packed)) K { unsigned a : 20, b : 20; int c : 16, d : 8; unsigned long e : 60; };
	volatile long sink;
	struct F gl;
	__attribute__((noinline)) void reg(struct F s) { sink += s.a; sink += s.e; }
	__attribute__((noinline)) void mem(struct F *p) { sink += p->a; }
	__attribute__((noinline)) void whole(struct H *p) { sink += p->s; }
	__attribute__((noinline)) void packed(struct K *p) { sink += p->d; }
	int main(int argc, char **argv)
	{
		struct F f = { 5, 7 * argc, 0xabcde, 1, -200 * argc, 1234 * argc };
		struct H h = { 1, 2, 54321 + argc, -5 * argc, -70000 * argc };
		struct K k = { 0x12345, 0x6789a, 9, 6, 0x123456789abcdeful };
		gl = f;
		printf("reg a=%u c=%u e=%u g=%u\n", f.a, f.c, f.e & 511, f.g);
		printf("mem a=%u b=%d e=%u g=%u low=%u first=%u global=%u\n", f.a, f.b, f.e & 511, f.g, f.g & 255, f.a, gl.g);
		printf("whole mid=%u mid_2=%u s=%d s_2=%d t=%d\n", h.mid, h.mid, h.s, h.s, h.t);
		printf("packed a=%u b=%u c=%d d=%d e=%lu\n", k.a, k.b, k.c, k.d, (unsigned long)k.e);
		fflush(stdout);
		reg(f), mem(&f), whole(&h), packed(&k);
		return 0;
	}
END
for flags in "gcc -gdwarf-4" "gcc -gdwarf-5" "clang -gdwarf-4" "clang -gdwarf-5"; do
	step "bit fields stay such with any type, also packed ones: the values that the program prints: $flags"
	command -v "${flags%% *}" > /dev/null || { skip "no ${flags%% *}" && continue; }
	# shellcheck disable=SC2086 # flags
	check $flags -O1 -w -o "${ME}_p" bits.c
	perf probe -x "./${ME}_p" -D 'mem p->e:u p->g:x16 p->c:u8'
	check [ $rc -eq 0 ]
	check grep -qE ' e=\+4\(([^ ]*)\):b9@0/32 g=\+4\(\1\):b11@9/32 c=\+0\(\1\):b8@8/32$' out
	check [ ! -s err ]
	for type in s s16 s32; do
		refused "mem p->e:$type" "'e' is a bit field, of which probes fetch no sign: give it the type 'u'"
	done
	refused 'mem p->e:symbol' "'e' is a bit field, of which probes fetch plain numbers only"
	refused 'mem p->e:u12' "'e' is a bit field, of which"
	refused 'whole p->s:s32' "'s' is a bit field, of which"
	perf probe -x "./${ME}_p" -D 'mem p->a p->e p->e:u'
	check [ "$(cat err)" = "Warning: 'p->e' is a bit field of signed numbers, which probes fetch without their sign" ]
	need_uprobe_events || continue
	same_values 'mem p->a:u8 b=p->b:u p->e:u p->g:u16 low=p->g:u8 first=p->a:b3@0/32 global=gl.g:u32'
	same_values 'whole p->mid p->mid:u16 p->s p->s:s16 p->t'
	check [ ! -s err ]
	same_values 'packed p->a p->b:u c=p->c:u d=p->d:u8 p->e:x'
	if [ "$(uname -m)" = x86_64 ] && [[ $flags = gcc* ]]; then
		same_values 'reg s.a:u s.c:x s.e:u32 s.g:u'
		refused 'reg s.e:s' "'e' is a bit field, of which probes fetch no sign"
	fi
	check [ -z "$(mine)" ]
done

# ---- arrays in registers, signs of enumerations ----

cat > kinds.c <<- 'END'
	#include <stdio.h>
	struct P { char t[4]; int v; };
	enum sign { MINUS = -1, ZERO, ONE };
	enum plain { A, B, C };
	volatile int sink;
	__attribute__((noinline)) void array(struct P s) { sink += s.v; sink += s.v >> 3; }
	__attribute__((noinline)) void kind(enum sign s, enum plain u, enum sign *p) { sink += s + u + *p; }
	int main(int argc, char **argv)
	{
		struct P x = { { 1, 2, 3, 4 }, argc * 99 };
		enum sign minus = ZERO - argc;
		printf("array t=%d half=%d\nkind s=%d u=%d\n", 0x04030201, 0x0201, minus, B + argc);
		fflush(stdout);
		array(x);
		kind(minus, B + argc, &minus);
		return 0;
	}
END
step "a whole array in a register: refused, but as a number; enumerations have the sign of their numbers"
if [ "$(uname -m)" = x86_64 ]; then
	check gcc -g -O2 -w -o "${ME}_p" kinds.c
	for type in '' :string :u :x64; do
		refused "array s.t$type" "the array 't' is not in memory there"
	done
	perf probe -x "./${ME}_p" -D 'kind s u s:x'
	check grep -q ' s=%di:s32 u=%si:x32 s_x=%di:x32$' out
	if need_uprobe_events; then
		same_values 'array s.t:u32 half=s.t:u16'
		same_values 'kind s u=u:u'
	fi
else
	skip "not x86-64"
fi

# ---- parameters that are in the frame ----

cat > early.c <<- 'END'
	#include <stdio.h>
	struct S { signed char a; int b; short c; };
	struct L { long v[5]; };
	__attribute__((noinline)) int f(struct S s, int n)
	{
		return printf("f b=%d c=%d n=%d\n", s.b, s.c, n);
	}
	__attribute__((noinline)) int brief(struct S s) { return printf("brief b=%d c=%d\n", s.b, s.c); }
	__attribute__((noipa, noinline)) void leave(void *at) { asm volatile("" ::"r"(at) : "memory"); }
	__attribute__((noipa, noinline)) long large(struct L s, int n)
	{
		for (int i = 0; i < n; i++)
			leave(&s);
		return printf("large v=%ld n=%d\n", s.v[2], n);
	}
	int main(int argc, char **argv)
	{
		struct S x = { -7 * argc, 123456 * argc, 1000 * argc };
		struct L l = { { 1, 2, 77777 * argc } };
		return f(x, argc + 3) + brief(x) + large(l, argc + 5) == 0;
	}
END
step "a parameter in a frame that is not there yet at the function's entry: said"
if [ "$(uname -m)" = x86_64 ]; then
	check gcc -g -Og -w -o "${ME}_p" early.c
	if readelf --debug-dump=info "${ME}_p" 2> /dev/null | grep -A 9 'DW_TAG_formal_param' | grep -q 'DW_OP_fbreg: -'; then
		for list in 's.b s.c n' '$params'; do
			perf probe -x "./${ME}_p" -D "f $list"
			check [ $rc -eq 0 ]
			check grep -qE "^Warning: 's(.b)?' is in the frame of 'f', which is not there yet where that begins, and has another value: probe 'f:2'\$" err
			refute grep -q "'n'" err
		done
		perf probe -x "./${ME}_p" -D "brief s.b s.c" # all on one line
		check grep -qE "and has another value: probe 'brief\+[0-9]+'\$" err
		later=$(sed -n "s/.* value: probe '\(.*\)'$/\1/p" err | sort -u)
		perf probe -x "./${ME}_p" -D "$later s.b s.c"
		check [ $rc -eq 0 ]
		check [ ! -s err ]
		need_uprobe_events && same_values "$later b=s.b c=s.c"
		perf probe -q -x "./${ME}_p" -D 'f s.b'
		check [ ! -s err ]
		perf probe -x "./${ME}_p" -D 'f:2 s.b s.c'
		check [ $rc -eq 0 ]
		check [ ! -s err ]
		if need_uprobe_events; then
			perf probe -x "./${ME}_p" --try "f:2 s.b s.c" -- "./${ME}_p"
			check [ "$(grep -o ' b=[0-9]* c=[0-9]*$' out | tail -n 1)" = "$(sed -n 's/^f\( b=.*\) n=.*/\1/p' out)" ]
		fi
	else
		skip "this gcc gives it other places"
	fi
	# What the caller put on the stack is there.
	perf probe -x "./${ME}_p" -D 'large v=s.v[2] n'
	check [ $rc -eq 0 ]
	check [ ! -s err ]
	need_uprobe_events && same_values 'large v=s.v[2] n'
	if command -v clang > /dev/null; then # its frame's base is the stack pointer as it is later
		check clang -g -O2 -w -o "${ME}_c" early.c
		perf probe -x "./${ME}_c" -D 'large s.v[2] n'
		check [ $rc -eq 0 ]
		if readelf --debug-dump=info "${ME}_c" 2> /dev/null | grep -A 9 'DW_TAG_formal_param' | grep -q DW_OP_fbreg; then
			check grep -q "'s.v\[2\]' is in the frame of 'large', which is not there yet" err
			later=$(sed -n "s/.* value: probe '\(.*\)'$/\1/p" err | sort -u)
			perf probe -x "./${ME}_c" -D "$later s.v[2] n"
			check [ $rc -eq 0 ]
			check [ ! -s err ]
			! need_uprobe_events || check [ "$(perf probe -x "./${ME}_c" --try "$later v=s.v[2]" -- "./${ME}_c"; grep -o ' v=[0-9]*$' out | head -n 1)" = " v=77777" ]
		fi
		refute grep -q "'n'" err
	fi
	check [ -z "$(mine)" ]
else
	skip "not x86-64"
fi

step "without optimization a line that is the function's entry has its parameters behind the prologue, too"
check gcc -g -O0 -w -o "${ME}_p" early.c
line=$(grep -n '^__attribute__((noinline)) int f(' early.c | cut -d: -f1)
one=$(grep -n 'int brief(' early.c | cut -d: -f1) # it has another place behind the prologue
for def in "f s.b n" "early.c:$line s.b n" "early.c;__attr*S*s,*int*n) s.b n" "f;*int*f(struct* s.b n"; do
	perf probe -x "./${ME}_p" -D "$def"
	check [ $rc -eq 0 ]
	check grep -q 'Skipping prologue' err
	refute grep -q Warning err
	awk '{ print $2 }' out > place
	[ "$def" != "f s.b n" ] || cp place want
	check diff want place
done
perf probe -x "./${ME}_p" -D "early.c:$one s.b"
check [ "$(sort -u out | wc -l)" -eq "$(wc -l < out)" ] # each place once
refute grep -q Warning err
# In between by an offset: it is said; not so behind the prologue, nor of what the caller stored.
if [ "$(uname -m)" = x86_64 ]; then
	later=$(nm "${ME}_p" | awk '$3 == "f" { print $1 }')
	later=$(($(sed 's/.*://' want) - 0x$later))
	perf probe -x "./${ME}_p" -D 'f+1 s.b n'
	check [ "$(grep -c "may not have put it there yet, and then has another value: probe 'f:2'$" err)" -eq 2 ]
	for def in "f+$later s.b n" 'large+1 s.v[2]' 'large s.v[2]' 'f:2 s.b n'; do
		perf probe -x "./${ME}_p" -D "$def"
		check [ $rc -eq 0 ]
		refute grep -q 'has another value' err
	done
fi
perf probe -x "./${ME}_p" -D "early.c:$line" # of no variable it is the entry
refute diff -q <(awk '{ print $2 }' out) want
if [ "$(uname -m)" = x86_64 ] && need_uprobe_events; then
	perf probe -x "./${ME}_p" --try "early.c:$line b=s.b c=s.c n" -- "./${ME}_p"
	check [ "$(grep -o ' b=[-0-9]* c=[-0-9]* n=[0-9]*$' out | tail -n 1)" = "$(sed -n 's/^f\( b=.*\)/\1/p' out)" ]
	check grep -q '^f b=123456 ' out
	check [ -z "$(mine)" ]
fi

# ---- Rust ----

# As rustc writes it: functions have names of the language, linkage names of v0 or of the older kind.
rust() { # LINKAGE-NAME: rust_prog
	cat > rust.c <<- END
		extern int printf(const char *, ...);
		struct Cell { long value; };
		__attribute__((noinline, used)) long gather(struct Cell *self, long by) __asm__("$1");
		__attribute__((noinline, used)) long gather(struct Cell *self, long by) { return self->value += by; }
		int main(int argc, char **argv)
		{
			struct Cell cell = { argc };
			return printf("by=%d value=%ld\n", 3 * argc, cell.value) + gather(&cell, 3 * argc) < 0;
		}
	END
	clang -g -O1 -S -emit-llvm -w -o rust.ll rust.c && sed -i 's/DW_LANG_C[0-9]*/DW_LANG_Rust/' rust.ll &&
		grep -q DW_LANG_Rust rust.ll && clang -g -O1 -w -o "${ME}_r" rust.ll
}
for name in _RNvMNtC7methods4deepNtB2_4Cell6gather _ZN7methods4deep4Cell6gather17h0123456789abcdefE; do
	step "Rust: functions by their names with modules, by the last part, by the linkage name: $name"
	if ! command -v clang > /dev/null || ! rust $name; then
		skip "no clang that makes it"
		continue
	fi
	perf probe -x "./${ME}_r" --funcs '*methods*'
	check grep -qxE '<?methods::deep::Cell>?::gather' out
	for def in 'methods\:\:deep\:\:Cell\:\:gather' methods::deep::Cell::gather 'methods::*::gather' "$(cat out)" gather $name; do
		perf probe -x "./${ME}_r" -D "$def by self->value"
		check [ $rc -eq 0 ]
		check grep -qE "^p:probe_${ME}_r/[A-Za-z_0-9]+ .* by=%si:s64 value=[+]0\(%di\):s64\$" out
	done
	perf probe -x "./${ME}_r" -D 'methods::deep::Cell::gathr by'
	check [ $rc -eq 254 ]
	if need_uprobe_events; then
		perf probe -x "./${ME}_r" --try 'gather by self->value' -- "./${ME}_r"
		check [ "$(grep -o ' by=[0-9]* value=[0-9]*$' out | tail -n 1)" = " $(grep -o '^by=[0-9]* value=[0-9]*$' out)" ]
		check [ -z "$(mine)" ]
	fi
done

# ---- inlined from a header ----

mkdir -p one two
cat > inc.h <<- 'END'
	int outside(int v, int by);
	static inline __attribute__((always_inline, artificial)) int passed(int v)
	{
		return outside(v, 2);
	}
	static inline __attribute__((always_inline)) int within(int v)
	{
		int r = v * 3;
		if (r > 10)
			r += outside(r, 1);
		return r;
	}
END
printf '#include "../inc.h"\nint first(int n) { return within(n) + 1; }\nint only(int n) { return passed(n); }\n' > one/a.c
cat > two/b.c <<- 'END'
	#include <stdio.h>
	#include "../inc.h"
	__attribute__((noipa)) int outside(int v, int by) { return printf("%d\n", v * by); }
	int first(int n);
	int only(int n);
	int main(int argc, char **argv) { return only(argc) + first(argc + 4) + within(argc) == 0; }
END
for flags in "-O2" "-O2 -flto" "-O1 -gdwarf-4"; do
	step "--line of a function inlined from a header: all lines with code, each can be probed: gcc $flags"
	# shellcheck disable=SC2086 # several
	(cd one && gcc -g $flags -w -c a.c) && (cd two && gcc -g $flags -w -c b.c) && gcc -g $flags -o "${ME}_h" one/a.o two/b.o ||
		skip "gcc cannot build it"
	[ $state != skipped ] || continue
	for function in passed within; do
		perf probe -x "./${ME}_h" --line $function
		check [ $rc -eq 0 ]
		lines=$(sed -n '2,$s/^ *\([0-9][0-9]*\)  .*/\1/p' out)
		check [ "$(head -n 1 out | sed 's/:0>$//; s|.*/||')" = inc.h ]
		# The call, or what is behind it, is of this function only.
		check grep -qE '^ +[0-9]  .*(outside|r > 10)' out
		check [ "$(wc -w <<< "$lines")" -ge 2 ]
		for line in $lines; do
			perf probe -x "./${ME}_h" -D "$function:$line"
			check [ $rc -eq 0 ]
			check grep -q "^p:probe_${ME}_h/" out
		done
	done
	perf probe -x "./${ME}_h" -D within:1 # a brace
	check [ $rc -eq 254 ]
	refute grep -q "'within:1'.*nearest line with code is within:1$" err
done

# ---- lines that begin where others do ----

cat > begin.h <<- 'END'
	static inline __attribute__((always_inline)) int hlp(int v)
	{
		int w = v * 3;
		return w - 1;
	}
END
cat > begin.c <<- 'END'
	#include <stdio.h>
	#include "begin.h"
	__attribute__((noinline)) int total(int *rec, int base)
	{
		int total = *rec + base;
		total += hlp(total);
		printf("%d\n", total);
		return total;
	}
	__attribute__((noinline)) int other(int z) { return z + hlp(z); }
	__attribute__((noinline)) long walk(const int *n, size_t count)
	{
		long sum = 0;
		for (size_t i = 0; i < count; i++) {
			int k = hlp(n[i] + i);
			sum += k;
			if (n[i])
				n++;
		}
		printf("%ld\n", sum);
		return sum;
	}
	int main(int argc, char **argv) { int n[9] = { argc }; return total(n, 5) + other(3) + walk(n, argc) == 0; }
END
for flags in "-O0" "-O1 -gdwarf-4" "-O2"; do
	step "lines of what is inlined from a header, at its first instruction: gcc $flags"
	# shellcheck disable=SC2086 # several
	check gcc -g $flags -w -o "${ME}_b" begin.c
	for def in hlp:2 hlp:3 begin.h:3 begin.h:4; do
		perf probe -x "./${ME}_b" -D "$def"
		check [ $rc -eq 0 ]
		check [ "$(wc -l < out)" -ge 3 ] # each copy
		mv out own
		[ -x "$REF" ] || continue
		"$REF" probe -x "./${ME}_b" -D "$def" > theirs 2> theirs.err < /dev/null
		grep -q 'sharing the address' theirs.err || check cmp own theirs
	done
	perf probe -x "./${ME}_b" -D 'walk;sum*'
	check [ $rc -eq 0 ]
	check grep -q "^p:probe_${ME}_b/walk " out
	# Of the same file it is another line's. The advice helps.
	for line in total:1 hlp:7; do
		perf probe -x "./${ME}_b" -D $line
		check [ $rc -eq 254 ]
		advice=$(sed -n 's/.*\(probe at\|with code is\) \([a-z.]*:[0-9]*\).*/\2/p' err)
		perf probe -x "./${ME}_b" -D "${advice:-none}"
		check [ $rc -eq 0 ]
	done
	[ "$flags" = -O0 ] || continue
	for def in hlp:2 begin.h:3; do # the variables are its own, not the caller's
		perf probe -x "./${ME}_b" -D "$def w v"
		check [ "$(grep -cE "^p:probe_${ME}_b/hlp[^ ]* .* w=[^ ]*:s32 v=[^ ]*:s32\$" out)" -eq 3 ]
		perf probe -x "./${ME}_b" -D "$def \$vars"
		check [ "$(grep -cE ' v=[^ ]*:s32 w=[^ ]*:s32$' out)" -eq 3 ]
		perf probe -x "./${ME}_b" -D "$def z"
		check [ $rc -eq 254 ]
		check grep -q "cannot find the variable 'z'" err
	done
	if need_uprobe_events; then
		perf probe -x "./${ME}_b" --try 'begin.h:3 v' -- "./${ME}_b"
		check [ "$(grep -o ' v=[0-9]*$' out | tr -d '\n')" = ' v=6 v=3 v=1' ]
		check [ -z "$(mine)" ]
	fi
done

step "returns from a function that the compiler named otherwise"
printf '#include <stdio.h>\nstatic __attribute__((noinline)) int f(int a, int b) { return printf("%%d\\n", a * b) + b; }\nint main(int c, char **v) { return f(c, 7) + f(c + 1, 7); }\n' > cut.c
check gcc -g -O2 -o "${ME}_k" cut.c
if nm "${ME}_k" | grep -q ' t f\.constprop'; then
	perf probe -x "./${ME}_k" -D 'f%return'
	check [ $rc -eq 0 ]
	check grep -q "^r:probe_${ME}_k/f__return $PWD/${ME}_k:0x[0-9a-f]*$" out
else
	skip "this gcc makes none"
fi

# ---- types without members ----

cat > declared.c <<- 'END'
	struct cell;
	extern int printf(const char *, ...);
	__attribute__((noinline)) int take(struct cell *cell, void *any) { return printf("%p %p\n", cell, any); }
	int main(int argc, char **argv) { return take((struct cell *)argv, argv) < 0; }
END
step "a type that is only declared, and void: said so"
check gcc -g -O1 -o "${ME}_d" declared.c
perf probe -x "./${ME}_d" -D 'take cell'
check grep -qE ' cell=%di:?x?6?4?$' out
perf probe -x "./${ME}_d" -D 'take cell->value'
check [ $rc -eq 234 ]
check grep -q "the type of 'cell' is only declared where it is used" err
perf probe -x "./${ME}_d" -D 'take any->value'
check [ $rc -eq 234 ]
check grep -q "'any' points to void" err

# ---- values that are a part of another ----

cat > bits.c <<- 'END'
	static volatile int sink;
	__attribute__((noipa)) int use(int v) { return sink += v; }
	__attribute__((noipa)) int bits(unsigned n)
	{
		unsigned low = n & 0xff, high = n & 0xf0, odd = n & 5;
		use(n);
		use(n);
		return n;
	}
	int main(int argc, char **argv) { return bits(argc + 0x1234) == 1; }
END
step "the lower bits of a register are fetched; any others are a computation"
check gcc -g -O2 -w -o "${ME}_b" bits.c
if ! readelf --debug-dump=loc "${ME}_b" 2> /dev/null | grep -q 'const1u: 240; DW_OP_and'; then
	skip "this compiler writes no DW_OP_and"
else
	perf probe -x "./${ME}_b" -D 'bits:5 low'
	check [ $rc -eq 0 ]
	check grep -qE ' low=%[a-z]+:b8@0/(32|64)$' out
	for name in high odd; do
		perf probe -x "./${ME}_b" -D "bits:5 $name"
		check [ $rc -ne 0 ]
		check [ ! -s out ]
		check grep -q "cannot fetch '$name': it is the result of a computation" err
	done
fi

# ---- units by name ----

# A pattern is looked for in each unit, a name in those that may have it: the answers are the same.
mkdir -p names
cat > names/same.h <<- 'END'
	extern volatile int sink;
	static inline __attribute__((always_inline)) int everywhere(int v) { sink += v; return v * 3; }
	static __attribute__((noinline)) int apart(int v) { sink -= v; return everywhere(v) + 1; }
END
printf '#include "same.h"\nint one(int v) { return everywhere(v) + apart(v); }\n' > names/1.c
printf '#include "same.h"\nstatic int helper(int v) { return sink * v; }\nint two(int v) { return helper(everywhere(v)) + apart(v); }\n' > names/2.c
printf '#include "same.h"\nvolatile int sink;\nint one(int v); int two(int v); int abc(int v) { return helper(v); }\nint helper(int v) { return one(v) + v; }\nint main(int argc, char **argv) { return two(abc(argc)) + everywhere(argc) + apart(argc); }\n' > names/3.c
for compiler in gcc clang; do
	for flags in "-gdwarf-4 -O1" "-g -O2" "-g -O2 -flto" "-g -O1 -fdebug-types-section" "-g -O1 -gsplit-dwarf"; do
		step "a name is found in all units that have it: $compiler $flags"
		# shellcheck disable=SC2086 # several
		(cd names && command -v $compiler > /dev/null && $compiler $flags -w -c 1.c 2.c 3.c && $compiler $flags -w -o "../${ME}_u" 1.o 2.o 3.o) 2> build.log ||
			skip "$compiler cannot build it"
		[ $state != skipped ] || continue
		for name in one two abc helper main everywhere apart; do
			perf probe -x "./${ME}_u" -D "$name"
			check [ $rc -eq 0 ]
			sed 's/.*://' out | sort > want
			perf probe -x "./${ME}_u" -D "[${name:0:1}]${name:1}"
			check diff want <(sed 's/.*://' out | sort)
		done
		perf probe -x "./${ME}_u" -D apart
		check [ "$(wc -l < out)" -ge 1 ]
	done
done
finish
