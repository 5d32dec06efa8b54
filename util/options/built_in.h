/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The features this perf was built with, under the names of Linux's perf, for `perf check` and
 * `perf version --build-options`. "On" means that perf uses the feature, not that a library is
 * there: what no command uses yet is off.
 */
#ifndef PERF_UTIL_OPTIONS_BUILT_IN_H
#define PERF_UTIL_OPTIONS_BUILT_IN_H

#include <stdbool.h>
#include <stddef.h>

struct built_in {
	const char *name;  /* "dwarf" */
	const char *macro; /* "HAVE_DWARF_SUPPORT" */
	const char *needs; /* the build feature that it depends on */
};

/* All of them, in the order they are shown; *nr is how many. */
const struct built_in *built_in__all(size_t *nr);

bool built_in__is_on(const struct built_in *feature);

/* The feature with the name or macro @name of @len bytes, in any letter case. NULL: none. */
const struct built_in *built_in__find(const char *name, size_t len);

#endif
