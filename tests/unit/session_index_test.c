// SPDX-License-Identifier: GPL-2.0-or-later
/* Which symbols of a session are kept for later runs: each limit on both of its sides. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tests/unit/elf_builder.h"
#include "tests/unit/test_file.h"
#include "tests/unit/unit.h"
#include "util/lib/alloc.h"
#include "util/symbol/session_symbols.h"

#define FUNCTION_SIZE 4u

/* A program with so many functions; malloc'ed. What is of this moment would not be kept. */
static char *write_program(const char *name, u32 nr)
{
	struct elf_builder e = { .is64 = true };
	char symbol[32];

	for (u32 i = 0; i < nr; i++) {
		snprintf(symbol, sizeof(symbol), "function_%u", i);
		elf_builder__symbol(&e, symbol, STB_GLOBAL, STT_FUNC, i * FUNCTION_SIZE,
		                    FUNCTION_SIZE);
	}
	char *path = elf_builder__write(&e, name);

	elf_builder__exit(&e);
	nanosleep(&(struct timespec){ .tv_nsec = 150000000 }, NULL);
	return path;
}

static u64 addr_of(u32 function)
{
	return ELF_TEXT_OFFSET + function * FUNCTION_SIZE + 1;
}

static u32 nr_files(const char *folder)
{
	struct dirent *entry;
	u32 nr = 0;
	DIR *dir = opendir(folder);

	while (dir && (entry = readdir(dir)))
		nr += *entry->d_name != '.';
	if (dir)
		closedir(dir);
	return nr;
}

static void count(void *ctx, const struct dso *dso, const struct error *error)
{
	(void)dso;
	(void)error;
	++*(u32 *)ctx;
}

/*
 * A session that names these functions of the program, and keeps what is worth it: how many files
 * the index has then, and how many symbols of the program are there before anything is asked.
 */
struct kept {
	u32 files, symbols;
};

static struct kept keep(const char *path, bool announced, const u32 *functions, u32 nr,
                        u32 nr_problems)
{
	char *folder = xasprintf("%s/symbols", unit__tmpdir()), name[32];
	struct symbol_config config = { .index_dir = folder,
		                        .index_max = 1 << 20,
		                        .program = "test" };
	struct strtab strings;
	struct dsos dsos;
	struct error err = ERROR_INIT;
	u32 problems = 0;
	u64 vaddr, addrs[8];

	strtab__init(&strings);
	dsos__init(&dsos, &strings);
	u32 dso = dsos__get(&dsos, path, DSO_USER, -1, NULL, 0);
	struct session_symbols *symbols = session_symbols__new(&dsos, &config);

	for (u32 i = 0; i < nr; i++)
		addrs[i] = addr_of(functions[i]);
	if (announced)
		session_symbols__want(symbols, dso, addrs, nr);
	struct kept kept = { .symbols = session_symbols__table(symbols, dso)->nr };

	for (u32 i = 0; i < nr; i++) {
		u32 symbol = session_symbols__find(symbols, dso, addrs[i], &vaddr);

		snprintf(name, sizeof(name), "function_%u", functions[i]);
		if (symbol != ID_NONE)
			CHECK_STR(session_symbols__name(symbols, dso, symbol), name);
		CHECK_EQ(symbol == ID_NONE, nr_problems > 0);
	}
	session_symbols__problems(symbols, count, &problems);
	CHECK_EQ(problems, nr_problems);
	CHECK_EQ(session_symbols__keep(symbols, &err), 0);
	session_symbols__delete(symbols);
	dsos__exit(&dsos);
	strtab__exit(&strings);
	kept.files = nr_files(folder);
	free(folder);
	return kept;
}

static struct kept name_and_keep(const char *path, const u32 *functions, u32 nr, u32 nr_problems)
{
	return keep(path, false, functions, nr, nr_problems);
}

static u32 announce_and_keep(const char *path, const u32 *functions, u32 nr)
{
	return keep(path, true, functions, nr, 0).symbols;
}

/* Few symbols are read again quicker than an index of them is. */
TEST(symbols_index_is_of_128_symbols_or_more)
{
	char *few = write_program("few", 127), *enough = write_program("enough", 128);

	CHECK_EQ(name_and_keep(few, (u32[]){ 0, 126 }, 2, 0).files, 0);
	CHECK_EQ(name_and_keep(enough, (u32[]){ 0, 127 }, 2, 0).files, 1);
	CHECK_EQ(name_and_keep(enough, (u32[]){ 5 }, 1, 0).files, 1);
	free(few);
	free(enough);
}

/* Of more than 1024 what was asked for is kept, and what is asked for later. */
TEST(symbols_index_of_a_long_table_grows_with_what_is_asked)
{
	char *path = write_program("long", 1025);

	CHECK_EQ(name_and_keep(path, (u32[]){ 7 }, 1, 0).symbols, 0);
	CHECK_EQ(name_and_keep(path, (u32[]){ 7 }, 1, 0).symbols, 1);
	CHECK_EQ(name_and_keep(path, (u32[]){ 7, 900, 7 }, 3, 0).symbols, 1);
	CHECK_EQ(name_and_keep(path, (u32[]){ 1024 }, 1, 0).symbols, 2);
	CHECK_EQ(name_and_keep(path, (u32[]){ 7 }, 1, 0).symbols, 3);
	CHECK_EQ(name_and_keep(path, (u32[]){ 7 }, 1, 0).files, 1);
	free(path);
}

/* The same where it is announced what will be asked: what was kept before stays, too. */
TEST(symbols_index_keeps_what_was_announced)
{
	char *path = write_program("long", 1025);

	CHECK_EQ(announce_and_keep(path, (u32[]){ 7, 8 }, 2), 1025);
	CHECK_EQ(announce_and_keep(path, (u32[]){ 8 }, 1), 2);
	CHECK_EQ(announce_and_keep(path, (u32[]){ 900, 8 }, 2), 1025);
	CHECK_EQ(name_and_keep(path, (u32[]){ 1024 }, 1, 0).symbols, 3);
	CHECK_EQ(announce_and_keep(path, (u32[]){ 1024, 7, 8, 900 }, 4), 4);
	free(path);
}

TEST(symbols_index_of_1024_symbols_has_all)
{
	char *path = write_program("whole", 1024);

	CHECK_EQ(name_and_keep(path, (u32[]){ 7 }, 1, 0).files, 1);
	CHECK_EQ(name_and_keep(path, (u32[]){ 8, 1023 }, 2, 0).symbols, 1024);
	free(path);
}

/* Nothing is kept of what could not be read, and that is said each time. */
TEST(symbols_index_has_no_errors)
{
	char *path = write_test_file("text", "no program", 10);

	nanosleep(&(struct timespec){ .tv_nsec = 150000000 }, NULL);
	for (unsigned i = 0; i < 2; i++) {
		CHECK_EQ(name_and_keep(path, (u32[]){ 0 }, 1, 1).files, 0);
		CHECK_EQ(name_and_keep("/no/such/program", (u32[]){ 0 }, 1, 1).files, 0);
	}
	free(path);
}
