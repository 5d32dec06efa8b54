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
	*recorder = (struct recorder){ .rings = rings, .writer = writer, .nr_live = rings->nr };
	recorder->fds = xcalloc(rings->nr + nr_events, sizeof(*recorder->fds));
	memcpy(recorder->fds, rings->fds, rings->nr * sizeof(*recorder->fds));
	for (u32 i = 0; i < nr_events; i++)
		recorder->fds[rings->nr + i] = (struct pollfd){ .fd = events[i], .events = POLLIN };
	recorder->nr_events = nr_events;
}

void recorder__exit(struct recorder *recorder)
{
	free(recorder->fds);
}

#define RINGS_PER_WRITE 31 /* two pieces each, and the round */

static const struct perf_event_header finished_round = {
	.type = RECORD_FINISHED_ROUND,
	.size = sizeof(finished_round),
};

/* The unread bytes of up to RINGS_PER_WRITE rings from @first on. */
static s64 move_some(struct recorder *recorder, u32 first, u32 nr, u64 before)
{
	struct iovec iov[2 * RINGS_PER_WRITE + 1];
	u64 lens[RINGS_PER_WRITE];
	u64 sum = 0;
	int pieces = 0, ret;

	for (u32 i = 0; i < nr; i++) {
		struct ring_span spans[2];

		lens[i] = ring__read(&recorder->rings->rings[first + i], spans);
		sum += lens[i];
		for (int j = 0; j < 2; j++)
			if (spans[j].len)
				iov[pieces++] =
				        (struct iovec){ (void *)spans[j].data, spans[j].len };
	}
	/* The last write of a pass that found something carries the round. */
	if (first + nr == recorder->rings->nr && before + sum)
		iov[pieces++] = (struct iovec){ (void *)&finished_round, sizeof(finished_round) };
	if (!pieces)
		return 0;
	ret = data_writer__append(recorder->writer, iov, pieces);
	for (u32 i = 0; i < nr; i++)
		if (lens[i])
			ring__consume(&recorder->rings->rings[first + i], lens[i]);
	return ret ? ret : (s64)sum;
}

s64 recorder__pass(struct recorder *recorder)
{
	s64 sum = 0;

	for (u32 first = 0; first < recorder->rings->nr; first += RINGS_PER_WRITE) {
		u32 nr = min_u64(recorder->rings->nr - first, RINGS_PER_WRITE);
		s64 moved = move_some(recorder, first, nr, sum);

		if (moved < 0)
			return moved;
		sum += moved;
	}
	return sum;
}

/* A ring whose tasks are gone says so for ever: stop asking. */
static void drop_ended(struct recorder *recorder)
{
	for (u32 i = 0; i < recorder->rings->nr; i++) {
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
		if (recorder->fds[recorder->rings->nr + i].revents)
			return true;
	return false;
}

int recorder__run(struct recorder *recorder, bool (*ended)(void *ctx), void *ctx)
{
	u32 nr = recorder->rings->nr + recorder->nr_events;

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
