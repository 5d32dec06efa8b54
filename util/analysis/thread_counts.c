// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/analysis/thread_counts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"
#include "util/stream/stream.h"

static u32 row_of(struct thread_counts *counts, u32 pid, u32 tid)
{
	u32 *row = u64map__at(&counts->by_thread, (u64)pid << 32 | tid);
	size_t old = (size_t)counts->nr * counts->nr_all;

	if (*row != ID_NONE)
		return *row;
	array__reserve(&counts->threads, &counts->cap, counts->nr + 1, sizeof(*counts->threads));
	array__reserve(&counts->counts, &counts->counts_cap, old + counts->nr_all,
	               sizeof(*counts->counts));
	memset(counts->counts + old, 0, counts->nr_all * sizeof(*counts->counts));
	counts->threads[counts->nr] = (struct thread_row){ (s32)pid, (s32)tid };
	return *row = counts->nr++;
}

static void note_event(struct thread_counts *counts, const struct evsel *evsel)
{
	u32 *index = u64map__at(&counts->by_event, evsel->idx);

	if (*index != ID_NONE)
		return;
	*index = counts->nr_events;
	counts->events[counts->nr_events++] = evsel;
}

/* Groups are not read at the end of threads: the kernel has no such counters for inherited ones. */
static void take_read(struct thread_counts *counts, const struct session *session,
                      const struct record *record)
{
	const struct evsel *evsel = perf_data__find_evsel(session->data, record);
	struct cursor c =
	        cursor__make(record->data + RECORD_HEADER_SIZE, record->size - RECORD_HEADER_SIZE,
	                     perf_data__swapped(session->data));
	u32 pid = cursor__u32(&c), tid = cursor__u32(&c);
	u64 value = cursor__u64(&c);

	if (c.failed || !evsel || evsel->attr.read_format & PERF_FORMAT_GROUP)
		return;
	u32 row = row_of(counts, pid, tid);

	note_event(counts, evsel);
	counts->counts[(size_t)row * counts->nr_all + evsel->idx] += value;
}

int thread_counts__collect(struct thread_counts *counts, const struct session *session,
                           struct error *err)
{
	const struct stream_options options = { .order = STREAM_TIME };
	struct stream *stream = stream__new(session, &options, err);
	const struct record *record;

	*counts = (struct thread_counts){ .nr_all = session->evlist->nr };
	counts->events = xcalloc(counts->nr_all + 1, sizeof(const struct evsel *));
	if (!stream)
		return err && err->code ? err->code : -EIO;
	while ((record = stream__record(stream)))
		if (record->type == PERF_RECORD_READ)
			take_read(counts, session, record);
	int ret = stream__error(stream, err);

	stream__delete(stream);
	return ret;
}

void thread_counts__exit(struct thread_counts *counts)
{
	u64map__exit(&counts->by_thread);
	u64map__exit(&counts->by_event);
	free(counts->threads);
	free(counts->events);
	free(counts->counts);
}
