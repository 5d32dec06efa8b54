// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/stat/replay.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/format/record.h"
#include "util/lib/alloc.h"
#include "util/stat/aggregate_number.h"

#define COMM_SIZE       16
#define CPUS_MAX        65536
#define GROUP_CELLS_MAX (1u << 24) /* groups x events: 1 GB or so */

struct replay_cell {
	u32 event, thread;
	s32 cpu;
	struct reading now, before;
};

static struct cursor body_of(const struct stat_replay *replay, const struct record *r)
{
	return cursor__make(r->data + RECORD_HEADER_SIZE, r->size - RECORD_HEADER_SIZE,
	                    perf_data__swapped(replay->data));
}

/* ---- what stands before the counts ---- */

static void take_config(struct stat_replay *replay, const struct record *r)
{
	enum { MODE, INTERVAL, SCALE, LEVEL };
	struct cursor c = body_of(replay, r);
	u64 nr = cursor__u64(&c), mode = 1;
	bool newer = false;

	for (u64 i = 0; i < nr && !c.failed; i++) {
		u64 tag = cursor__u64(&c), value = cursor__u64(&c);

		if (c.failed)
			return;
		if (tag == MODE)
			mode = value;
		else if (tag == INTERVAL)
			replay->interval_ms = value;
		else if (tag == SCALE)
			replay->scale = value;
		newer |= tag == LEVEL;
	}
	replay->mode_unknown = !aggregate_of_number(mode, newer, &replay->mode);
}

static void take_threads(struct stat_replay *replay, const struct record *r)
{
	struct cursor c = body_of(replay, r);
	u64 nr = cursor__u64(&c);

	for (u64 i = 0; i < nr && cursor__left(&c) >= 8 + COMM_SIZE; i++) {
		struct thread_map *map = &replay->threads;
		u32 at = map->nr;

		array__reserve(&map->tids, &map->cap, at + 1, sizeof(*map->tids));
		map->tids[map->nr++] = (s32)cursor__u64(&c);
		array__reserve(&replay->comms, &replay->cap_comms, at + 1, COMM_SIZE);
		memcpy(replay->comms[at], cursor__bytes(&c, COMM_SIZE), COMM_SIZE);
		replay->comms[at][COMM_SIZE - 1] = '\0';
	}
}

/* The CPUs themselves are those that counted. Their list tells whether it was about CPUs at all. */
static void take_cpu(struct stat_replay *replay, s32 cpu)
{
	if (cpu >= 0 && cpu < CPUS_MAX)
		cpu_map__add(&replay->cpus, cpu);
}

/* ---- the groups ---- */

static int too_large(struct error *err)
{
	return error__set(err, -E2BIG, "cannot put the counts together", NULL,
	                  "there are too many groups of them");
}

/* At the first round it is known who counts. */
static int make_groups(struct stat_replay *replay, struct error *err)
{
	struct cpu_topology *topologies;
	enum aggregate_mode mode = replay->mode;
	u32 nr_topologies;

	replay->of_tasks = !replay->cpus.nr;
	if (replay->has_wanted && !replay->of_tasks)
		mode = replay->wanted;
	if (!replay->cpus.nr)
		cpu_map__add(&replay->cpus, CPU_ANY);
	if (!replay->threads.nr)
		mode = mode == AGGREGATE_THREAD ? AGGREGATE_GLOBAL : mode;
	if (max_u64(mode == AGGREGATE_THREAD ? replay->threads.nr : replay->cpus.nr, 1) *
	            max_u64(replay->list->nr, 1) >
	    GROUP_CELLS_MAX)
		return too_large(err);
	topologies = cpu_topology__of_recording(replay->data, &nr_topologies);
	for (int i = 0; i < 2; i++) {
		struct aggregation *agg = i ? &replay->stretch : &replay->counts;

		aggregation__init(agg, mode, replay->list, &replay->cpus, &replay->threads, NULL,
		                  topologies, nr_topologies);
		for (u32 t = 0; mode == AGGREGATE_THREAD && t < replay->threads.nr; t++)
			aggregation__name_thread(agg, t, replay->comms[t], replay->threads.tids[t]);
		for (u32 e = 0; e < replay->list->nr; e++)
			aggregation__set_supported(agg, e, replay->list->evsels[e]->nr_ids);
	}
	free(topologies);
	replay->ready = true;
	return 0;
}

/* ---- counts ---- */

/* Those that count are all there at the first round. */
static bool has_group(const struct stat_replay *replay, s32 cpu, u32 thread)
{
	if (!replay->ready)
		return cpu < CPUS_MAX && (!replay->threads.nr || thread < replay->threads.nr);
	return cpu_map__index(&replay->cpus, cpu < 0 ? CPU_ANY : cpu) >= 0 &&
	       (replay->counts.mode != AGGREGATE_THREAD || thread < replay->threads.nr);
}

static void take_stat(struct stat_replay *replay, const struct record *r)
{
	struct cursor c = body_of(replay, r);
	u64 id = cursor__u64(&c);
	s32 cpu = cursor__u32(&c);
	u32 thread = cursor__u32(&c);
	struct reading reading = { 0 };
	struct evsel *evsel = perf_data__evsel_of_id(replay->data, id);
	u32 *index;

	reading.value = cursor__u64(&c);
	reading.enabled = cursor__u64(&c);
	reading.running = cursor__u64(&c);
	if (c.failed || !evsel || !has_group(replay, cpu, thread)) {
		replay->nr_unknown++;
		return;
	}
	index = u64map__at(&replay->by_key, hash__add(hash__add(id, (u32)cpu), thread));
	if (*index == ID_NONE) {
		array__reserve(&replay->cells, &replay->cap_cells, replay->nr_cells + 1,
		               sizeof(*replay->cells));
		*index = replay->nr_cells++;
		replay->cells[*index] =
		        (struct replay_cell){ .event = evsel->idx, .cpu = cpu, .thread = thread };
		if (!replay->ready)
			take_cpu(replay, cpu);
	}
	replay->cells[*index].now = reading;
	replay->fresh = true;
}

/* What all cells say, less what they said @before. */
static void add_cells(struct stat_replay *replay, struct aggregation *agg, bool before)
{
	aggregation__reset(agg);
	aggregation__start_run(agg);
	for (u32 i = 0; i < replay->nr_cells; i++) {
		struct replay_cell *cell = &replay->cells[i];
		struct reading part = cell->now;

		if (before) {
			part.value -= cell->before.value;
			part.enabled -= cell->before.enabled;
			part.running -= cell->before.running;
		}
		aggregation__add(agg, cell->event, cell->cpu, cell->thread, &part, replay->scale);
	}
	aggregation__end_run(agg);
}

static void end_interval(struct stat_replay *replay, u64 ns)
{
	add_cells(replay, &replay->stretch, true);
	replay->interval(replay->ctx, ns, ns > replay->last_ns ? ns - replay->last_ns : 0);
	for (u32 i = 0; i < replay->nr_cells; i++)
		replay->cells[i].before = replay->cells[i].now;
	replay->fresh = false;
	replay->last_ns = ns;
}

static int take_round(struct stat_replay *replay, const struct record *r, struct error *err)
{
	enum { FINAL = 1 };
	struct cursor c = body_of(replay, r);
	u64 type = cursor__u64(&c), ns = cursor__u64(&c);
	int ret = replay->ready ? 0 : make_groups(replay, err);

	if (ret || c.failed)
		return ret;
	if (replay->interval_ms && replay->fresh)
		end_interval(replay, ns);
	replay->wall_ns = ns;
	if (type == FINAL)
		replay->cut = false;
	return 0;
}

/* ---- the whole ---- */

struct walk {
	struct stat_replay *replay;
	struct error *err;
};

static int take_block(void *ctx, const struct data_block *block)
{
	struct walk *walk = ctx;
	struct stat_replay *replay = walk->replay;
	int ret = 0;

	for (struct record r = { 0 };
	     !ret && data_block__next(block, perf_data__swapped(replay->data), &r);) {
		if (!record__body_fits(&r, perf_data__swapped(replay->data)))
			broken_records__add(&replay->broken, &r);
		else if (r.type == RECORD_STAT_CONFIG)
			take_config(replay, &r);
		else if (r.type == RECORD_THREAD_MAP && !replay->ready)
			take_threads(replay, &r);
		else if (r.type == RECORD_STAT)
			take_stat(replay, &r);
		else if (r.type == RECORD_STAT_ROUND)
			ret = take_round(replay, &r, walk->err);
	}
	return ret;
}

int stat_replay__run(struct stat_replay *replay, struct error *err)
{
	struct walk walk = { replay, err };
	int ret;

	replay->list = perf_data__evlist(replay->data);
	replay->mode = AGGREGATE_GLOBAL;
	replay->scale = replay->cut = true;
	ret = perf_data__walk(replay->data, take_block, &walk, err);
	/* 6.1 ends a recording of intervals without another word. */
	replay->cut = perf_data__not_closed(replay->data) ||
	              perf_data__ends(replay->data)->cut_stream ||
	              (replay->cut && !replay->interval_ms);
	replay->no_counts = !replay->ready && !replay->nr_cells;
	if (ret || replay->no_counts)
		return ret;
	if (!replay->ready)
		ret = make_groups(replay, err);
	if (!ret)
		add_cells(replay, &replay->counts, false);
	return ret;
}

void stat_replay__exit(struct stat_replay *replay)
{
	aggregation__exit(&replay->counts);
	aggregation__exit(&replay->stretch);
	cpu_map__exit(&replay->cpus);
	thread_map__exit(&replay->threads);
	u64map__exit(&replay->by_key);
	broken_records__exit(&replay->broken);
	free(replay->cells);
	free(replay->comms);
}
