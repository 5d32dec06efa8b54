/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What this perf was built with, under the names that Linux's perf gives these things: `perf
 * version --build-options`, `perf check`. "On" means that perf does it, not that a library lies
 * around: what no command uses yet is off.
 */
#ifndef PERF_UTIL_OPTIONS_BUILT_IN_H
#define PERF_UTIL_OPTIONS_BUILT_IN_H

#include <stdbool.h>
#include <stddef.h>

struct built_in {
	const char *name;  /* "dwarf" */
	const char *macro; /* "HAVE_DWARF_SUPPORT" */
	const char *needs; /* the feature of the build it stands on */
};

/* All of them, in the order they are shown; *nr is how many. */
const struct built_in *built_in__all(size_t *nr);

bool built_in__is_on(const struct built_in *feature);

/* The one called @name (or by its macro), of @len bytes; letter case does not matter. NULL: none.
 */
const struct built_in *built_in__find(const char *name, size_t len);

#endif
