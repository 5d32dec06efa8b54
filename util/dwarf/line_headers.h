/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the headers of line tables (.debug_line) tell of source files. libdw decodes the whole table
 * for that, which for all units of a program costs more than all else that a question about one
 * file needs, and it reads past sums.
 */
#ifndef PERF_UTIL_DWARF_LINE_HEADERS_H
#define PERF_UTIL_DWARF_LINE_HEADERS_H

#include "util/elf/elf_file.h"
#include "util/lib/md5.h"

struct line_headers {
	const Elf_Data *lines, *strings, *line_strings; /* NULL: there is no such section */
	bool swap;
};

/* @elf must outlive it. False: it cannot tell anything. */
bool line_headers__init(struct line_headers *headers, struct elf_file *elf);

/*
 * May the table at @offset of .debug_line have a file whose path ends with @name? Files are found
 * too often (what is not understood has any), never too rarely.
 */
bool line_headers__may_name(const struct line_headers *headers, u64 offset, const char *name);

/*
 * The MD5 of the file with the number @index in the table at @offset, as DWARF 5 may have it (clang
 * writes it). False: there is none, or the table is not understood.
 */
bool line_headers__sum(const struct line_headers *headers, u64 offset, u64 index, u8 sum[MD5_SIZE]);

#endif
