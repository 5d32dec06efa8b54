// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/symtab/demangle.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/unit.h"
#include "util/symtab/demangle_d.h"

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
/* As libiberty (c++filt -s dlang) has them: with parameters in either form. */
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
	static const char *const names[][2] = {
		{ "_Dmain", "D main" },
		{ "_D1d6Square4areaMxFmZm", "d.Square.area(ulong) const" },
		{ "_D1d5outerFmZ5innerMFNaNbNiNfmZm", "d.outer(ulong).inner(ulong)" },
		{ "_D1d__T3BoxTiZQh4spinMFmZm", "d.Box!(int).Box.spin(ulong)" },
		{ "_D3foo3Bar6__ctorMFiZC3foo3Bar", "foo.Bar.this(int)" },
		{ "_D3foo3Bar6__initZ", "initializer for foo.Bar" },
		{ "_D8demangle4testFDFNaNbiZvZv",
		  "demangle.test(void(int) pure nothrow delegate)" },
		{ "_D4core8lifetime__T11moveEmplaceTiZQqFNaNbNiKiKiZv",
		  "core.lifetime.moveEmplace!(int).moveEmplace(ref int, ref int)" },
		{ "_D1a1bFZv@plt", "a.b()@plt" },
	};

	for (unsigned i = 0; i < ARRAY_SIZE(names); i++)
		check_d(names[i][0], names[i][1], names[i][1]);
	check_d("_D1a1bFZv.part.0", "a.b()", "a.b() [clone .part.0]");
	for (const char *const *bad =
	             (const char *const[]){ "_DYNAMIC", "_D", "_D1", "_D9ab", "_D1aFQbZv",
	                                    "_D1aFiZ", "_D1a1bFZvx", "_D0",
	                                    "_D1a13__T3fooVAyaa2_6109Z3fooFZv", NULL };
	     *bad; bad++)
		check_d(*bad, NULL, NULL);
}

/* @head, @piece as often as fits into @len bytes, and @tail. */
static char *repeat(const char *head, const char *piece, const char *tail, size_t len)
{
	char *name = malloc(len + 1);
	size_t at = sprintf(name, "%s", head);

	while (at + strlen(piece) + strlen(tail) <= len)
		at += sprintf(name + at, "%s", piece);
	strcpy(name + at, tail);
	return name;
}

/* What each is made of is read in two ways and more, or stands for the two before: 2^n of the
 * first. */
TEST(demangle_d_in_bounded_time_and_memory)
{
	static const char *const names[][3] = {
		{ "_D1aFG1iG1i", "HQeQe", "Zv" },    { "_D1aF", "C1aF", "iZv" },
		{ "_D", "__T1aS11", "iZv" },         { "_D", "__T1aS1111111", "iZv" },
		{ "_D", "__T1aVif_D", "1aZZ" },      { "_D1aF", "U", "iZv" },
		{ "_D1a__T1bFG1iG1i", "HQeQe", "" }, { "_D1aFS1bF", "DFC1aF", "iZv" },
	};

	for (unsigned i = 0; i < ARRAY_SIZE(names); i++)
		for (size_t len = 150; len <= DEMANGLE_D_MAX; len += DEMANGLE_D_MAX / 4) {
			char *name = repeat(names[i][0], names[i][1], names[i][2], len);
			char *got = demangle_signature(name);

			CHECK(!got || strlen(got) <= 128 * 1024);
			free(got);
			free(name);
		}
}

struct nest {
	const char *piece, *tail;
	size_t len;
	char *got;
};

static void *demangle_nest(void *arg)
{
	struct nest *nest = arg;
	char *name = repeat("_D1aF", nest->piece, nest->tail, nest->len);

	nest->got = demangle(name);
	free(name);
	return NULL;
}

#ifdef __SANITIZE_THREAD__
#define OTHERS_STACK (8 << 20) /* TSan's own, and its larger frames */
#else
#define OTHERS_STACK 0
#endif

/* As deep as it goes, with the stack that is promised to be enough. */
TEST_WITH_THREADS(demangle_d_in_bounded_stack)
{
	static const char *const pieces[] = { "P",  "F",    "PF",        "U", "H",
		                              "DF", "C1aF", "S1a__T1bT", "AV" };
	pthread_attr_t attr;
	pthread_t thread;

	CHECK_EQ(pthread_attr_init(&attr), 0);
	CHECK_EQ(pthread_attr_setstacksize(&attr, OTHERS_STACK + (1 << 20)), 0);
	for (unsigned i = 0; i < ARRAY_SIZE(pieces); i++)
		for (size_t over = 0; over < 2; over++) {
			struct nest nest = { pieces[i], "iZv", DEMANGLE_D_MAX + over, NULL };

			CHECK_EQ(pthread_create(&thread, &attr, demangle_nest, &nest), 0);
			CHECK_EQ(pthread_join(thread, NULL), 0);
			if (!i)
				CHECK(over ? !nest.got
				           : nest.got && !strncmp(nest.got, "a(int***", 8));
			free(nest.got);
		}
	pthread_attr_destroy(&attr);
}
#endif

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
