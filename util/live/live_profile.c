// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/live/live_profile.h"

#include <stdlib.h>

#include "util/lib/alloc.h"

/* Records of other CPUs may be so much older than the newest sample. */
#define LATE_NS   2000000000ull
#define FORGET_NS 5000000000ull /* between two times */

int live_profile__open(struct live_profile *live, const char *path, struct error *err)
{
	*live = (struct live_profile){ .named = false };
	int ret = session__open(&live->session, path, PERF_DATA_LIVE, err);

	if (ret)
		return ret;
	ret = session__scan(&live->session, err);
	if (ret)
		session__close(&live->session);
	return ret;
}

/* Each event is decoded as far as the builder wants it. */
static void set_needs(struct live_profile *live)
{
	const struct evlist *evlist = live->session.evlist;

	for (u32 i = 0; i < evlist->nr; i++) {
		const struct sample_layout *layout =
		        perf_data__layout(live->session.data, evlist->evsels[i]);

		if (profile_builder__wants_all(live->builder, layout))
			stream__set_need(live->stream, evlist->evsels[i], STREAM_ALL);
	}
}

static void make_builder(struct live_profile *live)
{
	live->builder =
	        profile_builder__new(live->options.profile, live->session.host, &live->session.dsos,
	                             perf_data__swapped(live->session.data));
}

static void count(struct live_counts *counts, u16 misc)
{
	counts->all++;
	counts->exact += (misc & PERF_RECORD_MISC_EXACT_IP) != 0;
	switch (misc & PERF_RECORD_MISC_CPUMODE_MASK) {
	case PERF_RECORD_MISC_KERNEL:
		counts->kernel++;
		break;
	case PERF_RECORD_MISC_USER:
		counts->user++;
		break;
	case PERF_RECORD_MISC_GUEST_KERNEL:
		counts->guest_kernel++;
		break;
	case PERF_RECORD_MISC_GUEST_USER:
		counts->guest_user++;
		break;
	}
}

static bool is_hidden(const struct live_profile *live, u16 misc)
{
	u16 mode = misc & PERF_RECORD_MISC_CPUMODE_MASK;

	return (live->hide_kernel && mode == PERF_RECORD_MISC_KERNEL) ||
	       (live->hide_user && mode == PERF_RECORD_MISC_USER);
}

static void add(struct live_profile *live, const struct stream_sample *s, u16 misc)
{
	count(&live->counts, misc);
	live->last = max_u64(live->last, s->when.time);
	if (event_switcher__pass(&live->switcher, s->evsel) && !is_hidden(live, misc))
		profile_builder__add(live->builder, s->evsel, s->layout, s->sample, s->when);
}

/* What has come, as far as it has not been added. */
static void add_all(struct live_profile *live)
{
	const struct record *record;
	const struct stream_sample *s;

	while ((record = stream__record(live->stream)))
		while ((s = stream__sample(live->stream)))
			add(live, s, record->misc);
}

int live_profile__start(struct live_profile *live, const struct live_options *options,
                        struct error *err)
{
	const struct stream_options from = { .order = STREAM_FILE,
		                             .need = STREAM_FAST,
		                             .flags = STREAM_COUNTS,
		                             .filter = &options->profile->filter };

	live->options = *options;
	live->building = *options->profile;
	live->building.any_thread = live->building.by_number = false;
	live->options.profile = &live->building;
	int ret = event_switcher__init(&live->switcher, options->event_switch, live->session.evlist,
	                               err);

	if (ret)
		return ret;
	live->stream = stream__new(&live->session, &from, err);
	if (!live->stream)
		return err->code;
	make_builder(live);
	set_needs(live);
	add_all(live);
	live->decayed = live->last;
	return 0;
}

void live_profile__close(struct live_profile *live)
{
	if (live->named)
		names__exit(&live->names);
	profile__exit(&live->profile);
	profile_builder__delete(live->builder);
	stream__delete(live->stream);
	session__close(&live->session);
}

/* Texts of tracepoints that no row has any more, nor one of those that are still shown. */
static void forget_texts(struct live_profile *live)
{
	struct trace_keys *keys = live->options.trace_keys;
	const struct profile_options *options = live->options.profile;

	if (!keys)
		return;
	u8 *used = xcalloc(trace_keys__nr_contents(keys), 1);

	for (u32 slot = 0; slot < options->nr_sample_keys; slot++) {
		if (!key__is_trace(options->sample_keys[slot]))
			continue;
		profile_builder__mark_values(live->builder, slot, used);
		for (u32 i = 0; i < live->profile.nr_rows; i++)
			used[profile__sample_value(&live->profile, i, slot)] = 1;
	}
	trace_keys__keep(keys, used);
	free(used);
}

/* Once in a while: what nobody will ask for again, also where there are tasks and no samples. */
static void forget(struct live_profile *live)
{
	struct machine *machine = live->session.host;
	u64 now = max_u64(live->last, session__last_time(&live->session));

	if (now < live->forgot + FORGET_NS || !perf_data__is_live(live->session.data))
		return;
	live->forgot = now;
	u8 *used = xcalloc(machine__nr_threads(machine) + 1, 1);

	profile_builder__mark_threads(live->builder, used);
	for (u64 i = 0; i < live->profile.nr_rows; i++) /* those that are still shown */
		used[live->profile.rows[i].thread] = 1;
	machine__forget(machine, (struct moment){ now - LATE_NS, 0 }, used);
	profile_builder__settled(live->builder);
	free(used);
	forget_texts(live);
	memory__give_back();
}

static void decay(struct live_profile *live)
{
	u64 half_life = live->half_life;

	if (!half_life) {
		live->decayed = live->last;
		return;
	}
	/* After a pause of the samples all of it counts at once. */
	for (; live->last - live->decayed >= half_life; live->decayed += half_life)
		profile_builder__decay(live->builder);
}

int live_profile__take(struct live_profile *live, struct error *err)
{
	bool changed;
	int ret = stream__more(live->stream, &live->session, &changed, err);

	if (changed)
		profile_builder__settled(live->builder);
	if (ret > 0) {
		add_all(live);
		decay(live);
		forget(live);
	}
	return ret;
}

/* Symbols of objects in which no row lies, and which no task that lives has mapped. */
static void forget_symbols(struct live_profile *live)
{
	const struct profile *profile = &live->profile;
	u8 *used = xcalloc(live->session.dsos.nr + 1, 1);
	u32 nr;
	const struct map_info *maps = machine__maps(live->session.host, &nr);

	for (u32 i = 0; i < nr; i++)
		if (maps[i].dso != ID_NONE)
			used[maps[i].dso] = 1;
	for (u32 i = 0; i < profile->nr_locs; i++)
		if (profile->locs[i].dso != ID_NONE)
			used[profile->locs[i].dso] = 1;
	session_symbols__forget(live->options.symbols, used);
	free(used);
}

void live_profile__look(struct live_profile *live)
{
	profile_builder__snapshot(live->builder, &live->profile);
	if (live->named && live->generation == live->profile.generation) {
		names__extend(&live->names, live->nr_named);
	} else {
		if (live->named)
			names__exit(&live->names);
		forget_symbols(live);
		names__init(&live->names, &live->profile, &live->session, live->options.symbols,
		            NAMES_SYMBOLS | NAMES_GROW, 1);
	}
	live->named = true;
	live->generation = live->profile.generation;
	live->nr_named = live->profile.nr_locs;
}

void live_profile__clear(struct live_profile *live)
{
	profile_builder__delete(live->builder);
	make_builder(live);
	live->generation = UINT32_MAX; /* numbers of locations begin again */
}
