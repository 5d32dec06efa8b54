/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The readable forms of an object's mangled names, as far as they were asked for. The demangler is
 * the most expensive part of naming, so an index keeps its results (object_index.h).
 *
 * Used by one thread at a time.
 */
#ifndef PERF_UTIL_SYMTAB_READABLE_NAMES_H
#define PERF_UTIL_SYMTAB_READABLE_NAMES_H

#include "util/lib/strtab.h"

struct readable_names {
	struct strtab mangled;
	const char **readable; /* by the ids of mangled */
	size_t cap;
};

/* All zero: none. */
void readable_names__exit(struct readable_names *names);

/* NULL: not known. */
const char *readable_names__find(const struct readable_names *names, const char *mangled);

/* Both are copied. The form of a known name is not changed. */
void readable_names__add(struct readable_names *names, const char *mangled, const char *readable);

static inline u32 readable_names__nr(const struct readable_names *names)
{
	return names->mangled.nr;
}

#endif
