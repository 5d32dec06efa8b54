// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/record/recorder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/data/record.h"
#include "util/lib/alloc.h"

void recorder__init(struct recorder *recorder, struct rings *rings, struct data_writer *writer,
                    const int *events, u32 nr_events)
{
	BUG_ON(nr_events > RECORDER_MAX_EVENTS);
	*recorder = (struct recorder){
		.rings = rings,
		.writer = writer,
	};
	recorder->fds = xcalloc((size_t)rings->nr_fds + nr_events, sizeof(*recorder->fds));
	if (rings->nr_fds)
		memcpy(recorder->fds, rings->fds, rings->nr_fds * sizeof(*recorder->fds));
	for (u32 i = 0; i < rings->nr_fds; i++)
		recorder->nr_live += rings->fds[i].fd >= 0;
	for (u32 i = 0; i < nr_events; i++)
		recorder->fds[rings->nr_fds + i] =
		        (struct pollfd){ .fd = events[i], .events = POLLIN };
	recorder->nr_events = nr_events;
}

void recorder__exit(struct recorder *recorder)
{
	free(recorder->fds);
}

#define RINGS_PER_WRITE 31 /* two pieces each, and the round */
#define ENOUGH_TO_WRITE (128 * 1024)

static const struct perf_event_header finished_round = {
	.type = RECORD_FINISHED_ROUND,
	.size = sizeof(finished_round),
};

struct batch {
	struct iovec iov[2 * RINGS_PER_WRITE + 1];
	int pieces;
	struct {
		struct ring *ring;
		u64 len;
	} read[RINGS_PER_WRITE];
	u32 nr;
	u64 sum;
};

static void batch__add(struct batch *batch, struct ring *ring)
{
	struct ring_span spans[2];
	u64 len = ring__read(ring, spans);

	if (!len)
		return;
	for (int i = 0; i < 2; i++)
		if (spans[i].len)
			batch->iov[batch->pieces++] =
			        (struct iovec){ (void *)spans[i].data, spans[i].len };
	batch->read[batch->nr].ring = ring;
	batch->read[batch->nr++].len = len;
	batch->sum += len;
}

/* To the file; then the kernel gets the room back, also when the file is full. */
static int batch__write(struct batch *batch, struct data_writer *writer)
{
	int ret = batch->pieces ? data_writer__append(writer, batch->iov, batch->pieces) : 0;

	for (u32 i = 0; i < batch->nr; i++)
		ring__consume(batch->read[i].ring, batch->read[i].len);
	batch->pieces = 0;
	batch->nr = 0;
	return ret;
}

/*
 * Rings with little in them share a write; one with much gets its own, so that its room is free
 * again as soon as can be.
 */
s64 recorder__pass(struct recorder *recorder)
{
	struct rings *rings = recorder->rings;
	struct batch batch = { .pieces = 0 };
	u64 written = 0;
	int ret = 0;

	for (u32 i = 0; !ret && i < rings->nr; i++) {
		batch__add(&batch, &rings->rings[i]);
		if (batch.sum - written < ENOUGH_TO_WRITE && batch.nr < RINGS_PER_WRITE)
			continue;
		written = batch.sum;
		if (i + 1 < rings->nr)
			ret = batch__write(&batch, recorder->writer);
	}
	if (!ret && batch.sum) {
		batch.iov[batch.pieces++] =
		        (struct iovec){ (void *)&finished_round, sizeof(finished_round) };
		ret = batch__write(&batch, recorder->writer);
	}
	return ret ? ret : (s64)batch.sum;
}

/* A counter whose task is gone says so for ever: stop asking. */
static void drop_ended(struct recorder *recorder)
{
	for (u32 i = 0; i < recorder->rings->nr_fds; i++) {
		struct pollfd *fd = &recorder->fds[i];

		if (fd->fd < 0 || !(fd->revents & (POLLHUP | POLLERR | POLLNVAL)))
			continue;
		fd->fd = -1;
		recorder->nr_live--;
	}
}

static bool event_is_ready(const struct recorder *recorder)
{
	for (u32 i = 0; i < recorder->nr_events; i++)
		if (recorder->fds[recorder->rings->nr_fds + i].revents)
			return true;
	return false;
}

int recorder__run(struct recorder *recorder, bool (*ended)(void *ctx), void *ctx)
{
	u32 nr = recorder->rings->nr_fds + recorder->nr_events;

	while (recorder->nr_live) {
		s64 moved = recorder__pass(recorder);

		if (moved < 0)
			return moved;
		/*
		 * A ring wakes us each time another half of it was written, whatever we have read:
		 * so there is no need to look again for what came meanwhile, which at high rates
		 * would never end.
		 */
		int ready = poll(recorder->fds, nr, -1);

		if (ready < 0 && errno != EINTR)
			return -errno;
		if (ready < 0)
			continue;
		recorder->nr_woken++;
		if (event_is_ready(recorder) && ended(ctx))
			break;
		drop_ended(recorder);
	}
	return 0;
}

int recorder__drain(struct recorder *recorder)
{
	s64 moved;

	do
		moved = recorder__pass(recorder);
	while (moved > 0);
	return moved;
}

/* read_format of record: value, [enabled, running], id, lost; groups are read member by member. */
static u64 lost_of_counter(const struct evsel *evsel, int fd)
{
	u64 values[8];
	u32 at = 1;

	if (!(evsel->attr.read_format & PERF_FORMAT_LOST) ||
	    evsel->attr.read_format & PERF_FORMAT_GROUP)
		return 0;
	at += !!(evsel->attr.read_format & PERF_FORMAT_TOTAL_TIME_ENABLED);
	at += !!(evsel->attr.read_format & PERF_FORMAT_TOTAL_TIME_RUNNING);
	at += !!(evsel->attr.read_format & PERF_FORMAT_ID);
	if (read(fd, values, sizeof(values)) < (ssize_t)((at + 1) * sizeof(u64)))
		return 0;
	return values[at];
}

u64 recorder__put_lost(struct synth *synth, const struct evlist *list)
{
	u64 sum = 0;

	for (u32 i = 0; i < list->nr; i++) {
		const struct evsel *evsel = list->evsels[i];
		u32 id = 0;

		for (u32 at = 0; evsel->fds && at < evsel->nr_cpus * evsel->nr_threads; at++) {
			u64 lost;

			if (evsel->fds[at] < 0 || id >= evsel->nr_ids)
				continue;
			lost = lost_of_counter(evsel, evsel->fds[at]);
			if (lost)
				synth__lost_samples(synth, evsel, evsel->ids[id], lost);
			sum += lost;
			id++;
		}
	}
	return sum;
}
