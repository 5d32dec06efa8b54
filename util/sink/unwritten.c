// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/sink/unwritten.h"

#include <stdlib.h>

#include "util/format/sample.h"
#include "util/lib/alloc.h"

void unwritten__init(struct unwritten *unwritten, const struct evlist *list,
                     const struct cpu_map *cpus)
{
	*unwritten = (struct unwritten){ .list = list, .cpus = cpus };
	pthread_mutex_init(&unwritten->lock, NULL);
	out__init(&unwritten->kept, -1);
}

void unwritten__exit(struct unwritten *unwritten)
{
	if (unwritten->has_ids)
		event_ids__exit(&unwritten->ids);
	free(unwritten->sums);
	out__exit(&unwritten->kept);
	pthread_mutex_destroy(&unwritten->lock);
}

/* The CPU of the counter with @id; -1: it is none of @evsel's, or not of one CPU. */
static s32 cpu_of(const struct unwritten *unwritten, const struct evsel *evsel, u64 id)
{
	u32 nr = 0;

	for (u32 at = 0; evsel->fds && at < evsel->nr_cpus * evsel->nr_threads; at++) {
		if (evsel->fds[at] < 0)
			continue;
		if (nr < evsel->nr_ids && evsel->ids[nr++] == id)
			return unwritten->cpus->cpus[at / evsel->nr_threads];
	}
	return -1;
}

static void add_sample(struct unwritten *unwritten, const struct record *record)
{
	const struct evsel *evsel = event_ids__find(&unwritten->ids, record);
	struct sample sample;
	u32 i = 0;

	if (!evsel ||
	    sample__decode_fast(event_ids__layout(&unwritten->ids, evsel), record, false, &sample))
		return;
	u64 id = sample.id != UINT64_MAX ? sample.id : evsel->nr_ids ? evsel->ids[0] : 0;
	s32 cpu = (s32)sample.cpu >= 0 ? (s32)sample.cpu : cpu_of(unwritten, evsel, id);

	while (i < unwritten->nr &&
	       (unwritten->sums[i].evsel != evsel || unwritten->sums[i].cpu != cpu))
		i++;
	if (i == unwritten->nr) {
		array__reserve(&unwritten->sums, &unwritten->cap, i + 1, sizeof(*unwritten->sums));
		unwritten->sums[unwritten->nr++] =
		        (struct unwritten_sum){ .evsel = evsel, .id = id, .cpu = cpu };
	}
	unwritten->sums[i].nr++;
}

/* The samples of @batch but those that are wholly in its first @kept bytes. */
static void add_rest(struct unwritten *unwritten, const struct record_batch *batch, u64 kept)
{
	struct record_walk walk;
	struct record record;

	pthread_mutex_lock(&unwritten->lock);
	if (!unwritten->has_ids)
		event_ids__init(&unwritten->ids, unwritten->list, false);
	unwritten->has_ids = true;
	record_walk__init(&walk, batch);
	while (record_walk__next(&walk, &record))
		if (walk.passed > kept && record.type == PERF_RECORD_SAMPLE)
			add_sample(unwritten, &record);
	record_walk__exit(&walk);
	pthread_mutex_unlock(&unwritten->lock);
}

void unwritten__add(struct unwritten *unwritten, const u8 *records, size_t len)
{
	const struct iovec piece = { (void *)records, len };

	add_rest(unwritten, &(struct record_batch){ .pieces = &piece, .nr = 1 }, 0);
}

static int take(struct record_sink *sink, struct record_batch *batch)
{
	struct unwritten_sink *own = (struct unwritten_sink *)sink;
	int ret = sink->next->take(sink->next, batch);

	if (record_sink__is_full(ret))
		add_rest(own->unwritten, batch, batch->kept);
	return ret;
}

void unwritten_sink__init(struct unwritten_sink *sink, struct unwritten *unwritten,
                          struct record_sink *next)
{
	*sink = (struct unwritten_sink){ .sink = { .take = take, .next = next },
		                         .unwritten = unwritten };
}

void unwritten__keep(struct unwritten *unwritten, const void *records, size_t len)
{
	out__mem(&unwritten->kept, records, len);
}

static void gave_way(void *ctx, const u8 *record, size_t size)
{
	struct unwritten *unwritten = ctx;
	struct record taken;

	if (record__take(record, size, &taken) && taken.type == PERF_RECORD_LOST_SAMPLES)
		unwritten__keep(unwritten, record, size);
	else
		unwritten__add(unwritten, record, size);
}

static int take_words(void *ctx, const void *records, size_t len)
{
	out__mem(ctx, records, len);
	return 0;
}

static void say(void *ctx, struct out *out)
{
	struct unwritten *unwritten = ctx;
	struct synth synth;

	out__mem(out, unwritten->kept.buf, unwritten->kept.len);
	if (!unwritten->nr)
		return;
	synth__init(&synth, unwritten->list, take_words, out);
	for (u32 i = 0; i < unwritten->nr; i++) {
		const struct unwritten_sum *sum = &unwritten->sums[i];

		synth__lost_samples(&synth, sum->evsel, sum->id, sum->cpu, sum->nr,
		                    RECORD_MISC_DISK_FULL);
	}
	synth__exit(&synth);
}

struct writer_last unwritten__last(struct unwritten *unwritten)
{
	return (struct writer_last){ unwritten, gave_way, say };
}
