// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A stream that is read while its recording goes on. What comes through the pipe is copied to a
 * file without a name, as for any stream, but only as far as it has come: the data end at the last
 * FINISHED_ROUND, and perf_data__more() moves that end. The records are checked, and unpacked, as
 * they pass (unpack.c). After damage no round is trusted any more, and the rest is read when the
 * stream ends, as from any damaged recording.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include "util/lib/temp_file.h"
#include "util/reader/reader_private.h"

#define READ_SIZE  (256 * 1024)
#define PUNCH_UNIT (64 * 1024)  /* no file system has larger blocks */
#define ENOUGH     (1ull << 20) /* bytes that are not waited longer with: a flood never pauses */

struct live {
	int pipe; /* -1: the stream has ended */
	struct unpack_stream *stream;
	u64 forgotten; /* the copy has a hole up to here */
};

static u64 copied(const struct live *live)
{
	return unpack_stream__copied(live->stream);
}

static u64 round_end(const struct live *live)
{
	return unpack_stream__round_end(live->stream);
}

/* What the pipe has now, or waits for it. 0 with live->pipe -1 at the end. */
static int copy_some(struct live *live, struct error *err)
{
	int ret = unpack_stream__take(live->stream, live->pipe, err);

	if (!ret) {
		close(live->pipe);
		live->pipe = -1;
	}
	return ret < 0 ? ret : 0;
}

static void take_up(struct perf_data *data)
{
	struct live *live = data->live;

	data->info.file_size = copied(live);
	data->data_end =
	        live->pipe < 0 ? copied(live) : max_u64(round_end(live), data->info.data_offset);
}

int live__open(struct perf_data *data, struct error *err)
{
	struct live *live = data->live = xcalloc(1, sizeof(*live));
	int spool = temp_file__open(err), ret = 0;

	live->pipe = data->fd;
	live->stream = unpack_stream__new(data);
	data->fd = data->data_fd = spool;
	if (spool < 0)
		return spool;
	while (!ret && live->pipe >= 0 &&
	       (!round_end(live) || unpack_stream__doubtful(live->stream)))
		ret = copy_some(live, err);
	return ret;
}

void live__begin(struct perf_data *data, u64 behind_head)
{
	data->live->forgotten = behind_head;
	take_up(data);
}

void live__close(struct perf_data *data)
{
	if (!data->live)
		return;
	if (data->live->pipe >= 0)
		close(data->live->pipe);
	unpack_stream__delete(data->live->stream);
	free(data->live);
}

bool perf_data__is_live(const struct perf_data *data)
{
	return data->live && data->live->pipe >= 0;
}

/* Is there more in the pipe now? */
static bool comes(const struct live *live)
{
	struct pollfd fd = { .fd = live->pipe, .events = POLLIN };

	return poll(&fd, 1, 0) != 0;
}

int perf_data__more(struct perf_data *data, struct error *err)
{
	struct live *live = data->live;
	u64 before = live ? copied(live) : 0;
	int ret = 0;

	if (!perf_data__is_live(data))
		return 0;
	while (!ret && live->pipe >= 0) {
		if (round_end(live) > data->data_end &&
		    (copied(live) - before > ENOUGH || !comes(live)))
			break;
		ret = copy_some(live, err);
	}
	take_up(data);
	return ret ? ret : 1;
}

bool live__forget(struct perf_data *data, u64 offset)
{
	struct live *live = data->live;

	offset -= offset % PUNCH_UNIT; /* the two halves of one would never be freed */
	if (!live || offset < live->forgotten + READ_SIZE)
		return false;
	/* Not every file system can; then the copy takes room until the end. */
	fallocate(data->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, live->forgotten,
	          offset - live->forgotten);
	live->forgotten = offset;
	return true;
}
