/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads a stretch of a file from its beginning to its end, chunk by chunk, together with a second
 * thread: while the caller looks at a chunk, or waits for one, the next ones are read. With one
 * worker the caller reads the same chunks alone: where blocks end must not depend on that.
 */
#ifndef PERF_UTIL_READER_READ_AHEAD_H
#define PERF_UTIL_READER_READ_AHEAD_H

#include <sys/types.h>

#include "util/lib/types.h"

#define READ_AHEAD_CHUNK (512u << 10)
#define READ_AHEAD_FRONT (128u << 10) /* free bytes in front of each chunk */

struct read_ahead; /* private */

/* Bytes [@from, @end) of @fd, borrowed. NULL: it is not worth it. */
struct read_ahead *read_ahead__new(int fd, u64 from, u64 end);
void read_ahead__delete(struct read_ahead *ahead);

/*
 * The next chunk, valid until the next call but one; its front may be written to. *len of its bytes
 * are there: fewer than a chunk at the end. NULL, and *len is 0 or a negative errno: there is none.
 */
u8 *read_ahead__next(struct read_ahead *ahead, ssize_t *len);

#endif
