// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/symtab/vdso.h"

#include <errno.h>
#include <stdlib.h>

#include "util/buildid/build_id_cache.h"
#include "util/symtab/elf_symbols.h"

static bool open_own_vdso(struct elf_file *elf)
{
	size_t size;
	const void *image = build_id__own_vdso(&size);

	return image && !elf_file__open_memory(elf, image, size);
}

int vdso__open(struct elf_file *elf, const struct symbol_config *config, const struct dso *dso,
               char **path)
{
	struct build_id want = build_id__of_bytes(dso->build_id, dso->build_id_size);
	struct build_id have = { .size = 0 };
	char *cached = want.size && config->cache_dir
	                       ? build_id_cache__find(config->cache_dir, &want, CACHE_VDSO)
	                       : NULL;
	bool open = cached && !elf_file__open(elf, cached);

	if (!open && !config->no_live_kernel && open_own_vdso(elf)) {
		elf_file__build_id(elf, &have);
		open = !want.size || build_id__equal(&want, &have);
		if (!open)
			elf_file__close(elf);
	}
	if (open && path)
		*path = cached;
	else
		free(cached);
	return open ? 0 : -ESTALE;
}

void vdso__load(struct symtab *table, const struct symbol_config *config, const struct dso *dso)
{
	struct elf_file elf;

	if (vdso__open(&elf, config, dso, &table->path)) {
		error__set(&table->error, -ESTALE, "cannot name addresses of", "[vdso]",
		           "it is of another kernel");
		return;
	}
	elf_symbols__set_segments(table, &elf);
	if (elf_symbols__add(table, &elf, SHT_SYMTAB))
		table->source = SYMTAB_ELF;
	else if (elf_symbols__add(table, &elf, SHT_DYNSYM))
		table->source = SYMTAB_DYNSYM;
	symtab__fixup(table);
	elf_file__close(&elf);
}
