// SPDX-License-Identifier: GPL-2.0-or-later
/* An object file: its tables, build-id, debug link and embedded table, and its names demangled. */
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "tests/unit/elf_builder.h"
#include "util/elf/build_id.h"
#include "util/symtab/demangle.h"
#include "util/symtab/elf_symbols.h"
#include "util/symtab/symtab.h"
#include "util/symtab/symtab_elf.h"

/* As for the vdso and embedded tables: libelf works on the bytes themselves. */
static void read_in_memory(const u8 *data, size_t size)
{
	struct symtab table = { .source = SYMTAB_NONE };
	struct elf_file elf;
	struct build_id id;

	if (elf_file__open_memory(&elf, data, size))
		return;
	elf_file__build_id(&elf, &id);
	elf_symbols__add(&table, &elf, SHT_SYMTAB);
	elf_symbols__add(&table, &elf, SHT_DYNSYM);
	elf_symbols__add_plt(&table, &elf);
	elf_symbols__set_segments(&table, &elf);
	for (u32 i = 0; i < elf.nr_sections; i++)
		fuzz__touch(elf.sections[i].name, strlen(elf.sections[i].name));
	elf_file__close(&elf);
	symtab__fixup(&table);
	for (u32 i = 0; i < table.nr; i++)
		fuzz__touch(table.symbols[i].name, strlen(table.symbols[i].name));
	symtab__exit(&table);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	const char *path = fuzz__file(data, size);
	struct object_file_request request = {
		.path = path, .symfs = "", .debug_dir = "/nonexistent", .demangle = true
	};
	struct symtab table = { .source = SYMTAB_NONE };
	struct build_id id;

	build_id__of_file(path, &id);
	fuzz__touch(id.data, id.size);
	symtab__load_elf(&table, &request);
	for (u32 i = 0; i < table.nr; i++) {
		const struct symbol *s = &table.symbols[i];
		u32 found = symtab__find(&table, s->start);

		FUZZ_CHECK(s->end >= s->start);
		FUZZ_CHECK(!i || s->start > table.symbols[i - 1].start);
		FUZZ_CHECK(found == i || s->end == s->start);
		fuzz__touch(s->name, strlen(s->name));
		if (i < 50)
			free(demangle(s->name));
	}
	for (u64 offset = 0; offset < 0x4000; offset += 0x40)
		symtab__find(&table, symtab__vaddr_of_offset(&table, offset));
	symtab__exit(&table);
	read_in_memory(data, size);
	return 0;
}

static void seed(void (*add)(const void *data, size_t size), struct elf_builder *e)
{
	elf_builder__symbol(e, "plain", STB_LOCAL, STT_FUNC, 0x10, 16);
	elf_builder__symbol(e, "_ZNKSt6vectorIiSaIiEE4sizeEv", STB_WEAK, STT_FUNC, 0x10, 16);
	elf_builder__symbol(e, "_RNvCs1234_7mycrate3foo", STB_GLOBAL, STT_FUNC, 0x40, 0);
	elf_builder__symbol(e, "camlModule__function_12", STB_GLOBAL, STT_NOTYPE, 0x80, 8);
	elf_builder__build(e);
	add(e->image.data, e->image.len);
	elf_builder__exit(e);
}

void fuzz__seeds(void (*add)(const void *data, size_t size))
{
	for (unsigned i = 0; i < 16; i++) {
		struct elf_builder e = { .is64 = i & 1, .swap = i & 2, .dynsym = i & 4 };

		e.build_id_size = 20;
		e.plt = e.dynsym;
		e.packed = i & 8;
		e.type = (i & 12) == 8 ? ET_REL : ET_DYN;
		if (i & 4)
			e.debuglink = "prog.debug";
		seed(add, &e);
	}
}
