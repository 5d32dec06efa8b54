// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/fetch/definition.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/unit.h"
#include "util/fetch/place_text.h"
#include "util/lib/out.h"
#include "util/options/name_filter.h"
#include "util/probe/probe_events.h"

static const char *or_dash(const char *s)
{
	return s ? s : "-";
}

/* All of a definition in one line, or its refusal. */
static const char *parsed(const char *text)
{
	static struct out out;
	struct probe_definition def;
	struct error err = ERROR_INIT;

	if (out.buf)
		out__exit(&out);
	out__init(&out, -1);
	if (probe_definition__parse(&def, text, &err)) {
		CHECK_EQ(err.code, -EINVAL);
		out__printf(&out, "refused: %s", err.cause);
	} else if (def.point) {
		out__printf(&out, "%s/%s sdt %s:%s", or_dash(def.group), or_dash(def.event),
		            or_dash(def.provider), def.point);
	} else {
		char *place = probe_place__text(&def.place);

		out__printf(&out, "%s/%s %s %s", or_dash(def.group), or_dash(def.event), place,
		            or_dash(def.place.lazy));
		free(place);
	}
	for (u32 i = 0; !err.code && i < def.nr_args; i++) {
		char *name = probe_arg__name(&def.args[i]);

		out__printf(&out, " | %s = %s", or_dash(name), or_dash(def.args[i].variable));
		for (u32 j = 0; j < def.args[i].nr_fields; j++) {
			const struct probe_field *field = &def.args[i].fields[j];

			if (field->name)
				out__printf(&out, "%s%s", field->by_pointer ? "->" : ".",
				            field->name);
			else
				out__printf(&out, "[%lld]", (long long)field->index);
		}
		out__printf(&out, ":%s%s", or_dash(def.args[i].type),
		            def.args[i].user ? " user" : "");
		free(name);
	}
	probe_definition__exit(&def);
	return out__take(&out);
}

TEST(probe_definition_places)
{
	CHECK_STR(parsed("f"), "-/- f -");
	CHECK_STR(parsed("  f  "), "-/- f -");
	CHECK_STR(parsed("e=f"), "-/e f -");
	CHECK_STR(parsed("g:e=f+0x10"), "g/e f+16 -");
	CHECK_STR(parsed("f:12"), "-/- f:12 -");
	CHECK_STR(parsed("f:0"), "-/- f -");
	CHECK_STR(parsed("f%return"), "-/- f%return -");
	CHECK(strncmp(parsed("f%return1"), "refused", 7) != 0);
	CHECK(strncmp(parsed("f%return4096"), "refused", 7) != 0);
	CHECK_STR(parsed("f@dir/a.c:3"), "-/- f:3@dir/a.c -");
	CHECK_STR(parsed("f+4@a.c"), "-/- f+4@a.c -");
	CHECK_STR(parsed("a.c:3"), "-/- @a.c:3 -");
	CHECK_STR(parsed("a.c;x=*+1:2"), "-/- @a.c x=*+1:2");
	CHECK_STR(parsed("f;a@b"), "-/- f a@b");
	CHECK_STR(parsed("0x12ff"), "-/- 0x12ff -");
	CHECK_STR(parsed("ns::C::f:2"), "-/- ns::C::f:2 -");
	CHECK_STR(parsed("e=ns::f"), "-/e ns::f -");
	CHECK_STR(parsed("f\\@V_2.1"), "-/- f@V_2.1 -");
	CHECK_STR(parsed("a\\+b.c:4"), "-/- @a+b.c:4 -");
	CHECK_STR(parsed("m*"), "-/- m* -");
	CHECK_STR(parsed("%sdt_p:x"), "-/- sdt p:x");
	CHECK_STR(parsed("sdt_p:x"), "-/- sdt p:x");
	CHECK_STR(parsed("%x"), "-/- sdt -:x");
	CHECK_STR(parsed("g:e=%sdt_p:x"), "g/e sdt p:x");
}

TEST(probe_definition_names_with_brackets)
{
	CHECK_STR(parsed("sum<int, 3> arr"), "-/- sum<int, 3> - | arr = arr:-");
	CHECK_STR(parsed("(anonymous namespace)::f:2 x"),
	          "-/- (anonymous namespace)::f:2 - | x = x:-");
	CHECK_STR(parsed("e=a<b<c, d> >::f%return"), "-/e a<b<c, d> >::f%return -");
	CHECK_STR(parsed("ns::C::over(int, char)+8@a.c n"),
	          "-/- ns::C::over(int, char)+8@a.c - | n = n:-");
	CHECK_STR(parsed("f(int)::{lambda(auto:1, int)#1}::operator() v"),
	          "-/- f(int)::{lambda(auto:1, int)#1}::operator() - | v = v:-");
	CHECK_STR(parsed("<T as some::Trait>::f:1"), "-/- <T as some::Trait>::f:1 -");
	CHECK_STR(parsed("f[abi:cxx11]:3"), "-/- f[abi:cxx11]:3 -");
	CHECK_STR(parsed("C::operator<< v"), "-/- C::operator<< - | v = v:-");
	CHECK_STR(parsed("C::operator< a->b"), "-/- C::operator< - | b = a->b:-");
	CHECK_STR(parsed("C::operator-> a->b"), "-/- C::operator-> - | b = a->b:-");
	CHECK_STR(parsed("C::operator+ v"), "-/- C::operator+ - | v = v:-");
	CHECK_STR(parsed("C::operator+=:1"), "-/- C::operator+=:1 -");
	CHECK_STR(parsed("operator new n"), "-/- operator new - | n = n:-");
	CHECK_STR(parsed("operator delete[]%return"), "-/- operator delete[]%return -");
	CHECK_STR(parsed("operator newer"), "-/- operator - | newer = newer:-");
	CHECK_STR(parsed("C::operator\\ int v"), "-/- C::operator int - | v = v:-");
	CHECK_STR(parsed("X<&C::operator<, 2>::f v"), "-/- X<&C::operator<, 2>::f - | v = v:-");
	CHECK_STR(parsed("X<(a>b), 2>::f v"), "-/- X<(a>b), 2>::f - | v = v:-");
}

/* Functions of C, lines and patterns are what they were. */
TEST(probe_definition_brackets_elsewhere)
{
	CHECK_STR(parsed("f_loop n"), "-/- f_loop - | n = n:-");
	CHECK_STR(parsed("operator+8"), "-/- operator+8 -");
	CHECK_STR(parsed("operator=f"), "-/operator f -");
	CHECK_STR(parsed("operator%return"), "-/- operator%return -");
	CHECK_STR(parsed("f;if(a<b c"), "-/- f if(a<b | c = c:-");
	CHECK_STR(parsed("f;x(a b"), "-/- f x(a | b = b:-");
	CHECK_STR(parsed("a.c;f(1, 2)"), "refused: an argument begins with a letter, _ or one of "
	                                 "%$@+-\\");
	CHECK_STR(parsed("f@d(1.c:2 x"), "-/- f:2@d(1.c - | x = x:-");
	CHECK_STR(parsed("f<a n +8(%di)"), "-/- f<a - | n = n:- | - = -:-");
	CHECK_STR(parsed("f(a n"), "-/- f(a - | n = n:-");
	CHECK_STR(parsed("f a->b c"), "-/- f - | b = a->b:- | c = c:-");
	CHECK_STR(parsed("f[a-c]*:2 n"), "-/- f[a-c]*:2 - | n = n:-");
}

TEST(probe_definition_takes_names_that_are_offered)
{
	static const char *const names[] = {
		"f",
		"sum<int, 3>",
		"C::operator+",
		"C::operator int",
		"operator new[]",
		"strlen@plt",
		"a=b",
		"f(a:b) const",
		"f[abi:cxx11]",
		"C::operator->",
		"x<y",
		"%a;b+c:d",
		"f<'\\n'>",
		"a\\b",
	};

	for (u32 i = 0; i < ARRAY_SIZE(names); i++) {
		char *text = place_text__of_name(names[i]), *whole = xasprintf("%s:7 v", text);
		struct probe_definition def;

		CHECK_EQ(probe_definition__parse(&def, whole, NULL), 0);
		CHECK_STR(def.place.function, names[i]);
		CHECK_EQ(def.place.line, 7);
		CHECK_EQ(def.nr_args, 1);
		probe_definition__exit(&def);
		free(whole);
		free(text);
	}
	char *plain = place_text__of_name("ns::C<a, b>::over(int)");

	CHECK_STR(plain, "ns::C<a, b>::over(int)");
	free(plain);
}

TEST(place_text_globs)
{
	static const char *const globs[] = { "f*",   "?",         "f[ab]",     "ns::*::f",
		                             "f<*>", "f<int, *>", "f<*, int>", "C<int>::*" };
	static const char *const plain[] = {
		"f",           "C::operator*",  "C::operator[]",  "f[abi:cxx11]", "f(char*)",
		"C<char*>::f", "<*const T>::f", "f(int (&) [3])", "operator*="
	};

	for (u32 i = 0; i < ARRAY_SIZE(globs); i++)
		CHECK(place_text__is_glob(globs[i]));
	for (u32 i = 0; i < ARRAY_SIZE(plain); i++)
		CHECK(!place_text__is_glob(plain[i]));
	CHECK(place_text__fits("sum<int,3>", "sum<int, 3>"));
	CHECK(place_text__fits("a<b<c>>::f", "a<b<c> >::f"));
	CHECK(!place_text__fits("sum<int>", "sum<int, 3>"));
	CHECK(!place_text__fits("sum", "sum<int, 3>"));
	CHECK(place_text__fits("sum<*>", "sum<int, 3>"));
	CHECK_STR(place_text__last("a<b::c>::d(e::f)"), "d(e::f)");
	CHECK_STR(place_text__last("(anonymous namespace)::f"), "f");
	CHECK_STR(place_text__last("a::parse::<b::C<d>>"), "parse::<b::C<d>>");
	CHECK_STR(place_text__last("<a::B<i64> as c::D>::step"), "step");
}

TEST(probe_definition_arguments)
{
	CHECK_STR(parsed("f a"), "-/- f - | a = a:-");
	CHECK_STR(parsed("f n=a->b.c[2]"), "-/- f - | n = a->b.c[2]:-");
	CHECK_STR(parsed("f a->b.c[2] d[-1]"), "-/- f - | c = a->b.c[2]:- | d = d[-1]:-");
	CHECK_STR(parsed("f a:string a->b:string"),
	          "-/- f - | a_string = a:string | b = a->b:string");
	CHECK_STR(parsed("f a:b3@2/32@user"), "-/- f - | a_b3_2_32 = a:b3@2/32 user");
	CHECK_STR(parsed("f %di:u8 x=$stack2 +8(%si):string"),
	          "-/- f - | - = -:- | x = -:- | - = -:-");
	CHECK_STR(parsed("f \\\"two words\" a"), "-/- f - | - = -:- | a = a:-");
	CHECK_STR(parsed("f ns::v:u8 ::w"), "-/- f - | v_u8 = ns::v:u8 | w = ::w:-");
	CHECK_STR(parsed("f%return $retval->a.b:u8 $retval[2]"),
	          "-/- f%return - | b = $retval->a.b:u8 | retval = $retval[2]:-");
}

TEST(probe_definition_refuses)
{
	static const char *const texts[] = {
		"",           " ",       "=f",        "a-b=f",        "1=f",        "g:=f",
		"a:b:c=f",    "f+",      "f+x",       "f:",           "f:x",        "f:99999999999",
		"f@",         "f@a@b",   "@a.c",      "e=@a.c v",     "f%",         "f%ret",
		"f;",         ";x",      ":3",        "f:1+2",        "f:1;x",      "f+1;x",
		"f%return:1", "%return", "f%return0", "f%return4097", "f%return1x", "0x",
		"0x1g",       "a.c:1+4", "f a->",     "f a.",         "f a[",       "f a[1",
		"f a[x]",     "f a-b",   "f n=",      "f 3x",         "f &a",       "f 1=a",
		"f a:",       "%a-b",    "sdt_:x"
	};

	for (u32 i = 0; i < ARRAY_SIZE(texts); i++)
		if (strncmp(parsed(texts[i]), "refused: ", 9) != 0)
			CHECK_STR(texts[i], "should be refused");
}

TEST(probe_definition_limits)
{
	struct out out;

	out__init(&out, -1);
	out__str(&out, "f");
	for (u32 i = 0; i < 128; i++)
		out__str(&out, " a");
	CHECK(strncmp(parsed(out__take(&out)), "refused", 7) != 0);
	out__str(&out, " a");
	CHECK(!strncmp(parsed(out__take(&out)), "refused", 7));
	out__exit(&out);
	out__init(&out, -1);
	out__str(&out, "f a");
	for (u32 i = 0; i < 65; i++)
		out__str(&out, "[1]");
	CHECK(!strncmp(parsed(out__take(&out)), "refused", 7));
	out__exit(&out);
}

static const char *lines_of(const char *text)
{
	static char buf[200];
	struct probe_lines lines;
	int ret = probe_lines__parse(&lines, text, NULL);

	if (ret)
		snprintf(buf, sizeof(buf), "refused");
	else
		snprintf(buf, sizeof(buf), "%s %s %u %d", or_dash(lines.function),
		         or_dash(lines.file), lines.start, (int)lines.end);
	probe_lines__exit(&lines);
	return buf;
}

TEST(probe_lines_ranges)
{
	CHECK_STR(lines_of("f"), "f - 0 -1");
	CHECK_STR(lines_of("f:3"), "f - 3 -1");
	CHECK_STR(lines_of("f:3-5"), "f - 3 5");
	CHECK_STR(lines_of("f:3+2"), "f - 3 4");
	CHECK_STR(lines_of("f@d/a.c:3"), "f d/a.c 3 -1");
	CHECK_STR(lines_of("a.c:10-12"), "- a.c 10 12");
	CHECK_STR(lines_of("ns::f"), "ns::f - 0 -1");
	CHECK_STR(lines_of("f:"), "refused");
	CHECK_STR(lines_of("f:5-3"), "refused");
	CHECK_STR(lines_of("f:x"), "refused");
	CHECK_STR(lines_of("f@"), "refused");
	CHECK_STR(lines_of(":3"), "refused");
	CHECK_STR(lines_of(""), "refused");
}

TEST(probe_events_of_the_kernel)
{
	static const char text[] = "r8:g/b /a b:c:0x0000000000001220 arg1=$retval\n"
	                           "p:g/a /bin/x:0x1120(0x8) n=%di:s32 m=+0(%si):string\n"
	                           "nonsense\np:g /x:0x1\np:g/c /x\n-:g/a\n";
	struct probe_events events = { .texts = ARENA_INIT };
	char *names;

	probe_events__parse(&events, text, true);
	CHECK_EQ(events.nr, 2);
	CHECK_STR(events.events[0].name, "a");
	CHECK_STR(events.events[0].path, "/bin/x");
	CHECK_EQ(events.events[0].offset, 0x1120);
	CHECK(!events.events[0].is_return && events.events[1].is_return);
	CHECK_STR(events.events[1].path, "/a b:c");
	names = probe_event__arg_names(&events.events[0]);
	CHECK_STR(names, "n m");
	free(names);
	CHECK(probe_events__has(&events, "g", "b") && !probe_events__has(&events, "g", "c"));
	probe_events__parse(&events, "p:probe/f ext4:f+4 a=%ax\np:probe/h _text+12", false);
	CHECK_EQ(events.nr, 4);
	CHECK_STR(events.events[1].symbol, "f");
	CHECK_STR(events.events[1].module, "ext4");
	CHECK_EQ(events.events[1].offset, 4);
	CHECK_EQ(events.events[2].offset, 12);
	probe_events__exit(&events);
}

TEST(name_filter_of_globs)
{
	CHECK(name_filter__passes("a*", "ab") && !name_filter__passes("a*", "b"));
	CHECK(name_filter__passes("!_* & !*@plt", "f") &&
	      !name_filter__passes("!_* & !*@plt", "_f"));
	CHECK(name_filter__passes("a | b & c", "a") && !name_filter__passes("a | b & c", "b"));
	CHECK(!name_filter__passes("(a | b) & !(b | c)", "b"));
	CHECK(name_filter__passes("[a&|]x", "&x") && name_filter__passes("!!a", "a"));
	CHECK(name_filter__passes("*\\(int\\)*", "f(int)::g") &&
	      !name_filter__passes("a\\*", "ab"));
	CHECK(name_filter__passes("a\\*", "a*") && name_filter__passes("a\\ b", "a b"));
	CHECK_EQ(name_filter__check("!_* & !*@plt", NULL), 0);
	CHECK_EQ(name_filter__check("", NULL), -EINVAL);
	CHECK_EQ(name_filter__check("(a", NULL), -EINVAL);
	CHECK_EQ(name_filter__check("a b", NULL), -EINVAL);
	CHECK_EQ(name_filter__check("a &", NULL), -EINVAL);
	CHECK_EQ(name_filter__check("a)", NULL), -EINVAL);
}
