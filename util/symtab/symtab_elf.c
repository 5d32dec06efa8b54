// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Loads the symbols of a mapped file. The file itself (or the build-id cache's copy, if the file is
 * gone or was replaced) has the PLT and the segments, which turn offsets into addresses; names come
 * from the first of
 *
 *	its own .symtab
 *	the separate debug file: build-id cache, DEBUG_DIR/.build-id, .gnu_debuglink
 *	.gnu_debugdata (an xz-compressed .symtab of what .dynsym lacks) with .dynsym
 *	.dynsym
 *
 * The .dynsym of the same file is read along with a .symtab: it has names that `strip` took out of
 * the other.
 */
#include "util/symtab/symtab_elf.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/elf/build_id.h"
#include "util/elf/relocatable.h"
#include "util/lib/text.h"
#include "util/symtab/debug_file.h"
#include "util/symtab/elf_symbols.h"

static void take_names(struct symtab *symtab, const char *path, enum symtab_source source)
{
	symtab->source = source;
	symtab->path = xstrdup(path);
}

/* @object: whose PLT it is; NULL when it is gone. */
static u32 add_tables(struct symtab *symtab, struct elf_file *file, struct elf_file *object)
{
	u32 added = elf_symbols__add(symtab, file, SHT_SYMTAB);

	if (!added)
		return 0;
	if (object)
		elf_symbols__add_plt(symtab, object);
	/* Aliases are settled in each table: so the second cannot take sizes away. */
	symtab__fixup(symtab);
	elf_symbols__add(symtab, file, SHT_DYNSYM);
	return added;
}

/* Names from the object's own sections and what they refer to. */
static void load_names(struct symtab *symtab, struct elf_file *elf, const char *path,
                       const struct debug_file_request *debug, u64 module_start)
{
	struct elf_file other;
	char *found;

	if (elf && add_tables(symtab, elf, elf)) {
		take_names(symtab, path, SYMTAB_ELF);
		return;
	}
	found = debug_file__open(&other, elf, debug);
	if (found) {
		relocatable__set_addresses(&other, module_start);
		u32 added = add_tables(symtab, &other, elf);

		if (added) {
			take_names(symtab, found, SYMTAB_DEBUG_FILE);
			if (!elf) /* better than nothing: often right, as in position-dependent
			             files */
				elf_symbols__set_segments(symtab, &other);
		}
		elf_file__close(&other);
		free(found);
		if (added)
			return;
	}
	if (!elf)
		return;
	u32 mini = debug_file__add_embedded(symtab, elf);

	if (elf_symbols__add(symtab, elf, SHT_DYNSYM) || mini)
		take_names(symtab, path, mini ? SYMTAB_MINIDEBUG : SYMTAB_DYNSYM);
	elf_symbols__add_plt(symtab, elf);
}

void symtab__no_symbols(struct symtab *symtab, const char *path)
{
	error__set(&symtab->error, -ENODATA, "no symbols found in", path,
	           "it is stripped; maybe install a debug package?");
}

int symtab__load_elf(struct symtab *symtab, const struct object_file_request *request)
{
	char *path = xasprintf("%s%s", request->symfs ? request->symfs : "", request->path);
	struct debug_file_request debug = { .path = request->path,
		                            .symfs = request->symfs ? request->symfs : "",
		                            .cache_dir = request->cache_dir,
		                            .debug_dir = request->debug_dir,
		                            .build_id = build_id__of_bytes(request->build_id,
		                                                           request->build_id_size),
		                            .debuginfod = request->debuginfod,
		                            .refused = &symtab->refused,
		                            .trail = request->trail };
	struct elf_file elf;

	symtab->demangle = request->demangle;
	int ret = object_file__open(&elf, request, &symtab->error);

	if (!ret) {
		if (!debug.build_id.size)
			elf_file__build_id(&elf, &debug.build_id);
		elf_symbols__set_segments(symtab, &elf);
		relocatable__set_addresses(&elf, request->module_start);
	}
	load_names(symtab, ret ? NULL : &elf, path, &debug, request->module_start);
	symtab->runtime_addr = request->module_start;
	if (!ret && symtab->source == SYMTAB_NONE)
		symtab__no_symbols(symtab, path);
	if (!ret)
		elf_file__close(&elf);
	if (symtab->source != SYMTAB_NONE)
		symtab->error.code = 0;
	if (symtab->source == SYMTAB_ELF || symtab->source == SYMTAB_DEBUG_FILE)
		symtab->refused.code = 0;
	symtab__fixup(symtab);
	free(path);
	return symtab->error.code;
}
