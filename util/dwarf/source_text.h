/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lines of a source file, read at once. A file that is gone, is no plain file, may not be read
 * or is larger than 64 MB has none; lines may hold any bytes but '\n' and NUL.
 */
#ifndef PERF_UTIL_DWARF_SOURCE_TEXT_H
#define PERF_UTIL_DWARF_SOURCE_TEXT_H

#include <time.h>

#include "util/lib/error.h"
#include "util/lib/types.h"

struct source_text {
	char *path;
	char *bytes;
	const char **lines; /* [1]: the first; each ends with a zero */
	u32 nr;
	size_t size;    /* of all of it */
	bool ends_line; /* the last line has an end, too */
	struct timespec changed;
};

/* The file at @path as it is. 0 or a negative errno; -EISDIR: a folder; -EINVAL: no plain file. */
int source_text__read(struct source_text *text, const char *path);

/*
 * The same for the file at @path or, with @folder, the longest end of @path that is below it. 0, or
 * a negative errno with @err.
 */
int source_text__open(struct source_text *text, const char *path, const char *folder,
                      struct error *err);
void source_text__close(struct source_text *text);

/*
 * Why the lines may be others than those that a program knows: by the MD5 @sum of the source that
 * it was made of, else (NULL) by the age of its file. A sentence, malloc'ed, that calls the program
 * @name; NULL: there is no doubt. @program may be NULL.
 */
char *source_text__doubt(const struct source_text *text, const u8 *sum, const char *program,
                         const char *name);

/* Does the glob @pattern match the whole line, if blanks in both do not count? */
bool source_text__matches(const struct source_text *text, u32 line, const char *pattern);

/* Is @path the file that @name, the end of a path, means? NULL name: any. */
bool path__ends_with(const char *path, const char *name);

/* Is it a source by its name, and no header, whose code may be in many units? */
bool path__is_source(const char *path);

#endif
