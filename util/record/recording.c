// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/record/recording.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "util/lib/alloc.h"
#include "util/record/recording_auto.h"
#include "util/record/recording_change.h"
#include "util/record/recording_counters.h"
#include "util/record/recording_file.h"
#include "util/record/recording_folder.h"
#include "util/record/recording_live.h"
#include "util/record/recording_sinks.h"
#include "util/record/recording_synth.h"
#include "util/sdt/sdt.h"

void recording__init(struct recording *recording)
{
	struct recording_run *run = xcalloc(1, sizeof(*run));

	*recording = (struct recording){
		.wish = { .config = RECORD_CONFIG_INIT,
		          .sources = EVENT_SOURCES_INIT,
		          .output = "perf.data",
		          .stream_fd = -1,
		          .end_fd = -1,
		          .synth = SYNTH_ALL,
		          .live_limit = LIVE_LIMIT_DEFAULT },
		.found = { .choice.mode = CHAIN_AUTO,
		           .changed.mode = CHAIN_AUTO,
		           .not_looking = ERROR_INIT },
		.run = run,
	};
	recording->wish.sources.probe_points = sdt__probe_points;
	run_probes__init(&recording->probes, &recording->wish.sources);
	run->team = (struct ring_drain_team)RING_DRAIN_TEAM_INIT;
	opener__init(&recording->found.opener);
	unwritten__init(&run->unwritten, &recording->wish.evlist, &recording->wish.cpus);
}

/* What runs; the events are still there. */
static void exit_run(struct recording *recording)
{
	struct recording_run *run = recording->run;

	recording__exit_parts(recording);
	recording__stop_unwinding(recording);
	recording__exit_auto(recording);
	hold_sink__exit(&run->hold);
	ring_drain__exit(&run->drain);
	unwritten__exit(&run->unwritten);
	for (u32 i = 0; i < run->nr_names; i++)
		free(run->names[i]);
	free(run->names);
	rings__unmap(&run->rings);
	evlist__exit(&recording->wish.evlist);
	if (run->filtering)
		bpf_filters__close(&run->filters);
	outlet__exit(&run->outlet);
	free(run);
}

int recording__exit(struct recording *recording, struct error *err)
{
	exit_run(recording);
	int ret = run_probes__exit(&recording->probes, err);

	free(recording->found.found_at);
	call_graph_choice__exit(&recording->found.choice);
	call_graph_choice__exit(&recording->found.changed);
	build_id_pass__exit(&recording->found.pass);
	opener__exit(&recording->found.opener);
	if (recording->wish.stream_fd >= 0)
		close(recording->wish.stream_fd);
	event_sources__exit(&recording->wish.sources);
	cpu_map__exit(&recording->wish.cpus);
	thread_map__exit(&recording->wish.threads);
	return ret;
}

/* ---- open ---- */

int recording__open(struct recording *recording, struct error *err)
{
	struct recording_wish *wish = &recording->wish;
	struct recording_run *run = recording->run;
	struct timespec resolution;
	char number[16];
	int ret;

	if (wish->config.clock_set && clock_getres(wish->config.clock, &resolution)) {
		snprintf(number, sizeof(number), "%d", wish->config.clock);
		return error__set(err, -errno, "cannot use the clock", number,
		                  "this system does not have it");
	}
	if (!wish->evlist.nr)
		recording__add_default_event(recording);
	wish->no_build_ids |= wish->config.build_id_mmap; /* they are in the maps */
	ret = record_config__apply(&wish->config, &wish->evlist, err);
	if (!ret)
		ret = recording__check_live(recording, err);
	if (!ret)
		recording__slow_pilot(recording);
	/* A reader that comes late has more room left then than with the kernel's half. */
	recording->found.opener.wake_bytes = wish->ring_size / 4;
	if (!ret)
		ret = recording__open_counters(recording, err);
	if (!ret)
		ret = outlet__init(&run->outlet, recording, err);
	if (ret)
		return ret;
	evlist__set_units(&wish->evlist);
	ret = rings__map(&run->rings, &wish->evlist, &wish->cpus, &wish->threads, wish->ring_size,
	                 err);
	return ret ? ret : recording__open_choices(recording, err);
}

/* ---- begin ---- */

/*
 * Side-band records must flow before /proc is read, or what is mapped in between stays unknown.
 * System-wide recordings have a dummy event for it that runs since it was opened; on attaching
 * the events themselves are started a little early.
 */
static int start_side_band(struct recording *recording, struct error *err)
{
	struct evlist *list = &recording->wish.evlist;

	if (!recording->wish.config.attached)
		return 0;
	if (!recording->wish.config.delayed)
		return recording__enable(recording, err);
	evsel__enable(list->evsels[list->nr - 1]);
	return 0;
}

/* One thread empties all rings. */
static int begin_one(struct recording *recording, const int *events, u32 nr_events,
                     struct error *err)
{
	struct recording_run *run = recording->run;
	int ret = 0;

	ring_drain__init(&run->drain, &run->rings, run->outlet.first, events, nr_events);
	run->drain.flush = recording->wish.flush;
	run->drain.size_mark = recording->wish.size_mark;
	run->drain.size = &run->size;
	run->drain.affinity = recording->wish.affinity;
	if (run->chooser)
		ret = recording__start_pilot(recording, err);
	else if (recording->wish.config.unwind_live)
		ret = recording__start_unwinding(recording, err);
	return ret ? ret : recording__synthesize_head(recording, false, err);
}

/* --threads: this one tells what exists, the others empty the rings. */
static int begin_team(struct recording *recording, const int *events, u32 nr_events,
                      struct error *err)
{
	int ret = recording__init_team(recording, events, nr_events, err);

	if (!ret)
		ret = recording__synthesize_head(recording, false, err);
	return ret ? ret : ring_drain_team__start(&recording->run->team, err);
}

int recording__begin(struct recording *recording, const int *events, u32 nr_events,
                     struct error *err)
{
	int ret = recording__open_file(recording, err);

	if (!ret && !recording->run->chooser) /* else when it is known how it looks */
		ret = recording__start_file(recording, err);
	if (!ret)
		ret = start_side_band(recording, err);
	if (ret)
		return ret;
	return recording->run->nr_parts ? begin_team(recording, events, nr_events, err)
	                                : begin_one(recording, events, nr_events, err);
}

/* ---- run ---- */

/* The pilot is over: the file begins, with what was held. */
static int release(struct recording *recording, struct error *err)
{
	struct recording_run *run = recording->run;
	int ret = recording__start_file(recording, err);

	run->holding = false;
	recording__link_sinks(recording);
	return ret ? ret : hold_sink__release(&run->hold);
}

/* --call-graph auto. 1: all is chosen, and the recording goes on; 0: it has ended. */
static int run_choosing(struct recording *recording, bool (*ended)(void *ctx), void *ctx)
{
	struct error err = ERROR_INIT;
	int ret = recording__run_pilot(recording, ended, ctx);

	if (ret <= 0)
		return ret;
	ret = recording__take_choice(recording, &err);
	recording__start_looking(recording);
	int release_ret = release(recording, &err);

	if (!ret)
		ret = release_ret;
	return ret ? ret : recording__run_looking(recording, ended, ctx);
}

int recording__run(struct recording *recording, bool (*ended)(void *ctx), void *ctx)
{
	struct recording_run *run = recording->run;
	int ret;

	if (recording__has_file(recording))
		data_writer__settle(run->outlet.file.writer);
	if (run->nr_parts) {
		ret = ring_drain_team__run(&run->team, &run->drain, ended, ctx);
		run->drain.nr_woken = ring_drain_team__nr_woken(&run->team);
	} else {
		ret = run->chooser ? run_choosing(recording, ended, ctx) : 1;
		if (ret > 0)
			ret = ring_drain__run(&run->drain, ended, ctx);
	}
	run->incomplete |= ret != 0;
	return ret;
}

int recording__switch(struct recording *recording, struct error *err)
{
	struct recording_run *run = recording->run;
	int ret = ring_drain__catch_up(&run->drain);

	if (ret)
		return error__set(err, ret, "cannot write", recording->wish.output, NULL);
	ret = recording__synthesize_tail(recording, err);
	if (!ret)
		ret = recording__close_file(recording, err);
	if (!ret)
		ret = recording__stamp_file(recording, err);
	if (!ret)
		ret = recording__open_file(recording, err);
	if (!ret)
		ret = recording__start_file(recording, err);
	if (ret)
		return ret;
	run->drain.nr_woken = 0;
	return recording__synthesize_head(recording, true, err);
}

u64 recording__size(const struct recording *recording)
{
	return __atomic_load_n(&recording->run->size, __ATOMIC_RELAXED);
}

u64 recording__nr_filtered(const struct recording *recording, u32 event)
{
	const struct recording_run *run = recording->run;

	return run->filtering ? bpf_filters__nr_dropped(&run->filters, event) : 0;
}

u64 recording__nr_woken(const struct recording *recording)
{
	return recording->run->drain.nr_woken;
}

void recording__forget_event(struct recording *recording, int fd)
{
	ring_drain__forget_event(&recording->run->drain, fd);
}

void recording__hurry(struct recording *recording)
{
	if (recording__has_file(recording))
		data_writer__hurry(recording->run->outlet.file.writer);
}

/* ---- end ---- */

void recording__abandon(struct recording *recording)
{
	struct file_sink *file = &recording->run->outlet.file;

	recording__exit_parts(recording);
	recording__stop_unwinding(recording);
	if (file->writer)
		data_writer__abandon(file->writer);
	file->writer = NULL;
}

/* Move all that there still is to the sinks, and what they wait with to the file. */
static int drain_all(struct recording *recording)
{
	struct recording_run *run = recording->run;
	struct error err = ERROR_INIT;

	ring_drain__finish(&run->drain); /* an error stays in the writer */
	int ret = ring_drain_team__finish(&run->team);

	if (!ret && run->holding) { /* a pilot that did not end */
		recording__take_pilot(recording);
		ret = release(recording, &err);
	}
	return ret;
}

int recording__end(struct recording *recording, struct error *err)
{
	struct recording_run *run = recording->run;
	struct error tail_err = ERROR_INIT;
	int ret, tail_ret, drain_ret;

	for (u32 i = 0; i < recording->wish.evlist.nr; i++)
		evsel__disable(recording->wish.evlist.evsels[i]);
	if (!recording__has_file(recording)) /* what there is, is finished */
		return 0;
	drain_ret = drain_all(recording);
	recording__stop_unwinding(recording);
	tail_ret = recording__synthesize_tail(recording, &tail_err);
	run->incomplete |= drain_ret || tail_ret;
	ret = recording__close_file(recording, err);
	if (recording->wish.stamped) {
		int stamp_ret = recording__stamp_file(recording, ret ? NULL : err);

		ret = ret ? ret : stamp_ret;
	}
	if (!ret && tail_ret) {
		*err = tail_err;
		ret = tail_ret;
	}
	if (!ret && drain_ret)
		ret = error__set(err, drain_ret, "cannot write", recording->wish.output, NULL);
	recording__look_where_it_is(recording);
	return ret;
}
