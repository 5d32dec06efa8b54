// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a debuginfod server gives for a build-id: any bytes, in the place where libdebuginfod keeps
 * its answers, so that nothing is asked for over a network. Only a file of that build-id may be
 * believed.
 */
#include "util/symtab/debuginfod.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/fuzz/fuzz.h"
#include "tests/unit/elf_builder.h"
#include "util/dwarf/debug_info.h"
#include "util/lib/alloc.h"
#include "util/symtab/debug_file.h"
#include "util/symtab/symtab_elf.h"

#define HEX "0102030405060708090a0b0c0d0e0f1011121314"

/* Of the object, whose symbols the server shall have. */
static const struct build_id wanted = { .size = 20,
	                                .data = { 1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
	                                          11, 12, 13, 14, 15, 16, 17, 18, 19, 20 } };

static void add_file(struct elf_builder *e, const char *symbol)
{
	*e = (struct elf_builder){ .is64 = true,
		                   .no_symbols = !symbol,
		                   .build_id_size = wanted.size };
	memcpy(e->build_id, wanted.data, wanted.size);
	if (symbol)
		elf_builder__symbol(e, symbol, STB_GLOBAL, STT_FUNC, 0x10, 16);
	elf_builder__build(e);
}

/* Its cache has the answer of this run. */
static struct debuginfod *client(void)
{
	static const char *const files[] = { "/" HEX "/debuginfo" };
	static struct debuginfod *self;
	struct error err = ERROR_INIT;

	if (self)
		return self;
	setenv("DEBUGINFOD_CACHE_PATH", fuzz__folder(files, ARRAY_SIZE(files)), 1);
	setenv("DEBUGINFOD_URLS", "http://127.0.0.1:1", 1);
	self = debuginfod__new(NULL, &err);
	FUZZ_CHECK(self || err.code < 0);
	return self;
}

static bool has_id(const u8 *data, size_t size)
{
	return memmem(data, size, wanted.data, wanted.size);
}

static void load(const char *object, struct debuginfod *client, const u8 *data, size_t size)
{
	struct object_file_request request = { .path = object,
		                               .symfs = "",
		                               .build_id = wanted.data,
		                               .build_id_size = wanted.size,
		                               .debug_dir = "/nonexistent",
		                               .debuginfod = client };
	struct debug_file_request debug = { .path = object,
		                            .symfs = "",
		                            .debug_dir = "/nonexistent",
		                            .build_id = wanted,
		                            .debuginfod = client };
	struct symtab table = { .source = SYMTAB_NONE };

	symtab__load_elf(&table, &request);
	FUZZ_CHECK(!table.nr || has_id(data, size));
	for (u32 i = 0; i < table.nr; i++)
		fuzz__touch(table.symbols[i].name, strlen(table.symbols[i].name));
	symtab__exit(&table);
	char *path = debug_file__of_dwarf(NULL, &debug);

	FUZZ_CHECK(!path || has_id(data, size));
	debug_info__delete(debug_info__open(path));
	free(path);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static struct elf_builder object;

	if (!size) /* is kept as "no server has it" */
		return 0;
	if (!object.image.len)
		add_file(&object, NULL);
	struct debuginfod *debuginfod = client();

	if (!debuginfod) /* the library is not here */
		return 0;
	fuzz__fill(data, size);
	load(fuzz__file(object.image.data, object.image.len), debuginfod, data, size);
	FUZZ_CHECK(!debuginfod__error(debuginfod)->code);
	return 0;
}

void fuzz__seeds(void (*add)(const void *data, size_t size))
{
	static const char *const symbols[] = { "main", NULL };

	for (size_t i = 0; i < ARRAY_SIZE(symbols); i++) {
		struct elf_builder e;

		add_file(&e, symbols[i]);
		add(e.image.data, e.image.len);
		elf_builder__exit(&e);
	}
	add("<html>404</html>\n", 17);
}
