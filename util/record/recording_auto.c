// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/record/recording_auto.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "util/format/sample.h"
#include "util/lib/alloc.h"
#include "util/lib/clock.h"
#include "util/record/recording_counters.h"
#include "util/record/recording_sinks.h"
#include "util/record/recording_synth.h"
#include "util/record/sift_sink.h"
#include "util/unwind/chain_record.h"

#define PILOT_MS        200
#define PILOT_HELD_MAX  (64u << 20) /* then it is over, too, however few stacks there were */
#define PILOT_RING_SIZE (4u << 20)  /* where nobody asks for another, and it can be had */
#define PILOT_PER_SEC   4096        /* samples of all CPUs: with their copies 256 MB */
#define PILOT_RING_MS   62          /* so long it must take to fill a ring */
#define LATE_SIZE_LEAST 16384       /* of copies after a change: the pilot has seen other code */

/* ---- counters ---- */

static void swap_all(struct recording *recording, struct counters *counters)
{
	for (u32 i = 0; i < recording->run->chooser->nr; i++)
		counters__swap(&counters[i], recording->wish.evlist.evsels[i]);
}

void recording__exit_auto(struct recording *recording)
{
	struct auto_chains *chooser = recording->run->chooser;

	if (!chooser)
		return;
	for (u32 i = 0; i < NR_CHOICES; i++)
		counters__close(chooser->choices[i].counters, chooser->nr);
	counters__close(chooser->pilots, chooser->nr);
	call_graph_watch__delete(chooser->watch);
	free(chooser);
	recording->run->chooser = NULL;
}

/*
 * Copies of 64 KB fill rings quickly: samples come as rarely as they fit. Each tells for how much
 * it stands (its period), so shares stay right.
 */
void recording__slow_pilot(struct recording *recording)
{
	const struct record_config *config = &recording->wish.config;
	u64 samples, frequency;

	if (config->chains != CHAIN_AUTO)
		return;
	recording->run->chooser = xcalloc(1, sizeof(*recording->run->chooser));
	recording->run->chooser->nr = recording->wish.evlist.nr - 1;
	recording->run->chooser->frequency = config->frequency;
	if (!recording->wish.ring_size_given && !geteuid())
		recording->wish.ring_size = max_u64(recording->wish.ring_size, PILOT_RING_SIZE);
	samples = recording->wish.ring_size / STACK_SIZE_MAX;
	frequency =
	        min_u64(samples * 1000 / PILOT_RING_MS, PILOT_PER_SEC / recording->wish.cpus.nr);
	frequency = min_u64(max_u64(frequency / recording->run->chooser->nr, 1), config->frequency);
	for (u32 i = 0; i < recording->run->chooser->nr; i++) {
		struct evsel *evsel = recording->wish.evlist.evsels[i];

		if (evsel->attr.freq && !evsel->user_period)
			evsel->attr.sample_freq = frequency;
	}
}

static void make_attr(const struct recording *recording, const struct choice *choice,
                      const struct evsel *evsel, struct perf_event_attr *attr)
{
	*attr = evsel->attr;
	record_config__choose(attr, choice->mode, choice->stack_size);
	if (attr->freq && !evsel->user_period)
		attr->sample_freq = recording->run->chooser->frequency;
	attr->enable_on_exec = 0;
	attr->disabled = evsel->leader == evsel->idx;
}

static int open_choice(struct recording *recording, struct choice *choice, struct error *err)
{
	struct evlist *list = &recording->wish.evlist;
	u32 nr = recording->run->chooser->nr;
	int ret = 0;

	choice->counters = xcalloc(nr, sizeof(*choice->counters));
	for (u32 i = 0; i < nr; i++)
		make_attr(recording, choice, list->evsels[i], &choice->counters[i].attr);
	swap_all(recording, choice->counters);
	for (u32 i = 0; !ret && i < nr; i++)
		ret = evsel__open(&recording->found.opener, list, list->evsels[i],
		                  &recording->wish.cpus, &recording->wish.threads, err);
	for (u32 i = 0; !ret && i < nr; i++) {
		ret = recording__filter(recording, list->evsels[i], err);
		if (!ret)
			ret = rings__add(&recording->run->rings, list->evsels[i],
			                 &recording->wish.cpus, &recording->wish.threads, err);
	}
	swap_all(recording, choice->counters);
	return ret && !err->code ? error__set(err, ret, "cannot open", "--call-graph auto", NULL)
	                         : ret;
}

int recording__open_choices(struct recording *recording, struct error *err)
{
	struct auto_chains *chooser = recording->run->chooser;
	int ret = 0;

	for (u32 i = 0; chooser && !ret && i < NR_CHOICES; i++) {
		chooser->choices[i].mode = i ? CHAIN_DWARF : CHAIN_FP;
		chooser->choices[i].stack_size = i ? call_graph_sizes[i - 1] : 0;
		ret = open_choice(recording, &chooser->choices[i], err);
	}
	/* In a stream the attrs stand in front of all. */
	if (chooser && !ret && !recording->wish.config.stream)
		chooser->watch = call_graph_watch__new(
		        &recording->found.opener, recording->wish.evlist.evsels[0],
		        &recording->wish.cpus, &recording->wish.threads,
		        &recording->found.not_looking);
	return ret;
}

/* ---- the pilot ---- */

int recording__start_pilot(struct recording *recording, struct error *err)
{
	struct recording_run *run = recording->run;

	hold_sink__init(&run->hold, run->outlet.first);
	run->holding = true;
	int ret = recording__start_unwinding(recording, err);

	if (ret)
		return ret;
	run->chooser->since_ms = clock__now_ms();
	live_unwind__set_limit(run->unwind.live, UINT64_MAX); /* no copy is to be in the file */
	live_chains__start_pilot(live_unwind__chains(run->unwind.live));
	return 0;
}

/* What ring_drain__run() asks while the pilot runs. */
struct asked {
	struct recording *recording;
	bool (*ended)(void *ctx);
	void *ctx;
	bool stopped; /* the recording has ended */
	int error;
};

static const struct call_graph_pilot *pilot_of(struct recording *recording)
{
	return live_chains__pilot(live_unwind__chains(recording->run->unwind.live));
}

static bool is_over(void *ctx)
{
	struct asked *asked = ctx;
	struct recording *recording = asked->recording;
	struct auto_chains *chooser = recording->run->chooser;

	asked->stopped = asked->ended(asked->ctx);
	if (asked->stopped)
		return true;
	if (clock__now_ms() - chooser->since_ms < PILOT_MS)
		return false;
	asked->error = ring_drain__catch_up(&recording->run->drain);
	return asked->error || call_graph_pilot__nr(pilot_of(recording)) >= CALL_GRAPH_STACKS ||
	       recording->run->hold.held.len > PILOT_HELD_MAX;
}

/* ---- when it is over ---- */

/*
 * A told chain as an event by frame pointers has it: callers in user space by return addresses. 0:
 * the record stays as it is.
 */
static u32 plain_record(struct chain_join *join, const struct record *record,
                        const struct sample_layout *layout, const struct evsel *evsel, u8 *out)
{
	bool regs = evsel->attr.sample_type & PERF_SAMPLE_REGS_USER;
	struct chain_told told = { .end = CHAIN_COMPLETE };
	struct sample sample;

	if (!chain_record__converts(layout->sample_type) ||
	    sample__decode(layout, record, false, &sample))
		return 0;
	told.chain = sample.chain;
	if (chain_join__told(join, &sample, &told)) {
		for (u64 i = chain__user_marker(&told.chain, false) + 2; i < told.chain.nr; i++)
			join->words[i]++;
	}
	return chain_record__write(out, record, &sample, layout, &told.chain,
	                           regs ? CHAIN_PLAIN_REGS : CHAIN_PLAIN, told.end);
}

/* What is held, with the pilot's samples as the events are laid out now. */
static void make_plain(struct recording *recording, const struct event_ids *pilots)
{
	struct out *held = &recording->run->hold.held, plain;
	u8 *bytes = xmalloc(CHAIN_RECORD_MAX);
	struct chain_join join;
	struct record record;

	out__init(&plain, -1);
	chain_join__init(&join, CHAIN_WORDS_MAX, false);
	for (size_t at = 0; record__take((const u8 *)held->buf + at, held->len - at, &record);
	     at += record.size) {
		const struct evsel *evsel =
		        record.type == PERF_RECORD_SAMPLE ? event_ids__find(pilots, &record) : NULL;
		const struct sample_layout *layout =
		        evsel ? event_ids__layout(pilots, evsel) : NULL;
		u32 size = layout ? plain_record(&join, &record, layout, evsel, bytes) : 0;

		out__mem(&plain, size ? bytes : record.data, size ? size : record.size);
	}
	chain_join__exit(&join);
	free(bytes);
	out__exit(held);
	*held = plain;
}

/* What the pilot's counters lost; whom the new ones belong to. */
static void tell_counters(struct recording *recording)
{
	struct auto_chains *chooser = recording->run->chooser;
	struct synth synth;
	u32 nr = 0;

	recording__init_synth(recording, &synth);
	swap_all(recording, chooser->pilots);
	recording->found.lost_by_counters += ring_drain__put_lost(
	        &recording->run->drain, &synth, &recording->wish.evlist, &recording->wish.cpus);
	swap_all(recording, chooser->pilots);
	synth__exit(&synth);
	recording__tell_ids(recording);
	for (u32 i = 0; i < chooser->nr; i++)
		nr += chooser->pilots[i].nr_ids;
	ring_drain__forget_lost(&recording->run->drain, nr);
}

/* The pilot's samples are of the same events. */
static void add_pilot_ids(struct recording *recording)
{
	const struct auto_chains *chooser = recording->run->chooser;

	for (u32 i = 0; i < chooser->nr; i++)
		for (u32 id = 0; id < chooser->pilots[i].nr_ids; id++)
			evsel__add_id(recording->wish.evlist.evsels[i], chooser->pilots[i].ids[id]);
}

/* After frame pointers were chosen: the index of the choice that would replace them; 0: none. */
static u32 late_choice(const struct recording *recording)
{
	const struct auto_chains *chooser = recording->run->chooser;
	u32 size = max_u64(recording->found.choice.stack_size, LATE_SIZE_LEAST), i = 1;

	if (recording->found.choice.mode != CHAIN_FP)
		return 0;
	while (i + 1 < NR_CHOICES && chooser->choices[i].stack_size < size)
		i++;
	return i;
}

int recording__move_sifted(struct recording *recording, const struct event_ids *before, u32 first)
{
	struct ring_drain *drain = &recording->run->drain;
	struct event_ids after;
	struct sift_sink sift;

	event_ids__init(&after, &recording->wish.evlist, false);
	const struct sift what = {
		.before = before, .after = &after, .nr = recording->run->chooser->nr, .first = first
	};

	sift_sink__init(&sift, &what, drain->sink);
	drain->sink = &sift.sink;
	int ret = ring_drain__catch_up(drain);

	drain->sink = sift.sink.next;
	sift_sink__exit(&sift);
	event_ids__exit(&after);
	return ret;
}

/* The chosen counters start, then the pilot's stop, so that nothing is missed in between. */
static int change_counters(struct recording *recording, struct error *err)
{
	struct auto_chains *chooser = recording->run->chooser;
	u32 i = 0;

	while (chooser->choices[i].mode != recording->found.choice.mode ||
	       (i && chooser->choices[i].stack_size != recording->found.choice.stack_size))
		i++;
	chooser->pilots = chooser->choices[i].counters;
	chooser->choices[i].counters = NULL;
	swap_all(recording, chooser->pilots);
	int ret = recording__enable(recording, err);

	swap_all(recording, chooser->pilots);
	if (!ret)
		ret = recording__disable(recording, err);
	swap_all(recording, chooser->pilots);
	if (chooser->watch)
		chooser->late = late_choice(recording);
	for (i = 0; i < NR_CHOICES; i++) {
		if (i && i == chooser->late)
			continue;
		counters__close(chooser->choices[i].counters, chooser->nr);
		chooser->choices[i].counters = NULL;
	}
	return ret;
}

/* What unwinds goes on, where copies are to be unwound. */
static void change_live(struct recording *recording)
{
	if (recording->wish.config.unwind_live && recording->found.choice.mode == CHAIN_DWARF) {
		live_unwind__set_limit(recording->run->unwind.live, recording->wish.live_limit);
		live_chains__end_pilot(live_unwind__chains(recording->run->unwind.live),
		                       &recording->wish.evlist);
		return;
	}
	recording__stop_unwinding(recording);
}

int recording__take_choice(struct recording *recording, struct error *err)
{
	struct event_ids pilots;

	call_graph_pilot__choose(pilot_of(recording), &recording->found.choice);
	event_ids__init(&pilots, &recording->wish.evlist, false); /* keeps the layouts */
	int ret = ring_drain__catch_up(&recording->run->drain);   /* so that both have room */

	if (!ret)
		ret = change_counters(recording, err);
	/* Samples of both kinds may be in the rings: the new ones pass as they are. */
	if (!ret)
		ret = recording__move_sifted(recording, &pilots, recording->wish.evlist.nr);
	tell_counters(recording);
	add_pilot_ids(recording);
	if (recording->found.choice.mode == CHAIN_FP)
		make_plain(recording, &pilots);
	event_ids__exit(&pilots);
	change_live(recording);
	return ret;
}

int recording__run_pilot(struct recording *recording, bool (*ended)(void *ctx), void *ctx)
{
	struct asked asked = { .recording = recording, .ended = ended, .ctx = ctx };

	recording->run->drain.ask_often = true;
	int ret = ring_drain__run(&recording->run->drain, is_over, &asked);

	recording->run->drain.ask_often = false;
	if (ret || asked.error)
		return ret ? ret : asked.error;
	return !asked.stopped && recording->run->drain.nr_live;
}

void recording__take_pilot(struct recording *recording)
{
	for (u32 i = 0; i < recording->run->chooser->nr; i++)
		recording->wish.evlist.evsels[i]->attr.exclude_callchain_user = 1;
}
