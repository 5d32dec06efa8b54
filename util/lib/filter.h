/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Another program that bytes go through: a compressor. It is started without a shell, by its words;
 * its errors go where ours go.
 */
#ifndef PERF_UTIL_LIB_FILTER_H
#define PERF_UTIL_LIB_FILTER_H

#include <sys/types.h>

#include "util/lib/error.h"

struct filter {
	const char *name; /* borrowed: the program */
	int fd;           /* our end of the pipe */
	pid_t pid;
};

/*
 * Start the program argv[0], found in PATH; @argv ends with a NULL. What is written to filter->fd
 * goes through it to @to. The caller ignores SIGPIPE: the program may end early.
 */
int filter__start_writing(struct filter *filter, const char *const *argv, int to,
                          struct error *err);

/* What is read from filter->fd is what the program makes of @from. */
int filter__start_reading(struct filter *filter, const char *const *argv, int from,
                          struct error *err);

/*
 * Close our end and wait for the program. 0, -EFBIG when a limit of file sizes ended it, or -EIO
 * with @err when it failed. That it was ended by SIGPIPE is fine where its output was not read to
 * the end.
 */
int filter__end(struct filter *filter, struct error *err);

#endif
