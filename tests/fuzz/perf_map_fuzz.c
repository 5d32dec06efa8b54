// SPDX-License-Identifier: GPL-2.0-or-later
/* A JIT's perf-PID.map. */
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "util/symtab/perf_map.h"
#include "util/symtab/symtab.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct symtab table = { .source = SYMTAB_NONE };

	symtab__load_perf_map(&table, fuzz__file(data, size));
	for (u32 i = 0; i < table.nr; i++) {
		const struct symbol *s = &table.symbols[i];

		FUZZ_CHECK(s->end > s->start && *s->name);
		FUZZ_CHECK(!i || s->start > table.symbols[i - 1].start);
		FUZZ_CHECK(symtab__find(&table, s->start) == i);
		fuzz__touch(s->name, strlen(s->name));
	}
	symtab__exit(&table);
	return 0;
}

void fuzz__seeds(void (*add)(const void *data, size_t size))
{
	static const char *const maps[] = {
		"1000 10 a\n1010 20 b with blanks\n0x1100 0x10 c\n1000 40 again\n1008 8 inner\n",
		"7f0000001000 fffffffffffff000 wraps\n1 1 x\nffffffffffffffff 1 top\n",
	};

	for (unsigned i = 0; i < ARRAY_SIZE(maps); i++)
		add(maps[i], strlen(maps[i]));
}
