/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes an ELF file in memory of some sections, for libraries that want a file: they open it by its
 * descriptor.
 *
 *	if (section_image__begin(&image, like))
 *		section_image__add(&image, ".debug_info", bytes, size); ...
 *	int fd = section_image__finish(&image);
 *
 * Used by one thread.
 */
#ifndef PERF_UTIL_ELF_SECTION_IMAGE_H
#define PERF_UTIL_ELF_SECTION_IMAGE_H

#include "util/elf/elf_file.h"
#include "util/lib/out.h"

struct section_image { /* private */
	Elf *handle;
	Elf_Scn *last;
	int fd;
	struct out names;
	bool failed;
};

/* Its class, byte order, type and machine are those of @like. False: it cannot be made. */
bool section_image__begin(struct section_image *image, struct elf_file *like);

/* @bytes must stay as they are until the end. False: no memory. */
bool section_image__add(struct section_image *image, const char *name, void *bytes, size_t size);

/* The same behind the bytes of the section that was added last. */
bool section_image__append(struct section_image *image, void *bytes, size_t size);

/*
 * Write it, and free everything else. The descriptor, which the caller closes; -1: something
 * failed, here or before.
 */
int section_image__finish(struct section_image *image);

#endif
