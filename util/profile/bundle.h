/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record --bundle: a finished recording is read once, and what its samples and call chains need of
 * the objects they fell into (names, source lines, inlined functions) goes into the same file.
 */
#ifndef PERF_UTIL_PROFILE_BUNDLE_H
#define PERF_UTIL_PROFILE_BUNDLE_H

#include "util/symbol/session_symbols.h"

struct bundle_result {
	u32 nr_objects, nr_left_out; /* left out: beyond the limits of symbol_bundle.h */
	u32 nr_gone;                 /* objects with samples whose file is not there any more */
	char first_gone[320];        /* one of them */
	u64 bytes;
	bool needs_files; /* chains are unwound from copied stacks: that takes the files themselves
	                   */
};

/*
 * @path: a file that was finished just now, on this machine. @config says where objects are; what
 * it says of the kernel is set from the recording. 0 or a negative errno with @err: the recording
 * is as it was then.
 */
int bundle__put_into(const char *path, const struct symbol_config *config,
                     struct bundle_result *result, struct error *err);

#endif
