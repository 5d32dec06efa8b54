// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/writer/writer_stream.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * O_NONBLOCK belongs to the open file, which a shell may share with us: so the pipe is opened once
 * more. That fails without /proc, and for the pipe of another user (su); a pipe that has room has
 * it for PIPE_BUF bytes, so small writes do not block either.
 */
void writer_stream__open(struct writer_stream *stream, int fd)
{
	struct stat st;
	char path[64];

	*stream = (struct writer_stream){ .fd = fd, .given = fd, .end_fd = -1 };
	if (fstat(fd, &st) || !S_ISFIFO(st.st_mode))
		return;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	stream->fd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	stream->blocks = stream->fd < 0;
	if (stream->blocks)
		stream->fd = fd;
}

void writer_stream__close(struct writer_stream *stream)
{
	if (stream->fd >= 0 && stream->fd != stream->given)
		close(stream->fd);
	if (stream->given >= 0)
		close(stream->given);
	stream->fd = stream->given = -1;
}

struct iovec writer_stream__slice(const struct iovec *iov)
{
	return (struct iovec){ iov->iov_base, min_u64(iov->iov_len, PIPE_BUF) };
}

int writer_stream__wait(struct writer_stream *stream)
{
	struct pollfd fds[] = {
		{ .fd = stream->fd, .events = POLLOUT },
		{ .fd = stream->end_fd, .events = POLLIN },
	};

	for (;;) {
		bool hurry = __atomic_load_n(&stream->hurry, __ATOMIC_RELAXED);
		int ready = poll(fds, hurry ? 1 : 2, hurry ? WRITER_STREAM_PATIENCE * 1000 : -1);

		if (ready < 0 && errno != EINTR)
			return -errno;
		if (ready == 0)
			return -ETIMEDOUT;
		if (ready > 0 && fds[0].revents)
			return 0;
		if (ready > 0)
			__atomic_store_n(&stream->hurry, true, __ATOMIC_RELAXED);
	}
}
