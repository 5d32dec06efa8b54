// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include <stdio.h>

#include "util/symtab/symtab.h"

static const char *name_at(const struct symtab *table, u64 addr)
{
	u32 i = symtab__find(table, addr);

	return i == ID_NONE ? "" : table->symbols[i].name;
}

/* Each row: two symbols at one address, in this order, and which one users see. */
static const struct {
	const char *a;
	char a_binding;
	u64 a_size;
	const char *b;
	char b_binding;
	u64 b_size;
	const char *winner;
} aliases[] = {
	/* A symbol without size ends at the next one, so of two only the later can get an end. */
	{ "a", 'g', 0, "b", 'l', 0, "b" },
	{ "a", 'l', 16, "b", 'l', 0, "a" },
	{ "a", 'g', 0, "b", 'l', 16, "b" },
	{ "a", 'w', 0, "b", 'w', 32, "b" },
	/* not weak */
	{ "a", 'w', 16, "b", 'l', 16, "b" },
	{ "a", 'l', 16, "b", 'w', 16, "a" },
	{ "a", 'g', 16, "b", 'w', 32, "a" },
	{ "a", 'w', 32, "b", 'l', 0, "b" },
	{ "weakly", 'w', 16, "_loc", 'l', 16, "_loc" },
	/* global over local */
	{ "a", 'l', 32, "b", 'g', 16, "b" },
	{ "a", 'g', 16, "b", 'l', 32, "a" },
	{ "a", 'l', 16, "b", 'g', 0, "b" },
	/* fewer leading underscores; those inside do not count */
	{ "__aaa", 'g', 16, "bbbbb", 'g', 16, "bbbbb" },
	{ "__g", 'g', 16, "_hhhhhhhh", 'g', 16, "_hhhhhhhh" },
	{ "i_i_i_i", 'g', 16, "_jjjjjj", 'g', 16, "i_i_i_i" },
	{ "__wk", 'w', 16, "wk", 'w', 16, "wk" },
	/* the longer name; the size does not count */
	{ "cc", 'g', 16, "ddd", 'g', 16, "ddd" },
	{ "aaaa", 'g', 16, "b", 'g', 32, "aaaa" },
	{ "a", 'l', 32, "bbb", 'l', 16, "bbb" },
	/* not the kernel's syscall alias, where the length is equal */
	{ "SyS_read", 'g', 16, "sys_read", 'g', 16, "sys_read" },
	{ "sys_read", 'g', 16, "SyS_read", 'g', 16, "sys_read" },
	{ "compat_SyS_x", 'g', 16, "compat_sys_x", 'g', 16, "compat_sys_x" },
	{ "SyS_x", 'g', 16, "y", 'g', 16, "SyS_x" },
	/* the first */
	{ "zsame", 'g', 16, "asame", 'g', 16, "zsame" },
	/* mangled names are compared as they are, unless demangling is asked for */
	{ "_Z1av", 'g', 16, "b", 'g', 16, "b" },
};

TEST(symtab_chooses_among_aliases)
{
	for (unsigned i = 0; i < ARRAY_SIZE(aliases); i++) {
		struct symtab table = { .source = SYMTAB_NONE };

		symtab__add(&table, 0x100, 0x100 + aliases[i].a_size, aliases[i].a,
		            aliases[i].a_binding);
		symtab__add(&table, 0x100, 0x100 + aliases[i].b_size, aliases[i].b,
		            aliases[i].b_binding);
		symtab__add(&table, 0x140, 0x150, "next", 'g');
		symtab__fixup(&table);
		CHECK_EQ(table.nr, 2);
		CHECK_STR(name_at(&table, 0x100), aliases[i].winner);
		symtab__exit(&table);
	}
}

TEST(symtab_compares_aliases_as_they_are_shown)
{
	struct symtab table = { .demangle = true };

	symtab__add(&table, 0x100, 0x110, "_ZNK1SIcE1fEv", 'w'); /* S<char>::f */
	symtab__add(&table, 0x100, 0x110, "_ZNK1SIwE1fEv", 'w'); /* S<wchar_t>::f: longer */
	symtab__add(&table, 0x200, 0x210, "_ZN1SC2Ev", 'w');
	symtab__add(&table, 0x200, 0x210, "_ZN1SC1Ev", 'w');
	symtab__add(&table, 0x300, 0x310, "plain_c", 'g');
	symtab__add(&table, 0x300, 0x310, "_ZN1S8functionEv", 'g'); /* S::function */
	symtab__fixup(&table);
#ifdef HAVE_DEMANGLE
	CHECK_STR(name_at(&table, 0x100), "_ZNK1SIwE1fEv");
	CHECK_STR(name_at(&table, 0x300), "_ZN1S8functionEv");
#endif
	CHECK_STR(name_at(&table, 0x200), "_ZN1SC2Ev");
	symtab__exit(&table);
}

TEST(symtab_gives_every_symbol_an_end)
{
	struct symtab table = { .source = SYMTAB_NONE };

	symtab__add(&table, 0x8000, 0x8000, "last", 'g');
	symtab__add(&table, 0x100, 0x100, "open", 'g');
	symtab__add(&table, 0x400, 0x410, "sized", 'g');
	symtab__fixup(&table);
	CHECK_STR(name_at(&table, 0xff), "");
	CHECK_STR(name_at(&table, 0x3ff), "open");
	CHECK_STR(name_at(&table, 0x400), "sized");
	CHECK_STR(name_at(&table, 0x410), "");
	CHECK_STR(name_at(&table, 0x8fff), "last");
	CHECK_STR(name_at(&table, 0x9000), "");
	symtab__exit(&table);

	symtab__add(&table, UINT64_MAX - 4, UINT64_MAX - 4, "top", 'g');
	symtab__fixup(&table);
	CHECK_STR(name_at(&table, UINT64_MAX - 1), "top");
	symtab__exit(&table);
}

TEST(symtab_finds_the_innermost)
{
	struct symtab table = { .source = SYMTAB_NONE };

	symtab__add(&table, 0, 100, "outer", 'g');
	symtab__add(&table, 10, 20, "inner", 'g');
	symtab__add(&table, 15, 17, "core", 'g');
	symtab__add(&table, 200, 210, "apart", 'g');
	symtab__fixup(&table);
	CHECK(table.overlaps);
	CHECK_STR(name_at(&table, 5), "outer");
	CHECK_STR(name_at(&table, 12), "inner");
	CHECK_STR(name_at(&table, 16), "core");
	CHECK_STR(name_at(&table, 18), "inner");
	CHECK_STR(name_at(&table, 50), "outer");
	CHECK_STR(name_at(&table, 150), "");
	CHECK_STR(name_at(&table, 205), "apart");
	symtab__exit(&table);
}

TEST(symtab_sorts_any_addresses)
{
	enum { N = 5000 };
	static char names[N][20];
	struct symtab table = { .source = SYMTAB_NONE };
	u64 seed = 1;

	for (unsigned i = 0; i < N; i++) {
		seed = seed * 6364136223846793005ull + 1442695040888963407ull;
		u64 start = seed >> (i % 40); /* far apart and near */

		snprintf(names[i], sizeof(names[i]), "%llx", (unsigned long long)start);
		symtab__add(&table, start, start + 1, names[i], 'g');
	}
	symtab__fixup(&table);
	for (u32 i = 0; i < table.nr; i++) {
		unsigned long long start;

		CHECK(i == 0 || table.symbols[i].start > table.symbols[i - 1].start);
		CHECK(sscanf(table.symbols[i].name, "%llx", &start) == 1 &&
		      start == table.symbols[i].start);
		CHECK_EQ(symtab__find(&table, table.symbols[i].start), i);
	}
	CHECK(table.nr > N / 2);
	symtab__exit(&table);
}

TEST(symtab_translates_by_segments)
{
	struct segment segments[] = { { 0x1000, 0x500, 0x401000 }, { 0, 0x2000, 0x500000 } };
	struct symtab table = { .segments = segments, .nr_segments = 2 };

	CHECK_EQ(symtab__vaddr_of_offset(&table, 0x1000), 0x401000);
	CHECK_EQ(symtab__vaddr_of_offset(&table, 0x14ff), 0x4014ff);
	CHECK_EQ(symtab__vaddr_of_offset(&table, 0x1500), 0x501500);
	CHECK_EQ(symtab__vaddr_of_offset(&table, 0xfff), 0x500fff);
	CHECK_EQ(symtab__vaddr_of_offset(&table, 0x9000), 0x9000);
}

TEST(symtab_empty_finds_nothing)
{
	struct symtab table = { .source = SYMTAB_NONE };

	symtab__fixup(&table);
	CHECK_EQ(symtab__find(&table, 0), ID_NONE);
	symtab__exit(&table);
}
