// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Debug information in parts: what dwz moved to another file (.gnu_debugaltlink) and what the
 * compiler split off (.dwo), each of any bytes. In an input the three stand one behind another:
 * sizes of the first two, 32 bits each, the object, the other file, the split units.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/fuzz/debug_walk.h"
#include "tests/fuzz/fuzz.h"
#include "tests/unit/builder.h"
#include "util/dwarf/debug_info.h"
#include "util/lib/alloc.h"
#include "util/lib/cursor.h"
#include "util/lib/temp_dir.h"

#define NR_PARTS 3
#define HEAD     (2 * sizeof(u32))

static const char *const names[NR_PARTS] = { "object", "alt", "s.dwo" };

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

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	size_t at = HEAD;

	if (size < HEAD)
		return 0;
	for (u32 i = 0; i < NR_PARTS; i++) {
		size_t left = size - at;
		size_t len = i < 2 ? min_u64(load_u32(data + 4 * i, false), left) : left;
		char *path = part_path(i);

		if (len)
			fuzz__write(path, data + at, len);
		else
			unlink(path);
		at += len;
		free(path);
	}
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
        "__attribute__((noinline)) int top(struct s *s)\n{\n\treturn low(s->next) + low(s);\n}\n"
        "void _start(void)\n{\n\tstruct s s = { 1, 0 };\n\tsink = top(&s);\n}\n";

/* Of what a command has made in the folder; without an object: nothing. */
static void add_parts(void (*add)(const void *data, size_t size))
{
	static u8 bytes[1 << 20];
	struct builder b = { .len = 0 };

	builder__zero(&b, HEAD);
	for (u32 i = 0; i < NR_PARTS; i++) {
		char *path = part_path(i);
		FILE *file = fopen(path, "r");
		size_t len = file ? fread(bytes, 1, sizeof(bytes), file) : 0;

		if (i < 2)
			builder__set_u32(&b, 4 * i, len);
		builder__bytes(&b, bytes, len);
		if (file)
			fclose(file);
		unlink(path);
		free(path);
	}
	if (load_u32(b.data, false))
		add(b.data, b.len);
	builder__exit(&b);
}

void fuzz__seeds(void (*add)(const void *data, size_t size))
{
	static const char link[] = "-O2 -nostdlib -static -Wl,--build-id=none s.c -o object",
	                  pack[] = "&& cp object other && dwz -m alt -M alt object other";
	static const struct {
		const char *compiler, *more;
	} ways[] = {
		{ "gcc -gdwarf-4", pack },
		{ "gcc -gdwarf-5", "&& cp object other && dwz -5 -m alt -M alt object other" },
		{ "clang -gdwarf-4", pack },
		{ "gcc -gdwarf-5 -gsplit-dwarf -fdebug-prefix-map=$PWD=. -dumpdir ./ -dumpbase s",
		  "" },
		{ "gcc -gdwarf-4 -gsplit-dwarf -dumpdir ./ -dumpbase s", "" },
		{ "clang -gdwarf-5 -gsplit-dwarf", "" },
	};
	free(part_path(0)); /* makes the folder */
	char *c = xasprintf("%s/s.c", folder), *command;

	fuzz__write(c, source, strlen(source));
	for (u32 i = 0; i < ARRAY_SIZE(ways); i++) {
		command = xasprintf("cd %s && { %s %s %s; } >/dev/null 2>&1", folder,
		                    ways[i].compiler, link, ways[i].more);
		if (!system(command))
			add_parts(add);
		free(command);
	}
	free(c);
}
