/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which source files a line table names, by its header alone: libdw decodes the whole table, which
 * for all units of a program costs more than all else that a question about one file needs.
 *
 * Files are found too often (what is not understood has any), never too rarely.
 */
#ifndef PERF_UTIL_DWARF_LINE_NAMES_H
#define PERF_UTIL_DWARF_LINE_NAMES_H

#include "util/elf/elf_file.h"

struct line_names {
	const Elf_Data *lines, *strings, *line_strings; /* NULL: there is no such section */
	bool swap;
};

/* @elf must outlive it. False: it cannot tell anything. */
bool line_names__init(struct line_names *names, struct elf_file *elf);

/* May the table at @offset of .debug_line have a file whose path ends with @name? */
bool line_names__may_have(const struct line_names *names, u64 offset, const char *name);

#endif
