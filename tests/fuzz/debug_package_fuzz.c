// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A program and its package of split units (PROG.dwp), each of any bytes. In an input the two stand
 * one behind the other, after the size of the first, 32 bits. Indexes alone are read, too.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/fuzz/debug_walk.h"
#include "tests/fuzz/fuzz.h"
#include "tests/unit/builder.h"
#include "util/dwarf/debug_info.h"
#include "util/dwarf/package_index.h"
#include "util/lib/alloc.h"
#include "util/lib/cursor.h"
#include "util/lib/temp_dir.h"

#define NR_PARTS 2
#define HEAD     sizeof(u32)

static const char *const names[NR_PARTS] = { "object", "object.dwp" };

static char *folder;

static void remove_folder(void)
{
	temp_dir__remove(folder);
}

static char *part_path(u32 i)
{
	if (!folder) {
		folder = temp_dir__make("perf-fuzz", NULL);
		FUZZ_CHECK(folder);
		atexit(remove_folder);
	}
	return xasprintf("%s/%s", folder, names[i]);
}

/* Whatever is found lies in the index. */
static void read_index(const u8 *data, size_t size, bool swap)
{
	struct package_index index;
	u32 row, offset, len;

	if (!package_index__read(&index, data, size, swap)) {
		FUZZ_CHECK(!index.nr);
		return;
	}
	for (u32 i = 0; i < index.nr && i < 100; i++)
		for (u32 part = 0; part < PARTS_MAX; part++)
			if (package_index__part(&index, i, part, &offset, &len))
				FUZZ_CHECK(len);
	for (u32 i = 0; i < index.nr_slots && i < 100; i++)
		if (package_index__find(&index, load_u64(index.slots + 8ull * i, swap), &row))
			FUZZ_CHECK(row < index.nr);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	if (size < HEAD)
		return 0;
	size_t first = min_u64(load_u32(data, false), size - HEAD);

	for (u32 i = 0; i < NR_PARTS; i++) {
		size_t len = i ? size - HEAD - first : first;
		char *path = part_path(i);

		if (len)
			fuzz__write(path, data + HEAD + (i ? first : 0), len);
		else
			unlink(path);
		free(path);
	}
	for (u32 swap = 0; swap < 2; swap++)
		read_index(data + HEAD, size - HEAD, swap);
	char *object = part_path(0);
	struct debug_info *info = debug_info__open(object);

	fuzz__walk_debug_info(info);
	debug_info__delete(info);
	free(object);
	return 0;
}

static const char source[] =
        "volatile int sink; struct s { int a; struct s *next; };\n"
        "static inline __attribute__((always_inline)) int low(struct s *s) { return s->a + sink; "
        "}\n"
        "extern \"C\" __attribute__((noinline)) int top(struct s *s)\n{\n"
        "\treturn low(s->next) + low(s);\n}\n"
        "extern \"C\" void _start(void)\n{\n\tstruct s s = { 1, 0 };\n\tsink = top(&s);\n}\n";

/* Of what a command has made in the folder; without both: nothing. */
static void add_parts(void (*add)(const void *data, size_t size))
{
	static u8 bytes[1 << 20];
	struct builder b = { .len = 0 };
	bool all = true;

	builder__zero(&b, HEAD);
	for (u32 i = 0; i < NR_PARTS; i++) {
		char *path = part_path(i);
		FILE *file = fopen(path, "r");
		size_t len = file ? fread(bytes, 1, sizeof(bytes), file) : 0;

		if (!i)
			builder__set_u32(&b, 0, len);
		builder__bytes(&b, bytes, len);
		all &= len > 0;
		if (file)
			fclose(file);
		unlink(path);
		free(path);
	}
	if (all)
		add(b.data, b.len);
	builder__exit(&b);
}

/* An index with a unit in each row, as a linker would make it. */
static void add_index(void (*add)(const void *data, size_t size), u32 version)
{
	struct builder b = { .len = 0 };

	builder__u32(&b, 0); /* no object: all is the index */
	builder__u32(&b, version);
	builder__u32(&b, 2);
	builder__u32(&b, 2);
	builder__u32(&b, 4);
	for (u32 i = 0; i < 4; i++)
		builder__u64(&b, i < 2 ? 0x100000000 + i : 0);
	for (u32 i = 0; i < 4; i++)
		builder__u32(&b, i < 2 ? i + 1 : 0);
	builder__u32(&b, 1);
	builder__u32(&b, 3);
	for (u32 i = 0; i < 8; i++)
		builder__u32(&b, 10 * i);
	add(b.data, b.len);
	builder__exit(&b);
}

void fuzz__seeds(void (*add)(const void *data, size_t size))
{
	static const char link[] = "-O2 -nostdlib -static -Wl,--build-id=none -gsplit-dwarf";
	static const struct {
		const char *compiler, *tool;
	} ways[] = {
		{ "g++ -gdwarf-4", "dwp" },
		{ "g++ -gdwarf-4 -fdebug-types-section", "dwp" },
		{ "clang++ -gdwarf-4 -fdebug-types-section", "llvm-dwp" },
		{ "clang++ -gdwarf-5", "llvm-dwp" },
		{ "clang++ -gdwarf-5 -fdebug-types-section", "llvm-dwp" },
	};
	free(part_path(0)); /* makes the folder */
	char *cc = xasprintf("%s/s.cc", folder);

	fuzz__write(cc, source, strlen(source));
	for (u32 i = 0; i < ARRAY_SIZE(ways); i++) {
		char *command = xasprintf(
		        "cd %s && { %s %s -c s.cc && %s %s s.o -o object && %s -e object -o "
		        "object.dwp; status=$?; rm -f s.o s.dwo; exit $status; } >/dev/null 2>&1",
		        folder, ways[i].compiler, link, ways[i].compiler, link, ways[i].tool);

		if (!system(command))
			add_parts(add);
		free(command);
	}
	add_index(add, 2);
	add_index(add, 5);
	free(cc);
}
