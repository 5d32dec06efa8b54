// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/symbol/demangle.h"

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
