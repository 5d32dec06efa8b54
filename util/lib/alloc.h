/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory allocation that aborts when memory runs out, and arenas. Two rules of the project:
 *  - A size from outside data is checked against the bytes that are really there before it is used,
 *    so a failed allocation means that the machine is out of memory. The x* functions then report
 *    it and abort: no caller could do better.
 *  - Data that live as long as a session (names, maps, chains) are in an arena and never freed
 *    singly.
 */
#ifndef PERF_UTIL_LIB_ALLOC_H
#define PERF_UTIL_LIB_ALLOC_H

#include "util/lib/types.h"

/*
 * For the linker two of them have names of their own: libiberty calls functions of its own by those
 * (util/symtab/demangle_d.c).
 */
void *xmalloc(size_t size) __asm__("perf_xmalloc");
void *xcalloc(size_t count, size_t size);
/* count * size is checked */
void *xrealloc(void *old, size_t count, size_t size) __asm__("perf_xrealloc");
char *xstrdup(const char *s);

/*
 * For what runs for hours: from now on large arrays are maps of their own, so that they leave no
 * holes when they go; and pages that hold nothing go back to the kernel. Costs about 1 ms for 20
 * MB.
 */
void memory__give_back(void);
char *xasprintf(const char *fmt, ...) PRINTF_LIKE(1, 2); /* owned by the caller */

/*
 * Make room for @need elements of @size bytes in the array *@array of capacity *@cap elements,
 * growing by at least half. *array may be NULL with *cap 0. New bytes are not cleared.
 */
void array__reserve(void *array, size_t *cap, size_t need, size_t size);

/* Memory in chunks, freed all at once. Not shared between threads without a lock. */
struct arena {
	struct arena_chunk *chunks; /* newest first */
	size_t used, size;          /* of the newest chunk */
	size_t total;               /* bytes taken from malloc */
};

#define ARENA_INIT                                                                                 \
	{                                                                                          \
		.chunks = NULL                                                                     \
	}

void *arena__alloc(struct arena *arena, size_t size); /* 8-byte aligned, not cleared, never NULL */
char *arena__strndup(struct arena *arena, const char *s, size_t len); /* adds the final NUL */
void arena__exit(struct arena *arena);

#endif
