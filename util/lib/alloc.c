// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/lib/alloc.h"

#include <malloc.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARENA_CHUNK_MIN (64 * 1024)
#define ARENA_CHUNK_MAX (1024 * 1024)
#define LARGE           (128 * 1024)

struct arena_chunk {
	struct arena_chunk *next;
	char data[] __attribute__((aligned(8)));
};

static void *check(void *p, size_t count, size_t size)
{
	if (unlikely(!p)) {
		fprintf(stderr, "perf: out of memory (%zu x %zu bytes)\n", count, size);
		abort();
	}
	return p;
}

void memory__give_back(void)
{
#ifdef __GLIBC__
	mallopt(M_MMAP_THRESHOLD, LARGE); /* else it rises with each such array that is freed */
	malloc_trim(LARGE);
#endif
}

void *xmalloc(size_t size)
{
	return check(malloc(size ? size : 1), 1, size);
}

void *xcalloc(size_t count, size_t size)
{
	return check(calloc(count ? count : 1, size ? size : 1), count, size);
}

void *xrealloc(void *old, size_t count, size_t size)
{
	return check(reallocarray(old, count ? count : 1, size), count, size);
}

char *xstrdup(const char *s)
{
	size_t size = strlen(s) + 1;

	return memcpy(xmalloc(size), s, size);
}

char *xasprintf(const char *fmt, ...)
{
	va_list args;
	char *s;

	va_start(args, fmt);
	int n = vasprintf(&s, fmt, args);

	va_end(args);
	return check(n < 0 ? NULL : s, 1, 0);
}

void array__reserve(void *array, size_t *cap, size_t need, size_t size)
{
	void *data;
	size_t grown = *cap + *cap / 2 + 8;

	if (need <= *cap)
		return;
	if (grown < need)
		grown = need;
	memcpy(&data, array, sizeof(data)); /* void ** would alias the caller's typed pointer */
	data = xrealloc(data, grown, size);
	memcpy(array, &data, sizeof(data));
	*cap = grown;
}

void *arena__alloc(struct arena *arena, size_t size)
{
	size = (size + 7) & ~(size_t)7;
	if (unlikely(arena->size - arena->used < size)) {
		size_t want = arena->total < ARENA_CHUNK_MIN ? ARENA_CHUNK_MIN : arena->total;

		if (want > ARENA_CHUNK_MAX)
			want = ARENA_CHUNK_MAX;
		if (want < size)
			want = size;
		struct arena_chunk *chunk = xmalloc(sizeof(*chunk) + want);

		chunk->next = arena->chunks;
		arena->chunks = chunk;
		arena->size = want;
		arena->used = 0;
		arena->total += want;
	}
	void *p = arena->chunks->data + arena->used;

	arena->used += size;
	return p;
}

char *arena__strndup(struct arena *arena, const char *s, size_t len)
{
	char *copy = arena__alloc(arena, len + 1);

	memcpy(copy, s, len);
	copy[len] = '\0';
	return copy;
}

void arena__exit(struct arena *arena)
{
	while (arena->chunks) {
		struct arena_chunk *next = arena->chunks->next;

		free(arena->chunks);
		arena->chunks = next;
	}
	*arena = (struct arena)ARENA_INIT;
}
