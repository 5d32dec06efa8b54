// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/test_file.h"
#include "util/lib/alloc.h"
#include "util/lib/out.h"
#include "util/symindex/symbol_bundle.h"

static const char RECORDING[] = "PERFILE2 and what follows";

/* One symbol over [0x1000, 0x1100). */
static void add_object(struct symbol_bundle_writer *writer, const struct dso *dso, const char *path,
                       const char *symbol)
{
	struct symtab table = { .source = SYMTAB_ELF };

	symtab__add(&table, 0x1000, 0x1100, symbol, 'g');
	symtab__fixup(&table);
	symbol_bundle__add(writer, dso, path, &table, NULL);
	symtab__exit(&table);
}

/* A recording with four objects: two builds of one, two inodes of another. */
static char *write_recording(const char *name)
{
	char *path = write_test_file(name, RECORDING, sizeof(RECORDING));
	struct error err = ERROR_INIT;
	struct out out;
	struct symbol_bundle_writer writer = { .out = &out };
	struct dso dso = { .kind = DSO_USER, .build_id_size = 2, .build_id = { 1, 1 } };

	out__init(&out, -1);
	add_object(&writer, &dso, "/bin/prog", "first_build");
	dso.build_id[1] = 2;
	add_object(&writer, &dso, "/bin/prog", "second_build");
	dso = (struct dso){ .kind = DSO_USER, .inode.ino = 1 };
	add_object(&writer, &dso, "/a", "first_inode");
	dso.inode.ino = 2;
	add_object(&writer, &dso, "/a", "second_inode");
	symbol_bundle__end(&writer);
	CHECK_EQ(writer.nr, 4);
	CHECK_EQ(symbol_bundle__append(path, &out, &err), 0);
	out__exit(&out);
	return path;
}

static const char *name_in(const struct symbol_bundle *bundle, const struct dso *dso,
                           const char *path)
{
	struct object_index *object = symbol_bundle__find(bundle, dso, path);
	u32 symbol = object ? symtab__find(object->table, 0x1080) : ID_NONE;

	return symbol == ID_NONE ? "" : object->table->symbols[symbol].name;
}

static void check_all(const char *path)
{
	struct error err = ERROR_INIT;
	struct symbol_bundle *bundle = symbol_bundle__open(path, &err);
	struct dso dso = { .kind = DSO_USER, .build_id_size = 2, .build_id = { 1, 1 } };

	CHECK(bundle && !err.code);
	CHECK_STR(name_in(bundle, &dso, "/bin/prog"), "first_build");
	CHECK_STR(name_in(bundle, &dso, "/bin/pro"), "");
	CHECK_STR(name_in(bundle, &dso, "/a"), "");
	dso.build_id[1] = 2;
	CHECK_STR(name_in(bundle, &dso, "/bin/prog"), "second_build");
	dso.build_id[1] = 3;
	CHECK_STR(name_in(bundle, &dso, "/bin/prog"), "");
	dso = (struct dso){ .kind = DSO_USER, .inode.ino = 2 };
	CHECK_STR(name_in(bundle, &dso, "/a"), "second_inode");
	dso.inode.ino = 3;
	CHECK_STR(name_in(bundle, &dso, "/a"), "");
	CHECK_STR(name_in(bundle, &dso, "/bin/prog"), "");
	symbol_bundle__delete(bundle);
}

TEST(symbol_bundle_finds_the_recorded_object)
{
	char *path = write_recording("x.data");

	check_all(path);
	free(path);
}

TEST(symbol_bundle_of_a_cut_file_is_seen)
{
	char *path = write_recording("x.data");
	struct error err = ERROR_INIT;

	CHECK_EQ(symbol_bundle__was_cut(path, sizeof(RECORDING), &err), -EBADMSG);
	CHECK_EQ(err.code, -EBADMSG);
	CHECK_EQ(symbol_bundle__was_cut(path, 1, &err), 0);
	CHECK_EQ(symbol_bundle__was_cut(path, 1u << 30, &err), 0);
	CHECK_EQ(symbol_bundle__was_cut("/nonexistent", 0, &err), 0);
	free(path);
}

TEST(symbol_bundle_goes_along)
{
	char *path = write_recording("x.data"), *plain = write_test_file("y.data", "text", 4);
	char *copy = write_test_file("z.data", RECORDING, sizeof(RECORDING));
	struct error err = ERROR_INIT;

	CHECK_EQ(symbol_bundle__copy(path, copy, &err), 1);
	check_all(copy);
	CHECK_EQ(symbol_bundle__copy(plain, copy, &err), 0);
	CHECK(!symbol_bundle__open(plain, &err) && !err.code);
	CHECK(!symbol_bundle__open("/nonexistent", &err) && !err.code);
	CHECK(!symbol_bundle__open("/dev/null", &err) && !err.code);
	free(copy);
	free(plain);
	free(path);
}

TEST(symbol_bundle_damage_is_noticed)
{
	char *path = write_recording("x.data"), *bytes;
	struct error err = ERROR_INIT;
	struct stat st;
	FILE *file = fopen(path, "r");

	CHECK(file && !stat(path, &st));
	bytes = xmalloc(st.st_size);
	CHECK_EQ(fread(bytes, 1, st.st_size, file), st.st_size);
	fclose(file);
	free(path);
	/* Each byte behind the recording; without its magic it is none. */
	for (size_t i = sizeof(RECORDING); i < (size_t)st.st_size; i++) {
		bytes[i] ^= 0x40;
		path = write_test_file("bad.data", bytes, st.st_size);
		CHECK(!symbol_bundle__open(path, &err));
		CHECK_EQ(err.code, i < (size_t)st.st_size - 8 ? -EBADMSG : 0);
		free(path);
		bytes[i] ^= 0x40;
	}
	path = write_test_file("bad.data", bytes + 300, st.st_size - 300); /* cut in front */
	CHECK(!symbol_bundle__open(path, &err));
	CHECK_EQ(err.code, -EBADMSG);
	free(path);
	free(bytes);
}

TEST(symbol_bundle_leaves_the_file_when_it_does_not_fit)
{
	char *path = write_test_file("x.data", RECORDING, sizeof(RECORDING));
	struct rlimit old, small = { .rlim_cur = 512 };
	struct error err = ERROR_INIT;
	struct out out;
	struct stat st;

	out__init(&out, -1);
	out__fill(&out, 'x', 4096);
	CHECK_EQ(getrlimit(RLIMIT_FSIZE, &old), 0);
	small.rlim_max = old.rlim_max;
	signal(SIGXFSZ, SIG_IGN);
	CHECK_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
	int ret = symbol_bundle__append(path, &out, &err);

	CHECK_EQ(setrlimit(RLIMIT_FSIZE, &old), 0);
	signal(SIGXFSZ, SIG_DFL);
	CHECK_EQ(ret, -EFBIG);
	CHECK(strstr(err.what, "cannot put the symbols into") != NULL);
	CHECK(!stat(path, &st) && st.st_size == sizeof(RECORDING));
	out__exit(&out);
	free(path);
}

/* ---- the code, in front of the symbols ---- */

static char *write_with_code(const char *name)
{
	char *path = write_test_file(name, RECORDING, sizeof(RECORDING));
	struct code_bundle_entry entry = { .start = 0x1000,
		                           .size = 3,
		                           .id_size = 2,
		                           .id = { 1, 1 },
		                           .machine = 62,
		                           .section = ".text" };
	struct dso dso = { .kind = DSO_USER, .build_id_size = 2, .build_id = { 1, 1 } };
	struct error err = ERROR_INIT;
	struct out code, symbols;
	struct code_bundle_writer codes = { .out = &code };
	struct symbol_bundle_writer writer = { .out = &symbols };

	out__init(&code, -1);
	out__init(&symbols, -1);
	code_bundle__add(&codes, &entry, "/bin/prog", (const u8 *)"abc");
	entry.start = 0x2000;
	code_bundle__add(&codes, &entry, "/bin/prog", (const u8 *)"def");
	code_bundle__end(&codes);
	add_object(&writer, &dso, "/bin/prog", "first_build");
	symbol_bundle__end(&writer);
	out__mem(&code, symbols.buf, symbols.len);
	CHECK_EQ(symbol_bundle__append(path, &code, &err), 0);
	out__exit(&code);
	out__exit(&symbols);
	return path;
}

/* The code at @addr of @path's build 1.@build. */
static void check_code(const char *path, u8 build, u64 addr, const char *want)
{
	struct dso dso = { .kind = DSO_USER, .build_id_size = 2, .build_id = { 1, build } };
	struct error err = ERROR_INIT;
	struct symbol_bundle *bundle = symbol_bundle__open(path, &err);

	CHECK(bundle);
	if (!bundle)
		return;
	CHECK_STR(name_in(bundle, &dso, "/bin/prog"), build == 1 ? "first_build" : "");
	const struct code_bundle_function *f =
	        symbol_bundle__code(bundle, &dso, "/bin/prog", addr, &err);

	CHECK_EQ(err.code, 0);
	CHECK(!f == !want);
	CHECK(!f || !memcmp(f->bytes, want, 3));
	CHECK(!symbol_bundle__code(bundle, &dso, "/bin/prof", addr, &err));
	symbol_bundle__delete(bundle);
}

TEST(symbol_bundle_has_code)
{
	char *path = write_with_code("x.data"), *copy = write_test_file("copy.data", RECORDING, 1);
	struct error err = ERROR_INIT;

	CHECK_EQ(symbol_bundle__copy(path, copy, &err), 1);
	for (int i = 0; i < 2; i++) {
		check_code(i ? copy : path, 1, 0x1002, "abc");
		check_code(i ? copy : path, 1, 0x2000, "def");
		check_code(i ? copy : path, 1, 0x1003, NULL);
		check_code(i ? copy : path, 2, 0x1000, NULL);
	}
	CHECK_EQ(symbol_bundle__was_cut(path, sizeof(RECORDING), &err), -EBADMSG);
	free(path);
	free(copy);
}

/* Each bit of the code, and of what is around it. */
TEST(symbol_bundle_damaged_code_is_noticed)
{
	char *path = write_with_code("x.data");
	struct dso dso = { .kind = DSO_USER, .build_id_size = 2, .build_id = { 1, 1 } };
	size_t size = 8 + 2 * (88 + 16) + CODE_BUNDLE_END_SIZE;
	int fd = open(path, O_RDWR);

	CHECK(fd >= 0);
	for (size_t at = sizeof(RECORDING); at < sizeof(RECORDING) + size; at++) {
		struct error err = ERROR_INIT;
		u8 byte = 0;

		CHECK_EQ(pread(fd, &byte, 1, (off_t)at), 1);
		byte ^= 1u << at % 8;
		CHECK_EQ(pwrite(fd, &byte, 1, (off_t)at), 1);
		struct symbol_bundle *bundle = symbol_bundle__open(path, &err);

		CHECK(bundle);
		CHECK(bundle && !symbol_bundle__code(bundle, &dso, "/bin/prog", 0x1000, &err));
		symbol_bundle__delete(bundle);
		byte ^= 1u << at % 8;
		CHECK_EQ(pwrite(fd, &byte, 1, (off_t)at), 1);
	}
	close(fd);
	check_code(path, 1, 0x1000, "abc");
	free(path);
}
