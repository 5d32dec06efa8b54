/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file that appears in its folder only when it is complete. Until then it has no name
 * (O_TMPFILE), so a writer that is killed leaves nothing behind. If the file system has no
 * O_TMPFILE, or there is no /proc to name the file through, it is made as ".tmp-PID-N" with a
 * flock() on it: a file with such a name and no lock was left by a process that was killed.
 */
#ifndef PERF_UTIL_LIB_NEW_FILE_H
#define PERF_UTIL_LIB_NEW_FILE_H

#include "util/lib/types.h"

#define NEW_FILE_PREFIX ".tmp-"

struct new_file {
	int at; /* its folder, borrowed */
	int fd; /* for writing; owned */
	char temp[64];
};

/* Make a file in the folder @at, mode 0600, open for reading and writing. 0 or a negative errno. */
int new_file__open(struct new_file *file, int at);

/*
 * If the file already has a name, remove it when SIGHUP, SIGINT or SIGTERM ends perf before
 * new_file__finish(). Signals that have a handler are left alone. For one file at a time.
 */
void new_file__watch(const struct new_file *file);

/*
 * Close the file and give it the name @name. If @ret is not 0 (writing failed), remove it and
 * return @ret. An older file of that name is replaced; with @keep it stays, and the new one is
 * removed. 0 or a negative errno.
 */
int new_file__finish(struct new_file *file, const char *name, bool keep, int ret);

#endif
