/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compresses records quickly in zstd's format (RFC 8878): level 1 of -z. Records are words of eight
 * bytes, most of which occurred before. So only whole words at word offsets are looked up: half the
 * work of looking for any bytes at any offset, and it finds more. The result is one frame that any
 * zstd can read; each call ends with a whole block.
 *
 * Other bytes are packed as well, only not as small.
 */
#ifndef PERF_UTIL_WRITER_ZSTD_ENCODER_H
#define PERF_UTIL_WRITER_ZSTD_ENCODER_H

#include "util/lib/types.h"

#define ZSTD_ENCODER_CHUNK 64000 /* bytes at a time, at most */
#define ZSTD_ENCODER_EXTRA 512   /* by which a packed chunk may be larger, at most */

struct zstd_encoder; /* private */

struct zstd_encoder *zstd_encoder__new(void);
void zstd_encoder__delete(struct zstd_encoder *encoder); /* or NULL */

/* Start a new frame, which does not refer to the one before. */
void zstd_encoder__restart(struct zstd_encoder *encoder);

/* The buffer for the caller's next chunk, ZSTD_ENCODER_CHUNK bytes; valid until the next call. */
u8 *zstd_encoder__room(struct zstd_encoder *encoder);

/*
 * Pack the @len > 0 bytes there into @to, with room for @len + ZSTD_ENCODER_EXTRA. Returns the
 * size.
 */
size_t zstd_encoder__pack(struct zstd_encoder *encoder, size_t len, u8 *to);

#endif
