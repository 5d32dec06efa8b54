// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Probes in objects of any bytes: functions, lines, variables, what --line and --vars show. The
 * seeds are made by the compiler.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/fuzz/fuzz.h"
#include "util/fetch/units.h"
#include "util/lib/alloc.h"
#include "util/probe/event_lines.h"
#include "util/probe/finder.h"

static void find(struct probe_target *target, struct probe_finder *finder, const char *text)
{
	const struct probe_search search = { PROBE_SPOTS_MAX, false };
	struct event_lines lines = { .quiet_names = true };
	struct error err = ERROR_INIT;
	struct probe_definition def;
	struct probe_spots spots;

	FUZZ_CHECK(!probe_definition__parse(&def, text, NULL));
	int ret = probe_finder__find(finder, &def, &search, &spots, &err);

	FUZZ_CHECK(!ret || ret == err.code);
	if (!ret) {
		FUZZ_CHECK(spots.nr && spots.nr <= PROBE_SPOTS_MAX);
		event_lines__add(&lines, target, &def, &spots, NULL, &err);
		for (u32 i = 0; i < lines.nr; i++)
			fuzz__touch(lines.lines[i].line, strlen(lines.lines[i].line));
		for (u32 i = 0; i < spots.nr; i++)
			free(probe_finder__place(finder, spots.spots[i].addr, i & 1));
	}
	event_lines__exit(&lines);
	probe_spots__exit(&spots);
	probe_definition__exit(&def);
}

static void show(struct probe_finder *finder, const char *function)
{
	const struct probe_vars_options options = { .externs = true,
		                                    .range = true,
		                                    .max = PROBE_SPOTS_MAX };
	struct probe_definition def;
	struct probe_source source;
	struct probe_lines lines;
	struct out out;

	FUZZ_CHECK(!probe_lines__parse(&lines, function, NULL));
	if (!probe_finder__lines(finder, &lines, &source, NULL))
		FUZZ_CHECK(source.path && source.first <= source.last);
	probe_source__exit(&source);
	probe_lines__exit(&lines);
	FUZZ_CHECK(!probe_definition__parse(&def, function, NULL));
	out__init(&out, -1);
	probe_finder__vars(finder, &def, &options, &out, NULL);
	out__exit(&out);
	probe_definition__exit(&def);
}

#ifdef HAVE_LIBDW
static bool covers(void *ctx, Dwarf_Die *die)
{
	return die__has_code(die) && dwarf_haspc(die, *(u64 *)ctx) == 1;
}

/* What is asked of tables made for it is what libdw answers. */
static void compare(const char *path)
{
	static const char *const names[] = { "s.c", "none.c", "tmp/s.c" };
	Dwarf_Die function;
	struct units units;

	if (!units__open(&units, path, path, 0))
		return;
	for (u32 i = 0; i < ARRAY_SIZE(names); i++) {
		u8 *with = units__with_file(&units, names[i]);

		for (u32 unit = 0; with && unit < units.nr; unit++)
			FUZZ_CHECK(with[unit] ||
			           !dwarf_files__source_of_unit(&units.units[unit].die, names[i]));
		free(with);
	}
	for (u32 i = 0; i < units.nr; i++) {
		Dwarf_Addr base, start, end;

		for (u32 j = 0;
		     j < 20 && dwarf_ranges(&units.units[i].die, 0, &base, &start, &end) > 0; j++) {
			u64 addr = start + j * 7;

			FUZZ_CHECK(unit__function_at(&units.units[i], addr, &function) ==
			           unit__each_function(&units.units[i], covers, &addr));
		}
	}
	units__close(&units);
}
#else
static void compare(const char *path)
{
	(void)path;
}
#endif

/* As a program or, with @is_kernel, a kernel or module: its addresses have other texts. */
static void probe(const char *path, bool is_kernel)
{
	static const char *const texts[] = { "top $vars",
		                             "low $params",
		                             "mid:3 sum s->next->a s->text:string",
		                             "s.c:4",
		                             "*",
		                             "top+2 s->row[1][2] s->bits sink",
		                             "top%return $retval",
		                             "s.c:9 s->next->next->union_a",
		                             "mid seven word hidden",
		                             "pairs p.b p.a q->a hidden s.next",
		                             "pairs:2 $vars +u0(%sp)",
		                             "pairs half wide q->b@user r.a s->text@user:string",
		                             "pairs:7 half n low r.b",
		                             "s.c:100",
		                             "s.c;sum*=*",
		                             "top;*mid*" };
	struct probe_target target;

	/* Of a root of its own, so that the link to memory is not followed to a name that is none.
	 */
	if (probe_target__open(&target, path, "/", 0, is_kernel, NULL))
		return;
	struct probe_finder *finder = probe_finder__new(&target);

	for (u32 i = 0; i < ARRAY_SIZE(texts); i++)
		find(&target, finder, texts[i]);
	show(finder, "top");
	show(finder, "mid");
	show(finder, "s.c:5");
	probe_finder__delete(finder);
	probe_target__close(&target);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	const char *path = fuzz__file(data, size);

	compare(path);
	probe(path, false);
	probe(path, true);
	return 0;
}

static const char source[] =
        "volatile int sink; static int hidden = 3;\n"
        "static __thread int own; extern int elsewhere; struct pair { long a, b; };\n"
        "struct s { int a; struct s *next; char *text; short row[2][3]; unsigned bits : 5;\n"
        "\tunion { int union_a; float b; }; };\n"
        "static inline __attribute__((always_inline)) int low(struct s *s) { return s->a + sink; "
        "}\n"
        "static inline __attribute__((always_inline)) int mid(struct s *s)\n"
        "{\n\tconst int seven = 7;\n\tconst char word[] = \"text\";\n\tint sum = hidden;\n"
        "\tfor (; s; s = s->next)\n\t\tsum += low(s) * seven;\n\treturn sum + word[1];\n}\n"
        "__attribute__((noinline)) long pairs(struct pair p, struct pair *q, float f)\n{\n"
        "\tstruct pair r = { p.b, p.a };\n\tlong n = q->a + 3;\n\tunsigned char low = p.a;\n"
        "\tconst double half = 0.5;\n\tconst __int128 wide = 3;\n"
        "\tq->b = own + f * half + low + (long)wide;\n\tp = r;\n\treturn n + p.a + p.b * sink;\n}\n"
        "__attribute__((noinline)) int top(struct s *s, _Bool flag, double d, char c)\n{\n"
        "\tif (sink + flag + d)\n\t\treturn mid(s);\n\treturn mid(s->next) + low(s) + c;\n}\n"
        "void _start(void)\n{\n\tstruct s s = { 1, 0 };\n\tstruct pair p = { sink, 2 };\n"
        "\tsink = top(&s, 1, 2, 3) + pairs(p, &p, 1);\n"
        "\thidden = sink;\n}\n";

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
	static const char *const ways[] = { "gcc -gdwarf-4 -O2",   "gcc -gdwarf-5 -O2",
		                            "gcc -gdwarf-5 -O0",   "clang -gdwarf-5 -O2",
		                            "clang -gdwarf-4 -O0", "gcc -gdwarf-2 -O1" };
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
		char *command = xasprintf("cd %s && %s -nostdlib -static -Wl,--build-id=none -o s "
		                          "s.c >/dev/null 2>&1",
		                          dir, ways[i]);

		if (!system(command))
			add_file(add, out);
		free(command);
	}
	unlink(c);
	unlink(out);
	rmdir(dir);
	free(c);
	free(out);
}
