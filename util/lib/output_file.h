/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The file that a command writes its result to, under a name that a user gave. perf is often run
 * by root in folders that others can write to, so links that others made are not followed.
 */
#ifndef PERF_UTIL_LIB_OUTPUT_FILE_H
#define PERF_UTIL_LIB_OUTPUT_FILE_H

#include "util/lib/error.h"
#include "util/lib/types.h"

struct output_file {
	int fd;
	bool made;        /* a new file: output_file__close() may take it away again */
	const char *path; /* borrowed */
};

/*
 * Open @path for writing. What is there already is refused with -EEXIST (but /dev/null, /dev/full
 * and their like, and our own pipes); with @replace it is emptied and written again. Refused, too:
 * links of other users (unless root's), files of other users (unless we are root), and what is no
 * file. A new file has mode 0666 less the umask, and goes away again when a signal (^C) ends perf
 * before output_file__close(); one such file at a time. 0 or a negative errno with @err.
 */
int output_file__open(struct output_file *file, const char *path, bool replace, struct error *err);

/* @keep false: a new file is removed again, because it is not whole. 0 or a negative errno. */
int output_file__close(struct output_file *file, bool keep);

#endif
