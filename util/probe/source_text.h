/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lines of a source file, found where it was compiled or below another folder.
 *
 * For any thread; read at once, up to 64 MB.
 */
#ifndef PERF_UTIL_PROBE_SOURCE_TEXT_H
#define PERF_UTIL_PROBE_SOURCE_TEXT_H

#include "util/lib/error.h"
#include "util/lib/types.h"

struct source_text {
	char *path;
	char *bytes;
	const char **lines; /* [1]: the first; each ends with a zero */
	u32 nr;
};

/* @folder: of --source, NULL: none. 0, or a negative errno with @err. */
int source_text__open(struct source_text *text, const char *path, const char *folder,
                      struct error *err);
void source_text__close(struct source_text *text);

/* Does the glob @pattern match the whole line, if blanks in both do not count? */
bool source_text__matches(const struct source_text *text, u32 line, const char *pattern);

#endif
