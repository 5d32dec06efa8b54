/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a profile as a recording of its own, which reports as the same rows: for each row as many
 * samples as it counts, with its period shared out among them, and in front of them what they need
 * to be named.
 *
 * What a profile does not know cannot be in it: times (samples stand in the order of the rows, a
 * nanosecond apart), what samples carried beside their chain, losses. Where code was mapped is not
 * known of tasks that ended, either: each object has one address, the same in all processes, at
 * which its bytes lie in the order of its file. Functions, lines and offsets in objects are the
 * true ones; the kernel's addresses are, too.
 */
#ifndef PERF_UTIL_EXPORT_PROFILE_FILE_H
#define PERF_UTIL_EXPORT_PROFILE_FILE_H

#include "util/lib/error.h"
#include "util/profile/profile.h"

struct profile_file_options {
	const char *const *words; /* the command line for the header */
	u32 nr_words;
	const char *version;
};

/*
 * Write @profile of @session to @path, under the rules of record -o (data_writer__new()). 0 or a
 * negative errno with @err and nothing changed: -EOPNOTSUPP where rows are told apart by values of
 * samples (trace, weight ...) or are branches, -ENODATA without a row.
 */
int profile_file__write(const struct profile *profile, const struct session *session,
                        const char *path, const struct profile_file_options *options,
                        struct error *err);

#endif
