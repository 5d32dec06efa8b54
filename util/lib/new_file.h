/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file that appears in its folder when it is complete, and not before. It has no name until then
 * (O_TMPFILE): whoever is killed while writing leaves nothing behind. Where a file system has no
 * such files, or no /proc is there to name one by, it is made as ".tmp-PID-N" instead, and holds a
 * flock(): what has such a name and no lock is of a process that was killed.
 */
#ifndef PERF_UTIL_LIB_NEW_FILE_H
#define PERF_UTIL_LIB_NEW_FILE_H

#include "util/lib/types.h"

#define NEW_FILE_PREFIX ".tmp-"

struct new_file {
	int at; /* its folder, borrowed */
	int fd; /* to be written to; owned */
	char temp[64];
};

/* The folder that @path is in, to be given to new_file__open(): a descriptor or a negative errno.
 */
int new_file__open_folder(const char *path);

/* In the folder @at, for its owner alone, to be read and written. 0 or a negative errno. */
int new_file__open(struct new_file *file, int at);

/*
 * Where it has a name, signals that end perf (and that nobody handles) take it away until
 * new_file__finish(). For one file at a time.
 */
void new_file__watch(const struct new_file *file);

/*
 * Close it; it becomes @name, unless @ret, which is then given back, says that writing it failed.
 * A file of that name is replaced, or (@keep) stays, and the new one goes. 0 or a negative errno.
 */
int new_file__finish(struct new_file *file, const char *name, bool keep, int ret);

#endif
