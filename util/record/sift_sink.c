// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/record/sift_sink.h"

#include <string.h>

#include "util/format/sample.h"
#include "util/lib/hash.h"

/* The task of a sample of an event that changes, with the event; 0: it is of none. */
static u64 key_of(const struct sift *sift, const struct record *record, bool *is_new)
{
	const struct event_ids *events = sift->before;
	const struct evsel *evsel = event_ids__find(events, record);
	struct sample sample;

	*is_new = !evsel;
	if (!evsel) {
		events = sift->after;
		evsel = event_ids__find(events, record);
	}
	if (!evsel || (evsel->idx >= sift->nr && evsel->idx < sift->first) ||
	    sample__decode_fast(event_ids__layout(events, evsel), record, false, &sample))
		return 0;
	return (u64)sample.tid << 32 | (evsel->idx % sift->first + 1);
}

size_t sift__records(const struct sift *sift, u8 *records, size_t len)
{
	struct u64map told = U64MAP_INIT;
	struct record record;
	size_t to = 0, at = 0;

	for (; record__take(records + at, len - at, &record); at += record.size) {
		bool is_new;
		u64 key = record.type == PERF_RECORD_SAMPLE ? key_of(sift, &record, &is_new) : 0;

		if (key && is_new)
			*u64map__at(&told, key) = 1;
		else if (key && u64map__get(&told, key) != ID_NONE)
			continue;
		memmove(records + to, record.data, record.size);
		to += record.size;
	}
	memmove(records + to, records + at, len - at);
	u64map__exit(&told);
	return to + len - at;
}

static int take(struct record_sink *sink, struct record_batch *batch)
{
	struct sift_sink *sift = (struct sift_sink *)sink;
	struct out *ring = &sift->ring;
	struct iovec piece;

	ring->len = 0;
	for (u32 i = 0; i < batch->nr; i++)
		out__mem(ring, batch->pieces[i].iov_base, batch->pieces[i].iov_len);
	ring->len = sift__records(&sift->sift, (u8 *)ring->buf, ring->len);
	piece = (struct iovec){ ring->buf, ring->len };
	struct record_batch sifted = {
		.pieces = &piece, .nr = ring->len > 0, .ring = batch->ring, .round = batch->round
	};

	if (!sifted.nr && !sifted.round)
		return 0;
	int ret = sink->next->take(sink->next, &sifted);

	batch->kept = sifted.kept;
	batch->slow_ms = sifted.slow_ms;
	return ret;
}

void sift_sink__init(struct sift_sink *sift, const struct sift *what, struct record_sink *next)
{
	*sift = (struct sift_sink){
		.sink = { .take = take, .next = next, .apart = true, .together = next->together },
		.sift = *what,
	};
	out__init(&sift->ring, -1);
}

void sift_sink__exit(struct sift_sink *sift)
{
	out__exit(&sift->ring);
}
