/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The pipe that a recording goes out through. It never blocks us: while it is full we wait for its
 * reader and, as well, for the wish to end; from then on a reader that takes nothing is not waited
 * for long. Others who hold the same pipe see no change of it.
 */
#ifndef PERF_UTIL_WRITER_WRITER_STREAM_H
#define PERF_UTIL_WRITER_WRITER_STREAM_H

#include <sys/uio.h>

#include "util/lib/types.h"

#define WRITER_STREAM_PATIENCE 3 /* seconds that a reader may take nothing once we are to end */

struct writer_stream {
	int fd;      /* to write to; -1: no stream */
	int given;   /* what it was made of; owned */
	bool blocks; /* the pipe could not be opened anew: small writes, when there is room */
	int end_fd;  /* readable: we are to end; -1: never. Borrowed */
	bool hurry;  /* we are to end; atomic: others may know it first */
};

void writer_stream__open(struct writer_stream *stream, int fd);
void writer_stream__close(struct writer_stream *stream);

/* Before a write of a stream that blocks: what can be written of @iov now. */
struct iovec writer_stream__slice(const struct iovec *iov);

/* Wait for room. 0, or -ETIMEDOUT: the reader takes nothing, and we are to end. */
int writer_stream__wait(struct writer_stream *stream);

#endif
