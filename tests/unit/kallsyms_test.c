// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/test_file.h"
#include "util/lib/alloc.h"
#include "util/symtab/kallsyms.h"
#include "util/symtab/text_lines.h"

static int load_list(struct symtab *symtab, const char *path, const char *module)
{
	struct kallsyms_target target = { .symtab = symtab, .module = module };
	struct kallsyms_request request = { .path = path, .targets = &target, .nr = 1 };

	return kallsyms__load(&request);
}

#define BASE 0xffffffff81000000ull

static const char *name_at(const struct symtab *table, u64 addr)
{
	u32 i = symtab__find(table, addr);

	return i == ID_NONE ? "" : table->symbols[i].name;
}

static char *write_list(const char *text)
{
	return write_test_file("kallsyms", text, strlen(text));
}

static int load(struct symtab *table, const char *text, const char *module)
{
	char *path = write_list(text);
	int ret = load_list(table, path, module);

	free(path);
	return ret;
}

TEST(kallsyms_last_alias_wins_and_ends_are_made)
{
	struct symtab table = { .source = SYMTAB_NONE };

	CHECK_EQ(load(&table,
	              "ffffffff81000000 T first_alias_which_is_longer\n"
	              "ffffffff81000000 t _text\n"
	              "ffffffff81000100 W weak\n"
	              "ffffffff81000200 r read_only_data\n"
	              "ffffffff81000300 D data\n"
	              "ffffffff81000400 T end\n",
	              NULL),
	         0);
	CHECK_EQ(table.source, SYMTAB_KALLSYMS);
	CHECK(table.runtime_addr);
	CHECK_STR(name_at(&table, BASE), "_text");
	CHECK_STR(name_at(&table, BASE + 0x2ff), "weak");
	CHECK_STR(name_at(&table, BASE + 0x300), "data");
	CHECK_STR(name_at(&table, BASE + 0x1fff), "end");
	CHECK_STR(name_at(&table, BASE + 0x2000), "");
	symtab__exit(&table);
}

TEST(kallsyms_lines_that_are_none_are_passed_over)
{
	struct symtab table = { .source = SYMTAB_NONE };
	size_t len = 200000;
	char *text = xmalloc(len + 200);

	strcpy(text, "garbage\n\nffffffff81000100\nffffffff81000200 T\nffffffff81000300 T \n"
	             "00ffffffff81000400 T too_many_digits\nffffffff81000500 T a\n");
	size_t used = strlen(text);

	memset(text + used, 'x', len - used);
	strcpy(text + len, "\nffffffff81000600 T b\nffffffff81000700 T no_newline");
	CHECK_EQ(load(&table, text, NULL), 0);
	CHECK_EQ(table.nr, 3);
	CHECK_STR(name_at(&table, BASE + 0x5ff), "a");
	CHECK_STR(name_at(&table, BASE + 0x6ff), "b");
	CHECK_STR(name_at(&table, BASE + 0x700), "no_newline");
	symtab__exit(&table);
	free(text);
}

TEST(kallsyms_numbers)
{
	static const struct {
		const char *text;
		size_t used; /* 0: refused */
		u64 value;
	} rows[] = {
		{ "ffffffff81000000 T", 16, BASE },
		{ "0123456789abcdef T", 16, 0x0123456789abcdefull },
		{ "FFFFFFFF81ABCDEF T", 16, 0xffffffff81abcdefull },
		{ "fffffff T", 7, 0xfffffff },
		{ "0 T", 1, 0 },
		{ "12345678", 8, 0x12345678 },
		{ "00000000000000000 T", 0, 0 }, /* 17 digits */
		{ "", 0, 0 },
		{ "x", 0, 0 },
		/* neighbours of the digits and letters */
		{ "0000000g00000000 T", 7, 0 },
		{ "000000:000000000 T", 6, 0 },
		{ "0000000000000/00 T", 13, 0 },
		{ "000000000000000` T", 15, 0 },
		{ "@000000000000000 T", 0, 0 },
		{ "1p00000000000000 T", 1, 1 },
		{ "1\xb0"
		  "00000000000000 T",
		  1, 1 },
	};

	for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
		const char *end = rows[i].text + strlen(rows[i].text);
		u64 value = 0;
		const char *p = lines__hex(rows[i].text, end, &value);

		CHECK_EQ(p ? p - rows[i].text : 0, rows[i].used);
		CHECK_EQ(value, rows[i].value);
	}
}

static const char modules[] = "ffffffff81000000 T _text\n"
                              "ffffffffc0000000 t init_a\t[snd_hda]\n"
                              "ffffffffc0000100 t work_a\t[snd_hda]\n"
                              "ffffffffc0003000 t work_b\t[other]\n";

TEST(kallsyms_modules_have_tables_of_their_own)
{
	struct symtab table = { .source = SYMTAB_NONE };

	CHECK_EQ(load(&table, modules, "[snd-hda]"), 0);
	CHECK_EQ(table.nr, 2);
	CHECK_STR(name_at(&table, 0xffffffffc0000180), "work_a");
	CHECK_STR(name_at(&table, 0xffffffffc0003000), "");
	symtab__exit(&table);
	CHECK_EQ(load(&table, modules, "other"), 0);
	CHECK_STR(name_at(&table, 0xffffffffc0003000), "work_b");
	symtab__exit(&table);
	CHECK_EQ(load(&table, modules, NULL), 0);
	CHECK_EQ(table.nr, 1);
	symtab__exit(&table);
	CHECK_EQ(load(&table, modules, "othe"), 0);
	CHECK_EQ(table.nr, 0);
	symtab__exit(&table);
}

TEST(kallsyms_moves_the_kernel_to_where_it_was_recorded)
{
	struct symtab kernel = { .source = SYMTAB_NONE }, module = { .source = SYMTAB_NONE };
	struct kallsyms_target targets[] = { { .symtab = &kernel },
		                             { .symtab = &module, .module = "other" } };
	char *path = write_list(modules);
	struct kallsyms_request request = { .path = path,
		                            .targets = targets,
		                            .nr = 2,
		                            .ref_symbol = "_text",
		                            .ref_addr = BASE + 0x2000000 };

	CHECK_EQ(kallsyms__load(&request), 0);
	CHECK_STR(name_at(&kernel, BASE + 0x2000010), "_text");
	CHECK_STR(name_at(&kernel, BASE + 0x10), "");
	CHECK_EQ(module.nr, 0); /* modules are elsewhere after another boot */
	symtab__exit(&kernel);
	symtab__exit(&module);

	request.ref_symbol = "_stext"; /* not in the list: where the kernel was is not known */
	CHECK_EQ(kallsyms__load(&request), -ENOENT);
	CHECK_EQ(kernel.error.code, -ENOENT);
	CHECK_EQ(kernel.nr, 0);
	symtab__exit(&kernel);
	symtab__exit(&module);
	free(path);
}

TEST(kallsyms_hidden_addresses_are_an_error)
{
	struct symtab table = { .source = SYMTAB_NONE };

	CHECK_EQ(load(&table, "0000000000000000 T _text\n0000000000000000 t a\n", NULL), -EPERM);
	CHECK(strstr(table.error.advice, "as root"));
	CHECK_EQ(table.nr, 0);
	symtab__exit(&table);
	CHECK_EQ(load(&table, "", NULL), -ENODATA);
	symtab__exit(&table);
	CHECK_EQ(load_list(&table, "/no/such/list", NULL), -ENOENT);
	symtab__exit(&table);
}

/* Picking the wanted symbols must give what the whole table gives. */
static void compare_picked(const char *path, bool sorted)
{
	enum { N = 500 };
	struct symtab all = { .source = SYMTAB_NONE }, picked = { .source = SYMTAB_NONE };
	struct kallsyms_target target = { .symtab = &picked };
	struct kallsyms_request request = { .path = path, .targets = &target, .nr = 1 };
	u64 wanted[N];

	for (unsigned i = 0; i < N; i++)
		wanted[i] = BASE - 0x1000 + i * 0x135ull;
	target.wanted = wanted;
	target.nr_wanted = N;
	CHECK_EQ(load_list(&all, path, NULL), 0);
	CHECK_EQ(kallsyms__load(&request), 0);
	for (unsigned i = 0; i < N; i++)
		CHECK_STR(name_at(&picked, wanted[i]), name_at(&all, wanted[i]));
	if (sorted)
		CHECK(picked.nr < all.nr);
	symtab__exit(&all);
	symtab__exit(&picked);
}

TEST(kallsyms_picks_what_the_whole_table_says)
{
	char *text = xmalloc(2000 * 40), *p = text;

	for (unsigned i = 0; i < 2000; i++) /* each address twice */
		p += sprintf(p, "%llx T name_%u\n", BASE + (i / 2) * 0x40, i);
	char *path = write_list(text);

	compare_picked(path, true);
	free(path);
	p += sprintf(p, "%llx T late\n", BASE + 0x20); /* not sorted any more */
	path = write_list(text);
	compare_picked(path, false);
	free(path);
	free(text);
}

/* Of a list that is known to be sorted most is not looked at: what is found must be the same. */
TEST(kallsyms_passes_over_what_nobody_wants)
{
	enum { LINES = 20000, WANTED = 60 };
	char *text = xmalloc(LINES * 64), *p = text;
	u64 wanted[WANTED];

	for (unsigned i = 0; i < LINES; i++) /* names of all lengths, and mostly constants */
		p += sprintf(p, "%llx %c name_%0*u%s\n", BASE + (i - i % 3) * 0x10ull,
		             i % 1000 >= 20 ? 'r' : "TtWD"[i % 4], (int)(1 + i % 30), i,
		             i > LINES - 50 ? "\t[module]" : "");
	char *path = write_list(text);

	for (unsigned sparse = 1; sparse < 300; sparse += 13) {
		struct symtab all = { .source = SYMTAB_NONE }, picked = { .source = SYMTAB_NONE };
		struct kallsyms_target target = { .symtab = &picked,
			                          .wanted = wanted,
			                          .nr_wanted = WANTED };
		struct kallsyms_request request = {
			.path = path, .targets = &target, .nr = 1, .sorted = true
		};

		for (unsigned i = 0; i < WANTED; i++)
			wanted[i] = BASE - 0x100 + i * sparse * 0x235ull;
		CHECK_EQ(load_list(&all, path, NULL), 0);
		CHECK_EQ(kallsyms__load(&request), 0);
		for (unsigned i = 0; i < WANTED; i++)
			CHECK_STR(name_at(&picked, wanted[i]), name_at(&all, wanted[i]));
		symtab__exit(&all);
		symtab__exit(&picked);
	}
	free(path);
	free(text);
}
