/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where .debug_info refers to a text: the bytes are searched, no DIE is read. For a name that few
 * units have this costs a twentieth of a walk over all of them.
 *
 * Places are found too often (bytes that look like it), never too rarely.
 */
#ifndef PERF_UTIL_DWARF_STRING_PLACES_H
#define PERF_UTIL_DWARF_STRING_PLACES_H

#include "util/elf/elf_file.h"

/*
 * Does each unit of @elf stand alone: does no DIE refer to one of another unit or file, and is each
 * text either in place or in .debug_str? So it is with compilers, unless they split units, optimize
 * at link time or keep types apart. False as well: damaged abbreviations, the other byte order.
 */
bool units_stand_alone(struct elf_file *elf);

/*
 * Set marks[i] of each unit that may refer to @text, of @nr units that begin at these offsets of
 * .debug_info, which ascend. Only for files whose units stand alone. False: a section cannot be
 * read, or .debug_str has the text beyond 4 GB.
 */
bool string_places__mark_units(struct elf_file *elf, const char *text, const u64 *starts, u32 nr,
                               u8 *marks);

#endif
