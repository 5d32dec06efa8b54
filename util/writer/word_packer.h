/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packing records quickly, in zstd's format (RFC 8878): what -z does at level 1. Records are words
 * of eight bytes, most of which have been there before: so whole words are looked up, at whole
 * words, which is half the work of looking for any bytes anywhere, and finds more. The result is
 * one frame, to be read by any zstd; each call ends with a whole block.
 *
 * Bytes that are no words are packed as well, only not as small.
 */
#ifndef PERF_UTIL_WRITER_WORD_PACKER_H
#define PERF_UTIL_WRITER_WORD_PACKER_H

#include "util/lib/types.h"

#define WORD_PACKER_CHUNK 64000 /* bytes at a time, at most */
#define WORD_PACKER_EXTRA 512   /* that a chunk may take more than it has, packed */

struct word_packer; /* private */

struct word_packer *word_packer__new(void);
void word_packer__delete(struct word_packer *packer); /* or NULL */

/* A new frame begins, which does not lean on the one before. */
void word_packer__restart(struct word_packer *packer);

/* Where the caller puts the next chunk, WORD_PACKER_CHUNK bytes; until the next call. */
u8 *word_packer__room(struct word_packer *packer);

/* Pack the @len > 0 bytes put there into @to, with room for as many and EXTRA. Returns the size. */
size_t word_packer__pack(struct word_packer *packer, size_t len, u8 *to);

#endif
