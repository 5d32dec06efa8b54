// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/record/unwind_sink.h"

#include "util/lib/clock.h"

/* ---- in the thread ---- */

static int write_unwound(void *ctx, const u8 *records, size_t len, bool round)
{
	struct unwind_sink *unwind = ctx;
	const struct iovec piece = { (void *)records, len };
	struct record_batch batch = { .pieces = &piece, .nr = 1, .round = round };
	int ret = unwind->sink.next->take(unwind->sink.next, &batch);

	__atomic_add_fetch(&unwind->slow_ms, batch.slow_ms, __ATOMIC_RELAXED);
	return ret;
}

/* ---- in the thread that empties the rings ---- */

static int take(struct record_sink *sink, struct record_batch *batch)
{
	struct unwind_sink *unwind = (struct unwind_sink *)sink;

	if (!unwind->batch)
		unwind->batch = live_unwind__batch(unwind->live);
	for (u32 i = 0; i < batch->nr; i++)
		live_batch__add(unwind->batch, &(struct ring_span){ batch->pieces[i].iov_base,
		                                                    batch->pieces[i].iov_len });
	return 0;
}

/* While it waits for the other thread rings become full; whose fault is that: its writes'? */
static int passed(struct record_sink *sink, u64 *slow_ms)
{
	struct unwind_sink *unwind = (struct unwind_sink *)sink;
	struct live_batch *batch = unwind->batch ?: live_unwind__batch(unwind->live);
	u64 started = clock__now_ms();
	u64 before = __atomic_load_n(&unwind->slow_ms, __ATOMIC_RELAXED);
	int ret = live_unwind__submit(unwind->live, batch);
	u64 slow = __atomic_load_n(&unwind->slow_ms, __ATOMIC_RELAXED) - before;

	unwind->batch = NULL;
	*slow_ms = min_u64(clock__now_ms() - started, slow);
	return ret;
}

static int tell(struct record_sink *sink, const void *records, size_t len)
{
	live_unwind__tell(((struct unwind_sink *)sink)->live, records, len);
	return record_sink__tell(sink->next, records, len);
}

static int settle(struct record_sink *sink)
{
	return live_unwind__drain(((struct unwind_sink *)sink)->live);
}

int unwind_sink__init(struct unwind_sink *unwind, const struct evlist *list, u64 limit,
                      struct record_sink *next, struct error *err)
{
	*unwind = (struct unwind_sink){
		.sink = { .take = take,
		          .passed = passed,
		          .tell = tell,
		          .settle = settle,
		          .next = next,
		          .together = true,
		          .pass_ms = LIVE_LOOK_MS },
	};
	unwind->live = live_unwind__new(list, limit, write_unwound, unwind, err);
	return unwind->live ? 0 : err->code;
}

void unwind_sink__exit(struct unwind_sink *unwind)
{
	if (unwind->batch)
		live_unwind__submit(unwind->live, unwind->batch);
	live_unwind__delete(unwind->live);
	*unwind = (struct unwind_sink){ .live = NULL };
}
