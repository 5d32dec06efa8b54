/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pipes bytes through another program, such as a compressor. It is started from its argv, without a
 * shell, and shares our standard error.
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
 * goes through it to @to. The caller must ignore SIGPIPE: the program may end early.
 */
int filter__start_writing(struct filter *filter, const char *const *argv, int to,
                          struct error *err);

/* The same for reading: the program reads @from, and filter->fd yields its output. */
int filter__start_reading(struct filter *filter, const char *const *argv, int from,
                          struct error *err);

/*
 * Close our end and wait for the program. 0; or with @err -EFBIG when the file-size limit ended it,
 * -EIO when it failed. An end by SIGPIPE is no failure: its output may not have been read to the
 * end.
 */
int filter__end(struct filter *filter, struct error *err);

#endif
