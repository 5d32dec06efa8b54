/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Symbols as bits, the frequent ones as few of them: the finite state coder of zstd's sequences
 * (RFC 8878, 4.1). Written from the side of the decoder: it is in a state, which stands for a
 * symbol and says which states can follow; so symbols are coded from the last to the first, and
 * each step asks in which state the decoder must have been before.
 */
#ifndef PERF_UTIL_WRITER_SEQUENCE_CODE_H
#define PERF_UTIL_WRITER_SEQUENCE_CODE_H

#include "util/lib/types.h"

#define SEQUENCE_CODE_SYMBOLS 53
#define SEQUENCE_CODE_STATES  256

/* Bytes that sequence_code__describe() needs at most. */
#define SEQUENCE_CODE_TEXT (2 + SEQUENCE_CODE_SYMBOLS * 9 / 8)

struct sequence_code {
	u32 nr;  /* symbols, each of them possible; fewer than half of the states */
	u32 log; /* 1 << log states: 5 to 8 */
	u16 share[SEQUENCE_CODE_SYMBOLS]; /* of the states that stand for the symbol; at least 1 */
	u8 before[SEQUENCE_CODE_SYMBOLS]
	         [SEQUENCE_CODE_STATES]; /* by symbol, and the state behind */
	u8 bits[SEQUENCE_CODE_STATES],
	        base[SEQUENCE_CODE_STATES]; /* the state behind: base + bits */
};

/* For symbols that come as often as @counts says (nr of them). nr and log are set. */
void sequence_code__suit(struct sequence_code *code, const u32 *counts);

/* What a decoder must know of @code, at @to. Returns the end. */
u8 *sequence_code__describe(const struct sequence_code *code, u8 *to);

#endif
