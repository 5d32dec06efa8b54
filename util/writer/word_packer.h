/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compresses records quickly in zstd's format (RFC 8878): level 1 of -z. Records are words of eight
 * bytes, most of which occurred before. So only whole words at word offsets are looked up: half the
 * work of looking for any bytes at any offset, and it finds more. The result is one frame that any
 * zstd can read; each call ends with a whole block.
 *
 * Other bytes are packed as well, only not as small.
 */
#ifndef PERF_UTIL_WRITER_WORD_PACKER_H
#define PERF_UTIL_WRITER_WORD_PACKER_H

#include "util/lib/types.h"

#define WORD_PACKER_CHUNK 64000 /* bytes at a time, at most */
#define WORD_PACKER_EXTRA 512   /* by which a packed chunk may be larger, at most */

struct word_packer; /* private */

struct word_packer *word_packer__new(void);
void word_packer__delete(struct word_packer *packer); /* or NULL */

/* Start a new frame, which does not refer to the one before. */
void word_packer__restart(struct word_packer *packer);

/* The buffer for the caller's next chunk, WORD_PACKER_CHUNK bytes; valid until the next call. */
u8 *word_packer__room(struct word_packer *packer);

/*
 * Pack the @len > 0 bytes there into @to, with room for @len + WORD_PACKER_EXTRA. Returns the size.
 */
size_t word_packer__pack(struct word_packer *packer, size_t len, u8 *to);

#endif
