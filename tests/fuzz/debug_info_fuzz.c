// SPDX-License-Identifier: GPL-2.0-or-later
/* Lines and inlined functions out of DWARF of any bytes. Its seeds are made by the compiler. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/fuzz/debug_walk.h"
#include "tests/fuzz/fuzz.h"
#include "util/dwarf/debug_info.h"
#include "util/lib/alloc.h"

#define MODULE 0xffffffffc0200000ull /* where objects that were not linked are said to lie */

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct debug_info *info = debug_info__open_module(fuzz__file(data, size), MODULE);

	fuzz__walk_debug_info(info);
	debug_info__delete(info);
	return 0;
}

static const char source[] =
        "volatile int sink; struct s { int a; struct s *next; };\n"
        "static inline __attribute__((always_inline)) int low(struct s *s) { return s->a + sink; "
        "}\n"
        "static inline __attribute__((always_inline)) int mid(struct s *s)\n"
        "{\n\tint sum = 0;\n\tfor (; s; s = s->next)\n\t\tsum += low(s);\n\treturn sum;\n}\n"
        "__attribute__((noinline)) int top(struct s *s)\n{\n\tif (sink)\n\t\treturn mid(s);\n"
        "\treturn mid(s->next) + low(s);\n}\n"
        "void _start(void)\n{\n\tstruct s s = { 1, 0 };\n\tsink = top(&s);\n}\n";

static void add_file(void (*add)(const void *data, size_t size), const char *path)
{
	static char bytes[1 << 20];
	FILE *file = fopen(path, "r");
	size_t len = file ? fread(bytes, 1, sizeof(bytes), file) : 0;

	if (len)
		add(bytes, len);
	if (file)
		fclose(file);
}

void fuzz__seeds(void (*add)(const void *data, size_t size))
{
	static const char *const ways[] = { "gcc -gdwarf-4",
		                            "gcc -gdwarf-5",
		                            "gcc -gdwarf-5 -gz",
		                            "clang -gdwarf-5",
		                            "gcc -gdwarf-2",
		                            "gcc -gdwarf-4 -gsplit-dwarf",
		                            "gcc -gdwarf-5 -c",
		                            "gcc -gdwarf-4 -gz -c",
		                            "riscv64-linux-gnu-gcc -g -c",
		                            "clang --target=riscv64 -gdwarf-5 -c",
		                            "gcc -g -Wl,--compress-debug-sections=zstd" };
	char dir[] = "/tmp/perf-seeds-XXXXXX";

	if (!mkdtemp(dir))
		return;
	char *c = xasprintf("%s/s.c", dir), *out = xasprintf("%s/s", dir);
	FILE *file = fopen(c, "w");

	if (file) {
		fputs(source, file);
		fclose(file);
	}
	for (unsigned i = 0; i < ARRAY_SIZE(ways); i++) {
		char *command =
		        xasprintf("cd %s && %s -O2 -nostdlib -static -Wl,--build-id=none -o "
		                  "s s.c >/dev/null 2>&1",
		                  dir, ways[i]);

		if (!system(command))
			add_file(add, out);
		free(command);
	}
	char *clean = xasprintf("rm -f %s/s.c %s/s %s/*.dwo", dir, dir, dir);

	if (system(clean))
		perror(dir);
	rmdir(dir);
	free(clean);
	free(c);
	free(out);
}
