// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Samples to rows. Workers take blocks of the file from a counter, each with its own growing
 * profile and caches; nothing is shared while they run. Neighbouring samples share most of their
 * chain (84 to 91 % of the frames in measured files), counted from the root: those frames are
 * compared with the last chain and need no look-up of any kind.
 *
 * Files with samples that carry counts (util/data/reads.h) are read by one worker in the order of
 * time instead: what such a sample stands for depends on the one before.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "util/data/ordered.h"
#include "util/data/reads.h"
#include "util/lib/alloc.h"
#include "util/lib/workers.h"
#include "util/profile/intern.h"
#include "util/profile/profile.h"
#include "util/profile/resolve.h"

/* Callchains of a record have at most this many entries, so no --max-stack needs more. */
#define CHAIN_MAX (65536 / 8)

struct frame {
	u64 ip;
	u32 node, loc;
	struct validity valid; /* of this frame and all its callers */
	u8 cpumode;
};

struct build {
	const struct session *session;
	const struct profile_options *options;
	bool swap, in_order;
	atomic_uint next_block;
	atomic_int failed; /* negative errno of a worker */
	struct worker *workers;
};

/*
 * Samples without chains are few different ones: what one became is what the next equal one
 * becomes, too. Direct-mapped by ip.
 */
#define HOT_SLOTS 8192

struct hot_row {
	u64 ip;
	struct validity valid; /* of the place; none at first */
	u32 thread, comm;
	u32 row;
	u16 evsel, cpu;
	u8 cpumode;
};

struct worker {
	struct build *build;
	struct resolver *resolver;
	struct intern intern;
	/* Both leaf first, of max_stack frames; the last chain has its nodes. */
	struct frame *chain, *last;
	u32 nr_chain, nr_last;
	u32 *locs, *nodes; /* of the frames at work, caller first */
	u32 last_instance;
	struct hot_row *hot;
	struct last_reads reads;
	struct profile counts; /* only the nr_ of what could not be used */
};

/* The record's chain without its markers, cut to max_stack frames, into worker->chain. */
static void read_chain(struct worker *worker, const struct sample *sample)
{
	const struct u64_span *span = &sample->chain;
	bool swap = worker->build->swap;
	u32 max = worker->build->options->max_stack;
	u8 cpumode = sample->cpumode;
	u64 nr = 0;

	for (u64 i = 0; i < span->nr; i++) {
		u64 ip = u64_span__get(span, i, swap);

		if (unlikely(ip >= PERF_CONTEXT_MAX)) {
			if (sample__context(ip, &cpumode))
				continue;
			worker->counts.nr_unknown_context++;
			break;
		}
		if (nr < max) {
			worker->chain[nr].ip = ip;
			worker->chain[nr].cpumode = cpumode;
		}
		nr++;
	}
	worker->nr_chain = nr < max ? nr : max;
	worker->counts.nr_cut_frames += nr - worker->nr_chain;
}

/* How many frames, counted from the root, are those of the last chain and still mean the same. */
static u32 common_callers(const struct worker *worker, u32 instance, struct moment when)
{
	const struct frame *chain = worker->chain + worker->nr_chain;
	const struct frame *last = worker->last + worker->nr_last;
	u32 max = worker->nr_chain < worker->nr_last ? worker->nr_chain : worker->nr_last;
	u32 nr = 0;

	if (instance != worker->last_instance)
		return 0;
	while (nr < max) {
		const struct frame *a = chain - nr - 1, *b = last - nr - 1;

		if (a->ip != b->ip || a->cpumode != b->cpumode)
			break;
		nr++;
	}
	while (nr && !validity__covers(&last[-(s64)nr].valid, when))
		nr--;
	return nr;
}

/*
 * Find where the frames of worker->chain are that the last chain does not have in common; the
 * first @common, counted from the root, are taken over. Locations go to worker->locs, caller
 * first.
 */
static void resolve_frames(struct worker *worker, const struct task *task, u32 common,
                           struct moment when)
{
	struct frame *frames = worker->chain;
	struct validity valid = { .until = { UINT64_MAX, UINT64_MAX } };
	struct place place;

	for (u32 i = 1; i <= common; i++)
		frames[worker->nr_chain - i] = worker->last[worker->nr_last - i];
	if (common)
		valid = frames[worker->nr_chain - common].valid;
	for (u32 i = worker->nr_chain - common; i-- > 0;) {
		resolver__place(worker->resolver, task, frames[i].cpumode, frames[i].ip, when,
		                &place);
		worker->counts.nr_clock_misses += place.clock_miss;
		validity__intersect(&valid, &place.valid);
		frames[i].valid = valid;
		frames[i].loc = intern__loc(&worker->intern, &place.loc);
		worker->locs[worker->nr_chain - common - 1 - i] = frames[i].loc;
	}
}

/* Intern worker->chain, which becomes the last chain. Returns its leaf node. */
static u32 intern_chain(struct worker *worker, const struct task *task, struct moment when)
{
	u32 common = common_callers(worker, task->instance, when);
	u32 nr_new = worker->nr_chain - common;
	struct frame *frames = worker->chain;

	resolve_frames(worker, task, common, when);
	intern__branch(&worker->intern, common ? frames[nr_new].node : NODE_ROOT, worker->locs,
	               nr_new, worker->nodes);
	for (u32 i = 0; i < nr_new; i++)
		frames[nr_new - 1 - i].node = worker->nodes[i];
	worker->chain = worker->last;
	worker->last = frames;
	worker->nr_last = worker->nr_chain;
	worker->last_instance = task->instance;
	return worker->nr_chain ? frames[0].node : NODE_ROOT;
}

static bool passes(const struct profile_options *options, const struct sample *sample)
{
	if (sample->time < options->time_from || sample->time > options->time_to)
		return false;
	return !options->nr_cpu_set ||
	       (sample->cpu < options->nr_cpu_set && options->cpu_set[sample->cpu]);
}

static u32 place_leaf(struct worker *worker, const struct task *task, const struct sample *sample,
                      struct moment when, struct validity *valid)
{
	struct place place;

	resolver__place(worker->resolver, task, sample->cpumode, sample->ip, when, &place);
	worker->counts.nr_clock_misses += place.clock_miss;
	*valid = place.valid;
	return intern__loc(&worker->intern, &place.loc);
}

static struct hot_row *hot_row_of(const struct worker *worker, u64 ip)
{
	return &worker->hot[(ip ^ ip >> 12) % HOT_SLOTS];
}

/* Add to the row that an equal sample made before; false if none is known. */
static bool add_to_hot_row(struct worker *worker, const struct row *row,
                           const struct sample *sample, struct moment when)
{
	const struct hot_row *hot = hot_row_of(worker, sample->ip);

	if (hot->ip != sample->ip || hot->thread != row->thread || hot->comm != row->comm ||
	    hot->evsel != row->evsel || hot->cpu != row->cpu || hot->cpumode != sample->cpumode ||
	    !validity__covers(&hot->valid, when))
		return false;
	worker->intern.rows[hot->row].count += row->count;
	worker->intern.rows[hot->row].period += row->period;
	return true;
}

static void add_chainless(struct worker *worker, const struct task *task, struct row *row,
                          const struct sample *sample, struct moment when)
{
	struct validity valid;

	if (likely(add_to_hot_row(worker, row, sample, when)))
		return;
	row->leaf_loc = place_leaf(worker, task, sample, when, &valid);
	*hot_row_of(worker, sample->ip) = (struct hot_row){
		.ip = sample->ip,
		.valid = valid,
		.thread = row->thread,
		.comm = row->comm,
		.row = intern__row(&worker->intern, row),
		.evsel = row->evsel,
		.cpu = row->cpu,
		.cpumode = sample->cpumode,
	};
}

static void add_chain(struct worker *worker, const struct task *task, struct row *row,
                      const struct sample *sample, struct moment when)
{
	const struct frame *leaf;
	struct validity valid;

	row->node = intern_chain(worker, task, when);
	leaf = worker->last;
	if (worker->nr_last && leaf->ip == sample->ip && leaf->cpumode == sample->cpumode)
		row->leaf_loc = leaf->loc;
	else
		row->leaf_loc = place_leaf(worker, task, sample, when, &valid);
	intern__row(&worker->intern, row);
}

static void add_sample(struct worker *worker, const struct evsel *evsel,
                       const struct sample *sample, struct moment when)
{
	const struct profile_options *options = worker->build->options;
	const struct task *task = resolver__task(worker->resolver, sample->pid, sample->tid, when);

	if (unlikely(!task)) {
		worker->counts.nr_broken++;
		return;
	}
	struct row row = {
		.node = NODE_ROOT,
		.thread = task->thread,
		.comm = task->comm,
		.evsel = evsel->idx,
		.cpu = options->cpu ? sample->cpu : UINT16_MAX,
		.ext = ID_NONE,
		.count = 1,
		.period = sample->period,
	};

	worker->counts.nr_samples++;
	if (options->chains && sample->chain.nr) {
		read_chain(worker, sample);
		add_chain(worker, task, &row, sample, when);
	} else {
		add_chainless(worker, task, &row, sample, when);
	}
}

static void add_if_passes(struct worker *worker, const struct evsel *evsel,
                          const struct sample *sample, struct moment when)
{
	if (passes(worker->build->options, sample))
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

	if (sample__decode_fast(layout, record, worker->build->swap, &sample)) {
		worker->counts.nr_broken++;
		return;
	}
	struct moment when = session__moment(session, record, sample.time);

	if (unlikely(layout->has_counts))
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
	u32 max_stack = build->options->max_stack;

	worker->build = build;
	worker->resolver = resolver__new(build->session->host, &build->session->dsos);
	worker->chain = xcalloc(max_stack, sizeof(*worker->chain));
	worker->last = xcalloc(max_stack, sizeof(*worker->last));
	worker->locs = xcalloc(max_stack, sizeof(*worker->locs));
	worker->nodes = xcalloc(max_stack, sizeof(*worker->nodes));
	worker->hot = xcalloc(HOT_SLOTS, sizeof(*worker->hot));
	worker->last_instance = ID_NONE;
	intern__init(&worker->intern);
	int ret = build->in_order ? add_in_order(worker) : add_blocks(worker);

	if (ret)
		atomic_store(&build->failed, ret);
	intern__seal(&worker->intern);
	resolver__delete(worker->resolver);
	free(worker->chain);
	free(worker->last);
	free(worker->hot);
	free(worker->locs);
	free(worker->nodes);
	last_reads__exit(&worker->reads);
}

static void add_counts(struct profile *into, const struct profile *from)
{
	into->nr_samples += from->nr_samples;
	into->nr_filtered += from->nr_filtered;
	into->nr_cut_frames += from->nr_cut_frames;
	into->nr_unknown_context += from->nr_unknown_context;
	into->nr_broken += from->nr_broken;
	into->nr_clock_misses += from->nr_clock_misses;
}

/* All into the first, one after the other, so that at most one copy exists beside the sum. */
static void join_workers(struct build *build, unsigned nr, struct profile *profile)
{
	struct intern *first = &build->workers[0].intern;

	for (unsigned i = 0; i < nr; i++) {
		add_counts(profile, &build->workers[i].counts);
		if (i)
			intern__append(first, &build->workers[i].intern);
	}
	if (first->full)
		atomic_store(&build->failed, -EOVERFLOW);
	intern__finish(first, profile);
}

int profile__build(struct profile *profile, const struct session *session,
                   const struct profile_options *options, struct error *err)
{
	struct profile_options checked = *options;
	struct build build = {
		.session = session,
		.options = &checked,
		.swap = perf_data__swapped(session->data),
		.in_order = perf_data__has_counts(session->data),
	};
	u32 nr_blocks = perf_data__nr_blocks(session->data);
	unsigned workers = options->workers < nr_blocks ? options->workers : nr_blocks;

	if (!workers || build.in_order)
		workers = 1;
	if (checked.max_stack > CHAIN_MAX)
		checked.max_stack = CHAIN_MAX;
	if (!checked.max_stack)
		checked.chains = false;
	*profile = (struct profile){ .nr_rows = 0 };
	build.workers = xcalloc(workers, sizeof(*build.workers));
	workers__run(workers, run_worker, &build);
	join_workers(&build, workers, profile);
	free(build.workers);
	int ret = atomic_load(&build.failed);

	if (!ret)
		return 0;
	profile__exit(profile);
	return error__set(err, ret, "cannot read", perf_data__path(session->data),
	                  ret == -EOVERFLOW ? "more than 2^31 different call chains" : NULL);
}

void profile__exit(struct profile *profile)
{
	free(profile->locs);
	free(profile->nodes);
	free(profile->rows);
	*profile = (struct profile){ .nr_rows = 0 };
}
