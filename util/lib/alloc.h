/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory. Two rules of the project:
 *  - A size that comes from outside data is checked against the bytes that are really there
 *    before it is used; so a failing allocation means that the machine is out of memory. The
 *    x* functions then say so and abort: no caller has anything better to do.
 *  - Data of a session's life (names, maps, chains) lives in an arena and is never freed alone.
 */
#ifndef PERF_UTIL_LIB_ALLOC_H
#define PERF_UTIL_LIB_ALLOC_H

#include "util/lib/types.h"

void *xmalloc(size_t size);
void *xcalloc(size_t count, size_t size);
void *xrealloc(void *old, size_t count, size_t size); /* count * size is checked */
char *xstrdup(const char *s);
char *xasprintf(const char *fmt, ...) PRINTF_LIKE(1, 2); /* owned by the caller */

/*
 * Make room for @need elements of @size bytes in the array *@array of capacity *@cap elements,
 * growing by at least half. *array may be NULL with *cap 0. New bytes are not cleared.
 */
void array__reserve(void *array, size_t *cap, size_t need, size_t size);

/* Chunked memory that is given back all at once. Not shared between threads without a lock. */
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
