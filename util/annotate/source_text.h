/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The text of source files, line by line. A file that is gone, is no plain file, may not be read or
 * is larger than 64 MB has no lines; whatever is in it, lines may hold any bytes but '\n' and NUL.
 */
#ifndef PERF_UTIL_ANNOTATE_SOURCE_TEXT_H
#define PERF_UTIL_ANNOTATE_SOURCE_TEXT_H

#include "util/lib/types.h"

#define SOURCE_FILE_MAX (64u << 20)

struct source_texts; /* files that were read */

/* @prefix replaces the first @strip folders of absolute paths (--prefix); NULL: none. */
struct source_texts *source_texts__new(const char *prefix, u32 strip);
void source_texts__delete(struct source_texts *texts);

/* One file, for the caller to keep marks in. */
struct source_file {
	char *path;
	u32 nr_lines; /* 0: cannot be read */
	/* Which lines were shown last: for a listing. */
	u32 last_line, max_printed;
	/* Private. */
	char *text;
	char **lines;
};

/* Find or read @path; never NULL. */
struct source_file *source_texts__file(struct source_texts *texts, const char *path);

/* Forget what was shown of all files. */
void source_texts__begin(struct source_texts *texts);

/* Line @line, from 1; NULL: there is none. */
const char *source_file__line(const struct source_file *file, u32 line);

#endif
