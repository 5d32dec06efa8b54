// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/sink/file_sink.h"

#include <string.h>

#include "util/lib/clock.h"

#define SLOW_WRITE_MS 10

static const struct perf_event_header finished_round = {
	.type = RECORD_FINISHED_ROUND,
	.size = sizeof(finished_round),
};

/* Also what came into the file by other ways. */
static void count(struct file_sink *file)
{
	u64 now = data_writer__data_size(file->writer);

	if (file->size)
		__atomic_add_fetch(file->size, now - file->counted, __ATOMIC_RELAXED);
	file->counted = now;
}

static int take(struct record_sink *sink, struct record_batch *batch)
{
	struct file_sink *file = (struct file_sink *)sink;
	struct iovec iov[RECORD_BATCH_PIECES + 1];
	u64 before = data_writer__data_size(file->writer);
	u64 started = clock__now_ms();
	u32 nr = batch->nr;

	BUG_ON(nr > RECORD_BATCH_PIECES);
	if (nr)
		memcpy(iov, batch->pieces, nr * sizeof(*iov));
	if (batch->round)
		iov[nr++] = (struct iovec){ (void *)&finished_round, sizeof(finished_round) };
	int ret = nr ? data_writer__append(file->writer, iov, nr) : 0;
	u64 took = clock__now_ms() - started;

	batch->slow_ms = took >= SLOW_WRITE_MS ? took : 0;
	batch->kept = data_writer__data_size(file->writer) - before;
	count(file);
	return ret;
}

static int tell(struct record_sink *sink, const void *records, size_t len)
{
	struct file_sink *file = (struct file_sink *)sink;
	int ret = data_writer__append_bytes(file->writer, records, len);

	count(file);
	return ret;
}

void file_sink__init(struct file_sink *file, struct data_writer *writer, u64 *size)
{
	*file = (struct file_sink){ .sink = { .take = take, .tell = tell },
		                    .writer = writer,
		                    .size = size };
}

void file_sink__change(struct file_sink *file, struct data_writer *writer)
{
	if (file->size)
		__atomic_sub_fetch(file->size, file->counted, __ATOMIC_RELAXED);
	file->writer = writer;
	file->counted = 0;
}
