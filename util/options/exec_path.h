/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Programs that extend perf: `perf foo` runs `perf-foo` from the exec path, or from PATH. Whoever
 * can write such a program, or the folder it lies in, decides what the user runs; so both must
 * belong to the user or to root and be writable by nobody else. (A sticky folder like /tmp, in
 * which others cannot replace a file, is fine.)
 */
#ifndef PERF_UTIL_OPTIONS_EXEC_PATH_H
#define PERF_UTIL_OPTIONS_EXEC_PATH_H

#include "util/lib/error.h"

/* @option if it is not empty, else $PERF_EXEC_PATH, else the folder of the build. Not owned. */
const char *exec_path__dir(const char *option);

/*
 * The program for command @name: first in @dir, then in the absolute folders of @path (as $PATH,
 * may be NULL). malloc'ed. NULL: none (@err stays unset), or one that is not safe to run (@err
 * says why, -EPERM).
 */
char *exec_path__find(const char *dir, const char *path, const char *name, struct error *err);

/*
 * Exec the program for the command argv[0] with the other words as its arguments; its PATH starts
 * with the exec path and perf's own folder. Returns only when that fails: -ENOENT with @err unset
 * when there is no such program, else a negative errno with @err filled.
 */
int exec_path__run(const char **argv, struct error *err);

#endif
