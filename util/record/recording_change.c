// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/record/recording_change.h"

#include <stdlib.h>

#include "util/lib/clock.h"
#include "util/record/recording_counters.h"
#include "util/record/recording_sinks.h"
#include "util/record/recording_synth.h"

void recording__start_looking(struct recording *recording)
{
	struct auto_chains *chooser = recording->run->chooser;
	u32 nr_ids = 0;
	int ret = chooser->late ? call_graph_watch__start(chooser->watch) : 0;

	if (ret)
		error__set(&recording->found.not_looking, ret, "cannot start", "cpu-clock", NULL);
	if (ret || !chooser->late) {
		call_graph_watch__delete(chooser->watch);
		chooser->watch = NULL;
		return;
	}
	for (u32 i = 0; i < recording->wish.evlist.nr; i++)
		nr_ids += recording->wish.evlist.evsels[i]->nr_ids;
	for (u32 i = 0; i < chooser->nr; i++)
		nr_ids += chooser->choices[chooser->late].counters[i].nr_ids;
	data_writer__leave_room(recording->run->outlet.file.writer,
	                        recording->wish.evlist.nr + chooser->nr, nr_ids);
}

/* ---- the events that take over ---- */

/* The counters move there from the choice. */
static void add_events(struct recording *recording)
{
	struct auto_chains *chooser = recording->run->chooser;
	struct choice *choice = &chooser->choices[chooser->late];
	struct evlist *list = &recording->wish.evlist;
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

/* ---- changing over ---- */

static int tell_live(void *ctx, const void *records, size_t len)
{
	live_unwind__tell(ctx, records, len);
	return 0;
}

/* --unwind-live: what unwinds hears of all that is mapped; what comes meanwhile is in the rings. */
static int start_unwinding(struct recording *recording, struct error *err)
{
	struct synth synth;
	int ret = 0;

	if (recording->wish.config.unwind_live)
		ret = recording__start_unwinding(recording, err);
	if (ret || !recording->run->unwinding)
		return ret;
	synth__init(&synth, &recording->wish.evlist, tell_live, recording->run->unwind.live);
	synth.data_maps = true;
	if (recording->wish.config.system_wide)
		ret = synth__all_tasks(&synth, err);
	else
		recording__put_watched(recording, &synth);
	synth__exit(&synth);
	return ret;
}

static int change_over(struct recording *recording, struct error *err)
{
	u32 first = recording->wish.evlist.nr, nr = recording->run->chooser->nr;
	struct event_ids before;
	int ret;

	event_ids__init(&before, &recording->wish.evlist, false);
	add_events(recording);
	ret = data_writer__change_events(recording->run->outlet.file.writer,
	                                 &recording->wish.evlist, err);
	if (!ret)
		ret = recording__tell_ids(recording);
	if (!ret)
		ret = start_unwinding(recording, err);
	if (!ret)
		ret = ring_drain__catch_up(&recording->run->drain);
	if (!ret)
		ret = recording__each_leader(recording, first, nr, evsel__enable,
		                             "cannot start the event", err);
	if (!ret)
		ret = recording__each_leader(recording, 0, nr, evsel__disable,
		                             "cannot stop the event", err);
	if (!ret)
		ret = recording__move_sifted(recording, &before, first);
	event_ids__exit(&before);
	return ret;
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
	return asked->stopped || call_graph_watch__step(recording->run->chooser->watch,
	                                                clock__now_ms(), &recording->found.changed);
}

int recording__run_looking(struct recording *recording, bool (*ended)(void *ctx), void *ctx)
{
	struct asked asked = { .recording = recording, .ended = ended, .ctx = ctx };
	struct auto_chains *chooser = recording->run->chooser;
	struct error err = ERROR_INIT;

	if (!chooser->watch)
		return 1;
	recording->run->drain.ask_often = true;
	int ret = ring_drain__run(&recording->run->drain, is_over, &asked);

	recording->run->drain.ask_often = false;
	call_graph_watch__delete(chooser->watch);
	chooser->watch = NULL;
	if (ret || asked.stopped || recording->found.changed.mode != CHAIN_DWARF)
		return ret;
	recording->found.changed.stack_size = chooser->choices[chooser->late].stack_size;
	ret = change_over(recording, &err);
	return ret ? ret : 1;
}
