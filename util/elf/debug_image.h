/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Unpacks debug sections compressed with zstd (-gz=zstd), into an ELF file in memory. libelf
 * supports them only since 0.189, libdw since 0.191. The new file has only the object's debug
 * sections.
 */
#ifndef PERF_UTIL_ELF_DEBUG_IMAGE_H
#define PERF_UTIL_ELF_DEBUG_IMAGE_H

#include "util/elf/elf_file.h"

/* Limit for all sections of an image together; a larger image is not made. */
#define DEBUG_IMAGE_MAX (2ull << 30)

/* Is a debug section of @elf compressed with zstd? */
bool debug_image__wanted(struct elf_file *elf);

/*
 * Replace @elf by the image, and close the original; sections of type NOBITS are left out. The
 * unpacked sizes that the sections claim must have been checked. False, with @elf unchanged: a
 * section cannot be unpacked, or perf was built without zstd.
 */
bool debug_image__replace(struct elf_file *elf);

#endif
