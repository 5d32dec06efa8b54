// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/unwind/dso_code.h"

#include <stdlib.h>

#include "util/lib/cursor.h"

#define CODE_MAX (64 << 10) /* of one function that is looked into */

void code_file__init(struct code_file *file, const struct dsos *dsos,
                     const struct symbol_config *config)
{
	*file = (struct code_file){ .dsos = dsos, .config = config, .dso = ID_NONE };
}

void code_file__exit(struct code_file *file)
{
	if (file->open)
		object_files__close(&file->files);
	file->open = false;
}

struct elf_file *code_file__elf(struct code_file *file, u32 dso)
{
	struct error err = ERROR_INIT;

	if (file->dso != dso) {
		code_file__exit(file);
		file->dso = dso;
		file->open = !object_files__open(&file->files, file->dsos, dso, file->config, false,
		                                 &err);
	}
	return file->open ? &file->files.elf : NULL;
}

void dso_code__read(struct dso_code *code, const struct elf_file *elf, u64 from, u64 to)
{
	*code = (struct dso_code){ .vaddr = from };
	if (from >= to || to - from > CODE_MAX)
		return;
	if (!elf_file__code(elf, from, to - from, &code->bytes, &code->len) &&
	    code->len < to - from)
		dso_code__exit(code);
}

void dso_code__exit(struct dso_code *code)
{
	free(code->bytes);
	*code = (struct dso_code){ .len = 0 };
}

u64 dso_code__relative(const struct dso_code *code, size_t at)
{
	return code->vaddr + at + 4 + (u64)(s64)(s32)load_u32(code->bytes + at, false);
}
