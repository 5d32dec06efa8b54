// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The samples of a file to rows. Workers take blocks of the file from a counter, each with a
 * builder of its own (builder.h); nothing is shared while they run.
 *
 * Files whose samples carry counts (util/reader/reads.h) are read by one worker in the order of
 * time instead: the value of such a sample depends on the one before.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "util/format/sample.h"
#include "util/lib/alloc.h"
#include "util/lib/workers.h"
#include "util/profile/builder.h"
#include "util/profile/key.h"
#include "util/profile/profile.h"
#include "util/profile/sample_counts.h"
#include "util/reader/ordered.h"
#include "util/reader/reads.h"
#include "util/stream/unwound.h"

struct build {
	const struct session *session;
	const struct profile_options *options;
	const struct sample_counts *sample_counts; /* NULL: none */
	struct unwind_tables *tables;              /* NULL: no chain is to be unwound */
	bool swap, in_order;
	atomic_uint next_block;
	atomic_int failed; /* negative errno of a worker */
	struct worker *workers;
};

struct worker {
	struct build *build;
	struct profile_builder *builder;
	struct last_reads reads;
	const u64 *left; /* processes whose samples are added of the block at work; NULL: all */
	struct intern intern;  /* what it made, and ... */
	struct profile counts; /* ... the nr_ of what could not be used */
};

/* A sample for each event that counted since the last one, whether the filters see it or not. */
static void add_counted(struct worker *worker, const struct sample_layout *layout,
                        struct sample *sample, struct moment when)
{
	const struct perf_data *data = worker->build->session->data;
	struct read_part part;

	for (u64 i = 0; i < sample->read.nr; i++) {
		if (!last_reads__part(&worker->reads, data, layout, sample, i, &part) ||
		    !part.evsel)
			continue; /* an unknown event: counted by the first walk */
		sample->period = part.period;
		profile_builder__add_begun(worker->builder, part.evsel, sample, when);
	}
}

/* Is something left to be done for the sample? */
static bool is_left(const struct worker *worker, const struct sample_layout *layout,
                    const struct record *record)
{
	if (!layout->tid || record->size < layout->tid + sizeof(u32))
		return true;
	return pid_set__has(worker->left,
	                    load_u32(record->data + layout->tid, worker->build->swap));
}

static void add_record(struct worker *worker, const struct record *record)
{
	const struct session *session = worker->build->session;
	struct sample sample;

	if (record->type != PERF_RECORD_SAMPLE)
		return;
	const struct evsel *evsel = perf_data__find_evsel(session->data, record);

	if (!evsel)
		return; /* counted by the first walk */
	const struct sample_layout *layout = perf_data__layout(session->data, evsel);

	if (worker->left && !is_left(worker, layout, record))
		return;
	bool all = profile_builder__wants_all(worker->builder, layout);
	bool swap = worker->build->swap;

	if (all ? sample__decode(layout, record, swap, &sample)
	        : sample__decode_fast(layout, record, swap, &sample)) {
		if (!worker->left)
			profile_builder__add_broken(worker->builder);
		return;
	}
	if (worker->left && !sample_filter__early(&worker->build->options->filter, &sample))
		return;
	struct moment when = session__moment(session, record, sample.time);

	profile_builder__begin(worker->builder, layout, &sample, when);
	if (unlikely(layout->has_counts) && !worker->build->options->branches)
		add_counted(worker, layout, &sample, when);
	else
		profile_builder__add_begun(worker->builder, evsel, &sample, when);
}

/* Blocks of the file as long as there are any: 0 or a negative errno. */
static int add_blocks(struct worker *worker)
{
	struct build *build = worker->build;
	const struct perf_data *data = build->session->data;
	u32 nr = perf_data__nr_blocks(data), i;
	struct block_buffer buffer = { 0 };
	struct data_block block;
	int ret = 0;

	while (!ret && (i = atomic_fetch_add(&build->next_block, 1)) < nr) {
		if (build->sample_counts && sample_counts__has_block(build->sample_counts, i)) {
			perf_data__skip_block(data, i);
			continue;
		}
		worker->left =
		        build->sample_counts ? sample_counts__left(build->sample_counts, i) : NULL;
		ret = perf_data__read_block(data, i, &buffer, &block);
		for (struct record record = { 0 };
		     !ret && data_block__next(&block, build->swap, &record);)
			add_record(worker, &record);
	}
	free(buffer.buf);
	return ret;
}

/* The whole file in the order of time. */
static int add_in_order(struct worker *worker)
{
	struct error err = ERROR_INIT;
	struct ordered *ordered = ordered__new(worker->build->session->data, &err);
	struct record record;
	u64 time;

	if (!ordered)
		return err.code;
	while (ordered__next(ordered, &record, &time))
		add_record(worker, &record);
	int ret = ordered__stats(ordered)->nr_lost ? -EIO : 0;

	ordered__delete(ordered);
	return ret;
}

static void run_worker(void *ctx, unsigned index)
{
	struct build *build = ctx;
	struct worker *worker = &build->workers[index];

	worker->build = build;
	const struct session *session = build->session;
	struct profile_builder *builder = worker->builder =
	        profile_builder__new(build->options, session->host, &session->dsos, build->swap);
	struct unwound *unwound = NULL;

	if (build->tables)
		unwound = unwound__new(session, build->tables, profile_builder__resolver(builder),
		                       build->options->max_stack, build->options->unwind_style);
	profile_builder__unwind_by(builder, unwound);
	int ret = build->in_order ? add_in_order(worker) : add_blocks(worker);

	if (ret)
		atomic_store(&build->failed, ret);
	profile_builder__finish(builder, &worker->intern, &worker->counts);
	profile_builder__delete(builder);
	unwound__delete(unwound);
	last_reads__exit(&worker->reads);
}

static void add_counts(struct profile *into, const struct profile *from)
{
	into->nr_samples += from->nr_samples;
	into->nr_filtered += from->nr_filtered;
	read_problems__add(&into->problems, &from->problems);
	branch_stats__add(&into->branch_stats, &from->branch_stats);
}

/* All into the first, one after the other, so that at most one copy exists beside the sum. */
static void join_workers(struct build *build, unsigned nr, struct intern *tallied,
                         struct profile *profile)
{
	struct intern *first = &build->workers[0].intern;

	for (unsigned i = 0; i < nr; i++) {
		add_counts(profile, &build->workers[i].counts);
		if (i)
			intern__append(first, &build->workers[i].intern);
	}
	intern__append(first, tallied);
	if (first->full)
		atomic_store(&build->failed, -EOVERFLOW);
	intern__finish(first, profile);
}

/* What needs no block to be read again, to @tallied. How many blocks are left. */
static u32 settle_sample_counts(const struct session *session, struct sample_counts *sample_counts,
                                const struct profile_options *options, struct intern *tallied,
                                struct profile *profile)
{
	u32 nr = perf_data__nr_blocks(session->data), left = 0;

	intern__init(tallied, options->nr_sample_keys, 0);
	tallied->any_thread = options->any_thread;
	if (sample_counts) {
		struct resolver *resolver = resolver__new(session->host, &session->dsos);

		sample_counts__settle(sample_counts, resolver, tallied, profile);
		resolver__delete(resolver);
	}
	for (u32 i = 0; i < nr; i++)
		left += !sample_counts || !sample_counts__has_block(sample_counts, i);
	intern__seal(tallied);
	return left;
}

/* Parts of a sum that is divided are rounded each: their number must be that of the rows. */
static bool has_divisor(const struct profile_options *options)
{
	for (u32 i = 0; i < options->nr_sample_keys; i++)
		if (options->sample_keys[i]->divides)
			return true;
	return false;
}

/* Where there is something to be unwound, and it is known where objects are; else NULL. */
static struct unwind_tables *make_tables(const struct build *build)
{
	const struct session *session = build->session;
	struct symbol_config config;

	if (!build->options->chains || !build->options->objects || !unwound__in_session(session))
		return NULL;
	config = *build->options->objects;
	config.no_live_kernel = !session__kernel_is_live(session);
	return unwind_tables__new(&session->dsos, &config);
}

static int build_with(struct profile *profile, const struct session *session,
                      const struct profile_options *options, struct sample_counts *sample_counts,
                      struct error *err)
{
	struct profile_options checked = *options;
	struct build build = {
		.session = session,
		.options = &checked,
		.sample_counts = sample_counts,
		.swap = perf_data__swapped(session->data),
		.in_order = perf_data__has_counts(session->data),
	};
	struct intern tallied;
	int ret = unwound__check(session, options->unwind_style, err);

	if (ret)
		return ret;
	*profile = (struct profile){ .sample_keys = options->sample_keys };
	u32 nr_blocks = settle_sample_counts(session, sample_counts, options, &tallied, profile);
	unsigned workers = options->workers < nr_blocks ? options->workers : nr_blocks;

	if (!workers || build.in_order || has_divisor(options))
		workers = 1;
	if (!checked.max_stack)
		checked.chains = false;
	profile->health.max_stack = options->max_stack;
	profile->health.unread = !checked.chains;
	profile->health.mixed = checked.branch_frames;
	build.workers = xcalloc(workers, sizeof(*build.workers));
	build.tables = make_tables(&build);
	workers__run(workers, run_worker, &build);
	unwind_tables__delete(build.tables);
	join_workers(&build, workers, &tallied, profile);
	free(build.workers);
	ret = atomic_load(&build.failed);
	if (!ret)
		return 0;
	profile__exit(profile);
	return error__set(err, ret, "cannot read", perf_data__path(session->data),
	                  ret == -EOVERFLOW ? "more than 2^31 different call chains" : NULL);
}

int profile__build(struct profile *profile, const struct session *session,
                   const struct profile_options *options, struct error *err)
{
	return build_with(profile, session, options, NULL, err);
}

int profile__scan_and_build(struct profile *profile, struct session *session,
                            const struct profile_options *options, struct error *err)
{
	struct sample_counts *sample_counts = sample_counts__new(session, options);
	struct session_watch watch = { .ctx = NULL };

	*profile = (struct profile){ .nr_rows = 0 };
	if (sample_counts)
		watch = sample_counts__watch(sample_counts);
	int ret = session__scan_watched(session, sample_counts ? &watch : NULL, err);

	if (!ret)
		ret = build_with(profile, session, options, sample_counts, err);
	sample_counts__delete(sample_counts);
	return ret;
}

void profile__exit(struct profile *profile)
{
	free(profile->locs);
	free(profile->nodes);
	free(profile->rows);
	free(profile->first_rows);
	free(profile->values_of_row);
	free(profile->sample_values);
	health__exit(&profile->health);
	*profile = (struct profile){ .nr_rows = 0 };
}
