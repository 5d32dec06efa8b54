/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The source files of an annotation, each read once. One that cannot be read has no lines.
 */
#ifndef PERF_UTIL_ANNOTATE_SOURCE_FILES_H
#define PERF_UTIL_ANNOTATE_SOURCE_FILES_H

#include "util/dwarf/source_text.h"
#include "util/lib/error.h"

struct source_files; /* files that were read */

/* @prefix replaces the first @strip folders of absolute paths (--prefix); NULL: none. */
struct source_files *source_files__new(const char *prefix, u32 strip);
void source_files__delete(struct source_files *texts);

/* One file, for the caller to keep marks in. */
struct source_file {
	char *path; /* as it was asked for */
	/* Which lines were shown last: for a listing. */
	u32 last_line, max_printed;
	struct source_text text;
	int error;  /* why it cannot be read: a negative errno */
	u32 beyond; /* a line that was asked for and lies behind its end; 0: none */
};

/* Find or read @path; never NULL. */
struct source_file *source_files__at(struct source_files *texts, const char *path);

/* Forget what was shown of all files. */
void source_files__begin(struct source_files *texts);

/* Which of those that were asked for cannot be read: false, and @err is as it was: none. */
bool source_files__missing(const struct source_files *texts, struct error *err);

/* Which of them lack lines that were asked for, so that they are others than those of the build. */
bool source_files__changed(const struct source_files *texts, struct error *err);

/* Line @line, from 1; NULL: there is none, which is noted. */
const char *source_file__line(struct source_file *file, u32 line);

#endif
