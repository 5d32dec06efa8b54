// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/stat/stat_file.h"

#include <unistd.h>

#include "util/counter/open.h"
#include "util/stat/aggregate_number.h"
#include "util/writer/pipe_write.h"

/* Ids for what has no counter (duration_time and its like): the kernel's own are small. */
#define TOOL_IDS (1ull << 63)

int stat_file__open(struct stat_file *recording, const char *path, int stream_fd,
                    const struct feature_source *source, struct error *err)
{
	recording->source = *source;
	recording->source.counts = true;
	recording->name = path;
	recording->stream = stream_fd >= 0;
	recording->writer = recording->stream ? data_writer__new_stream(stream_fd, path)
	                                      : data_writer__new(path, err);
	return recording->writer ? 0 : err->code;
}

static int write_records(void *ctx, const void *data, size_t len)
{
	return data_writer__append_bytes(ctx, data, len);
}

static int collect_ids(struct evlist *list, struct error *err)
{
	for (u32 i = 0; i < list->nr; i++) {
		struct evsel *evsel = list->evsels[i];
		int ret = 0;

		if (evsel->tool)
			evsel__add_id(evsel, TOOL_IDS + i);
		else if (evsel->fds)
			ret = evsel__read_ids(evsel);
		if (ret)
			return error__set(err, ret, "cannot get the id of the counter", evsel->name,
			                  NULL);
	}
	return 0;
}

int stat_file__begin(struct stat_file *recording, const struct measurement *m, struct error *err)
{
	const struct synth_stat_config config = {
		.aggregation = aggregate_number(m->aggregate),
		.interval_ms = m->interval_ms,
		.scale = !m->no_scale,
	};
	struct synth *synth = &recording->synth;
	int ret = collect_ids(m->list, err);

	recording->m = m;
	recording->source.evlist = m->list;
	if (!ret && recording->stream)
		ret = pipe_form__begin(recording->writer, &recording->source, err);
	else if (!ret)
		ret = data_writer__start(recording->writer, m->list, err);
	if (ret)
		return ret;
	recording->begun = true;
	synth__init(synth, m->list, write_records, recording->writer);
	synth->thread_names = m->aggregate == AGGREGATE_THREAD;
	synth__event_updates(synth, m->list, recording->stream);
	synth__thread_map(synth, &m->threads);
	synth__cpu_map(synth, &m->cpus);
	synth__stat_config(synth, &config);
	ret = synth__flush(synth);
	return ret ? error__set(err, ret, "cannot write", recording->name, NULL) : 0;
}

static void put_event(struct stat_file *recording, const struct evsel *evsel)
{
	const struct measurement *m = recording->m;
	const struct reading *readings = m->readings[evsel->idx];
	u64 nr_cells = (u64)m->cpus.nr * m->threads.nr;
	u32 id = 0;

	for (u64 at = 0; at < (evsel->tool ? 1 : nr_cells) && id < evsel->nr_ids; at++) {
		const struct reading *reading = &readings[at];

		if (!evsel->tool && (!evsel->fds || evsel->fds[at] < 0))
			continue;
		synth__stat(&recording->synth,
		            &(struct synth_stat){ .id = evsel->ids[id++],
		                                  .cpu = m->cpus.cpus[at / m->threads.nr],
		                                  .thread = at % m->threads.nr,
		                                  .value = reading->value,
		                                  .enabled = reading->enabled,
		                                  .running = reading->running });
	}
}

void stat_file__round(struct stat_file *recording, bool final, u64 ns)
{
	if (!recording->begun || recording->ended)
		return;
	data_writer__settle(recording->writer);
	for (u32 i = 0; i < recording->m->list->nr; i++)
		put_event(recording, recording->m->list->evsels[i]);
	synth__stat_round(&recording->synth, final, ns);
	synth__flush(&recording->synth);
	recording->nr_rounds++;
	recording->ended = final;
}

int stat_file__end(struct stat_file *recording, struct error *err)
{
	recording->source.incomplete = recording->synth.error != 0;
	int ret = data_writer__finish(recording->writer, &recording->source, err);

	if (!ret && recording->synth.error)
		ret = error__set(err, recording->synth.error, "cannot write", recording->name,
		                 NULL);
	return ret;
}

void stat_file__exit(struct stat_file *recording)
{
	if (!recording->writer)
		return;
	if (recording->begun)
		synth__exit(&recording->synth);
	if (recording->ended || recording->nr_rounds || recording->stream)
		data_writer__delete(recording->writer);
	else
		data_writer__abandon(recording->writer);
	recording->writer = NULL;
}
