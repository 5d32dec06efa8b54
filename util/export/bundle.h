/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record --bundle: put the symbols that a finished recording needs into its own file.
 *
 * The recording is read once. For the addresses of its samples and call chains the file gets names,
 * source lines and inlined functions, and the code of the functions they lie in.
 */
#ifndef PERF_UTIL_EXPORT_BUNDLE_H
#define PERF_UTIL_EXPORT_BUNDLE_H

#include "util/symbol/session_symbols.h"

struct bundle_result {
	u32 nr_objects, nr_left_out; /* left out: beyond the limits of symbol_bundle.h */
	u32 nr_gone;                 /* objects with samples whose file no longer exists */
	char first_gone[320];        /* one of them */
	u64 bytes;
	bool needs_files; /* chains are unwound from copied stacks, which takes the files */
};

/*
 * @path: a file that was just finished, on this machine. @config locates the objects; its settings
 * for the kernel are replaced by those of the recording. 0 or a negative errno with @err; on
 * failure the recording is unchanged.
 */
int bundle__put_into(const char *path, const struct symbol_config *config,
                     struct bundle_result *result, struct error *err);

#endif
