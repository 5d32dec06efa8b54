// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/writer/sequence_code.h"

#include <string.h>

static u32 log_of(u32 x)
{
	return 31 - __builtin_clz(x);
}

/* Every symbol gets one state, the others are dealt out by @counts; the rest is the first's. */
static void deal_out(struct sequence_code *code, const u32 *counts)
{
	u32 left = (1u << code->log) - code->nr, dealt = 0, most = 0;
	u64 total = 0;

	for (u32 i = 0; i < code->nr; i++)
		total += counts[i];
	for (u32 i = 0; i < code->nr; i++) {
		u32 more = total ? counts[i] * (u64)left / total : 0;

		code->share[i] = 1 + more;
		dealt += more;
		if (counts[i] > counts[most])
			most = i;
	}
	code->share[most] += left - dealt;
}

void sequence_code__suit(struct sequence_code *code, const u32 *counts)
{
	u32 size = 1u << code->log, step = size / 2 + size / 8 + 3, at = 0;
	u8 symbol[SEQUENCE_CODE_STATES];
	u16 next[SEQUENCE_CODE_SYMBOLS];

	deal_out(code, counts);
	for (u32 i = 0; i < code->nr; i++) {
		next[i] = code->share[i];
		for (u32 n = 0; n < code->share[i]; n++) {
			symbol[at] = i;
			at = (at + step) & (size - 1);
		}
	}
	/* 4.1.1: the states of a symbol, in their order, share all that can follow among them. */
	for (u32 state = 0; state < size; state++) {
		u32 number = next[symbol[state]]++, bits = code->log - log_of(number);
		u32 base = (number << bits) - size;

		code->bits[state] = bits;
		code->base[state] = base;
		memset(code->before[symbol[state]] + base, state, 1u << bits);
	}
}

/*
 * Shares in the order of the symbols, each in as many bits as what is left to deal out can need;
 * the lower half of the values in one bit less, where values are left over.
 */
u8 *sequence_code__describe(const struct sequence_code *code, u8 *to)
{
	u32 left = 1u << code->log, nr = 4;
	u64 bits = code->log - 5;

	for (u32 i = 0; i < code->nr; i++) {
		u32 value = code->share[i] + 1, max = left + 1, width = log_of(max) + 1;
		u32 spare = (1u << width) - 1 - max, half = 1u << (width - 1);

		if (value < spare)
			width--;
		else if (value >= half)
			value += spare;
		bits |= (u64)value << nr;
		nr += width;
		left -= code->share[i];
		for (; nr >= 8; nr -= 8, bits >>= 8)
			*to++ = bits;
	}
	if (nr)
		*to++ = bits;
	return to;
}
