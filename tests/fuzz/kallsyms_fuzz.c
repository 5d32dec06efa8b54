// SPDX-License-Identifier: GPL-2.0-or-later
/* A kernel symbol list: picking the symbols of some addresses must say what the whole table says.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "util/symtab/kallsyms.h"
#include "util/symtab/text_lines.h"

#define BASE 0xffffffff81000000ull

static const char *name_at(const struct symtab *table, u64 addr)
{
	u32 i = symtab__find(table, addr);

	return i == ID_NONE ? "" : table->symbols[i].name;
}

/* Is it a list of symbols of the kernel itself, in the order of addresses? */
static bool in_order(const u8 *data, size_t size)
{
	char *text = fuzz__text(data, size), *line = text, *end;
	bool ordered = strlen(text) == size && !strpbrk(text, "[\r\t");
	u64 last = 0;

	for (; ordered && *line; line = end + strcspn(end, "\n"), line += *line == '\n') {
		u64 addr = strtoull(line, &end, 16);

		ordered = end == line + 16 && *end == ' ' && addr >= last;
		last = addr;
	}
	free(text);
	return ordered;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct symtab all = { .source = SYMTAB_NONE }, picked = { .source = SYMTAB_NONE };
	struct symtab module = { .source = SYMTAB_NONE };
	u64 wanted[256];
	struct kallsyms_target targets[] = {
		{ .symtab = &picked, .wanted = wanted, .nr_wanted = 256 },
		{ .symtab = &module, .module = "[mod-a]" },
	};
	struct kallsyms_request request = { .path = fuzz__file(data, size),
		                            .targets = targets,
		                            .nr = 2 };

	for (unsigned i = 0; i < 256; i++)
		wanted[i] = BASE + i * 0x25;
	struct kallsyms_target whole = { .symtab = &all };
	int ret = kallsyms__load(
	        &(struct kallsyms_request){ .path = request.path, .targets = &whole, .nr = 1 });

	FUZZ_CHECK(kallsyms__load(&request) == ret);
	for (unsigned i = 0; i < 256; i++)
		FUZZ_CHECK(!strcmp(name_at(&picked, wanted[i]), name_at(&all, wanted[i])));
	/* Alone, a list in order is read in leaps. */
	symtab__exit(&picked);
	picked = (struct symtab){ .source = SYMTAB_NONE };
	request.nr = 1;
	request.sorted = true;
	ret = kallsyms__load(&request);
	for (unsigned i = 0; !ret && i < 256 && in_order(data, size); i++)
		FUZZ_CHECK(!strcmp(name_at(&picked, wanted[i]), name_at(&all, wanted[i])));
	for (u32 i = 0; i < module.nr; i++)
		fuzz__touch(module.symbols[i].name, strlen(module.symbols[i].name));
	symtab__exit(&all);
	symtab__exit(&picked);
	symtab__exit(&module);
	return 0;
}

void fuzz__seeds(void (*add)(const void *data, size_t size))
{
	static const char *const lists[] = {
		"ffffffff81000000 T _text\nffffffff81000000 t first\nffffffff81000100 W weak\n"
		"ffffffff81000200 d data\nffffffff81000400 T end\nffffffffc0000000 t f\t[mod_a]\n",
		"ffffffff81000300 T late\nffffffff81000100 T early\nffffffff81000200 t mid\n",
		"0000000000000000 T hidden\n0000000000000000 T too\n",
		"ffffffff81000100 T no_newline",
	};

	static char too_long[LINE_MAX_SIZE + 1000] = "ffffffff81000100 T a\n";

	for (unsigned i = 0; i < ARRAY_SIZE(lists); i++)
		add(lists[i], strlen(lists[i]));
	memset(too_long + strlen(too_long), 'x', LINE_MAX_SIZE + 100);
	strcat(too_long, "\nffffffff81000200 T b\n");
	add(too_long, strlen(too_long));
}
