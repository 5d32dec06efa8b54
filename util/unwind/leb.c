// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/lib/cursor.h"
#include "util/unwind/cfi.h"

/* Seven bits in each byte, lowest first; bits beyond 64 are dropped. *shift: behind the last. */
static u64 leb(struct cursor *c, unsigned *shift, u8 *last)
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

u64 cursor__uleb(struct cursor *c)
{
	unsigned shift;
	u8 last;

	return leb(c, &shift, &last);
}

s64 cursor__sleb(struct cursor *c)
{
	unsigned shift;
	u8 last;
	u64 value = leb(c, &shift, &last);

	if (last & 0x40 && shift < 64)
		value |= ~0ull << shift;
	return value;
}
