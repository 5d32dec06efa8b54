/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packing records quickly, in zstd's format (RFC 8878): what -z does at level 1. Records are words
 * of eight bytes, most of which have been there before: so whole words are looked up, at whole
 * words, which is half the work of looking for any bytes anywhere, and finds more. The result is
 * one frame, to be read by any zstd; each call ends with a whole block.
 *
 * Bytes that are no words are packed as well, only not as small.
 */
#ifndef PERF_UTIL_WRITER_ZSTD_ENCODER_H
#define PERF_UTIL_WRITER_ZSTD_ENCODER_H

#include "util/lib/types.h"

#define ZSTD_ENCODER_CHUNK 64000 /* bytes at a time, at most */
#define ZSTD_ENCODER_EXTRA 512   /* that a chunk may take more than it has, packed */

struct zstd_encoder; /* private */

struct zstd_encoder *zstd_encoder__new(void);
void zstd_encoder__delete(struct zstd_encoder *encoder); /* or NULL */

/* A new frame begins, which does not lean on the one before. */
void zstd_encoder__restart(struct zstd_encoder *encoder);

/* Where the caller puts the next chunk, ZSTD_ENCODER_CHUNK bytes; until the next call. */
u8 *zstd_encoder__room(struct zstd_encoder *encoder);

/* Pack the @len > 0 bytes put there into @to, with room for as many and EXTRA. Returns the size. */
size_t zstd_encoder__pack(struct zstd_encoder *encoder, size_t len, u8 *to);

#endif
