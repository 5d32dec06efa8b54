// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Unwinding while recording, without a thread: order, copies that are kept, and, over the
 * recordings that PERF_LIVE_FILES names (separated by colons; tests/cli/unwind-live.sh makes
 * some), that the chains are those that are unwound afterwards.
 */
#include "util/record/live_chains.h"

#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/live_fixture.h"
#include "tests/unit/unit.h"
#include "util/format/sample.h"
#include "util/lib/alloc.h"
#include "util/machine/session.h"
#include "util/stream/unwound.h"

struct scene {
	struct evlist list;
	struct live_chains *chains;
	struct builder batch, next;
	u64 waiting, limit;
	struct out out;
	size_t at; /* of the next record in out */
};

static void scene__init(struct scene *s)
{
	*s = (struct scene){ .limit = UINT64_MAX };
	live_fixture__list(&s->list);
	s->chains = live_chains__new(&s->list);
	out__init(&s->out, -1);
}

static void scene__exit(struct scene *s)
{
	out__exit(&s->out);
	live_chains__delete(s->chains);
	evlist__exit(&s->list);
	builder__exit(&s->batch);
	builder__exit(&s->next);
}

static void scene__run(struct scene *s, bool with_next)
{
	const struct live_batch batch = { .data = s->batch.data, .len = s->batch.len };
	const struct live_batch next = { .data = s->next.data, .len = s->next.len };
	const struct live_load load = { &s->waiting, s->limit };

	s->waiting = batch.len + (with_next ? next.len : 0);
	live_chains__run(s->chains, &batch, with_next ? &next : NULL, &load, &s->out);
	CHECK_EQ(s->waiting, with_next ? next.len : 0);
	builder__exit(&s->batch);
	s->batch = s->next;
	s->next = (struct builder){ .swap = false };
}

/* The next record that came out. */
static struct record scene__record(struct scene *s)
{
	const u8 *data = (const u8 *)s->out.buf + s->at;
	struct record record = { .data = data };

	CHECK(s->at < s->out.len);
	if (s->at >= s->out.len)
		return record;
	record.type = load_u32(data, false);
	record.misc = load_u16(data + 4, false);
	record.size = load_u16(data + 6, false);
	s->at += record.size;
	return record;
}

/* That it is a sample with this time, and how its chain ended. */
static void scene__check(struct scene *s, u64 time, int end)
{
	struct record record = scene__record(s);
	u64 nr_chain;

	CHECK_EQ(record.type, PERF_RECORD_SAMPLE);
	if (record.type != PERF_RECORD_SAMPLE)
		return;
	CHECK_EQ(load_u64(record.data + 24, false), time);
	CHECK_EQ(live_fixture__end(&s->list, &record, &nr_chain), end);
	CHECK_EQ(nr_chain, end < 0 ? 0 : 2); /* marker and place */
}

TEST(live_chains_know_maps_of_the_next_batch)
{
	struct scene s;

	scene__init(&s);
	live_fixture__sample(&s.batch, 100, 7, 0x1010, true);
	live_fixture__sample(&s.batch, 200, 7, 0x1010, true);
	live_fixture__sample(&s.batch, 150, 8, 0x1010, true); /* of another ring */
	live_fixture__map(&s.next, 120, 7, 0x1000, 0x1000);
	live_fixture__map(&s.next, 160, 8, 0x1000, 0x1000);
	live_fixture__sample(&s.next, 210, 8, 0x1010, true);
	scene__run(&s, true);
	scene__check(&s, 100, CHAIN_UNMAPPED);
	scene__check(&s, 150, CHAIN_UNMAPPED);
	scene__check(&s, 200, CHAIN_NO_TABLES);
	CHECK_EQ(s.at, s.out.len); /* nothing of the next */
	scene__run(&s, false);
	CHECK_EQ(scene__record(&s).type, PERF_RECORD_MMAP2);
	CHECK_EQ(scene__record(&s).type, PERF_RECORD_MMAP2);
	scene__check(&s, 210, CHAIN_NO_TABLES);
	CHECK_EQ(s.at, s.out.len);
	CHECK_EQ(live_chains__counts(s.chains)->nr_unwound, 4);
	scene__exit(&s);
}

TEST(live_chains_know_what_was_there_before)
{
	struct builder head = { .swap = false };
	struct scene s;

	scene__init(&s);
	live_fixture__map(&head, 0, 7, 0x1000, 0x1000);
	live_chains__tell(s.chains, head.data, head.len);
	live_fixture__sample(&s.batch, 100, 7, 0x1010, true);
	scene__run(&s, false);
	scene__check(&s, 100, CHAIN_NO_TABLES);
	CHECK_EQ(s.at, s.out.len);
	builder__exit(&head);
	scene__exit(&s);
}

TEST(live_chains_keep_copies_while_too_much_waits)
{
	struct scene s;

	scene__init(&s);
	for (u64 time = 1; time <= 4; time++)
		live_fixture__sample(&s.batch, time, 7, 0x1010, true);
	s.limit = s.batch.len / 2;
	scene__run(&s, false);
	scene__check(&s, 1, -1);
	scene__check(&s, 2, -1);
	scene__check(&s, 3, CHAIN_UNMAPPED);
	scene__check(&s, 4, CHAIN_UNMAPPED);
	CHECK_EQ(live_chains__counts(s.chains)->nr_unwound, 2);
	CHECK_EQ(live_chains__counts(s.chains)->nr_kept, 2);
	scene__exit(&s);
}

TEST(live_chains_leave_samples_without_copies_alone)
{
	struct scene s;

	scene__init(&s);
	live_fixture__sample(&s.batch, 1, 0, 0xffffffff81000000, false);
	scene__run(&s, false);
	scene__check(&s, 1, -1);
	CHECK_EQ(live_chains__counts(s.chains)->nr_unwound, 0);
	CHECK_EQ(live_chains__counts(s.chains)->nr_kept, 0);
	scene__exit(&s);
}

TEST(live_chains_lose_no_bytes)
{
	struct scene s;

	scene__init(&s);
	live_fixture__sample(&s.batch, 1, 7, 0x1010, false);
	builder__u32(&s.batch, PERF_RECORD_SAMPLE); /* half a header */
	size_t len = s.batch.len;

	scene__run(&s, false);
	CHECK_EQ(s.out.len, len);
	scene__exit(&s);
}

/* ---- recordings ---- */

/* How a sample's chain is when it is unwound now. */
struct expected {
	u64 time;
	u32 tid;
	int end;
	u64 hash; /* of the chain */
};

struct both {
	struct session session;
	struct expected *wanted; /* in the order of the file */
	size_t nr, cap, nr_unwound;
};

static u64 hash_of(const struct u64_span *chain)
{
	return chain->nr ? hash__bytes(chain->data, chain->nr * 8) : 0;
}

static void unwind_later(struct both *both)
{
	static const struct symbol_config config = { .symfs = "" };
	struct session *session = &both->session;
	struct resolver *resolver = resolver__new(session->host, &session->dsos);
	struct unwound *unwound =
	        unwound__open(session, &config, resolver, 4096, UNWIND_NATIVE, NULL);
	struct block_buffer buffer = { 0 };
	struct data_block block;

	for (u32 i = 0; i < perf_data__nr_blocks(session->data); i++) {
		CHECK_EQ(perf_data__read_block(session->data, i, &buffer, &block), 0);
		for (struct record r = { 0 }; data_block__next(&block, false, &r);) {
			if (r.type != PERF_RECORD_SAMPLE)
				continue;
			const struct sample_layout *layout = perf_data__layout(
			        session->data, perf_data__find_evsel(session->data, &r));
			struct unwound_end end = { .verdict.end = NR_CHAIN_ENDS };
			struct sample sample;

			CHECK_EQ(sample__decode(layout, &r, false, &sample), 0);
			struct moment when = session__moment(session, &r, sample.time);
			const struct task *task =
			        resolver__task(resolver, sample.pid, sample.tid, when);
			bool any =
			        task && unwound__join(unwound, &sample, layout, task, when, &end);

			array__reserve(&both->wanted, &both->cap, both->nr + 1,
			               sizeof(*both->wanted));
			both->wanted[both->nr++] =
			        (struct expected){ sample.time, sample.tid,
				                   any ? (int)end.verdict.end : -1,
				                   hash_of(&sample.chain) };
			both->nr_unwound += any;
		}
	}
	free(buffer.buf);
	unwound__delete(unwound);
	resolver__delete(resolver);
}

static int by_time(const void *a, const void *b)
{
	const struct expected *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->tid < y->tid ? -1 : x->tid > y->tid;
}

/* The samples in @out as the file's readers see them. */
static size_t read_out(const struct both *both, const struct out *out, struct expected *found)
{
	struct perf_data *data = both->session.data;
	struct chain_join join;
	size_t nr = 0;

	chain_join__init(&join, 4096, false);
	for (size_t at = 0; at < out->len;) {
		const u8 *p = (const u8 *)out->buf + at;
		struct record r = { .data = p,
			            .type = load_u32(p, false),
			            .misc = load_u16(p + 4, false),
			            .size = load_u16(p + 6, false) };
		struct chain_told told;
		struct sample sample;

		at += r.size;
		if (r.type != PERF_RECORD_SAMPLE || nr == both->nr)
			continue;
		CHECK_EQ(sample__decode(perf_data__layout(data, perf_data__find_evsel(data, &r)),
		                        &r, false, &sample),
		         0);
		bool is_told = chain_join__told(&join, &sample, &told);

		found[nr++] =
		        (struct expected){ sample.time, sample.tid, is_told ? (int)told.end : -1,
			                   hash_of(is_told ? &told.chain : &sample.chain) };
	}
	chain_join__exit(&join);
	return nr;
}

/* The rounds of the file are the batches. */
static void unwind_live(struct both *both, struct out *out)
{
	struct live_chains *chains = live_chains__new(both->session.evlist);
	struct live_batch batches[2] = { { .data = NULL }, { .data = NULL } }, *at = &batches[0];
	struct block_buffer buffer = { 0 };
	u64 waiting = 0;
	const struct live_load load = { &waiting, UINT64_MAX };
	bool begun = false, any = false;

	for (u32 i = 0; i < perf_data__nr_blocks(both->session.data); i++) {
		struct data_block block;

		CHECK_EQ(perf_data__read_block(both->session.data, i, &buffer, &block), 0);
		for (struct record r = { 0 }; data_block__next(&block, false, &r);) {
			if (!begun && r.type != RECORD_FINISHED_INIT) {
				live_chains__tell(chains, r.data, r.size);
				continue;
			}
			begun = true;
			if (r.type < RECORD_HEADER_ATTR) {
				array__reserve(&at->data, &at->cap, at->len + r.size, 1);
				memcpy(at->data + at->len, r.data, r.size);
				at->len += r.size;
			}
			if (r.type != RECORD_FINISHED_ROUND)
				continue;
			struct live_batch *last = at == &batches[0] ? &batches[1] : &batches[0];

			if (any)
				live_chains__run(chains, last, at, &load, out);
			any = true;
			last->len = 0;
			at = last;
		}
	}
	at->len = 0;
	live_chains__run(chains, at == &batches[0] ? &batches[1] : &batches[0], at, &load, out);
	free(batches[0].data);
	free(batches[1].data);
	free(buffer.buf);
	live_chains__delete(chains);
}

static void compare(const char *path)
{
	struct both both = { .nr = 0 };
	struct expected *found;
	struct out out;

	CHECK_EQ(session__open(&both.session, path, PERF_DATA_FORCE, NULL), 0);
	CHECK_EQ(session__scan(&both.session, NULL), 0);
	if (unit__has_failed())
		return;
	unwind_later(&both);
	out__init(&out, -1);
	unwind_live(&both, &out);
	found = xcalloc(both.nr + 1, sizeof(*found));
	size_t nr = read_out(&both, &out, found), nr_other = 0;

	CHECK_EQ(nr, both.nr);
	CHECK(both.nr_unwound > 50);
	qsort(both.wanted, both.nr, sizeof(*both.wanted), by_time);
	qsort(found, nr, sizeof(*found), by_time);
	for (size_t i = 0; i < nr; i++)
		nr_other +=
		        found[i].end != both.wanted[i].end || found[i].hash != both.wanted[i].hash;
	if (nr_other)
		unit__fail(__FILE__, __LINE__, "%s: %zu of %zu samples have another chain", path,
		           nr_other, nr);
	free(found);
	free(both.wanted);
	out__exit(&out);
	session__close(&both.session);
}

TEST_WITH_THREADS(live_chains_of_recordings)
{
	const char *list = getenv("PERF_LIVE_FILES");
	char path[4096];

	if (!list) {
		unit__skip("PERF_LIVE_FILES names no files (tests/cli/unwind-live.sh does)");
		return;
	}
	for (size_t len; *list && !unit__has_failed(); list += len + (list[len] == ':')) {
		len = strcspn(list, ":");
		snprintf(path, sizeof(path), "%.*s", (int)len, list);
		compare(path);
	}
}
