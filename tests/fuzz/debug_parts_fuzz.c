// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Debug information in parts: what dwz moved to another file (.gnu_debugaltlink) and what the
 * compiler split off (.dwo), each of any bytes. In an input the three stand one behind another:
 * sizes of the first two, 32 bits each, the object, the other file, the split units.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/debug_files.h"
#include "tests/fuzz/fuzz.h"
#include "util/lib/alloc.h"

static const char *const names[] = { "object", "alt", "s.dwo" };
static const struct debug_files files = { names, ARRAY_SIZE(names) };

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	fuzz__read_debug_files(&files, data, size);
	return 0;
}

void fuzz__seeds(void (*add)(const void *data, size_t size))
{
	static const char source[] = DEBUG_FILES_SOURCE("");
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
	const char *folder = fuzz__debug_folder();
	char *c = xasprintf("%s/s.c", folder), *command;

	fuzz__write(c, source, strlen(source));
	for (u32 i = 0; i < ARRAY_SIZE(ways); i++) {
		command = xasprintf("cd %s && { %s %s %s; } >/dev/null 2>&1", folder,
		                    ways[i].compiler, link, ways[i].more);
		if (!system(command))
			fuzz__add_debug_files(&files, 1, add);
		free(command);
	}
	free(c);
}
