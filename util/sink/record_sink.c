// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/sink/record_sink.h"

#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"

int record_sink__put(struct record_sink *sink, const void *records, size_t len, bool round)
{
	const struct iovec piece = { (void *)records, len };
	struct record_batch batch = { .pieces = &piece, .nr = len > 0, .round = round };

	return sink->take(sink, &batch);
}

int record_sink__passed(struct record_sink *sink, u64 *slow_ms)
{
	*slow_ms = 0;
	while (sink && !sink->passed)
		sink = sink->next;
	return sink ? sink->passed(sink, slow_ms) : 0;
}

int record_sink__tell(struct record_sink *sink, const void *records, size_t len)
{
	while (sink && !sink->tell)
		sink = sink->next;
	return sink ? sink->tell(sink, records, len) : 0;
}

int record_sink__settle(struct record_sink *sink)
{
	int ret = 0;

	for (; sink; sink = sink->next) {
		int one = sink->settle ? sink->settle(sink) : 0;

		ret = ret ? ret : one;
	}
	return ret;
}

/* ---- record by record ---- */

#define RECORD_MAX 65535

void record_walk__init(struct record_walk *walk, const struct record_batch *batch)
{
	*walk = (struct record_walk){ .pieces = batch->pieces, .nr = batch->nr };
}

void record_walk__exit(struct record_walk *walk)
{
	free(walk->whole);
}

/* Copy the next @len bytes, if there are so many; they stay the next ones. */
static bool peek(const struct record_walk *walk, u8 *to, size_t len)
{
	size_t from = walk->at;

	for (u32 i = 0; len && i < walk->nr; i++) {
		size_t here = min_u64(len, walk->pieces[i].iov_len - from);

		if (here) /* an empty piece may have no address */
			memcpy(to, (const u8 *)walk->pieces[i].iov_base + from, here);
		to += here;
		len -= here;
		from = 0;
	}
	return !len;
}

static void skip(struct record_walk *walk, size_t len)
{
	walk->passed += len;
	walk->at += len;
	while (walk->nr && walk->at >= walk->pieces->iov_len) {
		walk->at -= walk->pieces->iov_len;
		walk->pieces++;
		walk->nr--;
	}
}

bool record_walk__next(struct record_walk *walk, struct record *record)
{
	struct perf_event_header header;

	skip(walk, 0); /* empty pieces */
	if (!walk->nr)
		return false;
	if (record__take((const u8 *)walk->pieces->iov_base + walk->at,
	                 walk->pieces->iov_len - walk->at, record)) {
		skip(walk, record->size);
		return true;
	}
	if (!peek(walk, (u8 *)&header, sizeof(header)))
		return false;
	if (!walk->whole)
		walk->whole = xmalloc(RECORD_MAX);
	if (!peek(walk, walk->whole, header.size) ||
	    !record__take(walk->whole, header.size, record))
		return false;
	skip(walk, record->size);
	return true;
}
