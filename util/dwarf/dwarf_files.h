/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files that an object's DWARF is in, opened for libdw with care. What libdw would otherwise do
 * by itself is done or checked before: sections that do not fit into the file, sizes after
 * unpacking, and names in the file that lead to devices and pipes, which would block.
 *
 * One thing is left to libdw: it opens the .dwo files of split units itself, and maps them. One
 * that is cut short while it is read ends perf by SIGBUS; all other files are read.
 *
 * Of one thread, as the libdw handle. Exists with libdw only.
 */
#ifndef PERF_UTIL_DWARF_DWARF_FILES_H
#define PERF_UTIL_DWARF_DWARF_FILES_H

#ifdef HAVE_LIBDW
#include <elfutils/libdw.h>

#include "util/elf/elf_file.h"
#include "util/elf/file_trail.h"

struct dwarf_files {
	struct elf_file elf, alternate; /* or what was unpacked of it: debug_image.h */
	Dwarf *dwarf, *alternate_dwarf;
	char *path;
	struct file_trail *trail; /* borrowed */
	/* Private: the string looked at, and the sections' contents that the last ones were in. */
	const char *string;
	struct dwarf_span {
		const char *start, *end;
	} found, spans[2]; /* spans: of strings in string sections; of those among DIEs */
};

/*
 * NULL: there is no DWARF in it, or none that can be used. The other files that are looked at, here
 * and later, are noted in @trail, unless that is NULL. A kernel module is read as it lay at
 * @module_start; 0: it is none.
 */
struct dwarf_files *dwarf_files__open(const char *path, u64 module_start, struct file_trail *trail);
void dwarf_files__close(struct dwarf_files *files);

/*
 * The DIE that has the code of the unit at @cudie: itself, or for a skeleton that of its split
 * unit, if that is there. False: neither.
 */
bool dwarf_files__code_of_unit(struct dwarf_files *files, Dwarf_Die *cudie, Dwarf_Die *code);

/*
 * A DIE's string, one that has its final zero inside of its section (libdw does not look in all
 * forms of strings); else NULL.
 */
const char *dwarf_files__string(struct dwarf_files *files, Dwarf_Attribute *attr);
#endif

#endif
