// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/record/recording.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "util/lib/alloc.h"
#include "util/symbol/build_id.h"

void recording__init(struct recording *recording)
{
	*recording = (struct recording){
		.config = RECORD_CONFIG_INIT,
		.sources = EVENT_SOURCES_INIT,
		.output = "perf.data",
	};
	opener__init(&recording->opener);
}

void recording__exit(struct recording *recording)
{
	recorder__exit(&recording->recorder);
	rings__unmap(&recording->rings);
	evlist__exit(&recording->evlist);
	data_writer__delete(recording->writer);
	build_id_pass__exit(&recording->pass);
	opener__exit(&recording->opener);
	event_sources__exit(&recording->sources);
	cpu_map__exit(&recording->cpus);
	thread_map__exit(&recording->threads);
}

/* ---- open ---- */

/* cycles at the highest precision, and in user space only where the kernel is not ours to see. */
static void add_default_event(struct recording *recording)
{
	struct evsel *evsel = evlist__add_named(&recording->evlist, "cycles");

	evsel->precise_max = true;
	evsel->attr.precise_ip = 3;
	evsel->attr.exclude_guest = 1;
	recording->default_event = true;
}

/* 6.1 shows the modifiers that the fallback of its default event ends with; so do we. */
static void name_default_event(struct evsel *evsel)
{
	static const char *const levels[] = { "", "p", "pp", "ppp" };
	char *name = xasprintf(
	        "%s:%s%sH", evsel->attr.type == PERF_TYPE_SOFTWARE ? "cpu-clock" : "cycles",
	        evsel->attr.exclude_kernel ? "uh" : "", levels[evsel->attr.precise_ip]);

	evsel__set_name(evsel, name);
	free(name);
}

static int open_events(struct recording *recording, struct error *err)
{
	struct evlist *list = &recording->evlist;

	for (u32 i = 0; i < list->nr; i++) {
		struct evsel *evsel = list->evsels[i];
		int ret = evsel__open(&recording->opener, list, evsel, &recording->cpus,
		                      &recording->threads, err);

		if (ret && evsel__fall_back_to_clock(evsel, ret)) {
			recording->fell_back = true;
			if (recording->default_event) /* as 6.1: the kernel takes it for clocks */
				evsel->attr.precise_ip = 3;
			i--;
			continue;
		}
		if (ret)
			return ret;
	}
	if (recording->default_event && recording->fell_back)
		name_default_event(list->evsels[0]);
	return 0;
}

static void set_units(struct evlist *list)
{
	for (u32 i = 0; i < list->nr; i++) {
		struct evsel *evsel = list->evsels[i];
		u64 config = evsel->attr.config;

		if (evsel->attr.type != PERF_TYPE_SOFTWARE || evsel->unit[0] ||
		    (config != PERF_COUNT_SW_CPU_CLOCK && config != PERF_COUNT_SW_TASK_CLOCK))
			continue;
		evsel__set_text(&evsel->unit, "msec");
		evsel->scale = 1e-6;
	}
}

int recording__open(struct recording *recording, struct error *err)
{
	struct evlist *list = &recording->evlist;
	int ret;

	if (!list->nr)
		add_default_event(recording);
	ret = record_config__apply(&recording->config, list, err);
	if (!ret)
		ret = open_events(recording, err);
	for (u32 i = 0; !ret && i < list->nr; i++)
		ret = evsel__apply_filter(list->evsels[i], err);
	for (u32 i = 0; !ret && i < list->nr; i++) {
		ret = evsel__read_ids(list->evsels[i]);
		if (ret)
			error__set(err, ret, "cannot ask for the id of", list->evsels[i]->name,
			           NULL);
	}
	if (ret)
		return ret;
	set_units(list);
	return rings__map(&recording->rings, list, &recording->cpus, &recording->threads,
	                  recording->ring_size, err);
}

/* ---- begin ---- */

static int write_synthesized(void *ctx, const void *data, size_t len)
{
	return data_writer__append_bytes(ctx, data, len);
}

static u64 now(clockid_t clock)
{
	struct timespec ts = { 0 };

	clock_gettime(clock, &ts);
	return (u64)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

/* In the order of Linux's perf 6.1. */
static int synthesize(struct recording *recording, struct error *err)
{
	struct evlist *list = &recording->evlist;
	struct synth synth;
	int ret = 0;

	synth__init(&synth, list, write_synthesized, recording->writer);
	synth.data_maps = recording->config.data || recording->config.chains == CHAIN_DWARF;
	synth__id_index(&synth, list, &recording->cpus, &recording->threads);
	synth__kernel_map(&synth, &recording->kernel_hidden);
	synth__modules(&synth, &recording->modules_hidden);
	synth__event_updates(&synth, list);
	synth__thread_map(&synth, &recording->threads);
	synth__cpu_map(&synth, &recording->cpus);
	if (!recording->config.no_bpf_event)
		synth__bpf_programs(&synth);
	if (recording->config.system_wide)
		ret = synth__all_tasks(&synth, err);
	else if (recording->config.attached)
		synth__tasks(&synth, &recording->threads);
	if (recording->workload)
		synth__comm(&synth, recording->workload, recording->workload, "perf-exec");
	synth__finished_init(&synth);
	int write_ret = synth__exit(&synth);

	if (write_ret)
		return error__set(err, write_ret, "cannot write", recording->output, NULL);
	return ret;
}

/*
 * Side-band records must flow before /proc is read, or what is mapped in between stays unknown.
 * System-wide recordings have a dummy event for it that runs since it was opened; on attaching
 * the events themselves are started a little early.
 */
static int start_side_band(struct recording *recording, struct error *err)
{
	struct evlist *list = &recording->evlist;

	if (!recording->config.attached)
		return 0;
	if (!recording->config.delayed)
		return recording__enable(recording, err);
	evsel__enable(list->evsels[list->nr - 1]);
	return 0;
}

int recording__begin(struct recording *recording, const int *events, u32 nr_events,
                     struct error *err)
{
	int ret;

	recording->writer = data_writer__new(recording->output, err);
	if (!recording->writer)
		return err->code;
	ret = data_writer__start(recording->writer, &recording->evlist, err);
	if (!ret)
		ret = start_side_band(recording, err);
	if (ret)
		return ret;
	if (recording->config.clock_set) {
		recording->clock_wall_ns = now(CLOCK_REALTIME);
		recording->clock_ns = now(recording->config.clock);
	}
	recorder__init(&recording->recorder, &recording->rings, recording->writer, events,
	               nr_events);
	return synthesize(recording, err);
}

int recording__enable(struct recording *recording, struct error *err)
{
	struct evlist *list = &recording->evlist;

	for (u32 i = 0; i < list->nr; i++) {
		int ret = list->evsels[i]->leader == i ? evsel__enable(list->evsels[i]) : 0;

		if (ret)
			return error__set(err, ret, "cannot start the event", list->evsels[i]->name,
			                  NULL);
	}
	return 0;
}

void recording__abandon(struct recording *recording)
{
	if (recording->writer)
		data_writer__abandon(recording->writer);
	recording->writer = NULL;
}

/* ---- end ---- */

static void write_losses(struct recording *recording)
{
	struct synth synth;

	synth__init(&synth, &recording->evlist, write_synthesized, recording->writer);
	recording->lost_by_counters = recorder__put_lost(&synth, &recording->evlist);
	synth__exit(&synth);
}

static int look_through(struct recording *recording, struct error *err)
{
	struct build_id_pass *pass = &recording->pass;
	int ret = data_writer__seal(recording->writer, err);

	pass->build_ids = !recording->no_build_ids;
	pass->all = recording->all_build_ids;
	if (!ret)
		ret = build_id_pass__run(pass, recording->output, err);
	for (u32 i = 0; i < pass->nr_maps && !ret; i++) {
		const struct build_id_entry *entry = &pass->entries[pass->maps[i].entry];

		ret = data_writer__set_map_build_id(recording->writer, pass->maps[i].offset,
		                                    entry->id, entry->size);
		if (ret)
			error__set(err, ret, "cannot write build-ids to", recording->output, NULL);
	}
	return ret;
}

static void fill_cache(struct recording *recording)
{
	char *dir;

	if (recording->no_cache || !recording->pass.nr_entries)
		return;
	dir = build_id_cache__dir(NULL, NULL);
	if (dir)
		recording->nr_cache_troubles =
		        build_id_pass__fill_cache(&recording->pass, dir, &recording->cache_trouble);
	free(dir);
}

static int finish_file(struct recording *recording, struct error *err)
{
	struct build_id_pass *pass = &recording->pass;
	struct timespec resolution = { .tv_nsec = 1 };
	struct feature_source source = {
		.root = "",
		.version = recording->version,
		.tracefs = recording->sources.tracefs.path,
		.evlist = &recording->evlist,
		.words = recording->words,
		.nr_words = recording->nr_words,
		.build_ids = pass->entries,
		.nr_build_ids = pass->nr_entries,
		.build_ids_wanted = !recording->no_build_ids,
		.first_sample = pass->first_sample,
		.last_sample = pass->last_sample,
		.clockid_set = recording->config.clock_set,
		.clockid = recording->config.clock,
		.clock_wall_ns = recording->clock_wall_ns,
		.clock_ns = recording->clock_ns,
	};

	clock_getres(recording->config.clock, &resolution);
	source.clock_resolution = (u64)resolution.tv_sec * 1000000000 + resolution.tv_nsec;
	return data_writer__finish(recording->writer, &source, err);
}

int recording__end(struct recording *recording, struct error *err)
{
	struct error own = ERROR_INIT;
	int ret, finish_ret;

	for (u32 i = 0; i < recording->evlist.nr; i++)
		evsel__disable(recording->evlist.evsels[i]);
	recorder__drain(&recording->recorder); /* an error stays in the writer */
	write_losses(recording);
	recording->data_size = data_writer__data_size(recording->writer);
	ret = data_writer__is_file(recording->writer) ? look_through(recording, err) : 0;
	if (!ret)
		fill_cache(recording);
	/* Whatever the look-through met: the file gets its features. */
	finish_ret = finish_file(recording, &own);
	recording->data_size = data_writer__data_size(recording->writer);
	/* The closing line tells what is in the file. */
	if (recording->pass.nr_samples >= data_writer__dropped_samples(recording->writer))
		recording->pass.nr_samples -= data_writer__dropped_samples(recording->writer);
	if (finish_ret && err)
		*err = own;
	return finish_ret ? finish_ret : ret;
}
