/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Interned strings: equal text has one 32-bit id, so names are compared as integers. Id 0 is
 * always the empty string. Ids are given in order of first use (not sorted): never let an id
 * decide the order of output.
 */
#ifndef PERF_UTIL_LIB_STRTAB_H
#define PERF_UTIL_LIB_STRTAB_H

#include "util/lib/alloc.h"
#include "util/lib/types.h"

struct strtab {
	struct arena arena;
	const char **strings; /* by id */
	size_t nr, cap;
	u32 *slots;  /* open addressing; ID_NONE is free */
	u32 *hashes; /* by id */
	size_t mask;
	u32 *unused; /* ids to be given again: strings[id] is NULL */
	size_t nr_unused, cap_unused;
};

void strtab__init(struct strtab *tab);
void strtab__exit(struct strtab *tab);

u32 strtab__intern(struct strtab *tab, const char *s, size_t len); /* copies; stops at a NUL */
u32 strtab__add(struct strtab *tab, const char *s);

/* Without adding: the id, or ID_NONE. */
u32 strtab__find(const struct strtab *tab, const char *s);

/*
 * Forget the strings whose used[id] is 0; their ids are given again. Ids of the others stay, but
 * what strtab__get() gave is gone. The empty string is never forgotten.
 */
void strtab__keep(struct strtab *tab, const u8 *used);

/* Valid as long as the table. @id must be one that this table gave. */
static inline const char *strtab__get(const struct strtab *tab, u32 id)
{
	return tab->strings[id];
}

#endif
