// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Samples to rows. Workers take blocks of the file from a counter, each with its own growing
 * profile and caches; nothing is shared while they run. Frames that a chain shares with the last
 * one (see path.h) need no look-up of any kind.
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
#include "util/profile/intern.h"
#include "util/profile/key.h"
#include "util/profile/path.h"
#include "util/profile/profile.h"
#include "util/profile/sample_counts.h"
#include "util/reader/ordered.h"
#include "util/reader/reads.h"
#include "util/stream/resolve.h"
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

/*
 * Samples without chains are few different ones: what one became is what the next equal one
 * becomes, too. Direct-mapped by ip.
 */
#define HOT_ROWS 8192

struct hot_row {
	u64 ip;
	struct validity valid; /* of the place; none at first */
	u32 thread, comm;
	u32 row, values;
	u16 evsel, cpu;
	u8 cpumode;
};

/* What an address became, direct-mapped by it: the next one most likely becomes the same. */
#define HOT_LOCS 4096

struct hot_loc {
	u64 ip;
	struct validity valid; /* none at first */
	u32 space;             /* see space_key() */
	u32 loc;
	u8 cpumode;
};

struct worker {
	struct build *build;
	struct resolver *resolver;
	struct intern intern;
	struct path path;
	struct unwound *unwound;    /* NULL: nothing is to be unwound */
	u32 max_stack;              /* frames of a chain */
	bool was_unwound;           /* the sample's chain, and ... */
	struct row_end unwound_end; /* ... how */
	u32 *locs, *nodes;          /* of the frames at work, caller first */
	u32 last_instance;          /* of the path */
	struct hot_row *hot_rows;
	struct hot_loc *hot_locs;
	u64 *values; /* of the sample at work, by sample key */
	struct last_reads reads;
	struct profile counts; /* only the nr_ of what could not be used */
};

/* Processes have addresses of their own, the kernel's are the same for all. */
static u32 space_key(const struct task *task, u8 cpumode)
{
	return cpumode == PERF_RECORD_MISC_KERNEL ? ID_NONE : task->instance;
}

/* The location of an address. *valid: how long it is true. */
static u32 place_ip(struct worker *worker, const struct task *task, u8 cpumode, u64 ip,
                    struct moment when, struct validity *valid)
{
	struct hot_loc *hot = &worker->hot_locs[(ip ^ ip >> 12) % HOT_LOCS];
	u32 space = space_key(task, cpumode);
	struct place place;

	if (unlikely(hot->ip != ip || hot->space != space || hot->cpumode != cpumode ||
	             !validity__covers(&hot->valid, when))) {
		resolver__place(worker->resolver, task, cpumode, ip, when, &place);
		worker->counts.problems.nr_clock_misses += place.clock_miss;
		*hot = (struct hot_loc){ .ip = ip,
			                 .valid = place.valid,
			                 .space = space,
			                 .loc = intern__loc(&worker->intern, &place.loc),
			                 .cpumode = cpumode };
	}
	*valid = hot->valid;
	return hot->loc;
}

/*
 * How many of the @kept first frames, which the last chain had too, still mean the same: with
 * them nothing is to be done.
 */
static u32 still_valid(const struct worker *worker, u32 kept, u32 instance, struct moment when)
{
	if (instance != worker->last_instance)
		return 0;
	while (kept && !validity__covers(&worker->path.frames[kept - 1].valid, when))
		kept--;
	return kept;
}

/*
 * Find where the frames from @first on are. Locations go to worker->locs, too.
 */
static void resolve_frames(struct worker *worker, const struct task *task, u32 first,
                           struct moment when)
{
	struct path_frame *frames = worker->path.frames;
	struct validity valid = { .until = { UINT64_MAX, UINT64_MAX } };

	if (first)
		valid = frames[first - 1].valid;
	for (u32 i = first; i < worker->path.nr; i++) {
		frames[i].loc = place_ip(worker, task, frames[i].cpumode, frames[i].ip, when,
		                         &frames[i].valid);
		worker->locs[i - first] = frames[i].loc;
		if (i == first)
			intern__prefetch(&worker->intern, i ? frames[i - 1].node : NODE_ROOT,
			                 frames[i].loc);
		validity__intersect(&frames[i].valid, &valid);
		valid = frames[i].valid;
	}
}

/* Intern the chain of worker->path. Returns its leaf node. */
static u32 intern_chain(struct worker *worker, const struct task *task, u32 kept,
                        struct moment when)
{
	struct path *path = &worker->path;
	u32 first = still_valid(worker, kept, task->instance, when);

	resolve_frames(worker, task, first, when);
	intern__branch(&worker->intern, first ? path->frames[first - 1].node : NODE_ROOT,
	               worker->locs, path->nr - first, worker->nodes);
	for (u32 i = first; i < path->nr; i++)
		path->frames[i].node = worker->nodes[i - first];
	worker->last_instance = task->instance;
	return path->nr ? path->frames[path->nr - 1].node : NODE_ROOT;
}

static struct hot_row *hot_row_of(const struct worker *worker, u64 ip)
{
	return &worker->hot_rows[(ip ^ ip >> 12) % HOT_ROWS];
}

/* Add to the row that an equal sample made before; false if none is known. */
static bool add_to_hot_row(struct worker *worker, const struct row *row, u32 values,
                           const struct sample *sample, struct moment when)
{
	const struct hot_row *hot = hot_row_of(worker, sample->ip);

	if (hot->ip != sample->ip || hot->thread != row->thread || hot->comm != row->comm ||
	    hot->evsel != row->evsel || hot->cpu != row->cpu || hot->cpumode != sample->cpumode ||
	    hot->values != values || !validity__covers(&hot->valid, when))
		return false;
	worker->intern.rows[hot->row].count += row->count;
	worker->intern.rows[hot->row].period += row->period;
	return true;
}

static void add_chainless(struct worker *worker, const struct task *task, struct row *row,
                          u32 values, const struct sample *sample, struct moment when)
{
	struct validity valid;

	if (likely(add_to_hot_row(worker, row, values, sample, when)))
		return;
	row->leaf_loc = place_ip(worker, task, sample->cpumode, sample->ip, when, &valid);
	*hot_row_of(worker, sample->ip) = (struct hot_row){
		.ip = sample->ip,
		.valid = valid,
		.thread = row->thread,
		.comm = row->comm,
		.row = intern__row(&worker->intern, row, values),
		.values = values,
		.evsel = row->evsel,
		.cpu = row->cpu,
		.cpumode = sample->cpumode,
	};
}

/* What a chain, in worker->path, tells about its end. */
static struct row_end end_of_chain(const struct worker *worker, const struct evsel *evsel)
{
	const struct path *path = &worker->path;
	bool copy = evsel->attr.sample_type & PERF_SAMPLE_STACK_USER;
	struct row_end end = row_end__none();

	if (worker->was_unwound)
		return worker->unwound_end;
	if (!path->nr || (copy && !worker->unwound))
		return end;
	end.end = path->nr_cut ? CHAIN_CUT_READER : ROW_END_LATE;
	if (!path->nr_cut)
		end.flags = (path->unknown ? ROW_END_BEYOND : 0) |
		            (path->nr >= health__record_limit(&evsel->attr) ? ROW_END_AT_LIMIT : 0);
	return end;
}

static void add_chain(struct worker *worker, const struct task *task, struct row *row, u32 values,
                      const struct sample *sample, struct moment when)
{
	struct path *path = &worker->path;
	u32 kept = path__read(path, &sample->chain, worker->build->swap, sample->cpumode,
	                      &worker->counts.problems);
	struct validity valid;

	row->node = intern_chain(worker, task, kept, when);
	const struct path_frame *leaf = path->nr ? &path->frames[path->nr - 1] : NULL;

	if (leaf && leaf->ip == sample->ip && leaf->cpumode == sample->cpumode)
		row->leaf_loc = leaf->loc;
	else
		row->leaf_loc = place_ip(worker, task, sample->cpumode, sample->ip, when, &valid);
	row->end = end_of_chain(worker, worker->build->session->evlist->evsels[row->evsel]);
	intern__row(&worker->intern, row, values);
}

static u32 place_of_key(struct worker *worker, const struct key *key, const struct task *task,
                        const struct sample *sample, struct moment when)
{
	u8 cpumode;
	u64 address = key->address(key, sample, &cpumode);
	struct place place;
	struct validity valid;

	if (!key->of_data)
		return place_ip(worker, task, cpumode, address, when, &valid);
	resolver__place_data(worker->resolver, task, cpumode, address, when, &place);
	return intern__loc(&worker->intern, &place.loc);
}

/* What the keys of samples say of this one. */
static u32 take_values(struct worker *worker, const struct task *task, const struct sample *sample,
                       struct moment when)
{
	const struct profile_options *options = worker->build->options;

	for (u32 i = 0; i < options->nr_sample_keys; i++) {
		const struct key *key = options->sample_keys[i];

		worker->values[i] = key->address ? place_of_key(worker, key, task, sample, when)
		                                 : key->extract(key, sample);
	}
	return intern__values(&worker->intern, worker->values);
}

static void add_sample(struct worker *worker, const struct evsel *evsel,
                       const struct sample *sample, struct moment when)
{
	const struct profile_options *options = worker->build->options;
	const struct task *task = resolver__task(worker->resolver, sample->pid, sample->tid, when);

	if (unlikely(!task)) {
		worker->counts.problems.nr_broken++;
		return;
	}
	struct row row = {
		.node = NODE_ROOT,
		.thread = task->thread,
		.comm = task->comm,
		.evsel = evsel->idx,
		.cpu = options->cpu ? sample->cpu : UINT16_MAX,
		.end = row_end__none(),
		.count = 1,
		.period = sample->period,
	};

	u32 values =
	        unlikely(options->nr_sample_keys) ? take_values(worker, task, sample, when) : 0;

	worker->counts.nr_samples++;
	if (options->chains && (sample->chain.nr || worker->was_unwound))
		add_chain(worker, task, &row, values, sample, when);
	else
		add_chainless(worker, task, &row, values, sample, when);
}

static void add_if_passes(struct worker *worker, const struct evsel *evsel,
                          const struct sample *sample, struct moment when)
{
	if (sample_filter__early(&worker->build->options->filter, sample))
		add_sample(worker, evsel, sample, when);
	else
		worker->counts.nr_filtered++;
}

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
		add_if_passes(worker, part.evsel, sample, when);
	}
}

/* Each branch that the sample carries counts one, where it led to. */
static void add_branches(struct worker *worker, const struct evsel *evsel,
                         const struct sample *sample, struct moment when)
{
	bool swap = worker->build->swap;
	struct sample one = *sample;

	one.chain.nr = 0;
	one.period = 1;
	for (u64 i = 0; i + 2 < sample->branches.nr; i += 3) {
		one.branch.from = u64_span__get(&sample->branches, i, swap);
		one.branch.to = u64_span__get(&sample->branches, i + 1, swap);
		one.branch.flags = u64_span__get(&sample->branches, i + 2, swap);
		one.ip = one.branch.to;
		one.cpumode = one.ip >> 63 ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER;
		add_if_passes(worker, evsel, &one, when);
	}
}

/* The user's part of a chain that was recorded as registers and a copy of the stack. */
static void unwind(struct worker *worker, const struct sample_layout *layout, struct sample *sample,
                   struct moment when)
{
	const struct task *task;
	struct unwound_end end;

	worker->path.max = worker->max_stack;
	worker->was_unwound = false;
	if (!sample_filter__early(&worker->build->options->filter, sample))
		return;
	task = resolver__task(worker->resolver, sample->pid, sample->tid, when);
	if (!task || !unwound__join(worker->unwound, sample, layout, task, when, &end))
		return;
	worker->was_unwound = true;
	worker->path.max *= 2; /* each of its parts was cut to that */
	worker->counts.problems.nr_cut_frames += end.nr_cut;
	worker->unwound_end = row_end__make(end.by, end.verdict.end, end.verdict.dso);
}

/* What counts for report --mem-mode: of a latency that is 0 there is one, as in Linux's perf. */
static u64 weight_of(const struct sample *sample)
{
	u64 weight = sample->weight_whole ? sample->weight : (u32)sample->weight;

	return weight ? weight : 1;
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
	bool all = worker->build->options->nr_sample_keys || worker->build->options->branches ||
	           worker->build->options->weights || (worker->unwound && unwound__wants(layout));
	bool swap = worker->build->swap;

	if (all ? sample__decode(layout, record, swap, &sample)
	        : sample__decode_fast(layout, record, swap, &sample)) {
		worker->counts.problems.nr_broken++;
		return;
	}
	struct moment when = session__moment(session, record, sample.time);

	if (unlikely(worker->build->options->weights))
		sample.period = weight_of(&sample);
	if (unlikely(worker->unwound))
		unwind(worker, layout, &sample, when);

	if (unlikely(worker->build->options->branches))
		add_branches(worker, evsel, &sample, when);
	else if (unlikely(layout->has_counts))
		add_counted(worker, layout, &sample, when);
	else
		add_if_passes(worker, evsel, &sample, when);
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
		if (build->sample_counts && sample_counts__has_block(build->sample_counts, i))
			continue;
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

/* Which of the keys of samples are places, by their bits. */
static u64 places_among(const struct profile_options *options)
{
	u64 places = 0;

	for (u32 i = 0; i < options->nr_sample_keys; i++)
		if (options->sample_keys[i]->address)
			places |= 1ull << i;
	return places;
}

static void run_worker(void *ctx, unsigned index)
{
	struct build *build = ctx;
	struct worker *worker = &build->workers[index];

	worker->build = build;
	worker->resolver = resolver__new(build->session->host, &build->session->dsos);
	u32 max_stack = build->options->max_stack;

	if (build->tables)
		worker->unwound = unwound__new(build->session, build->tables, worker->resolver,
		                               max_stack, build->options->unwind_style);
	path__init(&worker->path, max_stack);
	worker->max_stack = worker->path.max;
	worker->locs = xcalloc(2 * worker->path.max, sizeof(*worker->locs));
	worker->nodes = xcalloc(2 * worker->path.max, sizeof(*worker->nodes));
	worker->hot_rows = xcalloc(HOT_ROWS, sizeof(*worker->hot_rows));
	worker->hot_locs = xcalloc(HOT_LOCS, sizeof(*worker->hot_locs));
	worker->last_instance = ID_NONE;
	worker->values = xcalloc(build->options->nr_sample_keys, sizeof(u64));
	intern__init(&worker->intern, build->options->nr_sample_keys, places_among(build->options));
	int ret = build->in_order ? add_in_order(worker) : add_blocks(worker);

	if (ret)
		atomic_store(&build->failed, ret);
	intern__seal(&worker->intern);
	unwound__delete(worker->unwound);
	resolver__delete(worker->resolver);
	path__exit(&worker->path);
	free(worker->hot_rows);
	free(worker->hot_locs);
	free(worker->values);
	free(worker->locs);
	free(worker->nodes);
	last_reads__exit(&worker->reads);
}

static void add_counts(struct profile *into, const struct profile *from)
{
	into->nr_samples += from->nr_samples;
	into->nr_filtered += from->nr_filtered;
	read_problems__add(&into->problems, &from->problems);
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
                                u32 nr_sample_keys, struct intern *tallied, struct profile *profile)
{
	u32 nr = perf_data__nr_blocks(session->data), left = 0;

	intern__init(tallied, nr_sample_keys, 0);
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
	u32 nr_blocks = settle_sample_counts(session, sample_counts, options->nr_sample_keys,
	                                     &tallied, profile);
	unsigned workers = options->workers < nr_blocks ? options->workers : nr_blocks;

	if (!workers || build.in_order)
		workers = 1;
	if (!checked.max_stack)
		checked.chains = false;
	profile->health.max_stack = options->max_stack;
	profile->health.unread = !checked.chains;
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
	free(profile->values_of_row);
	free(profile->sample_values);
	health__exit(&profile->health);
	*profile = (struct profile){ .nr_rows = 0 };
}
