// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A stream that is read while its recording goes on. What comes through the pipe is copied to a
 * file without a name, as for any stream, but only as far as it has come: the data end at the last
 * FINISHED_ROUND, and perf_data__more() moves that end. A look at the headers of the records as
 * they pass tells where rounds end; where they make no sense no round is believed any more, and
 * what is left is taken up when the stream ends, as any damaged recording.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "util/data/reader_private.h"
#include "util/lib/file.h"
#include "util/lib/temp_file.h"

#define PIPE_HEADER_SIZE 16
#define READ_SIZE        (256 * 1024)
#define ENOUGH           (64ull << 20) /* bytes that are not waited longer with */

struct live {
	int pipe;         /* -1: the stream has ended */
	u64 copied;       /* bytes of the stream in the copy */
	u64 round_end;    /* behind the last FINISHED_ROUND */
	u64 forgotten;    /* the copy has a hole up to here */
	bool swap;        /* known from the first bytes on */
	bool disbelieved; /* headers made no sense: no more rounds */
	u64 skip;         /* bytes of the record that are not looked at */
	u8 head[16];      /* of the record that is coming */
	u8 have;
	u8 *buf;
};

/* ---- the records as they pass ---- */

/* The stream's own header: its byte order. Whoever opens the file checks the rest. */
static void look_at_start(struct live *live)
{
	live->swap = load_u64(live->head + 8, false) != PIPE_HEADER_SIZE;
	live->disbelieved = load_u64(live->head + 8, live->swap) != PIPE_HEADER_SIZE;
}

/* Packed records are unpacked all at once: such a stream is not for reading while it comes. */
static bool tells_of_packing(const struct live *live, u32 type)
{
	return type == RECORD_COMPRESSED || type == RECORD_COMPRESSED2 ||
	       (type == RECORD_HEADER_FEATURE &&
	        load_u64(live->head + 8, live->swap) == FEATURE_COMPRESSED);
}

/* live->head is filled; @at: where the byte behind it lies in the stream. */
static void look_at_record(struct live *live, u64 at)
{
	u32 type = load_u32(live->head, live->swap);
	u16 size = load_u16(live->head + 6, live->swap);
	u64 payload = record__payload_size(live->head, type, size, live->swap);

	live->disbelieved =
	        size < live->have || payload > INT64_MAX || tells_of_packing(live, type);
	live->skip = size - live->have + payload;
	if (type == RECORD_FINISHED_ROUND)
		live->round_end = at + live->skip;
	live->have = 0;
}

/* How much of a record must be seen: its size says where the next one is, a payload's comes later.
 */
static u8 wanted(const struct live *live)
{
	if (live->have < RECORD_HEADER_SIZE)
		return RECORD_HEADER_SIZE;
	return load_u16(live->head + 6, live->swap) < sizeof(live->head) ? RECORD_HEADER_SIZE
	                                                                 : sizeof(live->head);
}

static void look(struct live *live, const u8 *bytes, size_t len)
{
	u64 at = live->copied;
	bool start = at < PIPE_HEADER_SIZE;

	while (len && !live->disbelieved) {
		size_t n =
		        live->skip
		                ? min_u64(live->skip, len)
		                : min_u64((start ? sizeof(live->head) : wanted(live)) - live->have,
		                          len);

		if (live->skip) {
			live->skip -= n;
		} else {
			memcpy(live->head + live->have, bytes, n);
			live->have += n;
		}
		bytes += n;
		len -= n;
		at += n;
		if (start && live->have == sizeof(live->head)) {
			look_at_start(live);
			live->have = 0;
			start = false;
		} else if (!start && live->have && live->have == wanted(live)) {
			look_at_record(live, at);
		}
	}
}

/* ---- the copy ---- */

/* What the pipe has now, or waits for it. 0 with live->pipe -1 at the end. */
static int copy_some(struct perf_data *data, int spool, struct error *err)
{
	struct live *live = data->live;
	ssize_t got;

	do
		got = read(live->pipe, live->buf, READ_SIZE);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return error__set(err, -errno, "cannot read", data->path, NULL);
	if (!got) {
		close(live->pipe);
		live->pipe = -1;
		return 0;
	}
	int ret = file__write_all(spool, live->buf, got);

	if (ret) {
		error__set(err, ret, "cannot keep a copy of", data->path, NULL);
		return error__advise(err, "set TMPDIR to a folder with room for it");
	}
	look(live, live->buf, got);
	live->copied += got;
	return 0;
}

static void take_up(struct perf_data *data)
{
	struct live *live = data->live;

	data->info.file_size = live->copied;
	data->data_end =
	        live->pipe < 0 ? live->copied : max_u64(live->round_end, data->info.data_offset);
}

int live__open(struct perf_data *data, struct error *err)
{
	struct live *live = data->live = xcalloc(1, sizeof(*live));
	int spool = temp_file__open(err), ret = 0;

	live->pipe = data->fd;
	live->buf = xmalloc(READ_SIZE);
	data->fd = spool;
	if (spool < 0)
		return spool;
	while (!ret && live->pipe >= 0 && (!live->round_end || live->disbelieved))
		ret = copy_some(data, spool, err);
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
	free(data->live->buf);
	free(data->live);
}

bool perf_data__is_live(const struct perf_data *data)
{
	return data->live && data->live->pipe >= 0;
}

static u64 now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (u64)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

/* Is there more in the pipe, now or within @ns (UINT64_MAX: whenever it comes)? */
static bool comes(const struct live *live, u64 ns)
{
	struct pollfd fd = { .fd = live->pipe, .events = POLLIN };
	struct timespec wait = { ns / 1000000000, ns % 1000000000 };

	return ppoll(&fd, 1, ns == UINT64_MAX ? NULL : &wait, NULL) != 0;
}

int perf_data__more(struct perf_data *data, u64 patience, struct error *err)
{
	struct live *live = data->live;
	u64 start = now_ns(), before = live ? live->copied : 0;
	int ret = 0;

	if (!perf_data__is_live(data))
		return 0;
	while (!ret && live->pipe >= 0) {
		bool round = live->round_end > data->data_end;
		u64 passed = now_ns() - start;

		if (round && live->copied - before > ENOUGH)
			break;
		if (round && !comes(live, passed < patience ? patience - passed : 0))
			break;
		ret = copy_some(data, data->fd, err);
	}
	take_up(data);
	return ret ? ret : 1;
}

void perf_data__forget(struct perf_data *data, u64 offset)
{
	struct live *live = data->live;

	if (!live || offset < live->forgotten + READ_SIZE)
		return;
	/* Not every file system can; then the copy takes room until the end. */
	fallocate(data->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, live->forgotten,
	          offset - live->forgotten);
	live->forgotten = offset;
}
