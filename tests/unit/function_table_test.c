// SPDX-License-Identifier: GPL-2.0-or-later
/* Asking a unit for many addresses gives what a walk over its functions finds first. */
#include "tests/unit/unit.h"

#ifdef HAVE_LIBDW
#include <stdlib.h>

#include "tests/unit/test_file.h"
#include "util/fetch/units.h"
#include "util/lib/alloc.h"

/* Of gone() nothing is left but its debug information, at address 0; cold() has two ranges. */
static const char source[] =
        "#include <stdlib.h>\n"
        "int gone(int v) { for (int i = 0; i < v; i++) v += abs(i - v); return v; }\n"
        "int gone_too(int v) { return v * 5 + 3; }\n"
        "__attribute__((noinline)) int cold(int v)\n"
        "{\n\tif (__builtin_expect(v == 77, 0)) {\n\t\tfor (;;)\n\t\t\tabort();\n\t}\n"
        "\treturn v + 1;\n}\n"
        "static inline int in(int v) { return cold(v) * 2; }\n"
        "int main(int argc, char **argv) { (void)argv; return in(argc) - cold(3); }\n";

struct walk {
	u64 addr;
	Dwarf_Die found;
	u32 nr_gone;
};

static bool covers(void *ctx, Dwarf_Die *die)
{
	struct walk *walk = ctx;

	if (!die__has_code(die) || dwarf_haspc(die, walk->addr) != 1)
		return false;
	walk->found = *die;
	return true;
}

static bool count_gone(void *ctx, Dwarf_Die *die)
{
	struct walk *walk = ctx;

	walk->nr_gone += die__has_code(die) && dwarf_haspc(die, 1) == 1;
	return false;
}

static u32 compare_at(const struct unit *unit, u64 addr)
{
	struct walk walk = { .addr = addr };
	Dwarf_Die function;
	bool there = unit__each_function(unit, covers, &walk);

	CHECK_EQ(unit__function_at(unit, addr, &function), there);
	if (there)
		CHECK(function.addr == walk.found.addr);
	return there;
}

static void compare(const char *options)
{
	const char *dir = unit__tmpdir();
	char *path = xasprintf("%s/prog", dir);
	struct units units;
	u32 nr_found = 0, nr_gone = 0;

	put_test_text(dir, "t.c", source);
	char *command = xasprintf("cd %s && %s -w -g t.c -o prog >/dev/null 2>&1", dir, options);
	bool built = !system(command) && units__open(&units, path, path, 0);

	for (u32 i = 0; built && i < units.nr; i++) {
		const struct unit *unit = &units.units[i];
		struct walk walk = { .nr_gone = 0 };
		Dwarf_Addr base, start, end;

		unit__each_function(unit, count_gone, &walk);
		nr_gone += walk.nr_gone;
		for (u64 addr = 0; addr < 100; addr++)
			nr_found += compare_at(unit, addr);
		for (ptrdiff_t at = 0;
		     (at = dwarf_ranges((Dwarf_Die *)&unit->die, at, &base, &start, &end)) > 0;)
			for (u64 addr = start - 2; addr < end + 2 && addr < start + 4096; addr++)
				nr_found += compare_at(unit, addr);
	}
	if (built) {
		CHECK(nr_found > 30);
		CHECK(nr_gone == 2 || !strstr(options, "gc-sections"));
		units__close(&units);
	}
	free(command);
	free(path);
}

TEST(function_table_as_a_walk)
{
	static const char *const ways[] = {
		"gcc -O0",
		"gcc -O2 -ffunction-sections -Wl,--gc-sections -fuse-ld=bfd",
		"clang -O2 -gdwarf-4 -ffunction-sections -Wl,--gc-sections -fuse-ld=bfd",
		"gcc -O2 -gsplit-dwarf",
		"gcc -O2 -gdwarf-3",
	};

	if (system("command -v gcc >/dev/null")) {
		unit__skip("no gcc");
		return;
	}
	for (u32 i = 0; i < ARRAY_SIZE(ways); i++)
		compare(ways[i]);
}
#else
TEST(function_table_needs_libdw)
{
	unit__skip("no libdw");
}
#endif
