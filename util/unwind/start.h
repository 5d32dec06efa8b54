/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where threads start: the functions that a complete call chain has at its outer end. Known by
 * name: those of libcs, of Go's run time, and the ways into the kernel.
 */
#ifndef PERF_UTIL_UNWIND_START_H
#define PERF_UTIL_UNWIND_START_H

enum start_kind {
	START_NOT,
	START_THREAD,  /* nothing called it */
	START_CLONE,   /* of clone(2): a new thread starts in it, in user space others call it */
	START_UNKNOWN, /* for callers: not even its name is known */
};

enum start_kind start_kind__of_name(const char *name);
enum start_kind start_kind__of_kernel(const char *name);

#endif
