/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The source line and file of each location of a profile, as text for the keys srcline and srcfile.
 *
 * Without debug information the line is "symbol+OFFSET" (in decimal) or "dso[ADDRESS]", as in
 * Linux's perf, and the file is "".
 */
#ifndef PERF_UTIL_PROFILE_SOURCE_H
#define PERF_UTIL_PROFILE_SOURCE_H

#include "util/profile/names.h"

enum source_flags {
	SOURCE_FULL_PATH = 1u << 0, /* else the last part of a file's path */
};

struct source {
	struct strtab texts;
	u32 *line_of_loc, *file_of_loc; /* of texts */
};

/*
 * @names must be those of @profile, with symbols. Reads debug information with @workers threads.
 * Control characters in the texts are replaced.
 */
void source__init(struct source *source, const struct names *names, const struct profile *profile,
                  unsigned flags, unsigned workers);
void source__exit(struct source *source);

/* Load the lines of all locations in dsos, or of those with used[loc]; @vaddrs is by location. */
void source__load(const struct names *names, const struct profile *profile, const bool *used,
                  const u64 *vaddrs, unsigned workers);

#endif
