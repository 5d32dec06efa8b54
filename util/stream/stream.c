// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/stream/stream.h"

#include <errno.h>
#include <stdlib.h>

#include "util/lib/alloc.h"
#include "util/reader/file_order.h"
#include "util/reader/ordered.h"
#include "util/reader/perf_order.h"
#include "util/reader/reads.h"

struct stream {
	const struct session *session;
	struct stream_options options;
	bool swap;
	u8 *needs; /* by evsel idx: enum stream_need */
	struct resolver *resolver;
	struct unwound *unwound; /* NULL: nothing is unwound */
	struct last_reads reads;

	/* The order: one of these, or the walk in file order. */
	struct ordered *ordered;
	struct delivery *delivery;
	struct file_order file;
	int error; /* negative errno: it could not be read to its end */

	struct record record;
	bool fresh;         /* the record has not been looked into */
	u64 part, nr_parts; /* the next count of the sample at work, and how many it has */
	struct sample sample;
	struct stream_sample current; /* of that ... */
	bool shown;                   /* ... which is given out */

	u32 judged_comm; /* the last one, with the verdict on it */
	bool comm_passes;
	struct stream_counts counts;
	struct read_problems problems;
};

static void open_unwound(struct stream *st)
{
	const struct stream_options *options = &st->options;

	st->unwound = NULL;
	if (options->objects)
		st->unwound = unwound__open(st->session, options->objects, st->resolver,
		                            options->max_stack, options->unwind_style,
		                            options->whole ? options->whole->unwound : NULL);
}

static int open_order(struct stream *st, struct error *err)
{
	const struct perf_data *data = st->session->data;

	switch (st->options.order) {
	case STREAM_FILE:
		file_order__init(&st->file, data);
		return 0;
	case STREAM_TIME:
		st->ordered = ordered__new(data, err);
		return st->ordered ? 0 : -EIO;
	case STREAM_PART:
		st->ordered = ordered__new_part(st->options.whole->ordered);
		return 0;
	case STREAM_AS_PERF:
	case STREAM_AS_INJECT:
	case STREAM_ROUNDS:
		break;
	}
	st->delivery = delivery__new(data, err);
	if (st->delivery && st->options.order == STREAM_AS_INJECT)
		delivery__hold(st->delivery);
	if (st->delivery && st->options.order == STREAM_ROUNDS)
		delivery__in_file_order(st->delivery);
	return st->delivery ? 0 : -EIO;
}

struct stream *stream__new(const struct session *session, const struct stream_options *options,
                           struct error *err)
{
	struct stream *st = xcalloc(1, sizeof(*st));

	st->session = session;
	st->options = *options;
	st->swap = perf_data__swapped(session->data);
	st->judged_comm = ID_NONE;
	st->needs = xcalloc(session->evlist->nr + 1, 1);
	for (u32 i = 0; i < session->evlist->nr; i++)
		stream__set_need(st, session->evlist->evsels[i], options->need);
	if (options->flags & STREAM_TASKS || options->objects)
		stream__resolver(st);
	if ((!options->objects || !unwound__check(session, options->unwind_style, err)) &&
	    !open_order(st, err)) {
		open_unwound(st);
		return st;
	}
	stream__delete(st);
	return NULL;
}

void stream__delete(struct stream *st)
{
	if (!st)
		return;
	ordered__delete(st->ordered);
	delivery__delete(st->delivery);
	file_order__exit(&st->file);
	unwound__delete(st->unwound);
	resolver__delete(st->resolver);
	last_reads__exit(&st->reads);
	free(st->needs);
	free(st);
}

void stream__set_need(struct stream *st, const struct evsel *evsel, enum stream_need need)
{
	if (need == STREAM_CHAIN && unwound__wants(perf_data__layout(st->session->data, evsel)))
		need = STREAM_ALL_AND_CHAIN;
	st->needs[evsel->idx] = need;
}

/* ---- records ---- */

const struct record *stream__record(struct stream *st)
{
	bool more;
	u64 time;

	if (st->ordered)
		more = ordered__next(st->ordered, &st->record, &time);
	else if (st->delivery)
		more = delivery__next(st->delivery, &st->record, &st->error);
	else
		more = file_order__next(&st->file, &st->record, &st->error);
	st->part = st->nr_parts = 0;
	st->fresh = more && st->record.type == PERF_RECORD_SAMPLE;
	return more ? &st->record : NULL;
}

void stream__begin_part(struct stream *st, struct record_place from, struct record_place until)
{
	ordered__begin_part(st->ordered, from, until);
}

const struct time_index *stream__times(const struct stream *st)
{
	return ordered__index(st->ordered);
}

struct record_place stream__next_place(const struct stream *st)
{
	return ordered__next_place(st->ordered);
}

int stream__error(const struct stream *st, struct error *err)
{
	if (!st->error)
		return 0;
	return error__set(err, st->error, "cannot read again", perf_data__path(st->session->data),
	                  NULL);
}

static u64 wants_from(const struct stream *st)
{
	if (st->ordered)
		return ordered__wants_from(st->ordered);
	return st->delivery ? delivery__wants_from(st->delivery)
	                    : file_order__wants_from(&st->file);
}

int stream__more(struct stream *st, struct session *session, bool *changed, struct error *err)
{
	int ret = stream__error(st, err);

	*changed = false;
	if (ret)
		return ret;
	perf_data__forget(session->data, wants_from(st));
	ret = session__more(session, changed, err);
	if (ret <= 0)
		return ret;
	if (*changed) {
		resolver__forget(stream__resolver(st));
		unwound__forget(st->unwound);
	}
	if ((st->ordered && ordered__more(st->ordered, err)) ||
	    (st->delivery && delivery__more(st->delivery, err)))
		return -EIO;
	return 1;
}

/* ---- samples ---- */

static bool comm_passes(struct stream *st, const struct sample_filter *filter, u32 comm)
{
	if (comm != st->judged_comm) {
		st->judged_comm = comm;
		st->comm_passes =
		        name_list__has(&filter->comms, strtab__get(&st->session->strings, comm));
	}
	return st->comm_passes;
}

/* By time and CPU; then its task, and by that. False: it is not shown. */
static bool judge(struct stream *st, struct stream_sample *s)
{
	const struct sample_filter *filter = st->options.filter;
	const struct sample *sample = s->sample;

	st->counts.nr_judged++;
	if (filter && !sample_filter__early(filter, sample))
		return false;
	st->counts.nr_passed++;
	s->passes = true;
	if (!(st->options.flags & STREAM_TASKS))
		return true;
	s->task = resolver__task(st->resolver, sample->pid, sample->tid, s->when);
	st->problems.nr_broken += !s->task;
	s->passes = s->task &&
	            (!filter || (sample_filter__ids(filter, sample) &&
	                         (!filter->comms.nr || comm_passes(st, filter, s->task->comm))));
	return s->passes || st->options.flags & STREAM_REJECTED;
}

/* Decode the sample in the record at hand. False: it cannot be used, or nobody wants it. */
static bool begin_sample(struct stream *st)
{
	struct stream_sample *s = &st->current;
	const struct session *session = st->session;
	const struct evsel *evsel = perf_data__find_evsel(session->data, &st->record);
	enum stream_need need = evsel ? st->needs[evsel->idx] : STREAM_NOTHING;
	int ret;

	st->problems.nr_unknown_id += !evsel;
	if (!evsel)
		return false;
	s->layout = perf_data__layout(session->data, evsel);
	if (need == STREAM_NOTHING && !(s->layout->has_counts && st->options.flags & STREAM_COUNTS))
		return false;
	if (need == STREAM_ALL || need == STREAM_ALL_AND_CHAIN)
		ret = sample__decode(s->layout, &st->record, st->swap, &st->sample);
	else if (need == STREAM_RAW)
		ret = sample__decode_raw(s->layout, &st->record, st->swap, &st->sample);
	else
		ret = sample__decode_fast(s->layout, &st->record, st->swap, &st->sample);
	if (ret) {
		st->problems.nr_broken++;
		return false;
	}
	s->evsel = evsel;
	s->sample = &st->sample;
	s->task = NULL;
	s->when = session__moment(session, &st->record, st->sample.time);
	s->passes = s->unwound = false;
	st->shown = judge(st, s);
	if (s->passes && st->unwound && need == STREAM_ALL_AND_CHAIN) {
		s->recorded = st->sample.chain;
		s->unwound = unwound__join(st->unwound, &st->sample, s->layout, s->task, s->when,
		                           &s->end);
	}
	return true;
}

/* The counts of samples that are not shown go on, too. */
static __attribute__((noinline)) const struct stream_sample *next_part(struct stream *st)
{
	struct stream_sample *s = &st->current;
	struct read_part part;

	while (st->part < st->nr_parts) {
		if (!last_reads__part(&st->reads, st->session->data, s->layout, &st->sample,
		                      st->part++, &part) ||
		    !part.evsel || !st->shown)
			continue; /* an unknown event: counted by the first walk */
		s->evsel = part.evsel;
		st->sample.period = part.period;
		return s;
	}
	return NULL;
}

static __attribute__((noinline)) const struct stream_sample *first_part(struct stream *st)
{
	st->fresh = false;
	if (!begin_sample(st))
		return NULL;
	if (likely(!(st->current.layout->has_counts && st->options.flags & STREAM_COUNTS)))
		return st->shown ? &st->current : NULL;
	st->nr_parts = st->sample.read.nr;
	return next_part(st);
}

const struct stream_sample *stream__sample(struct stream *st)
{
	if (st->fresh)
		return first_part(st);
	return likely(st->part == st->nr_parts) ? NULL : next_part(st);
}

const struct stream_counts *stream__counts(const struct stream *st)
{
	return &st->counts;
}

const struct read_problems *stream__problems(struct stream *st)
{
	const struct ordered_stats *stats = st->ordered    ? ordered__stats(st->ordered)
	                                    : st->delivery ? delivery__stats(st->delivery)
	                                                   : NULL;

	if (stats) {
		st->problems.nr_lost = stats->nr_lost;
		st->problems.nr_late = stats->nr_late;
	}
	return &st->problems;
}

struct resolver *stream__resolver(struct stream *st)
{
	if (!st->resolver)
		st->resolver = resolver__new(st->session->host, &st->session->dsos);
	return st->resolver;
}
