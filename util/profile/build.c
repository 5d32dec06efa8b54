// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The samples of a file to rows. Workers take blocks of the file from a counter, each with a
 * builder of its own (builder.h); nothing is shared while they run.
 *
 * Files whose samples carry counts (util/reader/reads.h) are read by one worker in the order of
 * time instead: the value of such a sample depends on the one before.
 *
 * Samples that are counted during the scan (sample_counts.h) are settled during it where they are
 * many, so that memory does not grow with the file. From time to time, at the end of a round:
 *  - the machine takes in what was fed, and counts that are finished become rows; a worker of this
 *    thread reads what is left of their blocks;
 *  - processes and maps that no later sample can need are forgotten. Samples that were counted
 *    since the last time are not older than what was promised then, so that is the moment.
 * A record that breaks the promise makes all of it void: the file is read again, twice.
 *
 * Other samples (with chains, keys of samples) are read during the scan only where processes become
 * many, for the same reason: blocks that are finished, by all workers, before the machine forgets.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

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
	u32 end_block;
	atomic_int failed; /* negative errno of a worker */
	struct worker *workers;
	unsigned nr_workers;
};

struct worker {
	struct build *build;
	struct profile_builder *builder;
	struct unwound *unwound; /* NULL: nothing is unwound */
	struct last_reads reads;
	struct block_buffer buffer;
	const u64 *left; /* processes whose samples are added of the block at work; NULL: all */
	struct intern intern;        /* what it made, and ... */
	struct row_threads *threads; /* ... what its rows have for threads, and ... */
	struct profile counts;       /* ... the nr_ of what could not be used */
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

/* What is left of block @i: 0 or a negative errno. */
static int add_block(struct worker *worker, u32 i)
{
	const struct build *build = worker->build;
	const struct sample_counts *sample_counts = build->sample_counts;
	const struct perf_data *data = build->session->data;
	struct data_block block;

	if (sample_counts && sample_counts__has_block(sample_counts, i)) {
		perf_data__skip_block(data, i);
		return 0;
	}
	worker->left = sample_counts ? sample_counts__left(sample_counts, i) : NULL;
	int ret = perf_data__read_block(data, i, &worker->buffer, &block);

	if (ret)
		return ret;
	for (struct record record = { 0 }; data_block__next(&block, build->swap, &record);)
		add_record(worker, &record);
	return 0;
}

/* Blocks of the file as long as there are any: 0 or a negative errno. */
static int add_blocks(struct worker *worker)
{
	struct build *build = worker->build;
	u32 i;
	int ret = 0;

	while (!ret && (i = atomic_fetch_add(&build->next_block, 1)) < build->end_block)
		ret = add_block(worker, i);
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

static void begin_worker(struct worker *worker, struct build *build)
{
	const struct session *session = build->session;

	worker->build = build;
	worker->builder =
	        profile_builder__new(build->options, session->host, &session->dsos, build->swap);
	if (build->tables)
		worker->unwound = unwound__new(
		        session, build->tables, profile_builder__resolver(worker->builder),
		        build->options->max_stack, build->options->unwind_style);
	profile_builder__unwind_by(worker->builder, worker->unwound);
}

static void end_worker(struct worker *worker)
{
	worker->threads =
	        profile_builder__finish(worker->builder, &worker->intern, &worker->counts);
	profile_builder__delete(worker->builder);
	worker->builder = NULL;
	unwound__delete(worker->unwound);
	last_reads__exit(&worker->reads);
	free(worker->buffer.buf);
}

static void run_worker(void *ctx, unsigned index)
{
	struct build *build = ctx;
	struct worker *worker = &build->workers[index];

	if (worker->builder)
		profile_builder__settled(worker->builder);
	else
		begin_worker(worker, build);
	int ret = build->in_order ? add_in_order(worker) : add_blocks(worker);

	if (ret)
		atomic_store(&build->failed, ret);
}

static void run_last_time(void *ctx, unsigned index)
{
	struct build *build = ctx;

	run_worker(ctx, index);
	end_worker(&build->workers[index]);
}

static void add_counts(struct profile *into, const struct profile *from)
{
	into->nr_samples += from->nr_samples;
	into->nr_filtered += from->nr_filtered;
	read_problems__add(&into->problems, &from->problems);
	branch_stats__add(&into->branch_stats, &from->branch_stats);
}

/* Parts of a sum that is divided are rounded each: their number must be that of the rows. */
static bool has_divisor(const struct profile_options *options)
{
	for (u32 i = 0; i < options->nr_sample_keys; i++)
		if (options->sample_keys[i]->divides)
			return true;
	return false;
}

static bool has_chains(const struct profile_options *options)
{
	return options->chains && options->max_stack;
}

static void build__init(struct build *build, const struct session *session,
                        const struct profile_options *options)
{
	*build = (struct build){
		.session = session,
		.options = options,
		.swap = perf_data__swapped(session->data),
		.in_order = perf_data__has_counts(session->data),
		.nr_workers = options->workers ?: 1,
	};
	if (build->in_order || has_divisor(options))
		build->nr_workers = 1;
	build->workers = xcalloc(build->nr_workers, sizeof(*build->workers));
}

static void build__exit(struct build *build)
{
	for (unsigned i = 0; i < build->nr_workers; i++) {
		if (build->workers[i].builder)
			end_worker(&build->workers[i]);
		intern__exit(&build->workers[i].intern);
		row_threads__delete(build->workers[i].threads);
	}
	free(build->workers);
}

/* ---- what is settled during the scan ---- */

struct early {
	const struct session *session;
	u64 *relied;                         /* the session's */
	struct sample_counts *sample_counts; /* NULL: all samples are to be read again */
	struct build build;       /* its workers read what is left; without builders: nothing was */
	struct counted_rows rows; /* of what was clear */
	/* Without sample_counts: the latest time up to the end of each block from nr_done on. */
	u64 *newest;
	size_t cap_newest;
	u32 nr_newest;
	u32 nr_done;         /* blocks */
	u32 mark;            /* blocks from it on have no sample that is earlier than ... */
	u64 mark_time;       /* ... that. 0: all may have */
	u32 kept, nr_events; /* that the machine had when it forgot last */
	bool off;            /* nothing more is settled */
};

/* Rows of threads need all of them. */
static bool forgets(const struct early *early)
{
	return early->build.options->any_thread || early->build.options->by_number;
}

static bool is_ripe(const struct early *early)
{
	const struct machine *machine = early->session->host;
	u32 at_least = early->build.options->settle_early;
	/* To forget costs a walk over what is kept; a process has several records, and takes 1 KB.
	 */
	u32 fed = max_u64(at_least / 4, early->kept / 2);

	return (early->sample_counts && sample_counts__waiting(early->sample_counts) >= at_least) ||
	       (forgets(early) && machine__nr_events(machine) >= early->nr_events + fed);
}

static bool has_closed(const struct early *early, u64 until)
{
	return early->sample_counts ? sample_counts__has_closed(early->sample_counts, until)
	                            : early->nr_newest && early->newest[0] < until;
}

/* Whatever worker had which samples: ids depend on it, and the order of rows that are equal. */
static void mark_threads(const struct early *early, u8 *used)
{
	const struct counted_rows *rows = &early->rows;
	struct row_threads *all[1 + WORKERS_MAX] = { rows->threads };
	u32 nr = 1;

	for (unsigned i = 0; i < early->build.nr_workers; i++)
		if (early->build.workers[i].builder)
			all[nr++] = profile_builder__threads(early->build.workers[i].builder);
	row_threads__agree(all, nr);
	for (u32 i = 0; i < nr; i++)
		row_threads__mark(all[i], NULL, 0, used);
}

static void forget(struct early *early)
{
	struct machine *machine = early->session->host;
	u8 *used = xcalloc(machine__nr_threads(machine) + 1, 1);

	mark_threads(early, used);
	machine__forget_replaced(machine, (struct moment){ early->mark_time, 0 }, used);
	row_threads__settled(early->rows.threads);
	early->nr_events = machine__nr_events(machine);
	early->kept = machine__size(machine);
	free(used);
}

/* What is finished of samples that are counted; how many blocks are done. */
static u32 settle_counts(struct early *early, u64 until)
{
	struct sample_counts *sample_counts = early->sample_counts;
	struct worker *worker = early->build.workers;
	u32 end;

	if (worker->builder)
		profile_builder__settled(worker->builder);
	else
		begin_worker(worker, &early->build);
	early->off = !sample_counts__settle_early(sample_counts, until,
	                                          profile_builder__resolver(worker->builder),
	                                          &early->rows, &end);
	if (early->off)
		return early->nr_done;
	for (u32 i = early->nr_done; i < end; i++) {
		int ret = add_block(worker, i);

		if (ret)
			atomic_store(&early->build.failed, ret);
	}
	sample_counts__drop_settled(sample_counts);
	return end;
}

/* The same of all others. */
static u32 settle_blocks(struct early *early, u64 until)
{
	struct build *build = &early->build;
	u32 nr = 0;

	while (nr < early->nr_newest && early->newest[nr] < until)
		nr++;
	atomic_store(&build->next_block, early->nr_done);
	build->end_block = early->nr_done + nr;
	workers__run(nr < build->nr_workers ? nr : build->nr_workers, run_worker, build);
	early->nr_newest -= nr;
	memmove(early->newest, early->newest + nr, early->nr_newest * sizeof(u64));
	return early->nr_done + nr;
}

/* All samples earlier than @until are known; and nothing that comes is earlier. */
static void settle_before(struct early *early, u64 until)
{
	u32 end =
	        (early->sample_counts ? settle_counts : settle_blocks)(early, until - MAP_SOON_NS);

	if (early->off)
		return;
	early->nr_done = end;
	if (!forgets(early) || (early->mark_time && end < early->mark))
		return;
	if (early->mark_time)
		forget(early);
	early->mark_time = until;
	early->mark = early->session->nr_walked;
}

/* A round has ended, which promised that all that is earlier than @until has been seen. */
static void end_round(void *ctx, u64 until)
{
	struct early *early = ctx;
	const struct session *session = early->session;

	if (early->off || until <= MAP_SOON_NS || !is_ripe(early) ||
	    !has_closed(early, until - MAP_SOON_NS))
		return;
	machine__settle(session->host);
	settle_before(early, until);
	*early->relied = max_u64(*early->relied, machine__reaches(session->host));
	if (!early->off)
		*early->relied = max_u64(*early->relied, until);
}

static void ignore_change(void *ctx, u32 pid)
{
	(void)ctx;
	(void)pid;
}

static bool note_block(void *ctx, u32 index, bool changes)
{
	struct early *early = ctx;

	(void)index;
	(void)changes;
	array__reserve(&early->newest, &early->cap_newest, early->nr_newest + 1, sizeof(u64));
	early->newest[early->nr_newest++] = early->session->stats.last_time;
	return false;
}

static bool unwinds(const struct early *early)
{
	const struct profile_options *options = early->build.options;

	return has_chains(options) && options->objects && unwound__in_session(early->session);
}

static void early__init(struct early *early, const struct session *session,
                        const struct profile_options *options)
{
	*early = (struct early){ .session = session, .off = !options->settle_early };
	build__init(&early->build, session, options);
	intern__init(&early->rows.intern, options->nr_sample_keys, 0);
	early->rows.intern.any_thread = options->any_thread;
	early->rows.threads = row_threads__new(session->host, options);
}

/* Samples are not counted: may they be read during the scan? */
static bool may_watch(const struct early *early)
{
	return !early->off && forgets(early) && !early->session->by_offset &&
	       !early->build.in_order && !unwinds(early);
}

/* False: there is nothing to be settled. */
static bool early__watch(struct early *early, u64 *relied, struct session_watch *watch)
{
	early->sample_counts = sample_counts__new(early->session, early->build.options);
	early->build.sample_counts = early->sample_counts;
	early->relied = relied;
	if (early->sample_counts)
		*watch = sample_counts__watch(early->sample_counts);
	else if (may_watch(early))
		*watch = (struct session_watch){ .ctx = early,
			                         .change = ignore_change,
			                         .block = note_block };
	else
		return false;
	watch->round = end_round;
	watch->round_ctx = early;
	return true;
}

static void early__exit(struct early *early)
{
	build__exit(&early->build);
	intern__exit(&early->rows.intern);
	row_threads__delete(early->rows.threads);
	sample_counts__delete(early->sample_counts);
	free(early->newest);
}

/* ---- all of it ---- */

/* Rows of one pid and tid have one thread, whoever had the samples. */
static void name_threads(struct early *early)
{
	struct build *build = &early->build;
	struct intern *rows = &early->rows.intern;
	struct row_threads *all[1 + WORKERS_MAX] = { early->rows.threads };
	u32 nr = 1;

	for (unsigned i = 0; i < build->nr_workers; i++)
		if (build->workers[i].threads)
			all[nr++] = build->workers[i].threads;
	row_threads__agree(all, nr);
	row_threads__name(early->rows.threads, rows->rows, rows->nr_rows);
	for (unsigned i = 0; i < build->nr_workers; i++) {
		rows = &build->workers[i].intern;
		if (build->workers[i].threads)
			row_threads__name(build->workers[i].threads, rows->rows, rows->nr_rows);
	}
}

/* All into the first, one after the other, so that at most one copy exists beside the sum. */
static void join_workers(struct early *early, struct profile *profile)
{
	struct build *build = &early->build;
	struct intern *first = &build->workers[0].intern;

	for (unsigned i = 0; i < build->nr_workers; i++) {
		add_counts(profile, &build->workers[i].counts);
		if (i && build->workers[i].intern.nr_nodes)
			intern__append(first, &build->workers[i].intern);
	}
	add_counts(profile, &early->rows.counts);
	profile->most_kinds = early->rows.counts.most_kinds;
	intern__append(first, &early->rows.intern);
	if (first->full)
		atomic_store(&build->failed, -EOVERFLOW);
	intern__finish(first, profile);
}

/* What needs no block to be read again. */
static void settle_sample_counts(struct early *early)
{
	const struct session *session = early->session;
	struct counted_rows *rows = &early->rows;

	if (early->sample_counts) {
		struct resolver *resolver = resolver__new(session->host, &session->dsos);

		row_threads__settled(rows->threads);
		sample_counts__settle(early->sample_counts, resolver, rows);
		rows->counts.most_kinds = sample_counts__most_kinds(early->sample_counts);
		resolver__delete(resolver);
	}
	intern__seal(&rows->intern);
}

/* Where there is something to be unwound, and it is known where objects are; else NULL. */
static struct unwind_tables *make_tables(const struct early *early)
{
	const struct session *session = early->session;
	struct symbol_config config;

	if (!unwinds(early))
		return NULL;
	config = *early->build.options->objects;
	config.no_live_kernel = !session__kernel_is_live(session);
	return unwind_tables__new(&session->dsos, &config);
}

/* Those that have begun must end, too, and one has the rows. */
static void run_rest(struct early *early)
{
	struct build *build = &early->build;
	u32 nr = perf_data__nr_blocks(early->session->data), left = 0, begun = 0;

	for (u32 i = early->nr_done; i < nr; i++)
		left += !early->sample_counts || !sample_counts__has_block(early->sample_counts, i);
	while (begun < build->nr_workers && build->workers[begun].builder)
		begun++;
	left = left < build->nr_workers ? left : build->nr_workers;
	atomic_store(&build->next_block, early->nr_done);
	build->end_block = nr;
	workers__run(max_u64(max_u64(left, begun), 1), run_last_time, build);
}

static int build_with(struct profile *profile, const struct session *session,
                      const struct profile_options *options, struct early *early, struct error *err)
{
	struct build *build = &early->build;
	int ret = unwound__check(session, options->unwind_style, err);

	if (ret)
		return ret;
	*profile = (struct profile){ .sample_keys = options->sample_keys };
	profile->health.max_stack = options->max_stack;
	profile->health.unread = !has_chains(options);
	profile->health.mixed = options->branch_frames;
	settle_sample_counts(early);
	build->tables = make_tables(early);
	run_rest(early);
	unwind_tables__delete(build->tables);
	name_threads(early);
	join_workers(early, profile);
	ret = atomic_load(&build->failed);
	if (!ret)
		return 0;
	profile__exit(profile);
	return error__set(err, ret, "cannot read", perf_data__path(session->data),
	                  ret == -EOVERFLOW ? "more than 2^31 different call chains" : NULL);
}

/* Nobody asks yet, so nothing of the past is needed. */
static void end_unread_round(void *ctx, u64 until)
{
	struct early *early = ctx;
	struct machine *machine = early->session->host;

	if (!is_ripe(early))
		return;
	machine__settle(machine);
	early->mark_time = until;
	forget(early);
	*early->relied = max_u64(machine__reaches(machine), until);
}

int profile__scan(struct session *session, const struct profile_options *options, struct error *err)
{
	struct session_watch watch = { .change = ignore_change,
		                       .block = note_block,
		                       .round = end_unread_round };
	struct early early;

	early__init(&early, session, options);
	early.relied = &session->relied;
	watch.ctx = watch.round_ctx = &early;
	bool watches = may_watch(&early);
	int ret = session__scan_watched(session, watches ? &watch : NULL, err);

	session->forgot = session->relied && !session->broken_promise;
	early__exit(&early);
	return ret;
}

int profile__build(struct profile *profile, const struct session *session,
                   const struct profile_options *options, struct error *err)
{
	struct early nothing;

	early__init(&nothing, session, options);
	int ret = build_with(profile, session, options, &nothing, err);

	early__exit(&nothing);
	return ret;
}

int profile__scan_and_build(struct profile *profile, struct session *session,
                            const struct profile_options *options, struct error *err)
{
	struct session_watch watch = { .ctx = NULL };
	struct early early;

	*profile = (struct profile){ .nr_rows = 0 };
	if (session->forgot)
		session__restart(session);
	early__init(&early, session, options);
	bool watches = early__watch(&early, &session->relied, &watch);
	int ret = session__scan_watched(session, watches ? &watch : NULL, err);

	if (session->broken_promise) { /* what was learned is void */
		early__exit(&early);
		early__init(&early, session, options);
	}
	if (!ret)
		ret = build_with(profile, session, options, &early, err);
	early__exit(&early);
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
