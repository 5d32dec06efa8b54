/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Debug sections packed with zstd (-gz=zstd), which libelf and libdw know from 0.189 and 0.191 on
 * only: unpacked here, into an ELF file in memory that has nothing but an object's debug sections.
 */
#ifndef PERF_UTIL_ELF_DEBUG_IMAGE_H
#define PERF_UTIL_ELF_DEBUG_IMAGE_H

#include "util/elf/elf_file.h"

/* All sections of an image together; beyond that there is none. */
#define DEBUG_IMAGE_MAX (2ull << 30)

/* Is a debug section of @elf packed with zstd? */
bool debug_image__wanted(struct elf_file *elf);

/*
 * Put the image in the place of @elf, which is closed then; sections of type NOBITS are left out.
 * The sizes that sections say they unpack to must have been looked at. False, and @elf as it was:
 * one cannot be unpacked, or this perf is built without zstd.
 */
bool debug_image__replace(struct elf_file *elf);

#endif
