/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Recognizes by name the functions in which threads start, the outer ends of complete call chains.
 * Known are those of libcs, of Go's run time, and the kernel's entry code.
 */
#ifndef PERF_UTIL_UNWIND_START_H
#define PERF_UTIL_UNWIND_START_H

enum start_kind {
	START_NOT,
	START_THREAD,  /* nothing called it */
	START_CLONE,   /* of clone(2): a new thread starts in it; in user space it is called, too */
	START_UNKNOWN, /* for callers of this: not even its name is known */
};

enum start_kind start_kind__of_name(const char *name);
enum start_kind start_kind__of_kernel(const char *name);

#endif
