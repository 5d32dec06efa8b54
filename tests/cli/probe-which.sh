#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Which variable a name means, and which code: of several of one name the right one is taken, and what
# cannot be told apart is refused. Values and numbers of calls are those that the program printed.
. "$(dirname "$0")/../lib.sh"
plan 18
has libdw || skip_all "this perf is built without libdw"
command -v gcc > /dev/null || skip_all "no gcc"
own_probes

step "a source file alone is no place"
echo 'int f(int n) { return n * 3; } int main(int argc, char **argv) { return f(argc); }' > plain.c
gcc -g -O0 -o "$ME" plain.c || fail "gcc builds no program"
for definition in @plain.c e=@plain.c '@plain.c argc' @nothing.c; do
	perf probe -x "./$ME" -D "$definition"
	check [ $rc -eq 129 ]
	check grep -qF "cannot understand the probe '$definition': of a source file a line or a pattern is probed" err
done
perf probe -x "./$ME" -V '@plain.c'
check [ $rc -eq 129 ]
for definition in f@plain.c @plain.c:1 plain.c:1 '@plain.c;*n?3*'; do
	perf probe -x "./$ME" -D "$definition"
	check [ $rc -eq 0 ]
done

# tried PROGRAM DEFINITION [VALUES]: its values, or the refusal if there are none
tried() {
	perf probe -x "./$1" --try "$2" -- "./$1"
	sed -n 's/.*: ([0-9a-f <-]*) \(.*=.*\)/\1/p' out | sed 's/ *$//' > got
	if [ -n "$3" ]; then
		check [ $rc -eq 0 ]
		echo "$3" > want
		check diff want got
	else
		check [ $rc -ne 0 ]
		check [ ! -s got ]
	fi
}

step "of variables of one name in namespaces and classes the function's own is read"
cat > scopes.cc <<- 'END'
	#include <cstdio>
	#ifdef __clang__
	#define NI __attribute__((noinline, optnone))
	#else
	#define NI __attribute__((noipa))
	#endif
	namespace n1 { int gv = 11; NI int f1(int n) { return gv + n; } }
	namespace n2 { int gv = 22; NI int f2(int n) { return gv + n; } namespace in { NI int g2(int n) { return gv + n; } } }
	namespace n3 { namespace deep { int gv = 33; NI int f3(int n) { return gv + n; } } }
	namespace { volatile int av = 66; namespace q { volatile int av = 67; NI int fq(int n) { return av + n; } } }
	struct A1 { static int sv; NI int am(int n); };
	struct B1 { static int sv; static const int SC = 99; int own = 5; virtual NI int bm(int n); virtual ~B1() { } };
	int A1::sv = 44, B1::sv = 55;
	int A1::am(int n) { return sv + n; }
	int B1::bm(int n) { return sv + SC + n + own; }
	struct D1 : B1 { NI int dm(int n) { return sv + n; } };
	namespace n4 { using n1::gv; NI int f4(int n) { return gv + n; } }
	namespace n5 { using namespace n2; NI int f5(int n) { return gv + n; } }
	struct VB { int vb = 8; virtual ~VB() { } };
	struct VD : virtual VB { int vd = 9; NI int vm(int n) { return vb + vd + n; } };
	struct L { int m = 1; }; struct LL : L { }; struct R { int m = 2; }; struct Both : LL, R { NI int lm(int n) { return R::m + n; } };
	NI int local(int n) { using n2::gv; return gv + n; }
	int main(int argc, char **argv)
	{
		A1 a; B1 b; D1 d; VD v; Both both;

		printf("f1 gv=%d\nf2 gv=%d\n", n1::f1(0), n2::f2(0));
		printf("g2 gv=%d\nf3 gv=%d\n", n2::in::g2(0), n3::deep::f3(0));
		printf("f4 gv=%d\nf5 gv=%d\n", n4::f4(0), n5::f5(0));
		printf("local gv=%d\nfq av=%d\n", local(0), q::fq(0));
		printf("am sv=%d\ndm sv=%d\n", a.am(0), d.dm(0));
		return b.bm(av) + v.vm(0) + both.lm(0) < 0;
	}
END
cat > here.c <<- 'END'
	#include <stdio.h>
	__attribute__((noipa)) int there(int n); extern volatile int shared;
	static volatile int same = 1;
	__attribute__((noipa)) int here(int n) { return same + shared + n; }
	int main(int argc, char **argv) { return printf("%d %d\n", here(argc), there(argc)) < 0; }
END
cat > there.c <<- 'END'
	static volatile int same = 2, alone = 4; volatile int shared = 3;
	__attribute__((noipa)) int there(int n) { return same + shared + alone + n; }
END
echo 'static volatile int same = 5, shared = 6; __attribute__((noipa)) int third(int n) { return same + shared + n; }' > third.c
if need_uprobe_events; then
	for build in g++:-O0 g++:-O2 g++:-O2:-gdwarf-4 clang++:-O0 clang++:-O2; do
		IFS=: read -r compiler level more <<< "$build"
		command -v "$compiler" > /dev/null && "$compiler" -g "$level" $more -w -o "${ME}_s" scopes.cc 2> build.log || continue
		"./${ME}_s" > said
		check [ "$(wc -l < said)" -eq 10 ]
		while read -r function value; do
			tried "${ME}_s" "$function ${value%=*}" "$value"
		done < said
		tried "${ME}_s" 'main a=n1::gv b=n2::gv c=::n3::deep::gv d=deep::gv e=A1::sv f=B1::sv g=n2::gv:u8' 'a=11 b=22 c=33 d=33 e=44 f=55 g=22'
		tried "${ME}_s" 'n2::f2 n1::gv' 'gv=11'
		tried "${ME}_s" 'B1::bm sv SC a=this->sv b=this->SC this->own' 'sv=55 SC=99 a=55 b=99 own=5'
		tried "${ME}_s" 'D1::dm this->sv this->own this->SC' 'sv=55 own=5 SC=99'
		tried "${ME}_s" 'VD::vm this->vd' 'vd=9'
		tried "${ME}_s" 'Both::lm this->m' 'm=2' # R's, which is nearer than L's
		tried "${ME}_s" 'VD::vm this->vb' ''
		check grep -qF "'vb' is in a virtual base class, whose place is known only while the program runs" err
		tried "${ME}_s" 'main gv' ''
		check grep -qF "cannot choose a variable 'gv': several have this name" err
		check grep -qF "there is 'n1::gv', 'n2::gv', 'n3::deep::gv'" err
		tried "${ME}_s" 'n2::f2 ::gv' ''
		check grep -qF "none of this name is where it says" err
		tried "${ME}_s" 'main n9::gv' ''
		tried "${ME}_s" 'main D1::gv' ''
	done
fi

step "a name is what C++ means by it: members, enumerators, captures come before variables outside"
cat > means.cc <<- 'END'
	#include <cstdio>
	#define NI __attribute__((noinline))
	#define CL asm volatile("" ::: "memory")
	int gv = 1, ov = 2, en = 3, cap = 4, ce = 5, uv = 6, out = 7;
	struct Base { int gv; int ov; static int st; };
	int Base::st = 100; int st = 12;
	struct Mid : Base { enum { ce = 55 }; union { int un; }; NI int m1(int k) { CL; printf("Mid::m1 gv=%d ov=%d un=%d st=%d\n", gv, ov, un, st); return gv + k; } static NI int sm(int k) { return k + ::gv; } NI int m2(int k) { return k + ce; } };
	template <class T> struct Tm { T gv; NI T tm(T k) { CL; printf("Tm<int>::tm gv=%d\n", (int)gv); return gv + k; } };
	union U { int gv; NI int um(int k) { CL; printf("U::um gv=%d\n", gv); return gv + k; } };
	struct Fun { int gv; NI int fm(int k) { auto l = [this](int y) NI { CL; printf("Fun::fm(int)::{lambda(int)#1}::operator() gv=%d\n", gv); return gv + y; }; return l(k); } NI int local(int k) { struct Loc { int ov; NI int lm(int j) { CL; printf("Fun::local(int)::Loc::lm ov=%d\n", ov); return ov + j; } } z{222}; return z.lm(k); } };
	NI int enu(int k) { enum { en = 33 }; CL; return en + k; }
	namespace r1 { int uw = 501; } namespace r2 { int uw = 502; namespace deep { int dv = 9; } inline namespace v1 { int iv = 51; } int iv2 = 52; }
	namespace al = r2::deep; namespace r3 { int dv = 10; }
	NI int ud(int k) { using namespace r2; CL; printf("ud uw=%d\n", uw); return uw + k; }
	NI int ua(int k) { CL; printf("ua al::dv=%d\n", al::dv); return al::dv + k + r2::iv2 + r3::dv; }
	namespace r2 { NI int ui(int k) { CL; printf("r2::ui v1::iv=%d\n", v1::iv); return iv + k; } }
	int main(int argc, char **argv)
	{
		Mid m; m.gv = 1001; m.ov = 1002; m.un = 1003;
		Tm<int> t{3001}; U u{4001}; Fun f{2001};
		return m.m1(1) + t.tm(1) + u.um(2) + f.fm(1) + f.local(2) + enu(1) + ud(1) + ua(1) + r2::ui(1) + Mid::sm(1) + m.m2(2) + gv + ov + en + cap + ce + uv + out + st + r1::uw == 0;
	}
END
if need_uprobe_events; then
	for build in g++:-O0 g++:-O2 g++:-O1:-gdwarf-4 clang++:-O0 clang++:-O2; do
		IFS=: read -r compiler level more <<< "$build"
		command -v "$compiler" > /dev/null && "$compiler" -std=c++17 -g "$level" $more -w -o "${ME}_s" means.cc 2> build.log || continue
		"./${ME}_s" > said
		check [ "$(wc -l < said)" -eq 8 ]
		while read -r function values; do
			names=$(tr ' ' '\n' <<< "$values" | sed 's/=.*//' | tr '\n' ' ')
			tried "${ME}_s" "$function $names" "$(sed 's/[a-z0-9]*:://g' <<< "$values")"
		done < said
		tried "${ME}_s" 'Mid::m1 gv this->gv a=::gv out' 'gv=1001 gv_2=1001 a=1 out=7'
		tried "${ME}_s" 'enu en' ''
		check grep -qF 'an enumerator' err
		check grep -qF 'its value is always 33' err
		tried "${ME}_s" 'enu ::en' 'en=3'
		tried "${ME}_s" 'Mid::m2 ce' ''
		check grep -qF 'its value is always 55' err
		tried "${ME}_s" 'Mid::sm gv' ''
		check grep -qF "a member, and no object is known of 'Mid'" err
		tried "${ME}_s" 'Mid::sm ::gv' 'gv=1'
		perf probe -x "./${ME}_s" -D 'Mid::m1%return gv'
		check [ $rc -ne 0 ]
	done
fi

step "of static variables of one name the own file's is read, of others the one for all files"
if need_uprobe_events; then
	for build in gcc:-O0 gcc:-O2 'gcc:-O2 -flto' clang:-O0 clang:-O2; do
		IFS=: read -r compiler flags <<< "$build"
		for files in 'third.c here.c there.c' 'there.c third.c here.c' 'here.c there.c third.c'; do
			command -v "$compiler" > /dev/null && "$compiler" -g $flags -w -Wno-unknown-attributes -o "${ME}_f" $files 2> build.log || continue
			case $build in
				clang:-O2) ;; # folds them
				*)
					tried "${ME}_f" 'here same' 'same=1'
					tried "${ME}_f" 'there same alone' 'same=2 alone=4'
					tried "${ME}_f" 'here alone' 'alone=4' # the only one of its name
					;;
			esac
			tried "${ME}_f" 'here shared' 'shared=3'
			tried "${ME}_f" 'there shared' 'shared=3'
		done
	done
	gcc -g -O0 -w -o "${ME}_f" -x c - there.c third.c <<< 'int there(int); int main(int c, char **v) { return there(c) < 0; }'
	tried "${ME}_f" 'main same' ''
	check grep -qF "cannot choose a variable 'same': several have this name" err
	tried "${ME}_f" 'main shared' 'shared=3'
fi

step "memory of a thread is said to be that"
echo '__thread int mine = 3; __attribute__((noinline)) int f(int n) { return mine + n; } int main(int c, char **v) { return f(c); }' > thread.c
for flags in '-O0' '-O2' '-O2 -gdwarf-2'; do
	gcc -g $flags -w -o "${ME}_t" thread.c
	perf probe -x "./${ME}_t" -D 'f mine'
	check [ $rc -ne 0 ]
	check grep -qF "cannot fetch 'mine': it is in memory of a thread" err
done

step "a call is one hit, also of functions that gcc split"
cat > parts.c <<- 'END'
	#include <stdio.h>
	#include <stdlib.h>
	volatile int sink;
	void heavy(int *p, int n) /* is called 28 times */
	{
		if (!p)
			return;
		for (int i = 0; i < n; i++) {
			sink += i * n + *p;
			printf("%s", sink == -5 ? "never" : "");
			sink ^= n;
			if (sink == 77777)
				fprintf(stderr, "%d\n", sink);
		}
		sink += abs(sink) % 7;
	}
	int work(int n) /* 27 times */
	{
		if (__builtin_expect(n < 3, 1))
			return n + 1;
		for (int i = 0; i < n; i++) {
			sink += i * n;
			printf("%s", "");
			sink ^= n;
		}
		return sink & 3;
	}
	int once(int n) { return n > 0 ? (n & 1) + once(n - 1) : sink; }
	__attribute__((noinline)) int one(int *p, int n) { heavy(p, n); return work(n) + 3; }
	__attribute__((noinline)) int two(int *p, int n) { heavy(p, 2); return work(n) * 3; }
	int main(int argc, char **argv)
	{
		int sum = 0, nulls = 0, volatile_n = argc;
		for (int i = 0; i < 9; i++) {
			heavy(i & 1 ? &volatile_n : NULL, i);
			sum += work(i) + one(&volatile_n, i) + two(&volatile_n, i);
		}
		heavy(&volatile_n, 3);
		sum += once(argc);
		printf("%d\n", sum);
		return sum < 0;
	}
END
# hits PROBE: all of its places
hits() {
	perf probe -x "./${ME}_p" --try "$ME:hit=$1" -- "./${ME}_p"
	check [ $rc -eq 0 ]
	awk -v event="$ME:hit" '$2 ~ "^" event { sum += $1 } END { print sum + 0 }' out
}
if need_uprobe_events; then
	for flags in -O2 -Os '-O2 -gdwarf-4' '-Os -fno-ipa-sra'; do
		gcc -g $flags -w -o "${ME}_p" parts.c
		got=$(hits work) heavy=$(hits heavy)
		check [ "$got" -ge 23 ] # where it is inlined the compiler moves the code of its beginning
		check [ "$got" -le 27 ]
		check [ "$heavy" -ge 23 ]
		check [ "$heavy" -le 28 ]
		case $flags in -Os*) check [ "$got:$heavy" = 27:28 ] ;; esac
		perf probe -x "./${ME}_p" -D 'heavy%return'
		check [ "$(wc -l < out)" -eq 1 ]
		perf probe -x "./${ME}_p" -D 'heavy:5' # lines are where they are
		check [ $rc -eq 0 ]
		nm "${ME}_p" | grep -q ' heavy.part.0$' || continue
		perf probe -x "./${ME}_p" -D 'heavy.part.0 n' # as it was asked for
		check [ "$(wc -l < out)" -eq 1 ]
		check grep -q ":0x$(nm "${ME}_p" | sed -n 's/^0*\([0-9a-f]*\) t heavy.part.0$/\1/p') n=%" out
		check [ "$(hits heavy.part.0)" -eq 23 ]
	done
fi

step "parts of what a function returns are read by its type"
cat > returned.cc <<- 'END'
	#include <cstdio>
	struct in { short a[3]; unsigned char bits : 3; int *p; const char *name; };
	struct S { int v = 5; in i = { { 1, -2, 3 }, 6, &v, "named" }; S *next = this; __attribute__((noinline)) S *self() { asm volatile("" ::: "memory"); return this; } __attribute__((noinline)) S &ref() { asm volatile("" ::: "memory"); return *this; } };
	struct T { int a, b; };
	struct D : S { int w = 8; };
	__attribute__((noinline)) int *ints(int *p) { asm volatile("" ::: "memory"); return p + 1; }
	__attribute__((noinline)) T pair(int n) { asm volatile("" ::: "memory"); return T { n, n }; }
	__attribute__((noinline)) D *derived(D *d) { asm volatile("" ::: "memory"); return d; }
	__attribute__((noinline)) int plain(int n) { asm volatile("" ::: "memory"); return n; }
	__attribute__((noinline)) void *nothing(int *n) { asm volatile("" ::: "memory"); return n; }
	int main()
	{
		S s; D d; int all[3] = { 10, 20, 30 };
		return !s.self() || s.ref().v < 0 || !ints(all) || pair(3).a < 0 || !derived(&d) || plain(0) || !nothing(all);
	}
END
if need_uprobe_events; then
	for build in g++:-O0 g++:-O2 clang++:-O0 clang++:-O2; do
		IFS=: read -r compiler level <<< "$build"
		command -v "$compiler" > /dev/null && "$compiler" -g "$level" -w -o "${ME}_r" returned.cc 2> build.log || continue
		tried "${ME}_r" 'S::self%return $retval->v $retval->i.a $retval->i.a[1] $retval->i.bits $retval->i.p[0] $retval->next->v $retval->i.name:string x=$retval->v:u8' \
			'v=5 a={1,-2,3} a_2=-2 bits=6 p=5 v_2=5 name="named" x=5'
		tried "${ME}_r" 'S::ref%return $retval.v w=$retval->v' 'v=5 w=5'
		tried "${ME}_r" 'ints%return $retval[1] first=$retval[0] $retval[-1]:x' 'retval=30 first=20 retval_2=0xa'
		tried "${ME}_r" 'derived%return $retval->w $retval->v' 'w=8 v=5'
		for refused in 'S::self $retval->v:probe its %return' 'S::self%return $retval->vv:did you mean .v.' 'S::self%return $retval.v:taken with ->' \
			'pair%return $retval.a:it is a struct' 'plain%return $retval->a:is no pointer' 'plain%return $retval[1]:is no array or pointer' \
			'nothing%return $retval->a:points to void'; do
			perf probe -x "./${ME}_r" -D "${refused%:*}"
			check [ $rc -ne 0 ]
			check [ ! -s out ]
			check grep -q -- "${refused##*:}" err
		done
	done
	perf probe -x "./${ME}_r" -D 'S::self%return $retval'
	check grep -q ' \$retval$' out
fi

step "a lambda's full name is that of one function, with its variables"
cat > lambdas.cc <<- 'END'
	#include <cstdio>
	#include <functional>
	#ifdef __clang__
	#define NI __attribute__((noinline, optnone))
	#else
	#define NI __attribute__((noipa))
	#endif
	struct P { NI int operator()(int n) const { return n * 2; } };
	namespace shop {
		namespace { struct Hidden { NI int hid(int n) { return n * 9; } }; }
		struct V { NI int operator()(int k) { return k + 1; } };
		inline namespace v2 { NI int ver(int n) { return n * 5; } }
		struct Rect { int w; NI int area(int n) { return w * n; } };
	}
	namespace { struct Hidden { NI int hid(int n) { return n * 7; } }; }
	NI int use(const std::function<int(int)> &f, int n) { return f(n); }
	int main(int argc, char **argv)
	{
		int h = argc + 40, sum = 0;
		auto one = [&](int y) __attribute__((noinline)) { asm volatile("" ::: "memory"); return y * h; };
		auto two = [&](long y) __attribute__((noinline)) { asm volatile("" ::: "memory"); return y + h; };
		shop::V s; P p; shop::Hidden hidden; shop::Rect r { 3 }; Hidden other;

		for (int i = 0; i < 5; i++)
			sum += two(7);
		return one(6) + use([](int n) { return n * 3; }, 4) + sum + s(3) + p(3) + p(4) + hidden.hid(2) + other.hid(3) + other.hid(4) + r.area(2) + shop::ver(3) < 0;
	}
END
if need_uprobe_events; then
	for build in g++:-O0 g++:-O2 clang++:-O0; do
		IFS=: read -r compiler level <<< "$build"
		command -v "$compiler" > /dev/null && "$compiler" -g "$level" -w -o "${ME}_p" lambdas.cc 2> build.log || continue
		if [ "$compiler" = g++ ]; then
			check [ "$(hits 'main::{lambda(int)#1}::operator()')" = 1 ]
			check [ "$(hits 'main::{lambda(long)#2}::operator()')" = 5 ]
			check [ "$(hits 'main::{lambda(long)#2}::operator():0')" = 5 ]
			tried "${ME}_p" 'main::{lambda(int)#1}::operator() y __closure->__h' 'y=6 __h=41'
			perf probe -x "./${ME}_p" -V 'main::{lambda(int)#1}::operator()'
			check grep -qx '		int	y' out
		fi
		check [ "$(hits 'shop::V::operator()')" = 1 ]
		check [ "$(hits 'P::operator()')" = 2 ]
		check [ "$(hits 'shop::(anonymous namespace)::Hidden::hid')" = 1 ]
		check [ "$(hits 'shop::*::Hidden::hid')" = 1 ]
		check [ "$(hits '(anonymous namespace)::Hidden::hid')" = 2 ]
		check [ "$(hits '*::hid')" = 3 ]
	done
fi

step "an optimized function is probed at its entry, also where its variables stay in registers"
cat > registers.c <<- 'END'
	#include <stdio.h>
	#include <stdlib.h>
	struct n { struct n *next; int v; };
	__attribute__((noinline)) int cnt2(struct n *p) { int c = 0; while (p) { c++; p = p->next; asm volatile("" ::: "memory"); } return c; }
	__attribute__((noinline)) int twice(int a) { return a * 2; }
	__attribute__((noinline)) int none(void) { return rand(); }
	__attribute__((noinline)) int loop(int n) { int s = 0; for (int i = 0; i < n; i++) { s += i * n; asm volatile("" : "+r"(s)); } return s; }
	int main(int argc, char **argv)
	{
		struct n a[6] = { { &a[1] }, { &a[2] }, { &a[3] }, { &a[4] }, { &a[5] }, { 0 } };
		printf("%d\n", cnt2(a) + twice(argc) + none() + loop(argc + 5));
		return 0;
	}
END
cat > registers.rs <<- 'END'
	use std::hint::black_box;
	struct N<'a> { next: Option<&'a N<'a>>, v: u32 }
	#[inline(never)] fn cnt(mut p: Option<&N>) -> u32 { let mut c = 0; while let Some(n) = p { c += black_box(n.v); p = n.next; } c }
	#[inline(never)] fn gen<T: Copy>(n: T, m: u32) -> T { let mut i = 0; while i < m { i += black_box(1); } black_box(n) }
	fn main() { let a = N { next: None, v: 1 }; let b = N { next: Some(&a), v: 2 }; let c = N { next: Some(&b), v: 3 }; println!("{} {} {}", cnt(Some(&c)), gen::<f32>(2.0, 5), gen::<u32>(2, 5)); }
END
# one PROBE: it is hit once, at the entry
one() {
	check [ "$(hits "$1")" = 1 ]
	refute grep -q 'without optimization' err
}
if need_uprobe_events; then
	for build in clang:-O1 'clang:-O2 -gdwarf-4' 'clang:-O2 -gdwarf-5' gcc:-O1 gcc:-O2; do
		IFS=: read -r compiler flags <<< "$build"
		command -v "$compiler" > /dev/null && "$compiler" -g $flags -w -o "${ME}_p" registers.c || continue
		for probe in 'cnt2 p' 'twice a' 'loop n'; do
			one "$probe"
		done
		if [ "$compiler" = clang ]; then # the negative control
			clang -g -O0 -w -o "${ME}_p" registers.c
			check [ "$(hits 'cnt2 p')" = 1 ]
			check grep -q 'without optimization' err
		fi
	done
	rustup=${RUSTUP_HOME:-$(getent passwd "$(id -u)" | cut -d : -f 6)/.rustup} # HOME is the test's
	if command -v rustc > /dev/null && RUSTUP_HOME=$rustup rustc -g -O registers.rs -o "${ME}_p" 2> rust.log; then
		one 'registers::cnt p'
		one 'gen<u32> n m'
		one 'gen<f32> m'
	fi
fi

step "arrays of variable size, copies passed by reference are no optimization: parameters are read where they are stored"
cat > variable.c <<- 'END'
	#include <stdio.h>
	#include <string.h>
	__attribute__((noinline)) int v1(int n) { char buf[n]; memset(buf, 1, n); printf("v1 n=%d\n", n); return buf[n - 1]; }
	__attribute__((noinline)) int v2(int n)
	{
		int al[8] __attribute__((aligned(64)));
		typedef char row[n];
		row buf;
		memset(buf, 1, n);
		al[0] = n;
		printf("v2 n=%d\n", al[0]);
		return buf[n - 1];
	}
	__attribute__((noinline)) int v3(int m, int n) { int a[m][n]; memset(a, 0, sizeof(a)); printf("v3 n=%d\n", n); return a[0][0]; }
	__attribute__((noinline)) int v4(long n) { while (n > 5) { char b[n]; memset(b, 2, n); n -= b[0]; } printf("v4 n=%ld\n", n); return n; }
	int main(void) { return !(v1(7) + v2(9) + v3(3, 5) + v4(5)); }
END
if need_uprobe_events; then
	for build in clang:-O0 'clang:-O0 -fsanitize=address' 'clang:-O0 -gdwarf-4' gcc:-O0 clang:-O2 gcc:-O2; do
		IFS=: read -r compiler flags <<< "$build"
		command -v "$compiler" > /dev/null && "$compiler" -g $flags -w -o "${ME}_p" variable.c || continue
		for i in 1 2 3 4; do
			check [ "$(hits "v$i n")" = 1 ]
			check [ "$(sed -n 's/.*: ([0-9a-f]*) \(n=.*\)/\1/p' out | tail -n 1 | tr -d ' ')" = "$(sed -n "s/^v$i //p" out)" ]
			refute grep -q 'is in the frame' err
		done
	done
	cat > passed.cc <<- 'END'
		#include <stdio.h>
		struct H { int a; H(int a) : a(a) { } H(const H &h) : a(h.a) { } };
		__attribute__((noinline)) int many(int a, int b, int c, int d, int e, int f, int g, H h, long i) { printf("many a=%d g=%d a_2=%d i=%ld\n", a, g, h.a, i); return g; }
		__attribute__((noinline)) int only(H h) { printf("only a=%d\n", h.a); return h.a; }
		int main(void) { H h(6); return many(1, 2, 3, 4, 5, 6, 77, h, 88) + only(h) == 0; }
	END
	for level in -O0 -O2; do
		command -v clang++ > /dev/null && clang++ -g $level -w -o "${ME}_p" passed.cc || continue
		check [ "$(hits 'many a g h.a i')" = 1 ]
		if [ $level = -O0 ]; then # with -O2 clang tells of the frame's end, which a warning says
			check [ "$(grep -c 'a=1 g=77 a_2=6 i=88' out)" = 2 ]
		fi
		check [ "$(hits 'only h.a')" = 1 ]
		check [ "$(grep -c ' a=6' out)" = 2 ]
	done
fi

step "a function that begins with a loop, without optimization: each round is a hit, which is said"
cat > loops.c <<- 'END'
	#include <stdio.h>
	__attribute__((noinline)) int len(const char *s) { while (*s) s++; return s[0]; }
	__attribute__((noinline)) int gcd(int a, int b)
	{
		while (b) {
			int t = a % b;
			a = b;
			b = t;
		}
		return a;
	}
	__attribute__((noinline)) int rounds(int n) { do n--; while (n > 0); return n; }
	__attribute__((noinline)) int later(int n) { int s = 0; while (n) s += n--; return s; }
	int main(void) { return len("hello") + gcd(1071, 462) + rounds(5) + later(5) == 0; }
END
if has capstone && need_uprobe_events; then
	for compiler in gcc clang; do
		command -v "$compiler" > /dev/null && "$compiler" -g -O0 -w -o "${ME}_p" loops.c || continue
		for probe in 'len s' 'gcd a b' 'rounds n' 'later n'; do
			count=$(hits "$probe")
			if [ "$count" = 1 ]; then
				refute grep -q 'begins with a loop' err
			else
				check grep -q "^Warning: '${probe%% *}' begins with a loop" err
				check grep -qF "'${probe%% *}+0' is hit once in a call" err
				check [ "$(hits "${probe%% *}+0")" = 1 ]
			fi
			case $compiler:$probe in
			*later* | gcc:gcd* | gcc:len*) check [ "$count" = 1 ] ;;
			*) check [ "$count" -gt 3 ] ;;
			esac
		done
	done
fi

step "operators of C++: returns, offsets and templates of them"
cat > operators.cc <<- 'END'
	#define NI __attribute__((noinline))
	struct Op { int v; NI Op operator+(const Op &o) const { return Op{v + o.v}; } NI Op &operator++() { v++; return *this; } NI Op operator%(int n) { return Op{v % n}; } NI Op &operator%=(int n) { v %= n; return *this; } NI Op *operator->() { return this; } NI bool operator>>(int n) { return v >> n; } NI Op operator-() { return Op{-v}; } template <class T> NI int operator<<(T n) { return v << n; } };
	int main(int argc, char **argv) { Op a{argc}, b{2}; ++a; a %= 7; return (a + b).v + (-a).v + (a % 3).v + a->v + (a >> 1) + (a << 2) == 99; }
END
g++ -g -O0 -o "${ME}_p" operators.cc
for own in '+' '++' '%' '%=' '->' '>>' '-' '<<<int>'; do
	entry=$(nm -C "${ME}_p" | awk -v own="Op::operator$own(" '{ address = $1; gsub(" ", ""); if (index($0, own)) { sub("^0*", "", address); print address; exit } }')
	check [ -n "$entry" ]
	for part in '' %return +0 :0; do
		perf probe -x "./${ME}_p" -D "Op::operator$own$part"
		check [ $rc -eq 0 ]
		check grep -q ":0x$entry\$" out
		check [ "$(wc -l < out)" -eq 1 ]
	done
done

step "structs that gcc's address sanitizer copies late: said, with the place where they are right"
cat > copied.c <<- 'END'
	#include <stdio.h>
	struct small { int a; short b; }; struct large { long a[5]; };
	__attribute__((noinline)) int f1(struct small s, int n) { printf("f1 a=%d\n", s.a); return s.a + n + *&s.b; }
	__attribute__((noinline)) int f2(int n, struct small s) { int k[n]; k[0] = s.a; printf("f2 a=%d\n", s.a); return k[0]; }
	int main(void) { struct small s = { -5, 3 }; return f1(s, 3) + f2(4, s) == 0; }
END
if need_uprobe_events && gcc -g -O0 -w -fsanitize=address -o "${ME}_p" copied.c 2> build.log; then
	for function in f1 f2; do
		check [ "$(hits "$function n")" = 1 ]
		refute grep -q sanitizer err
		check [ "$(hits "$function s.a")" = 1 ]
		if grep -q ': ([0-9a-f]*) a=-5 *$' out; then continue; fi # this gcc copies sooner
		check grep -q "^Warning: 's' is a struct that the address sanitizer copies behind this place" err
		place=$(sed -n "s/.*: probe '\($function+[0-9]*\)'$/\1/p" err)
		check [ "$(hits "$place s.a")" = 1 ]
		check grep -q ': ([0-9a-f]*) a=-5 *$' out
	done
fi

step "all functions of a name are probed, those of objects without debug information, too"
cat > bare.c <<- 'END'
	#include <stdio.h>
	__attribute__((noinline)) static int helper(int n) { printf("helper %d\n", n); return n + 1; }
	#ifdef MAIN
	int other(int n);
	int main(void) { return helper(1) + other(2) == 0; }
	#else
	int other(int n) { return helper(n) + helper(n + 1); }
	#endif
END
cat > bare.cc <<- 'END'
	#include <stdio.h>
	namespace { __attribute__((noinline)) int helper(int n) { printf("helper %d\n", n); return n + 1; } }
	int other(int n);
	#ifdef MAIN
	int main() { return helper(1) + other(2) == 0; }
	#else
	int other(int n) { return helper(n) + helper(n + 1); }
	#endif
END
if need_uprobe_events; then
	for source in bare.c bare.cc; do
		g++ -w -x "$([ $source = bare.c ] && echo c || echo c++)" -g -O1 -DMAIN -c $source -o main.o
		g++ -w -x "$([ $source = bare.c ] && echo c || echo c++)" -O1 -c $source -o other.o
		g++ -o "${ME}_p" main.o other.o
		name=helper
		[ $source = bare.c ] || name='(anonymous namespace)::helper'
		for part in '' %return; do
			check [ "$(hits "$name$part")" = 3 ]
			check [ "$(grep -c '^helper' out)" = 3 ]
		done
		check [ "$(hits "$name n")" = 1 ]
		check grep -q 'is also in 1 object without debug information' err
		check [ "$(hits main)" = 1 ]
		refute grep -q 'without debug information' err
	done
fi

step "without the file that dwz moved types to, that is said, and no type is made up"
if command -v dwz > /dev/null; then
	cat > moved.c <<- 'END'
		#include <stdio.h>
		struct pair { int a; long b; char text[20]; }; typedef struct pair pair_t; typedef signed int number_t;
		__attribute__((noinline)) int neg(int i, number_t n, short s, pair_t *p) { return printf("%d %d %d %d\n", i, n, s, p->a); }
		__attribute__((noinline)) void none(int i) { printf("%d\n", i); }
		int main(int argc, char **argv) { struct pair p = { argc, EXTRA }; none(EXTRA); return neg(-2, -2, -2, &p) < 0; }
	END
	for extra in 1 2 3; do
		gcc -g -O2 -w -DEXTRA=$extra -o "${ME}_z$extra" moved.c
	done
	check dwz -m "${ME}_common" "${ME}_z1" "${ME}_z2" "${ME}_z3"
	perf probe -x "./${ME}_z1" -D 'neg i n s p->a'
	check [ $rc -eq 0 ]
	check grep -q ' i=%di:s32 n=%si:s32 s=%dx:s16 a=+0(%cx):s32$' out
	check [ ! -s err ]
	perf probe -x "./${ME}_z1" -D 'neg%return $retval'
	check grep -q '=*\$retval:s32$' out
	mv "${ME}_common" gone
	for probe in 'neg i' 'neg p->a' 'neg%return $retval' 'neg i:u'; do
		perf probe -x "./${ME}_z1" -D "$probe"
		check [ $rc -ne 0 ]
		check [ ! -s out ]
		check grep -q "that cannot be read$" err
		check grep -q "^Warning: cannot read the common debug information '.*${ME}_common'" err
		refute grep -qE 'is no pointer|returns nothing' err
	done
	perf probe -x "./${ME}_z1" -D 'neg i:s32'
	check [ $rc -eq 0 ]
	check grep -q ' i_s32=%di:s32$' out
	check grep -q "^Warning: cannot read the common debug information '.*${ME}_common'" err
	perf probe -x "./${ME}_z1" -V neg
	check grep -q "^Warning: cannot read the common debug information" err
	check grep -q '(unknown_type)	i$' out
	perf probe -x "./${ME}_z1" -D 'none%return $retval'
	check grep -q 'returns nothing' err
else
	skip "no dwz"
fi

step "a name that leaves namespaces or classes out is told the whole ones"
for build in g++:-O0 g++:-O2; do
	IFS=: read -r compiler level <<< "$build"
	"$compiler" -g "$level" -w -o "${ME}_p" lambdas.cc 2> build.log || continue
	for pair in 'Rect::area=shop::Rect::area' 'shop::ver=shop::v2::ver' 'shop::Hidden::hid=shop::(anonymous namespace)::Hidden::hid' 'V::operator()=shop::V::operator()'; do
		perf probe -x "./${ME}_p" -D "${pair%%=*}"
		check [ $rc -ne 0 ]
		check grep -qF "did you mean '${pair#*=}'?" err
		perf probe -x "./${ME}_p" -D "${pair#*=}"
		check [ $rc -eq 0 ]
	done
	perf probe -x "./${ME}_p" -D 'shop::V::operator int'
	check [ $rc -ne 0 ]
	check grep -qF "a blank in a name is written with a backslash: 'shop::V::operator\ int'" err
	perf probe -x "./${ME}_p" --funcs='main::*lambda\(int\)#1}*'
	check grep -qx 'main::{lambda(int)#1}::operator()' out
	check [ "$(wc -l < out)" -eq 1 ]
done

step "members of standard types are those that the program uses; a set of variables may be named twice"
cat > standard.cc <<- 'END'
	#include <cstdio>
	#include <memory>
	#include <tuple>
	struct W { int w; };
	struct Del { int d = 0; void operator()(W *p) { delete p; } };
	__attribute__((noinline)) int look(std::unique_ptr<W> &p, std::unique_ptr<W, Del> &q, std::tuple<int, W> &t) { asm volatile("" ::: "memory"); return p->w + q->w + std::get<0>(t); }
	int main() { std::unique_ptr<W> p(new W { 17 }); std::unique_ptr<W, Del> q(new W { 18 }); std::tuple<int, W> t(5, W { 6 }); return look(p, q, t) == 0; }
END
if need_uprobe_events && g++ -g -O2 -w -o "${ME}_u" standard.cc 2> build.log; then
	tried "${ME}_u" 'look p._M_t._M_t._M_head_impl->w w=q._M_t._M_t._M_head_impl->w first=t._M_head_impl' 'w=17 w_2=18 first=5'
	perf probe -x "./${ME}_u" -D 'look $params'
	sed 's/^p:[^ ]* *//' out > want
	for sets in '$params $params' '$vars $params' 'p q t $params'; do
		perf probe -x "./${ME}_u" -D "look $sets"
		check [ $rc -eq 0 ]
		check diff <(sed 's/^p:[^ ]* *//' out) want
	done
fi

step "what is no code, or inside an instruction, is no place"
gcc -g -O2 -w -o "${ME}_d" parts.c
for address in 0 40 "$(nm "${ME}_d" | sed -n 's/ B sink$//p')" "$(nm "${ME}_d" | sed -n 's/ R _IO_stdin_used$//p')" 10000000; do
	perf probe -x "./${ME}_d" -D "0x$address"
	check [ $rc -eq 254 ]
	check grep -q "is no address of code in" err
done
perf probe -x "./${ME}_d" -D "0x$(nm "${ME}_d" | sed -n 's/ T main$//p')"
check [ $rc -eq 0 ]
cp "${ME}_d" "${ME}_ds" && strip "${ME}_ds"
perf probe -x "./${ME}_ds" -D "0x$(nm "${ME}_d" | sed -n 's/ T main$//p')"
check [ $rc -eq 0 ]
for machine in riscv64 aarch64; do
	command -v $machine-linux-gnu-gcc > /dev/null && $machine-linux-gnu-gcc -g -O1 -w -o "${ME}_m" parts.c 2> build.log || continue
	$machine-linux-gnu-objdump -d "${ME}_m" | sed -n '/<one>:$/,/^$/s/^ *\([0-9a-f]*\):.*/0x\1/p' > starts
	first=$(head -n 1 starts) last=$(tail -n 1 starts)
	check [ "$(wc -l < starts)" -gt 8 ]
	for ((at = first; at <= last; at++)); do
		perf probe -x "./${ME}_m" -D "one+$((at - first))"
		if grep -qx "$(printf '0x%x' $at)" starts; then
			check [ $rc -eq 0 ]
		else
			check [ $rc -eq 234 ]
			check grep -q 'inside an instruction' err
		fi
	done
done

finish
