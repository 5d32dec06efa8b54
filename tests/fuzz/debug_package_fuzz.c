// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A program and its package of split units (PROG.dwp), each of any bytes. In an input the two stand
 * one behind the other, after the size of the first, 32 bits. Indexes alone are read, too.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/debug_files.h"
#include "tests/fuzz/fuzz.h"
#include "tests/unit/builder.h"
#include "util/dwarf/package_index.h"
#include "util/lib/alloc.h"
#include "util/lib/cursor.h"

#define HEAD sizeof(u32)

static const char *const names[] = { "object", "object.dwp" };
static const struct debug_files files = { names, ARRAY_SIZE(names) };

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
	for (u32 swap = 0; swap < 2; swap++)
		read_index(data + HEAD, size - HEAD, swap);
	fuzz__read_debug_files(&files, data, size);
	return 0;
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
	static const char source[] = DEBUG_FILES_SOURCE("extern \"C\" ");
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
	const char *folder = fuzz__debug_folder();
	char *cc = xasprintf("%s/s.cc", folder);

	fuzz__write(cc, source, strlen(source));
	for (u32 i = 0; i < ARRAY_SIZE(ways); i++) {
		char *command = xasprintf(
		        "cd %s && { %s %s -c s.cc && %s %s s.o -o object && %s -e object -o "
		        "object.dwp; status=$?; rm -f s.o s.dwo; exit $status; } >/dev/null 2>&1",
		        folder, ways[i].compiler, link, ways[i].compiler, link, ways[i].tool);

		if (!system(command))
			fuzz__add_debug_files(&files, files.nr, add);
		free(command);
	}
	add_index(add, 2);
	add_index(add, 5);
	free(cc);
}
