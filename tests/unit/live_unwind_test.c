// SPDX-License-Identifier: GPL-2.0-or-later
/* The thread that unwinds while recording. */
#include "util/record/live_unwind.h"

#include <errno.h>

#include "tests/unit/live_fixture.h"
#include "tests/unit/unit.h"

struct scene {
	struct evlist list;
	struct live_unwind *live;
	/* What was written: the thread's until a drain. */
	struct out written;
	u32 nr_rounds;
	int error; /* of a write */
};

static int take(void *ctx, const u8 *records, size_t len, bool round)
{
	struct scene *s = ctx;

	out__mem(&s->written, records, len);
	s->nr_rounds += round;
	return s->error;
}

static void scene__init(struct scene *s, u64 limit)
{
	*s = (struct scene){ .error = 0 };
	out__init(&s->written, -1);
	live_fixture__list(&s->list);
	s->live = live_unwind__new(&s->list, limit, take, s, NULL);
	CHECK(s->live);
}

static void scene__exit(struct scene *s)
{
	live_unwind__delete(s->live);
	out__exit(&s->written);
	evlist__exit(&s->list);
}

/* A batch of @nr samples, in two pieces, as a ring that wraps gives them. */
static int submit(struct scene *s, u64 time, u32 nr)
{
	struct live_batch *batch = live_unwind__batch(s->live);
	struct builder b = { .swap = false };

	for (u32 i = 0; i < nr; i++)
		live_fixture__sample(&b, time + i, 7, 0x1010, true);
	size_t half = b.len / 3;

	live_batch__add(batch, &(struct ring_span){ b.data, half });
	live_batch__add(batch, &(struct ring_span){ b.data + half, b.len - half });
	builder__exit(&b);
	return live_unwind__submit(s->live, batch);
}

static u64 count_samples(const struct scene *s, u64 first_time)
{
	u64 nr = 0, time = first_time;

	for (size_t at = 0; at < s->written.len; nr++) {
		const u8 *p = (const u8 *)s->written.buf + at;

		CHECK_EQ(load_u64(p + 24, false), time++);
		at += load_u16(p + 6, false);
	}
	return nr;
}

TEST_WITH_THREADS(live_unwind_writes_all_in_order)
{
	struct scene s;

	scene__init(&s, LIVE_LIMIT_DEFAULT);
	for (u64 i = 0; i < 100; i++)
		CHECK_EQ(submit(&s, i * 50, 50), 0);
	CHECK_EQ(live_unwind__drain(s.live), 0);
	CHECK_EQ(count_samples(&s, 0), 5000);
	CHECK_EQ(live_unwind__counts(s.live)->nr_unwound, 5000);
	CHECK_EQ(live_unwind__counts(s.live)->nr_kept, 0);
	CHECK_EQ(s.nr_rounds, 100);
	CHECK_EQ(submit(&s, 5000, 1), 0);
	CHECK_EQ(live_unwind__drain(s.live), 0);
	CHECK_EQ(count_samples(&s, 0), 5001);
	scene__exit(&s);
}

TEST_WITH_THREADS(live_unwind_empty_batches_write_nothing)
{
	struct scene s;

	scene__init(&s, LIVE_LIMIT_DEFAULT);
	CHECK_EQ(submit(&s, 0, 5), 0);
	CHECK_EQ(submit(&s, 0, 0), 0);
	CHECK_EQ(submit(&s, 0, 0), 0);
	CHECK_EQ(live_unwind__drain(s.live), 0);
	CHECK_EQ(live_unwind__drain(s.live), 0);
	CHECK_EQ(count_samples(&s, 0), 5);
	CHECK_EQ(s.nr_rounds, 1);
	scene__exit(&s);
}

TEST_WITH_THREADS(live_unwind_keeps_copies_where_nothing_may_wait)
{
	struct scene s;

	scene__init(&s, 1);
	for (u64 i = 0; i < 10; i++)
		CHECK_EQ(submit(&s, i * 50, 50), 0);
	CHECK_EQ(live_unwind__drain(s.live), 0);
	CHECK_EQ(count_samples(&s, 0), 500);
	CHECK_EQ(live_unwind__counts(s.live)->nr_unwound, 0);
	CHECK_EQ(live_unwind__counts(s.live)->nr_kept, 500);
	scene__exit(&s);
}

TEST_WITH_THREADS(live_unwind_tells_of_a_write_that_failed)
{
	struct scene s;

	scene__init(&s, LIVE_LIMIT_DEFAULT);
	s.error = -ENOSPC;
	submit(&s, 0, 5);
	CHECK_EQ(live_unwind__drain(s.live), -ENOSPC);
	CHECK_EQ(submit(&s, 0, 5), -ENOSPC);
	scene__exit(&s);
}

TEST_WITH_THREADS(live_unwind_is_ended_with_work_left)
{
	struct scene s;

	scene__init(&s, LIVE_LIMIT_DEFAULT);
	for (u64 i = 0; i < 10; i++)
		submit(&s, i, 500);
	scene__exit(&s);
}

TEST_WITH_THREADS(live_unwind_knows_what_it_is_told_between_drains)
{
	struct builder map = { .swap = false };
	struct scene s;
	u64 nr_chain;

	scene__init(&s, LIVE_LIMIT_DEFAULT);
	submit(&s, 1, 1);
	live_unwind__drain(s.live);
	live_fixture__map(&map, 0, 7, 0x1000, 0x1000);
	live_unwind__tell(s.live, map.data, map.len);
	submit(&s, 2, 1);
	live_unwind__drain(s.live);
	const u8 *first = (const u8 *)s.written.buf, *second = first + load_u16(first + 6, false);
	struct record record = { .data = first, .type = PERF_RECORD_SAMPLE };

	record.size = load_u16(first + 6, false);
	CHECK_EQ(live_fixture__end(&s.list, &record, &nr_chain), CHAIN_UNMAPPED);
	record.data = second;
	CHECK_EQ(live_fixture__end(&s.list, &record, &nr_chain), CHAIN_NO_TABLES);
	builder__exit(&map);
	scene__exit(&s);
}
