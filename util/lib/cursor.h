/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A bounds-checked reader over bytes that come from outside (files, rings, pipes), in either byte
 * order. A read past the end returns 0, does not advance and sets `failed`, which stays set: a
 * parser reads a whole structure and checks once, before it uses any of it.
 */
#ifndef PERF_UTIL_LIB_CURSOR_H
#define PERF_UTIL_LIB_CURSOR_H

#include <byteswap.h>
#include <string.h>

#include "util/lib/types.h"

struct cursor {
	const u8 *pos, *end;
	bool swap; /* the data has the other byte order */
	bool failed;
};

static inline struct cursor cursor__make(const void *data, size_t len, bool swap)
{
	return (struct cursor){ .pos = data, .end = (const u8 *)data + len, .swap = swap };
}

static inline size_t cursor__left(const struct cursor *c)
{
	return c->end - c->pos;
}

/* The next @len bytes, or NULL (and failed) when there are fewer. */
static inline const void *cursor__bytes(struct cursor *c, size_t len)
{
	const u8 *p = c->pos;

	if (unlikely(c->failed || len > cursor__left(c))) {
		c->failed = true;
		return NULL;
	}
	c->pos += len;
	return p;
}

/* Unchecked loads in the data's byte order, for addresses known to lie inside the buffer. */
static inline u16 load_u16(const void *p, bool swap)
{
	u16 v;

	memcpy(&v, p, sizeof(v));
	return swap ? bswap_16(v) : v;
}

static inline u32 load_u32(const void *p, bool swap)
{
	u32 v;

	memcpy(&v, p, sizeof(v));
	return swap ? bswap_32(v) : v;
}

static inline u64 load_u64(const void *p, bool swap)
{
	u64 v;

	memcpy(&v, p, sizeof(v));
	return swap ? bswap_64(v) : v;
}

static inline u8 cursor__u8(struct cursor *c)
{
	const u8 *p = cursor__bytes(c, 1);

	return p ? *p : 0;
}

static inline u16 cursor__u16(struct cursor *c)
{
	const void *p = cursor__bytes(c, 2);

	return p ? load_u16(p, c->swap) : 0;
}

static inline u32 cursor__u32(struct cursor *c)
{
	const void *p = cursor__bytes(c, 4);

	return p ? load_u32(p, c->swap) : 0;
}

static inline u64 cursor__u64(struct cursor *c)
{
	const void *p = cursor__bytes(c, 8);

	return p ? load_u64(p, c->swap) : 0;
}

/*
 * DWARF's numbers of variable length (LEB128): seven bits in each byte, lowest first; what is
 * beyond 64 bits is cut off. *shift: how many there were; *last: the byte with the highest.
 */
static inline u64 cursor__leb(struct cursor *c, u32 *shift, u8 *last)
{
	u64 value = 0;

	*shift = 0;
	do {
		*last = cursor__u8(c);
		if (*shift < 64)
			value |= (u64)(*last & 0x7f) << *shift;
		*shift += *shift < 64 ? 7 : 0;
	} while (*last & 0x80);
	return value;
}

static inline u64 cursor__uleb(struct cursor *c)
{
	u32 shift;
	u8 last;

	return cursor__leb(c, &shift, &last);
}

static inline s64 cursor__sleb(struct cursor *c)
{
	u32 shift;
	u8 last;
	u64 value = cursor__leb(c, &shift, &last);

	if (last & 0x40 && shift < 64)
		value |= ~0ull << shift;
	return value;
}

/* A NUL-ended string within the next @len bytes (all of them are consumed); "" on failure. */
static inline const char *cursor__str(struct cursor *c, size_t len)
{
	const char *s = cursor__bytes(c, len);

	if (!s || !memchr(s, 0, len)) {
		c->failed = true;
		return "";
	}
	return s;
}

#endif
