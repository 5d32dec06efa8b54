// SPDX-License-Identifier: GPL-2.0-or-later
/* An object file: its tables, build-id, debug link and embedded table, and its names demangled. */
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "tests/unit/elf_builder.h"
#include "util/elf/build_id.h"
#include "util/elf/packed.h"
#include "util/symtab/debug_file.h"
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

static void unpack(const u8 *data, size_t size)
{
	size_t len = 0;
	u8 *unpacked = packed__unpack(data, size, 1 << 16, &len);

	FUZZ_CHECK(!unpacked || (packed__is(data, size) && len <= 1 << 16));
	if (unpacked)
		fuzz__touch(unpacked, len);
	free(unpacked);
}

/* The file itself, or the same bytes up to a 0xff as its debug file; if these are refused, why. */
static void look_for_dwarf(const char *path, const u8 *data, size_t size)
{
	static const char *const files[] = { "/proc/self/fd/prog.debug" };
	static const char *folder;
	struct error err = ERROR_INIT;
	struct debug_file_request request = {
		.path = path, .symfs = "", .cache_dir = "/nonexistent", .refused = &err
	};

	if (!folder)
		folder = fuzz__folder(files, ARRAY_SIZE(files));
	fuzz__fill(data, size);
	request.debug_dir = folder;
	char *found = debug_file__of_dwarf(path, &request);

	FUZZ_CHECK(!found || !strcmp(found, path) || !strncmp(found, folder, strlen(folder)));
	FUZZ_CHECK(!err.code || *err.what);
	free(found);
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
	unpack(data, size);
	look_for_dwarf(path, data, size);
	return 0;
}

/* By xz, --check=crc32: 300 bytes, and 200,000, which are too many. */
static const u8 some_xz[] = { 0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00, 0x00, 0x01, 0x69, 0x22,
	                      0xde, 0x36, 0x02, 0x00, 0x21, 0x01, 0x16, 0x00, 0x00, 0x00,
	                      0x74, 0x2f, 0xe5, 0xa3, 0xe0, 0x01, 0x2b, 0x00, 0x12, 0x5d,
	                      0x00, 0x30, 0x9b, 0x8b, 0x94, 0x20, 0x55, 0xfa, 0x0d, 0x38,
	                      0x25, 0xd1, 0xd4, 0x3d, 0xfe, 0x89, 0xad, 0x40, 0x00, 0x00,
	                      0x00, 0x00, 0x73, 0xbc, 0xf8, 0xf6, 0x00, 0x01, 0x2a, 0xac,
	                      0x02, 0x00, 0x00, 0x00, 0x91, 0x48, 0xbc, 0x7a, 0x3e, 0x30,
	                      0x0d, 0x8b, 0x02, 0x00, 0x00, 0x00, 0x00, 0x01, 0x59, 0x5a };
static const u8 much_xz[] = {
	0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00, 0x00, 0x01, 0x69, 0x22, 0xde, 0x36, 0x02, 0x00, 0x21,
	0x01, 0x16, 0x00, 0x00, 0x00, 0x74, 0x2f, 0xe5, 0xa3, 0xe3, 0x0d, 0x3f, 0x00, 0x61, 0x5d,
	0x00, 0x00, 0x6f, 0xfd, 0xff, 0xff, 0xa3, 0xb7, 0xff, 0x47, 0x3e, 0x48, 0x15, 0x72, 0x39,
	0x61, 0x51, 0xb8, 0x92, 0x28, 0xe6, 0xa3, 0x86, 0x07, 0xf9, 0xee, 0xe4, 0x1e, 0x82, 0xd3,
	0x2f, 0xc5, 0x3a, 0x3c, 0x01, 0x4b, 0xb1, 0x7e, 0xc9, 0x8a, 0x8a, 0x4d, 0x2f, 0xa3, 0x0d,
	0xd9, 0x7f, 0xa6, 0xe3, 0x8c, 0x23, 0x11, 0x53, 0xe0, 0x59, 0x18, 0xc5, 0x75, 0x8a, 0xe2,
	0x77, 0xf8, 0xb6, 0x94, 0x7f, 0x0c, 0x6a, 0xc0, 0xde, 0x74, 0x49, 0x64, 0xe2, 0xe9, 0x5c,
	0x53, 0xb2, 0x04, 0xd8, 0xf7, 0x44, 0x0c, 0xab, 0x5f, 0x0d, 0x6d, 0x46, 0xe9, 0xe5, 0xc3,
	0x76, 0x88, 0xb7, 0x7f, 0x3f, 0xe7, 0xf3, 0x00, 0x00, 0x00, 0x00, 0x00, 0x7b, 0x58, 0xe0,
	0x5c, 0x00, 0x01, 0x79, 0xc0, 0x9a, 0x0c, 0x00, 0x00, 0xab, 0x98, 0x8a, 0xdd, 0x3e, 0x30,
	0x0d, 0x8b, 0x02, 0x00, 0x00, 0x00, 0x00, 0x01, 0x59, 0x5a
};

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
	add(some_xz, sizeof(some_xz));
	add(much_xz, sizeof(much_xz));
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
