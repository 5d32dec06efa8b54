/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Build-ids: the NT_GNU_BUILD_ID notes of ELF files, the running kernel, its modules and the vdso.
 */
#ifndef PERF_UTIL_ELF_BUILD_ID_H
#define PERF_UTIL_ELF_BUILD_ID_H

#include <string.h>

#include "util/lib/types.h"

struct build_id {
	u8 size; /* 0: none */
	u8 data[20];
};

#define BUILD_ID_HEX_SIZE 41

/* Make a build-id of the @size bytes at @data; size 0 if @data is NULL or @size is too large. */
static inline struct build_id build_id__of_bytes(const u8 *data, size_t size)
{
	struct build_id id = { .size = data && size <= sizeof(id.data) ? size : 0 };

	if (id.size)
		memcpy(id.data, data, id.size);
	return id;
}

static inline bool build_id__equal(const struct build_id *a, const struct build_id *b)
{
	return a->size == b->size && !memcmp(a->data, b->data, a->size);
}

const char *build_id__hex(const struct build_id *id, char buf[static BUILD_ID_HEX_SIZE]);
bool build_id__parse(const char *hex, size_t len, struct build_id *id); /* else false, size 0 */

/*
 * Read that of an ELF file, usually with one read. -ENODATA: it has none; -ENOEXEC: it is not ELF.
 */
int build_id__of_file(const char *path, struct build_id *id);
struct elf_file;
bool elf_file__build_id(struct elf_file *elf, struct build_id *id); /* false: size 0 */
int build_id__of_kernel(struct build_id *id);                       /* /sys/kernel/notes */
int build_id__of_module(const char *name, struct build_id *id);     /* /sys/module/NAME/notes */
int build_id__of_notes(const void *notes, size_t len, bool swap, struct build_id *id);

/* The image of our own vdso (the running kernel's); NULL where there is none. */
const void *build_id__own_vdso(size_t *size);

#endif
