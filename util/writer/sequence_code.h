/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The finite state coder of zstd's sequences: codes frequent symbols in few bits (RFC 8878, 4.1).
 * It is defined by its decoder, each state of which stands for a symbol and determines the states
 * that can follow. So symbols are coded from the last to the first, and each step finds the state
 * in which the decoder must have been before.
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
	u16 share[SEQUENCE_CODE_SYMBOLS]; /* states that stand for the symbol; at least 1 */
	u8 before[SEQUENCE_CODE_SYMBOLS]
	         [SEQUENCE_CODE_STATES]; /* by symbol and the state after it */
	u8 bits[SEQUENCE_CODE_STATES],
	        base[SEQUENCE_CODE_STATES]; /* the state after: base + the next bits */
};

/*
 * Build the code for symbols with the frequencies @counts (nr of them). The caller has set nr and
 * log.
 */
void sequence_code__suit(struct sequence_code *code, const u32 *counts);

/* Write what a decoder must know of @code to @to. Returns the end. */
u8 *sequence_code__describe(const struct sequence_code *code, u8 *to);

#endif
