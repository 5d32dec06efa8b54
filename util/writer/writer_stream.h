/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The pipe that a recording is written to; it never blocks us. While the pipe is full, we wait for
 * its reader and for a request to end; after such a request we do not wait long for a reader that
 * takes nothing. Other holders of the same pipe see no change of its flags.
 */
#ifndef PERF_UTIL_WRITER_WRITER_STREAM_H
#define PERF_UTIL_WRITER_WRITER_STREAM_H

#include <sys/uio.h>

#include "util/lib/types.h"

#define WRITER_STREAM_PATIENCE 3 /* seconds that a reader may take nothing once we are to end */

struct writer_stream {
	int fd;      /* to write to; -1: no stream */
	int given;   /* the descriptor it was opened from; owned */
	bool blocks; /* the pipe could not be reopened: small writes, when there is room */
	int end_fd;  /* readable: we are to end; -1: never. Borrowed */
	bool hurry;  /* we are to end; atomic: other threads may set it */
};

void writer_stream__open(struct writer_stream *stream, int fd);
void writer_stream__close(struct writer_stream *stream);

/* Before a write to a stream that blocks: the part of @iov that can be written now. */
struct iovec writer_stream__slice(const struct iovec *iov);

/* Wait for room. 0, or -ETIMEDOUT: the reader takes nothing, and we are to end. */
int writer_stream__wait(struct writer_stream *stream);

#endif
