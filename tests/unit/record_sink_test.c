// SPDX-License-Identifier: GPL-2.0-or-later
/* Sinks that are linked, and what each of them does with what it takes. */
#include "util/sink/record_sink.h"

#include <stdlib.h>

#include "tests/unit/live_fixture.h"
#include "tests/unit/unit.h"
#include "util/record/hold_sink.h"
#include "util/record/unwind_sink.h"
#include "util/sink/pack_sink.h"
#include "util/sink/unwritten.h"

/* The last one: keeps all, or fails after some bytes. */
struct end_sink {
	struct record_sink sink;
	struct out taken, told;
	u32 nr_batches, nr_rounds;
	size_t room;
	u64 slow_ms;
};

static int take(struct record_sink *sink, struct record_batch *batch)
{
	struct end_sink *end = (struct end_sink *)sink;
	size_t before = end->taken.len;

	for (u32 i = 0; i < batch->nr; i++)
		out__mem(&end->taken, batch->pieces[i].iov_base, batch->pieces[i].iov_len);
	end->nr_batches++;
	end->nr_rounds += batch->round;
	batch->slow_ms = end->slow_ms;
	if (end->taken.len <= end->room)
		return 0;
	end->taken.len = max_u64(end->room, before);
	batch->kept = end->taken.len - before;
	return -ENOSPC;
}

static int tell(struct record_sink *sink, const void *records, size_t len)
{
	out__mem(&((struct end_sink *)sink)->told, records, len);
	return 0;
}

static void end_sink__init(struct end_sink *end)
{
	*end = (struct end_sink){ .sink = { .take = take, .tell = tell }, .room = SIZE_MAX };
	out__init(&end->taken, -1);
	out__init(&end->told, -1);
}

static void end_sink__exit(struct end_sink *end)
{
	out__exit(&end->taken);
	out__exit(&end->told);
}

static void make_samples(struct builder *b, u64 time, u32 nr)
{
	for (u32 i = 0; i < nr; i++)
		live_fixture__sample(b, time + i, 7, 0x1010, true);
}

TEST(record_walk_puts_records_together_however_they_are_split)
{
	struct builder b = { .swap = false };
	u32 nr_wrong = 0;

	make_samples(&b, 1, 2);
	for (size_t first = 0; first <= b.len; first++) {
		for (size_t second = first; second <= b.len; second += 3) {
			struct iovec pieces[] = { { b.data, first },
				                  { b.data + first, second - first },
				                  { b.data + second, b.len - second } };
			const struct record_batch batch = { .pieces = pieces, .nr = 3 };
			struct record_walk walk;
			struct record record;
			u32 nr = 0;

			record_walk__init(&walk, &batch);
			for (; record_walk__next(&walk, &record); nr++)
				nr_wrong +=
				        !!memcmp(record.data, b.data + nr * b.len / 2, b.len / 2);
			nr_wrong += nr != 2 || walk.passed != b.len;
			record_walk__exit(&walk);
		}
	}
	CHECK_EQ(nr_wrong, 0);
	builder__exit(&b);
}

TEST(record_walk_ends_where_a_record_is_not_whole)
{
	struct builder b = { .swap = false };
	u32 nr_wrong = 0;

	make_samples(&b, 1, 2);
	for (size_t len = b.len / 2; len < b.len; len++) {
		struct iovec pieces[] = { { b.data, 5 }, { b.data + 5, len - 5 }, { NULL, 0 } };
		const struct record_batch batch = { .pieces = pieces, .nr = 3 };
		struct record_walk walk;
		struct record record;

		record_walk__init(&walk, &batch);
		nr_wrong += !record_walk__next(&walk, &record);
		nr_wrong += record_walk__next(&walk, &record);
		nr_wrong += walk.passed != b.len / 2;
		record_walk__exit(&walk);
	}
	CHECK_EQ(nr_wrong, 0);
	builder__exit(&b);
}

/* Told and taken records keep their order; nothing is written before. */
TEST(hold_sink_holds_all_back_and_gives_it_as_one_round)
{
	struct hold_sink hold;
	struct end_sink end;

	end_sink__init(&end);
	hold_sink__init(&hold, &end.sink);
	CHECK_EQ(record_sink__tell(&hold.sink, "told", 4), 0);
	CHECK_EQ(record_sink__put(&hold.sink, "taken", 5, true), 0);
	CHECK_EQ(record_sink__tell(&hold.sink, "again", 5), 0);
	CHECK_EQ(end.nr_batches + end.told.len, 0);
	CHECK_EQ(hold_sink__release(&hold), 0);
	CHECK_EQ(end.nr_batches, 1);
	CHECK_EQ(end.nr_rounds, 1);
	CHECK_EQ(end.taken.len, 14);
	CHECK(!memcmp(end.taken.buf, "toldtakenagain", 14));
	CHECK_EQ(hold.held.len, 0);
	hold_sink__exit(&hold);
	end_sink__exit(&end);
}

/* A pass is a round, given on when the next pass has come, or when all must be there. */
TEST_WITH_THREADS(unwind_sink_gives_on_each_pass_as_a_round)
{
	struct evlist list = { .nr = 0 };
	struct builder b = { .swap = false };
	struct unwind_sink unwind;
	struct end_sink end;
	u64 slow_ms;

	live_fixture__list(&list);
	end_sink__init(&end);
	end.slow_ms = 100;
	CHECK_EQ(unwind_sink__init(&unwind, &list, UINT64_MAX, &end.sink, NULL), 0);
	CHECK(unwind.sink.together);
	make_samples(&b, 1, 3);
	for (u32 pass = 0; pass < 2; pass++) {
		for (u32 ring = 0; ring < 3; ring++)
			CHECK_EQ(record_sink__put(&unwind.sink, b.data, b.len, ring == 2), 0);
		CHECK_EQ(record_sink__passed(&unwind.sink, &slow_ms), 0);
	}
	CHECK_EQ(record_sink__tell(&unwind.sink, b.data, 8), 0);
	CHECK_EQ(end.told.len, 8);
	CHECK_EQ(record_sink__settle(&unwind.sink), 0);
	CHECK_EQ(end.nr_rounds, 2);
	CHECK_EQ(live_unwind__counts(unwind.live)->nr_unwound, 2 * 3 * 3);
	CHECK_EQ(unwind.slow_ms, 2 * 100);
	unwind_sink__exit(&unwind);
	end_sink__exit(&end);
	builder__exit(&b);
	evlist__exit(&list);
}

static u64 nr_unwritten(struct unwritten *unwritten)
{
	return unwritten->nr ? unwritten->sums[0].nr : 0;
}

/* Whatever lies between: what was not kept is counted in samples. */
TEST(unwritten_sink_counts_behind_a_sink_that_packs)
{
	const struct cpu_map cpus = CPU_MAP_INIT;
	struct builder b = { .swap = false };
	struct evlist list = { .nr = 0 };
	struct unwritten_sink counted;
	struct unwritten unwritten;
	struct error err = ERROR_INIT;
	struct pack_sink pack;
	struct end_sink end;

	live_fixture__list(&list);
	evsel__add_id(list.evsels[0], 1);
	end_sink__init(&end);
	if (pack_sink__init(&pack, 1, &end.sink, &err)) {
		CHECK_EQ(err.code, -EOPNOTSUPP);
		unit__skip("built without zstd");
		return;
	}
	unwritten__init(&unwritten, &list, &cpus);
	unwritten_sink__init(&counted, &unwritten, &pack.sink);
	make_samples(&b, 1, 3000); /* more than one packed record has */
	CHECK(b.len > 2 * COMPRESS_CHUNK);
	CHECK_EQ(record_sink__put(&counted.sink, b.data, b.len, true), 0);
	CHECK_EQ(nr_unwritten(&unwritten), 0);
	CHECK_EQ(end.nr_rounds, 1);
	CHECK_EQ(pack.compressor.bytes_in, b.len);
	CHECK_EQ(pack.compressor.bytes_out, end.taken.len);

	u16 first = load_u16((const u8 *)end.taken.buf + 6, false);

	compressor__restart(&pack.compressor); /* the same bytes come out again */
	end.room = end.taken.len + first;
	CHECK_EQ(record_sink__put(&counted.sink, b.data, b.len, true), -ENOSPC);
	u64 kept = COMPRESS_CHUNK / (b.len / 3000);

	CHECK_EQ(nr_unwritten(&unwritten), 3000 - kept);
	end.room = 0;
	CHECK_EQ(record_sink__put(&counted.sink, b.data, b.len, true), -ENOSPC);
	CHECK_EQ(nr_unwritten(&unwritten), 3000 - kept + 3000);
	pack_sink__exit(&pack);
	unwritten__exit(&unwritten);
	end_sink__exit(&end);
	builder__exit(&b);
	evlist__exit(&list);
}
