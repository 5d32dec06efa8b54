// SPDX-License-Identifier: GPL-2.0-or-later
/* Which units refer to a name, in programs of three units that are made in several ways. */
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/test_file.h"
#include "util/dwarf/string_places.h"
#include "util/lib/alloc.h"

#define UNITS 3

static const char *const sources[UNITS] = {
	"int shared(int v);\n"
	"struct s { int member; };\n"
	/* Many strings that end in "tail". */
	"#define FOUR(x) int x##1tail, x##2tail, x##3tail, x##4tail;\n"
	"FOUR(a) FOUR(b) FOUR(c) FOUR(d) FOUR(e) FOUR(f) FOUR(g) FOUR(h) FOUR(i) FOUR(j)\n"
	"int only_first(struct s *s) { return shared(s->member) + 1; }\n",
	"__attribute__((noinline)) int shared(int v) { return v * 3; }\n"
	"int abc(int v) { return shared(v) + 2; }\n",
	"struct s { int member; };\n"
	"int only_first(struct s *s); int shared(int v); int abc(int v);\n"
	"int tail;\n"
	"static int unshared(int v) { return abc(v); }\n"
	"int main(int argc, char **argv)\n"
	"{\n\tstruct s s = { argc };\n\treturn only_first(&s) + shared(unshared(argc));\n}\n",
};

static bool build(const char *compiler, struct elf_file *elf)
{
	const char *dir = unit__tmpdir();
	char *command, *path = xasprintf("%s/prog", dir);

	for (u32 i = 0; i < UNITS; i++) {
		char name[8];

		snprintf(name, sizeof(name), "%u.c", i);
		put_test_text(dir, name, sources[i]);
	}
	command = xasprintf("cd %s && { %s -w -c 0.c 1.c 2.c && %s -w 0.o 1.o 2.o -o prog; } "
	                    ">/dev/null 2>&1",
	                    dir, compiler, compiler);
	bool built = !system(command) && !elf_file__open(elf, path);

	free(command);
	free(path);
	return built;
}

/* Where the units begin: their sizes are the first thing in each. */
static u32 find_starts(struct elf_file *elf, u64 *starts, u32 max)
{
	struct elf_section *section = elf_file__section(elf, ".debug_info");
	const Elf_Data *data = section ? elf_file__data(elf, section) : NULL;
	u32 nr = 0;

	for (u64 at = 0; data && at + 4 < data->d_size && nr < max; nr++) {
		starts[nr] = at;
		at += 4 + load_u32((u8 *)data->d_buf + at, elf->swap);
	}
	return nr;
}

/* The marks as digits: "010". The C library's start-up code may have units, too. */
static const char *marks_of(struct elf_file *elf, const char *name)
{
	static char text[UNITS + 1];
	u64 starts[16];
	u8 marks[16] = { 0 };
	u32 nr = find_starts(elf, starts, 16);

	CHECK(nr >= UNITS);
	CHECK(string_places__mark_units(elf, name, starts, nr, marks));
	for (u32 i = 0; i < UNITS; i++)
		text[i] = '0' + marks[i];
	return text;
}

/* All units that have it are found; others only if their bytes happen to look like it. */
static void check_marks(const char *compiler)
{
	static const char *const names[][2] = {
		{ "only_first", "101" }, { "shared", "111" },
		{ "unshared", "001" },   { "abc", "011" }, /* in place, not in .debug_str */
		{ "member", "101" },     { "hared", "000" },
		{ "nobody", "000" },     { "tail", "001" },
	};
	struct elf_file elf;
	u32 nr_exact = 0;

	if (!build(compiler, &elf))
		return;
	CHECK(units_stand_alone(&elf));
	for (u32 i = 0; i < ARRAY_SIZE(names); i++) {
		const char *marks = marks_of(&elf, names[i][0]);

		for (u32 unit = 0; unit < UNITS; unit++)
			CHECK(marks[unit] >= names[i][1][unit]);
		nr_exact += !strcmp(marks, names[i][1]);
	}
	CHECK(nr_exact >= ARRAY_SIZE(names) - 2);
	CHECK_STR(marks_of(&elf, "nobody"), "000");
	elf_file__close(&elf);
}

TEST(string_places_by_unit)
{
	static const char *const ways[] = { "gcc -gdwarf-4 -O1", "gcc -gdwarf-5 -O1",
		                            "gcc -gdwarf-5 -O0", "gcc -gdwarf-3 -O1",
		                            "clang -gdwarf-4 -O1" };

	if (system("command -v gcc >/dev/null")) {
		unit__skip("no gcc");
		return;
	}
	for (u32 i = 0; i < ARRAY_SIZE(ways); i++)
		check_marks(ways[i]);
}

TEST(string_places_where_units_do_not_stand_alone)
{
	static const char *const ways[] = { "gcc -g -O2 -flto", "clang -gdwarf-5 -O1",
		                            "gcc -g -O1 -gsplit-dwarf",
		                            "gcc -g -O1 -fdebug-types-section" };
	struct elf_file elf;

	if (system("command -v gcc >/dev/null")) {
		unit__skip("no gcc");
		return;
	}
	for (u32 i = 0; i < ARRAY_SIZE(ways); i++) {
		if (!build(ways[i], &elf))
			continue;
		/* gcc has no type units where no type is worth one. */
		CHECK(!units_stand_alone(&elf) || i == 3);
		elf_file__close(&elf);
	}
}

TEST(string_places_in_damage)
{
	struct elf_file elf;
	u64 starts[16];
	u8 marks[16] = { 0 };

	if (!build("gcc -g -O1", &elf)) {
		unit__skip("no gcc");
		return;
	}
	struct elf_section *section = elf_file__section(&elf, ".debug_abbrev");
	Elf_Data *data = elf_file__data(&elf, section);
	u32 nr = find_starts(&elf, starts, 16);

	for (size_t cut = 1; cut < 40; cut++) { /* tables end with a zero: all but that is damage */
		data->d_size -= 1;
		if (((u8 *)data->d_buf)[data->d_size - 1])
			CHECK(!units_stand_alone(&elf));
	}
	memset(data->d_buf, 0xff, data->d_size);
	CHECK(!units_stand_alone(&elf));
	data = elf_file__data(&elf, elf_file__section(&elf, ".debug_info"));
	data->d_size = 1; /* shorter than what is looked for */
	CHECK(string_places__mark_units(&elf, "shared", starts, nr, marks));
	elf_file__close(&elf);
}
