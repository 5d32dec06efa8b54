// SPDX-License-Identifier: GPL-2.0-or-later
/* Which objects a report complains about, and how many: each limit on both of its sides. */
#include "ui/text/report_problems.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/unit/elf_builder.h"
#include "tests/unit/profile_fixture.h"
#include "tests/unit/test_file.h"
#include "tests/unit/unit.h"
#include "util/lib/file.h"

#define NAMED   0    /* offset of the only symbol in a stripped object, */
#define UNNAMED 0x80 /* and of one that has no name */
#define DATA    (1 << 13)

/* A library that is stripped but for one function that it exports. Returns its path. */
static char *map_stripped(struct fixture *f, const char *name, u64 start, u16 misc)
{
	struct elf_builder e = { .is64 = true, .dynsym = true };

	elf_builder__symbol(&e, "exported", STB_GLOBAL, STT_FUNC, NAMED, 16);
	char *path = elf_builder__write(&e, name);

	builder__mmap2(&f->file.data, FIXTURE_TYPE, &f->last, PERF_RECORD_MISC_USER | misc, start,
	               ELF_TEXT_SIZE, ELF_TEXT_OFFSET, path);
	elf_builder__exit(&e);
	return path;
}

static void add(struct fixture *f, u64 addr, unsigned nr)
{
	const u64 chain[] = { PERF_CONTEXT_USER, addr };

	for (unsigned i = 0; i < nr; i++)
		fixture__raw_sample(f, addr, chain, 2, 1);
}

/* What is said on stderr; malloc'ed. Ends the fixture. */
static char *said(struct fixture *f, const struct row_filter *shown, int verbose)
{
	char *path = write_test_file("said", "", 0);
	int old = dup(STDERR_FILENO);
	size_t len;

	fixture__profile(f, 1);
	fflush(stderr);
	CHECK(freopen(path, "w", stderr) != NULL);
	report_problems__say(&f->session, &f->profile, f->symbols, shown, verbose);
	fflush(stderr);
	dup2(old, STDERR_FILENO);
	close(old);
	fixture__exit(f);
	char *text = file__read_all(path, 1 << 20, &len);

	free(path);
	return text;
}

static void check_said(char *text, const char *wanted)
{
	CHECK(text && (*wanted ? strstr(text, wanted) != NULL : !*text));
	if (unit__has_failed())
		printf("said: %s, not: %s\n", text, wanted);
	free(text);
}

/* One stripped object with these samples, and as many of the program that has names. */
static void check_stripped(unsigned unnamed, unsigned named, unsigned others, const char *wanted)
{
	struct fixture f;

	fixture__init(&f);
	free(map_stripped(&f, "libstripped.so", 0x700000, 0));
	add(&f, 0x700000 + NAMED, named);
	add(&f, 0x700000 + UNNAMED, unnamed);
	add(&f, fixture__addr("a"), others);
	check_said(said(&f, NULL, 0), wanted);
}

TEST(problems_names_what_is_stripped_where_half_of_its_samples_are_nameless)
{
	check_stripped(2, 2, 4, "2 of its 4 samples have no name");
	check_stripped(2, 3, 4, "2 of its 5 samples have no name");
	check_stripped(2, 4, 4, "");
	check_stripped(4, 0, 0, "4 of its 4 samples have no name");
	check_stripped(0, 4, 0, "");
}

TEST(problems_names_what_is_stripped_from_a_twentieth_of_all_on)
{
	check_stripped(2, 0, 38, "2 of its 2 samples have no name"); /* 2 of 40 */
	check_stripped(1, 1, 38, "");                                /* 1 of 40 */
	check_stripped(1, 0, 38, "1 of its 1 samples have no name"); /* 1 of 39 */
	check_stripped(3, 0, 57, "3 of its 3 samples have no name"); /* 3 of 60 */
	check_stripped(3, 0, 77, "");                                /* 3 of 80 */
}

static void map(struct fixture *f, const char *path, u64 start, u16 misc)
{
	builder__mmap2(&f->file.data, FIXTURE_TYPE, &f->last, PERF_RECORD_MISC_USER | misc, start,
	               ELF_TEXT_SIZE, 0, path);
}

/* What is mapped as data only may be no object at all. */
TEST(problems_leaves_data_alone)
{
	for (unsigned data = 0; data < 2; data++) {
		char *path = write_test_file("table", "no object", 9);
		struct fixture f;

		fixture__init(&f);
		map(&f, path, 0x700000, data ? DATA : 0);
		add(&f, 0x700000, 9);
		check_said(said(&f, NULL, 0), data ? "" : "/table");
		free(path);
	}
}

TEST(problems_tells_of_code_that_is_mapped_as_data_too)
{
	struct fixture f;

	fixture__init(&f);
	free(map_stripped(&f, "libstripped.so", 0x700000, 0));
	free(map_stripped(&f, "libstripped.so", 0x800000, DATA));
	add(&f, 0x700000 + UNNAMED, 9);
	check_said(said(&f, NULL, 0), "9 of its 9 samples have no name");
}

static unsigned nr_warnings(const char *text)
{
	unsigned nr = 0;

	for (; text && (text = strstr(text, "Warning: ")); text++)
		nr++;
	return nr;
}

/* Those with the most samples first; without -v four of them, and how many there are besides. */
TEST(problems_are_few_without_v_and_the_worst_come_first)
{
	for (int verbose = 0; verbose < 2; verbose++) {
		for (unsigned nr = 4; nr < 7; nr++) {
			char name[32], more[80];
			struct fixture f;

			fixture__init(&f);
			for (unsigned i = 0; i < nr; i++) {
				snprintf(name, sizeof(name), "lib%u.so", i);
				free(map_stripped(&f, name, 0x700000 + i * 0x100000, 0));
				add(&f, 0x700000 + i * 0x100000 + UNNAMED, 10 + i);
			}
			char *text = said(&f, NULL, verbose);
			char *first = strstr(text, "lib"), *last = strrchr(text, '/');
			bool all = verbose || nr == 4;

			snprintf(name, sizeof(name), "lib%u.so", nr - 1);
			CHECK(first && !strncmp(first, name, strlen(name)));
			snprintf(name, sizeof(name), "/lib%u.so", all ? 0 : nr - 4);
			CHECK(last && !strncmp(last, name, strlen(name)));
			CHECK_EQ(nr_warnings(text), all ? nr : 5);
			snprintf(more, sizeof(more),
			         "Warning: %u more dsos have such a problem (-v", nr - 4);
			CHECK_EQ(strstr(text, more) != NULL, !all);
			free(text);
		}
	}
}

static bool has_period(const void *ctx, const struct row *row)
{
	return row->period == *(const u64 *)ctx;
}

/* A filter hides rows: only what has frames in those that are left is told of. */
TEST(problems_are_those_of_the_rows_that_are_shown)
{
	for (u64 shown = 5; shown < 9; shown++) {
		const struct row_filter filter = { has_period, &shown };
		struct fixture f;

		fixture__init(&f);
		free(map_stripped(&f, "libcaller.so", 0x700000, 0));
		free(map_stripped(&f, "libleaf.so", 0x800000, 0));
		for (unsigned i = 0; i < 2; i++) {
			const u64 leaf = (i ? 0x800000 : 0x700000) + UNNAMED;
			const u64 chain[] = { PERF_CONTEXT_USER, leaf, 0x700000 + NAMED };

			fixture__raw_sample(&f, leaf, chain, 3, 5 + i);
		}
		char *text = said(&f, &filter, 0);

		CHECK_EQ(strstr(text, "libcaller.so") != NULL, shown == 5);
		CHECK_EQ(strstr(text, "libleaf.so") != NULL, shown == 6);
		free(text);
	}
}

/* An object that is not there is told of where it is in a chain of what is shown, and once. */
TEST(problems_are_those_of_callers_too)
{
	for (u64 shown = 5; shown < 8; shown++) {
		const struct row_filter filter = { has_period, &shown };
		const u64 chain[] = { PERF_CONTEXT_USER, fixture__addr("a"), fixture__addr("f"),
			              0x700000 };
		struct fixture f;

		fixture__init(&f);
		map(&f, "/no/such/lib.so", 0x700000, 0);
		fixture__raw_sample(&f, fixture__addr("a"), chain, 4, 5);
		fixture__raw_sample(&f, fixture__addr("a"), chain, 3, 6);
		fixture__raw_sample(&f, 0x700000, (u64[]){ PERF_CONTEXT_USER, 0x700000 }, 2, 7);
		char *text = said(&f, &filter, 0);

		CHECK_EQ(nr_warnings(text), shown != 6);
		CHECK_EQ(strstr(text, "/no/such/lib.so") != NULL, shown != 6);
		free(text);
	}
}
