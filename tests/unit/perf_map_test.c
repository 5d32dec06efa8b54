// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/test_file.h"
#include "util/symtab/perf_map.h"
#include "util/symtab/symtab.h"

static const char *name_at(const struct symtab *table, u64 addr)
{
	u32 i = symtab__find(table, addr);

	return i == ID_NONE ? "" : table->symbols[i].name;
}

static int load(struct symtab *table, const char *text)
{
	char *path = write_test_file("perf-1.map", text, strlen(text));
	int ret = symtab__load_perf_map(table, path);

	free(path);
	return ret;
}

TEST(perf_map_lines)
{
	struct symtab table = { .source = SYMTAB_NONE };

	CHECK_EQ(load(&table, "1000 10 a\n"
	                      "1010 20 Lcom/example/Main;::run (int)\n"
	                      "0x1100 0x10 prefixed\n"
	                      "1200 0 empty\n"
	                      "1300 10\n"
	                      "garbage line\n"
	                      "\n"
	                      "fffffffffffffff0 20 wraps\n"
	                      "1F00 F upper_case\n"
	                      "2000 10 no newline"),
	         0);
	CHECK_EQ(table.source, SYMTAB_PERF_MAP);
	CHECK(table.runtime_addr);
	CHECK_EQ(table.nr, 5);
	CHECK_STR(name_at(&table, 0x1000), "a");
	CHECK_STR(name_at(&table, 0x102f), "Lcom/example/Main;::run (int)");
	CHECK_STR(name_at(&table, 0x1030), "");
	CHECK_STR(name_at(&table, 0x1108), "prefixed");
	CHECK_STR(name_at(&table, 0x1f0e), "upper_case");
	CHECK_STR(name_at(&table, 0x2008), "no newline");
	symtab__exit(&table);
}

TEST(perf_map_names_are_not_empty)
{
	static const char text[] = "1000 10 \0hidden\n1010 10 a\n";
	struct symtab table = { .source = SYMTAB_NONE };
	char *path = write_test_file("perf-3.map", text, sizeof(text) - 1);

	CHECK_EQ(symtab__load_perf_map(&table, path), 0);
	CHECK_EQ(table.nr, 1);
	CHECK_STR(name_at(&table, 0x1008), "");
	CHECK_STR(name_at(&table, 0x1018), "a");
	symtab__exit(&table);
	free(path);
}

TEST(perf_map_code_that_was_replaced)
{
	struct symtab table = { .source = SYMTAB_NONE };

	CHECK_EQ(load(&table, "1000 100 old\n"
	                      "1000 10 new\n" /* the same place again */
	                      "2010 10 inside\n"
	                      "2000 100 over\n" /* covers what was there */
	                      "3000 100 stubs\n"
	                      "3010 10 one_stub\n"),
	         0);
	CHECK_STR(name_at(&table, 0x1008), "new");
	CHECK_STR(name_at(&table, 0x2018), "over");
	CHECK_STR(name_at(&table, 0x3008), "stubs");
	CHECK_STR(name_at(&table, 0x3018), "one_stub");
	CHECK_STR(name_at(&table, 0x3028), "stubs");
	symtab__exit(&table);
}

TEST(perf_map_missing_and_foreign)
{
	struct symtab table = { .source = SYMTAB_NONE };

	CHECK_EQ(symtab__load_perf_map(&table, "/no/such/perf-1.map"), -ENOENT);
	CHECK(table.error.what[0] && table.error.advice[0]);
	symtab__exit(&table);
	CHECK_EQ(symtab__load_perf_map(&table, "/dev/null"), -EINVAL);
	symtab__exit(&table);
	if (geteuid()) {
		unit__skip("needs root to make another user's file");
		return;
	}
	char *path = write_test_file("perf-2.map", "1000 10 a\n", 10);

	CHECK_EQ(chown(path, 12345, 12345), 0);
	CHECK_EQ(symtab__load_perf_map(&table, path), -EPERM);
	CHECK_EQ(table.nr, 0);
	symtab__exit(&table);
	free(path);
}
