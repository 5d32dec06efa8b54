// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/record/recording.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "arch/arch.h"
#include "util/counter/open_error.h"
#include "util/elf/build_id.h"
#include "util/lib/alloc.h"
#include "util/lib/text.h"
#include "util/record/recording_local.h"
#include "util/sdt/sdt.h"

void recording__init(struct recording *recording)
{
	*recording = (struct recording){
		.config = RECORD_CONFIG_INIT,
		.sources = EVENT_SOURCES_INIT,
		.output = "perf.data",
		.stream_fd = -1,
		.end_fd = -1,
		.synth = SYNTH_ALL,
		.live_limit = LIVE_LIMIT_DEFAULT,
		.choice.mode = CHAIN_AUTO,
		.changed.mode = CHAIN_AUTO,
		.not_looking = ERROR_INIT,
	};
	recording->sources.probe_points = sdt__probe_points;
	recording->team = (struct ring_drain_team)RING_DRAIN_TEAM_INIT;
	opener__init(&recording->opener);
	unwritten__init(&recording->unwritten, &recording->evlist, &recording->cpus);
}

void recording__exit(struct recording *recording)
{
	recording__exit_parts(recording);
	recording__exit_live(recording);
	recording__exit_auto(recording);
	free(recording->found_at);
	ring_drain__exit(&recording->drain);
	unwritten__exit(&recording->unwritten);
	for (u32 i = 0; i < recording->nr_names; i++)
		free(recording->names[i]);
	free(recording->names);
	rings__unmap(&recording->rings);
	evlist__exit(&recording->evlist);
	data_writer__delete(recording->writer);
	if (recording->stream_fd >= 0)
		close(recording->stream_fd);
	build_id_pass__exit(&recording->pass);
	compressor__exit(&recording->packer);
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
	const struct arch *arch = arch__here();

	evsel->precise_max = true;
	evsel->attr.precise_ip = 3;
	evsel->attr.exclude_guest = !arch->precise_has_guests || !arch->precise_has_guests();
	recording->default_event = true;
}

/* 6.1 shows the modifiers that the fallback of its default event ends with; so do we. */
static void name_default_event(struct evsel *evsel)
{
	static const char *const levels[] = { "", "p", "pp", "ppp" };
	char *name = xasprintf(
	        "%s:%s%s%s", evsel->attr.type == PERF_TYPE_SOFTWARE ? "cpu-clock" : "cycles",
	        evsel->attr.exclude_kernel ? "uh" : "", levels[evsel->attr.precise_ip],
	        evsel->attr.exclude_guest ? "H" : "");

	evsel__set_name(evsel, name);
	free(name);
}

/* A group that does not fit and need not be one (modifier W). :S wants the counts of a group. */
static bool break_up(struct recording *recording, const struct evsel *evsel)
{
	u32 first = evsel->leader;
	u32 nr = evsel->sample_read ? 0 : evlist__break_up(&recording->evlist, evsel);

	for (u32 i = first; i < first + nr; i++)
		record_config__set_start(&recording->config, recording->evlist.evsels[i]);
	return nr;
}

static int open_events(struct recording *recording, struct error *err)
{
	struct evlist *list = &recording->evlist;

	for (u32 i = 0; i < list->nr; i++) {
		struct evsel *evsel = list->evsels[i];
		u32 first = evsel->leader;
		int ret = evsel__open(&recording->opener, list, evsel, &recording->cpus,
		                      &recording->threads, err);

		if (ret && evsel__fall_back_to_clock(evsel, ret)) {
			recording->fell_back = true;
			if (recording->default_event) /* as 6.1: the kernel takes it for clocks */
				evsel->attr.precise_ip = 3;
			i--;
			continue;
		}
		if (ret && open__not_supported(ret) && break_up(recording, evsel)) {
			if (err)
				*err = (struct error)ERROR_INIT;
			i = first - 1; /* once more, from its first event on */
			continue;
		}
		if (ret)
			return ret;
	}
	if (recording->default_event && recording->fell_back)
		name_default_event(list->evsels[0]);
	return 0;
}

int recording__open(struct recording *recording, struct error *err)
{
	struct evlist *list = &recording->evlist;
	struct timespec resolution;
	char number[16];
	int ret;

	if (recording->config.clock_set && clock_getres(recording->config.clock, &resolution)) {
		snprintf(number, sizeof(number), "%d", recording->config.clock);
		return error__set(err, -errno, "cannot use the clock", number,
		                  "this system does not have it");
	}
	if (!list->nr)
		add_default_event(recording);
	recording->no_build_ids |= recording->config.build_id_mmap; /* they are in the maps */
	ret = record_config__apply(&recording->config, list, err);
	if (!ret)
		ret = recording__check_live(recording, err);
	if (!ret)
		recording__slow_pilot(recording);
	/* A reader that comes late has more room left then than with the kernel's half. */
	recording->opener.wake_bytes = recording->ring_size / 4;
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
	if (!ret && recording->compression)
		ret = compressor__init(&recording->packer, recording->compression, err);
	if (ret)
		return ret;
	evlist__set_units(list);
	ret = rings__map(&recording->rings, list, &recording->cpus, &recording->threads,
	                 recording->ring_size, err);
	return ret ? ret : recording__open_choices(recording, err);
}

/* ---- begin ---- */

static int write_synthesized(void *ctx, const void *data, size_t len)
{
	struct recording *recording = ctx;

	if (recording->live)
		live_unwind__tell(recording->live, data, len);
	if (recording__hold(recording, data, len))
		return 0;
	int ret = data_writer__append_bytes(recording->writer, data, len);

	return ret ? ret : ring_drain__look(&recording->drain);
}

/* See struct synth. A file that was replaced since it was mapped has another inode. */
static u8 build_id_of_map(s32 pid, const char *path, u64 ino, u8 data[static 20])
{
	struct build_id id = { 0 };
	struct stat st;

	if (pid != -1) {
		char *file = xasprintf("/proc/%d/root%s", pid, path);

		if (!stat(file, &st) && S_ISREG(st.st_mode) && st.st_ino == ino)
			build_id__of_file(file, &id);
		free(file);
	} else if (text__starts_with(path, "[kernel.kallsyms]")) {
		build_id__of_kernel(&id);
	} else {
		char name[128];

		snprintf(name, sizeof(name), "%.120s", text__basename(path));
		name[strcspn(name, ".]")] = '\0';
		for (char *p = name; (p = strchr(p, '-'));)
			*p = '_';
		build_id__of_module(name + (name[0] == '['), &id);
	}
	memcpy(data, id.data, sizeof(id.data));
	return id.size;
}

void recording__init_synth(struct recording *recording, struct synth *synth)
{
	synth__init(synth, &recording->evlist, write_synthesized, recording);
	synth->namespaces = recording->config.namespaces;
	synth->maps = recording->synth & SYNTH_MMAP;
	synth->build_id = recording->config.build_id_mmap ? build_id_of_map : NULL;
	synth->data_maps = recording->config.data || recording->config.chains == CHAIN_DWARF ||
	                   recording->config.chains == CHAIN_AUTO;
}

static int end_synth(struct recording *recording, struct synth *synth, struct error *err)
{
	int ret = synth__exit(synth);

	return ret ? error__set(err, ret, "cannot write", recording->output, NULL) : 0;
}

/* Those we were told to watch, and what they have started since. */
static void put_watched(struct recording *recording, struct synth *synth)
{
	struct thread_map map = THREAD_MAP_INIT;

	for (u32 i = 0; i < recording->threads.nr; i++)
		thread_map__add(&map, recording->threads.tids[i]);
	thread_map__add_descendants(&map);
	synth__tasks(synth, &map);
	thread_map__exit(&map);
}

int recording__parse_synth(struct recording *recording, const char *text, struct error *err)
{
	static const struct {
		const char *name;
		u32 what;
	} words[] = {
		{ "no", 0 },
		{ "all", SYNTH_ALL },
		{ "task", SYNTH_TASK },
		{ "mmap", SYNTH_TASK | SYNTH_MMAP },
		{ "cgroup", SYNTH_CGROUP },
	};
	char *list = xstrdup(text), *save = NULL, *word = strtok_r(list, ",", &save);
	int ret = 0;

	recording->synth = 0;
	do {
		u32 i = 0;

		while (i < ARRAY_SIZE(words) && (!word || strcmp(words[i].name, word)))
			i++;
		if (i < ARRAY_SIZE(words))
			recording->synth |= words[i].what;
		else
			ret = error__set(err, -EINVAL, "invalid synth option", word ? word : "",
			                 "it is none of no, all, task, mmap, cgroup");
		word = strtok_r(NULL, ",", &save);
	} while (word && !ret);
	free(list);
	return ret;
}

/* In the order of Linux's perf 6.1. */
static int put_existing(struct recording *recording, struct synth *synth, bool again,
                        struct error *err)
{
	struct evlist *list = &recording->evlist;
	int ret = 0;

	synth__id_index(synth, list, &recording->cpus, &recording->threads);
	synth__kernel_map(synth, &recording->kernel_hidden);
	synth__modules(synth, &recording->modules_hidden);
	synth__event_updates(synth, list, recording->config.stream);
	synth__thread_map(synth, &recording->threads);
	synth__cpu_map(synth, &recording->cpus);
	if (!recording->config.no_bpf_event)
		synth__bpf_programs(synth);
	if (recording->config.cgroups && recording->synth & SYNTH_CGROUP)
		synth__cgroups(synth);
	if (!(recording->synth & SYNTH_TASK))
		;
	else if (recording->config.system_wide)
		ret = synth__all_tasks(synth, err);
	else if (again)
		put_watched(recording, synth);
	else if (recording->config.attached)
		synth__tasks(synth, &recording->threads);
	return ret;
}

int recording__synthesize_head(struct recording *recording, bool again, struct error *err)
{
	struct synth synth;
	int ret = 0, end_ret;

	recording__init_synth(recording, &synth);
	if (!recording->tail_synthesis)
		ret = put_existing(recording, &synth, again, err);
	if (recording->workload && !again) {
		synth__comm(&synth, recording->workload, recording->workload, "perf-exec");
		if (synth.namespaces)
			synth__namespaces(&synth, recording->workload, recording->workload);
	}
	synth__finished_init(&synth);
	end_ret = end_synth(recording, &synth, err);
	return ret ? ret : end_ret;
}

int recording__synthesize_tail(struct recording *recording, struct error *err)
{
	struct synth synth;
	int ret, end_ret;

	if (!recording->tail_synthesis)
		return 0;
	recording__init_synth(recording, &synth);
	ret = put_existing(recording, &synth, true, err);
	end_ret = end_synth(recording, &synth, err);
	return ret ? ret : end_ret;
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
	int ret = recording__open_file(recording, err);

	if (!ret && !recording->chooser)
		ret = recording__start_file(recording, err);
	if (!ret)
		ret = start_side_band(recording, err);
	if (ret)
		return ret;
	if (recording->nr_parts)
		return recording__start_team(recording, events, nr_events, err);
	ring_drain__init(&recording->drain, &recording->rings, recording->writer, events,
	                 nr_events);
	recording->drain.packer = recording->compression ? &recording->packer : NULL;
	recording->drain.flush = recording->flush;
	recording->drain.size_mark = recording->size_mark;
	recording->drain.affinity = recording->affinity;
	recording->drain.unwritten = &recording->unwritten;
	ret = recording__start_live(recording, err);
	if (!ret)
		recording__start_pilot(recording);
	return ret ? ret : recording__synthesize_head(recording, false, err);
}

int recording__run(struct recording *recording, bool (*ended)(void *ctx), void *ctx)
{
	int ret;

	if (recording->nr_parts) {
		ret = ring_drain_team__run(&recording->team, &recording->drain, ended, ctx);
		recording->drain.nr_woken = ring_drain_team__nr_woken(&recording->team);
	} else {
		ret = recording->chooser ? recording__run_pilot(recording, ended, ctx) : 1;
		if (ret > 0 && recording->chooser)
			ret = recording__run_looking(recording, ended, ctx);
		if (ret > 0)
			ret = ring_drain__run(&recording->drain, ended, ctx);
	}
	recording->incomplete |= ret != 0;
	return ret;
}

static int each_leader(struct recording *recording, int (*turn)(struct evsel *evsel),
                       const char *what, struct error *err)
{
	struct evlist *list = &recording->evlist;

	for (u32 i = 0; i < list->nr; i++) {
		struct evsel *evsel = list->evsels[i];
		int ret = evsel->leader == i ? turn(evsel) : 0;

		if (ret)
			return error__set(err, ret, what, evsel->name, NULL);
	}
	return 0;
}

int recording__enable(struct recording *recording, struct error *err)
{
	return each_leader(recording, evsel__enable, "cannot start the event", err);
}

static int disable_samples(struct evsel *evsel)
{
	bool dummy =
	        evsel->attr.type == PERF_TYPE_SOFTWARE && evsel->attr.config == PERF_COUNT_SW_DUMMY;

	return evsel->tracking && dummy ? 0 : evsel__disable(evsel);
}

int recording__disable(struct recording *recording, struct error *err)
{
	return each_leader(recording, disable_samples, "cannot stop the event", err);
}

void recording__hurry(struct recording *recording)
{
	if (recording->writer)
		data_writer__hurry(recording->writer);
}

void recording__abandon(struct recording *recording)
{
	recording__exit_parts(recording);
	recording__exit_live(recording);
	if (recording->writer)
		data_writer__abandon(recording->writer);
	recording->writer = NULL;
}
