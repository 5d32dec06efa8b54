// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/symtab/demangle.h"

#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/unit.h"

static void check(const char *name, const char *want)
{
	char *got = demangle(name);

	if (want)
		CHECK_STR(got, want);
	else
		CHECK(!got);
	free(got);
}

TEST(demangle_leaves_plain_names)
{
	check("main", NULL);
	check("", NULL);
	check("_", NULL);
	check("_init", NULL);
	check("caml_c_call", NULL);
	check("__x64_sys_read", NULL);
}

TEST(demangle_ocaml)
{
	check("camlFoo__bar_123", "Foo.bar_123");
	check("camlStdlib__List__map_45", "Stdlib.List.map_45");
	check("camlFoo__bar$2a_12", "Foo.bar*_12");
	check("camlFoo__$xx_1", "Foo.$xx_1");
	check("camlFoo__x$", "Foo.x$");
	check("camlFoo__x$2", "Foo.x$2");
}

/* As c++filt -s dlang has them; without parameters first. */
static void check_d(const char *name, const char *want, const char *signature)
{
	char *got = demangle_signature(name);

	check(name, want);
	if (signature)
		CHECK_STR(got, signature);
	else
		CHECK(!got);
	free(got);
}

TEST(demangle_d)
{
	check_d("_Dmain", "D main", "D main");
	check_d("_D1d6Square4areaMxFmZm", "d.Square.area", "d.Square.area(ulong) const");
	check_d("_D1d5outerFmZ5innerMFNaNbNiNfmZm", "d.outer.inner", "d.outer(ulong).inner(ulong)");
	check_d("_D1d__T3BoxTiZQh4spinMFmZm", "d.Box!(int).Box.spin",
	        "d.Box!(int).Box.spin(ulong)");
	check_d("_D3foo3Bar6__ctorMFiZC3foo3Bar", "foo.Bar.this", "foo.Bar.this(int)");
	check_d("_D3foo3Bar6__dtorMFZv", "foo.Bar.~this", "foo.Bar.~this()");
	check_d("_D3foo3Bar10__postblitMFZv", "foo.Bar.this(this)", "foo.Bar.this(this)");
	check_d("_D3foo3Bar6__initZ", "initializer for foo.Bar", "initializer for foo.Bar");
	check_d("_D3foo__T3BarTiZQh7__ClassZ", "ClassInfo for foo.Bar!(int).Bar",
	        "ClassInfo for foo.Bar!(int).Bar");
	check_d("_D3foo3Bar6__vtblZ", "vtable for foo.Bar", "vtable for foo.Bar");
	check_d("_D3foo3Bar11__InterfaceZ", "Interface for foo.Bar", "Interface for foo.Bar");
	check_d("_D3foo12__ModuleInfoZ", "ModuleInfo for foo", "ModuleInfo for foo");
	check_d("_D3foo6__initFZv", "foo.__init", "foo.__init()");
	check_d("_D8demangle4testFDFNaNbiZvZv", "demangle.test",
	        "demangle.test(void(int) pure nothrow delegate)");
	check_d("_D1a1bFPUiZvDxFZiZv", "a.b",
	        "a.b(extern(C) void(int) function, int() delegate const)");
	check_d("_D8demangle4testFHiAyaZv", "demangle.test",
	        "demangle.test(immutable(char)[][int])");
	check_d("_D8demangle4testFNgiOxPaYv", "demangle.test",
	        "demangle.test(inout(int), shared(const(char*)), ...)");
	check_d("_D8demangle4testFG42PiXv", "demangle.test", "demangle.test(int*[42]...)");
	check_d("_D1a1bFNhG4fNkPiZv", "a.b", "a.b(__vector(float[4]), return int*)");
	check_d("_D4core8lifetime__T11moveEmplaceTiZQqFNaNbNiKiKiZv",
	        "core.lifetime.moveEmplace!(int).moveEmplace",
	        "core.lifetime.moveEmplace!(int).moveEmplace(ref int, ref int)");
	check_d("_D1a1bFZv.part.0", "a.b", "a.b() [clone .part.0]");
	check_d("_D1a13__T3fooVAyaa2_6109Z3fooFZv", NULL, NULL);
	check_d("_D1a__T3fooVAyaa2_6109Vki5Vmi7VbNi1Z3fooFZv", NULL, NULL);
	check_d("_D1a__T3fooVAyaa2_6109Vki5Vmi7Vbi1Vai97VlN3Z3fooFZv",
	        "a.foo!(\"a\\t\", 5u, 7uL, true, 'a', -3L).foo",
	        "a.foo!(\"a\\t\", 5u, 7uL, true, 'a', -3L).foo()");
	for (const char *const *bad =
	             (const char *const[]){ "_DYNAMIC", "_D", "_D1", "_D9ab", "_D1aFQbZv",
	                                    "_D1aFiZ", "_D1a1bFZvx", "_D0", NULL };
	     *bad; bad++)
		check_d(*bad, NULL, NULL);
}

TEST(demangle_d_in_bounded_time)
{
	char name[8192];
	size_t len = snprintf(name, sizeof(name), "_D1aFG1iG1i");

	/* Each type is made of the two before: 2^n of the first. */
	for (unsigned i = 0; len + 32 < sizeof(name) && i < 500; i++)
		len += snprintf(name + len, sizeof(name) - len, "HQeQe");
	snprintf(name + len, sizeof(name) - len, "Zv");
	char *got = demangle_signature(name);

	CHECK(!got || strlen(got) <= 128 * 1024);
	free(got);
	memset(name, 'P', sizeof(name));
	memcpy(name, "_D1aF", 5);
	memcpy(name + sizeof(name) - 4, "iZv", 4);
	check_d(name, NULL, NULL);
}

#ifdef HAVE_DEMANGLE
TEST(demangle_cpp_and_rust_without_parameters)
{
	check("_ZN1N1SIlEC1ERKS1_", "N::S<long>::S");
	check("_ZNK1N1SIlEclEiPl", "N::S<long>::operator()");
	check("_ZplN1N1SIlEEi", "operator+");
	check("_ZN1N4callINS_3lamMUliE_EEEDTclfp_Li1EEET_", "N::call<N::lam::{lambda(int)#1}>");
	check("_Z3foov.cold", "foo");
	check("_Z3fooi.constprop.0.isra.1", "foo");
	check("_ZNSt3mapIiiE1fEv@plt", "std::map<int, int>::f@plt");
	check("_ZTV3foo", "vtable for foo");
	check("_RNvC6_123foo3bar", "123foo::bar");
	check("_ZN4core3fmt9Formatter3pad17h0123456789abcdefE", "core::fmt::Formatter::pad");
	check("_Z", NULL);
	check("_ZN", NULL);
}

static void check_signature(const char *name, const char *want)
{
	char *got = demangle_signature(name);

	CHECK_STR(got, want);
	free(got);
}

TEST(demangle_signatures_have_parameters_and_clones)
{
	check_signature("_ZN1N1SIlEC1ERKS1_", "N::S<long>::S(N::S<long> const&)");
	check_signature("_Z3fooi.constprop.0", "foo(int) [clone .constprop.0]");
	check_signature("_ZNSt3mapIiiE1fEv@plt", "std::map<int, int>::f()@plt");
	check_signature("_ZN4core3fmt9Formatter3pad17h0123456789abcdefE",
	                "core::fmt::Formatter::pad");
}

/* S<0>: pair of ints; S<n>: pair of two S<n-1>. Each level doubles the text. */
TEST(demangle_bombs_stay_mangled)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	char name[4096], *p = name;

	p += sprintf(p, "_Z1fI1PIiiE");
	for (unsigned i = 0; i < 34; i++)
		p += sprintf(p, "S0_IS%c_S%c_E", digits[i + 1], digits[i + 1]);
	strcpy(p, "Evv");
	check(name, NULL);
	p = name + sprintf(name, "_Z1fI1PIiiE"); /* a small one is a name like any other */
	strcpy(p, "S0_IS1_S1_EEvv");
	check(name, "f<P<int, int>, P<P<int, int>, P<int, int> > >");
}
#endif

TEST(demangle_shortens_template_arguments_only)
{
	static const char *const names[][2] = {
		{ "std::map<int, std::less<int> >::find(int const&)",
		  "std::map<...>::find(int const&)" },
		{ "f<a>", "f<a>" }, /* not longer than what would stand for it */
		{ "f<abc, d>", "f<...>" },
		{ "operator<< <char, traits>", "operator<< <char, traits>" },
		{ "std::operator<=><char>(v<long, int>)", "std::operator<=><char>(v<...>)" },
		{ "p<a, &x::operator->, b>::q", "p<...>::q" },
		{ "p<x::operator>, b>::q", "p<...>::q" },
		{ "p<decltype(a->b), long>::q", "p<...>::q" },
		{ "<core::Hasher<S, T> as core::Hash>::write",
		  "<core::Hasher<...> as core::Hash>::write" },
		{ "r::count::<alloc::String>", "r::count::<...>" },
		{ "x::operator()<long, int>(y)", "x::operator()<...>(y)" },
		{ "myoperator<long, int>", "myoperator<...>" },
		{ "open<never, closed", "open<never, closed" },
		{ "", "" },
		{ "<", "<" },
		{ "operator", "operator" },
	};

	for (unsigned i = 0; i < ARRAY_SIZE(names); i++) {
		char *name = strdup(names[i][0]);

		demangle__shorten(name);
		CHECK_STR(name, names[i][1]);
		free(name);
	}
}
