// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/stream/parallelism.h"

#include <errno.h>
#include <stdlib.h>

#include "util/format/record.h"
#include "util/format/sample.h"
#include "util/lib/alloc.h"
#include "util/lib/hash.h"
#include "util/reader/reader.h"
#include "util/stream/stream.h"

/* A way through all records, in the order of time. */
struct walk {
	struct parallelism *to;
	const struct session *session;
	struct u64map runs; /* by tid: 1, or ID_NONE */
	u32 nr_running;
};

static void note(struct walk *walk, u64 time)
{
	struct parallelism *to = walk->to;
	struct parallelism_change *last = to->nr ? &to->list[to->nr - 1] : NULL;

	if (last && last->time == time) {
		last->nr = walk->nr_running;
		return;
	}
	array__reserve(&to->list, &to->cap, to->nr + 1, sizeof(*to->list));
	to->list[to->nr++] = (struct parallelism_change){ time, walk->nr_running };
}

static void set_running(struct walk *walk, u64 time, s32 tid, bool runs)
{
	if (tid <= 0)
		return;
	u32 *state = u64map__at(&walk->runs, tid);

	if ((*state == 1) == runs)
		return;
	*state = runs ? 1 : ID_NONE;
	walk->nr_running += runs ? 1 : -1;
	note(walk, time);
}

/* Records that the thread in their trailer causes itself. */
static bool shows_running(const struct record *record)
{
	switch (record->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
	case PERF_RECORD_COMM:
	case PERF_RECORD_FORK:
		return true;
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		return !(record->misc & PERF_RECORD_MISC_SWITCH_OUT);
	default:
		return false;
	}
}

static void take_record(struct walk *walk, const struct record *record)
{
	const struct perf_data *data = walk->session->data;
	bool runs = shows_running(record);
	struct sample trailer;

	if (!runs && record->type != PERF_RECORD_EXIT && record->type != PERF_RECORD_SWITCH &&
	    record->type != PERF_RECORD_SWITCH_CPU_WIDE)
		return;
	const struct evsel *evsel = perf_data__find_evsel(data, record);

	if (!evsel ||
	    sample__decode_trailer(perf_data__layout(data, evsel), record, perf_data__swapped(data),
	                           &trailer) ||
	    !trailer.time || trailer.time == UINT64_MAX) /* perf made it: of what ran before */
		return;
	set_running(walk, trailer.time, trailer.tid, runs);
}

static int walk_records(struct walk *walk, struct error *err)
{
	const struct stream_options options = { .order = STREAM_TIME, .need = STREAM_FAST };
	struct stream *stream = stream__new(walk->session, &options, err);
	const struct stream_sample *s;
	const struct record *record;

	if (!stream)
		return err->code ? err->code : -EIO;
	while ((record = stream__record(stream))) {
		take_record(walk, record);
		while ((s = stream__sample(stream)))
			set_running(walk, s->sample->time, s->sample->tid, true);
	}
	int ret = stream__error(stream, err);

	stream__delete(stream);
	return ret;
}

/*
 * Were switches to be recorded, or were any (by whoever dropped the bit)? If there are none
 * although they were to be, no thread was ever switched out: samples, forks and ends tell all.
 */
static bool knows_switches(const struct session *session)
{
	const u64 *nr_of = session->stats.nr_records;

	for (u32 i = 0; i < session->evlist->nr; i++)
		if (session->evlist->evsels[i]->attr.context_switch)
			return true;
	return nr_of[PERF_RECORD_SWITCH] || nr_of[PERF_RECORD_SWITCH_CPU_WIDE];
}

int parallelism__find(struct parallelism *of, const struct session *session, struct error *err)
{
	struct walk walk = { .to = of, .session = session, .runs = U64MAP_INIT };

	*of = (struct parallelism){ .nr = 0 };
	if (!knows_switches(session)) {
		error__set(err, -ENODATA, "not known how many threads ran at a time in",
		           perf_data__path(session->data), "context switches were not recorded");
		return error__advise(err, "record with --latency to have them");
	}
	int ret = walk_records(&walk, err);

	u64map__exit(&walk.runs);
	if (ret)
		parallelism__exit(of);
	return ret;
}

void parallelism__exit(struct parallelism *of)
{
	free(of->list);
	*of = (struct parallelism){ .nr = 0 };
}

u32 parallelism__at(const struct parallelism *of, u64 time)
{
	size_t first = 0, end = of->nr; /* the first behind @time is in [first, end] */

	while (first < end) {
		size_t middle = first + (end - first) / 2;

		if (of->list[middle].time <= time)
			first = middle + 1;
		else
			end = middle;
	}
	return first && of->list[first - 1].nr ? of->list[first - 1].nr : 1;
}
