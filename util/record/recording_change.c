// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Recordings by frame pointers that change over to copies of stacks: see recording_local.h.
 *
 * No gap: the new counters start, then the old ones stop, and both write to the same rings. In
 * between both take samples, the new one first: the kernel calls the counter that was started
 * last, and counters of a task that runs again are started in the order in which they were made. So
 * an old sample that follows a new one of the same task and event in a ring is a duplicate. It is
 * left out.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"
#include "util/record/auto_chains_local.h"

#define LATE_SIZE_LEAST 16384 /* the pilot has seen other code */

u32 recording__late_choice(const struct recording *recording)
{
	const struct auto_chains *chooser = recording->chooser;
	u32 size = max_u64(recording->choice.stack_size, LATE_SIZE_LEAST), i = 1;

	if (recording->choice.mode != CHAIN_FP)
		return 0;
	while (i + 1 < NR_CHOICES && chooser->choices[i].stack_size < size)
		i++;
	return i;
}

void recording__start_looking(struct recording *recording)
{
	struct auto_chains *chooser = recording->chooser;
	u32 nr_ids = 0;
	int ret = chooser->late ? call_graph_watch__start(chooser->watch) : 0;

	if (ret)
		error__set(&recording->not_looking, ret, "cannot start", "cpu-clock", NULL);
	if (ret || !chooser->late) {
		call_graph_watch__delete(chooser->watch);
		chooser->watch = NULL;
		return;
	}
	for (u32 i = 0; i < recording->evlist.nr; i++)
		nr_ids += recording->evlist.evsels[i]->nr_ids;
	for (u32 i = 0; i < chooser->nr; i++)
		nr_ids += chooser->choices[chooser->late].counters[i].nr_ids;
	data_writer__leave_room(recording->writer, recording->evlist.nr + chooser->nr, nr_ids);
}

/* ---- the events that take over ---- */

/* The counters move there from the choice. */
static void add_events(struct recording *recording)
{
	struct auto_chains *chooser = recording->chooser;
	struct choice *choice = &chooser->choices[chooser->late];
	struct evlist *list = &recording->evlist;
	u32 first = list->nr;

	for (u32 i = 0; i < chooser->nr; i++) {
		const struct evsel *of = list->evsels[i];
		struct counters *counters = &choice->counters[i];
		struct evsel *evsel = evlist__add(list, &counters->attr, of->name);

		evsel->leader = first + of->leader;
		evsel->nr_members = of->nr_members;
		evsel->scale = of->scale;
		evsel__set_text(&evsel->unit, of->unit);
		evsel__set_text(&evsel->group_name, of->group_name);
		counters__swap(counters, evsel);
	}
	free(choice->counters);
	choice->counters = NULL;
}

/* From event @first on; of the next @nr the leaders. */
static int each_leader(struct recording *recording, u32 first, int (*turn)(struct evsel *evsel))
{
	int ret = 0;

	for (u32 i = first; !ret && i < first + recording->chooser->nr; i++)
		if (recording->evlist.evsels[i]->leader == i)
			ret = turn(recording->evlist.evsels[i]);
	return ret;
}

/* ---- what both have sampled ---- */

size_t recording__sift(const struct event_ids *events, u32 nr, u32 first, u8 *records, size_t len)
{
	struct u64map told = U64MAP_INIT;
	struct record record;
	size_t to = 0, at = 0;
	struct sample sample;

	for (; record__take(records + at, len - at, &record); at += record.size) {
		const struct evsel *evsel =
		        record.type == PERF_RECORD_SAMPLE ? event_ids__find(events, &record) : NULL;

		if (evsel && (evsel->idx < nr || evsel->idx >= first) &&
		    !sample__decode_fast(event_ids__layout(events, evsel), &record, false,
		                         &sample)) {
			u64 key = (u64)sample.tid << 32 | evsel->idx % first;

			if (evsel->idx >= first)
				*u64map__at(&told, key) = 1;
			else if (u64map__get(&told, key) != ID_NONE)
				continue;
		}
		memmove(records + to, record.data, record.size);
		to += record.size;
	}
	memmove(records + to, records + at, len - at);
	u64map__exit(&told);
	return to + len - at;
}

/* What is in the rings, ring after ring, sifted; to the file or to who unwinds. */
static int move_sifted(struct recording *recording, u32 first)
{
	struct rings *rings = &recording->rings;
	struct live_batch own = { .data = NULL }, *batch = &own;
	struct event_ids events;
	int ret;

	if (recording->live)
		batch = live_unwind__batch(recording->live);
	event_ids__init(&events, &recording->evlist, false);
	for (u32 i = 0; i < rings->nr; i++) {
		struct ring_span spans[2];
		u64 len = ring__read(&rings->rings[i], spans);
		size_t at = batch->len;

		live_batch__add(batch, &spans[0]);
		live_batch__add(batch, &spans[1]);
		ring__consume(&rings->rings[i], len);
		if (batch->len > at)
			batch->len = at + recording__sift(&events, recording->chooser->nr, first,
			                                  batch->data + at, batch->len - at);
	}
	event_ids__exit(&events);
	if (recording->live)
		return live_unwind__submit(recording->live, batch);
	ret = batch->len ? ring_drain__write_unwound(&recording->drain, own.data, own.len, true)
	                 : 0;
	free(own.data);
	return ret;
}

/* ---- changing over ---- */

static int tell_live(void *ctx, const void *records, size_t len)
{
	live_unwind__tell(ctx, records, len);
	return 0;
}

/* --unwind-live: what unwinds hears of all that is mapped; what comes meanwhile is in the rings. */
static int start_live(struct recording *recording, struct error *err)
{
	struct thread_map map = THREAD_MAP_INIT;
	struct synth synth;
	int ret = recording->config.unwind_live ? recording__start_live(recording, err) : 0;

	if (ret || !recording->live)
		return ret;
	synth__init(&synth, &recording->evlist, tell_live, recording->live);
	synth.data_maps = true;
	for (u32 i = 0; i < recording->threads.nr; i++)
		thread_map__add(&map, recording->threads.tids[i]);
	thread_map__add_descendants(&map);
	if (recording->config.system_wide)
		ret = synth__all_tasks(&synth, err);
	else
		synth__tasks(&synth, &map);
	synth__exit(&synth);
	thread_map__exit(&map);
	return ret;
}

/* Whose counters the ids are that come now. */
static int tell_ids(struct recording *recording)
{
	struct synth synth;

	recording__init_synth(recording, &synth);
	synth__id_index(&synth, &recording->evlist, &recording->cpus, &recording->threads);
	return synth__exit(&synth);
}

static int change_over(struct recording *recording, struct error *err)
{
	u32 first = recording->evlist.nr;
	int ret;

	add_events(recording);
	ret = data_writer__change_events(recording->writer, &recording->evlist, err);
	if (!ret)
		ret = tell_ids(recording);
	if (!ret)
		ret = start_live(recording, err);
	if (!ret)
		ret = ring_drain__catch_up(&recording->drain);
	if (!ret)
		ret = each_leader(recording, first, evsel__enable);
	if (!ret)
		ret = each_leader(recording, 0, evsel__disable);
	return ret ? ret : move_sifted(recording, first);
}

/* What ring_drain__run() asks while frame pointers are recorded. */
struct asked {
	struct recording *recording;
	bool (*ended)(void *ctx);
	void *ctx;
	bool stopped; /* the recording has ended */
};

static bool is_over(void *ctx)
{
	struct asked *asked = ctx;
	struct recording *recording = asked->recording;

	asked->stopped = asked->ended(asked->ctx);
	return asked->stopped || call_graph_watch__step(recording->chooser->watch,
	                                                ring_drain__now_ms(), &recording->changed);
}

int recording__run_looking(struct recording *recording, bool (*ended)(void *ctx), void *ctx)
{
	struct asked asked = { .recording = recording, .ended = ended, .ctx = ctx };
	struct auto_chains *chooser = recording->chooser;
	struct error err = ERROR_INIT;

	if (!chooser->watch)
		return 1;
	recording->drain.ask_often = true;
	int ret = ring_drain__run(&recording->drain, is_over, &asked);

	recording->drain.ask_often = false;
	call_graph_watch__delete(chooser->watch);
	chooser->watch = NULL;
	if (ret || asked.stopped || recording->changed.mode != CHAIN_DWARF)
		return ret;
	recording->changed.stack_size = chooser->choices[chooser->late].stack_size;
	ret = change_over(recording, &err);
	return ret ? ret : 1;
}
