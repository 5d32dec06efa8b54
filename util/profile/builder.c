// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Samples to rows. Frames that a chain shares with the last one (see path.h) need no look-up of
 * any kind.
 */
#include "util/profile/builder.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "util/format/sample.h"
#include "util/lib/alloc.h"
#include "util/lib/direct_map.h"
#include "util/profile/key.h"
#include "util/profile/path.h"
#include "util/profile/row_threads.h"
#include "util/stream/branch_path.h"

/*
 * Samples without chains are few different ones: what one became is what the next equal one
 * becomes, too. Direct-mapped by ip.
 */
#define HOT_ROWS 8192

struct hot_row {
	u64 ip;
	struct validity valid; /* of the place; none at first */
	u32 space;             /* see space_key() */
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

struct profile_builder {
	const struct profile_options *options;
	bool swap;
	bool chains; /* are built */
	struct resolver *resolver;
	struct intern intern;
	struct row_threads *threads;
	struct path path;
	struct branch_path branch_path;
	struct unwound *unwound;    /* NULL: nothing is to be unwound */
	u32 max_stack;              /* frames of a chain */
	bool was_unwound;           /* the sample's chain, and ... */
	struct row_end unwound_end; /* ... how */
	u32 *locs, *nodes;          /* of the frames at work, caller first */
	u32 last_instance;          /* of the path */
	struct hot_row *hot_rows;
	struct direct_map hot_locs;
	u64 *values;           /* of the sample at work, by sample key */
	struct profile counts; /* only the nr_ of what could not be used */
	u32 generation;
};

/* Which of the keys of samples are places, by their bits. */
static u64 places_among(const struct profile_options *options)
{
	u64 places = 0;

	for (u32 i = 0; i < options->nr_sample_keys; i++)
		if (options->sample_keys[i]->address)
			places |= 1ull << i;
	return places;
}

struct profile_builder *profile_builder__new(const struct profile_options *options,
                                             const struct machine *machine, const struct dsos *dsos,
                                             bool swap)
{
	struct profile_builder *b = xcalloc(1, sizeof(*b));

	b->options = options;
	b->swap = swap;
	b->chains = options->chains && options->max_stack;
	b->resolver = resolver__new(machine, dsos);
	path__init(&b->path, options->max_stack);
	b->max_stack = b->path.max;
	b->locs = xcalloc(2 * b->path.max, sizeof(*b->locs));
	b->nodes = xcalloc(2 * b->path.max, sizeof(*b->nodes));
	b->hot_rows = xcalloc(HOT_ROWS, sizeof(*b->hot_rows));
	direct_map__init(&b->hot_locs, HOT_LOCS, sizeof(struct hot_loc));
	b->last_instance = ID_NONE;
	b->values = xcalloc(options->nr_sample_keys, sizeof(u64));
	intern__init(&b->intern, options->nr_sample_keys, places_among(options));
	b->intern.any_thread = options->any_thread;
	b->threads = row_threads__new(machine, options);
	return b;
}

void profile_builder__delete(struct profile_builder *b)
{
	if (!b)
		return;
	intern__exit(&b->intern);
	row_threads__delete(b->threads);
	resolver__delete(b->resolver);
	path__exit(&b->path);
	branch_path__exit(&b->branch_path);
	free(b->hot_rows);
	direct_map__exit(&b->hot_locs);
	free(b->values);
	free(b->locs);
	free(b->nodes);
	free(b);
}

struct resolver *profile_builder__resolver(struct profile_builder *b)
{
	return b->resolver;
}

struct row_threads *profile_builder__threads(struct profile_builder *b)
{
	return b->threads;
}

void profile_builder__unwind_by(struct profile_builder *b, struct unwound *unwound)
{
	b->unwound = unwound;
}

/* ---- one sample ---- */

/* Processes have addresses of their own, the kernel's are the same for all. */
static u32 space_key(const struct task *task, u8 cpumode)
{
	return cpumode == PERF_RECORD_MISC_KERNEL ? ID_NONE : task->instance;
}

/* The location of an address. *valid: how long it is true. */
static u32 place_ip(struct profile_builder *b, const struct task *task, u8 cpumode, u64 ip,
                    struct moment when, struct validity *valid)
{
	u64 hash = ip ^ ip >> 12;
	struct hot_loc *hot = direct_map__at(&b->hot_locs, hash, sizeof(*hot));
	u32 space = space_key(task, cpumode);
	struct place place;

	if (unlikely(hot->ip != ip || hot->space != space || hot->cpumode != cpumode ||
	             !validity__covers(&hot->valid, when))) {
		resolver__place(b->resolver, task, cpumode, ip, when, &place);
		b->counts.problems.nr_clock_misses += place.clock_miss;
		hot = direct_map__make(&b->hot_locs, hash, sizeof(*hot));
		*hot = (struct hot_loc){ .ip = ip,
			                 .valid = place.valid,
			                 .space = space,
			                 .loc = intern__loc(&b->intern, &place.loc),
			                 .cpumode = cpumode };
	}
	*valid = hot->valid;
	return hot->loc;
}

/*
 * How many of the @kept first frames, which the last chain had too, still mean the same: with
 * them nothing is to be done.
 */
static u32 still_valid(const struct profile_builder *b, u32 kept, u32 instance, struct moment when)
{
	if (instance != b->last_instance)
		return 0;
	while (kept && !validity__covers(&b->path.frames[kept - 1].valid, when))
		kept--;
	return kept;
}

/*
 * Find where the frames from @first on are. Locations go to b->locs, too.
 */
static void resolve_frames(struct profile_builder *b, const struct task *task, u32 first,
                           struct moment when)
{
	struct path_frame *frames = b->path.frames;
	struct validity valid = { .until = { UINT64_MAX, UINT64_MAX } };

	if (first)
		valid = frames[first - 1].valid;
	for (u32 i = first; i < b->path.nr; i++) {
		frames[i].loc =
		        place_ip(b, task, frames[i].cpumode, frames[i].ip, when, &frames[i].valid);
		b->locs[i - first] = frames[i].loc;
		if (i == first)
			intern__prefetch(&b->intern, i ? frames[i - 1].node : NODE_ROOT,
			                 frames[i].loc);
		validity__intersect(&frames[i].valid, &valid);
		valid = frames[i].valid;
	}
}

/* Intern the chain of b->path. Returns its leaf node. */
static u32 intern_chain(struct profile_builder *b, const struct task *task, u32 kept,
                        struct moment when)
{
	struct path *path = &b->path;
	u32 first = still_valid(b, kept, task->instance, when);

	resolve_frames(b, task, first, when);
	intern__branch(&b->intern, first ? path->frames[first - 1].node : NODE_ROOT, b->locs,
	               path->nr - first, b->nodes);
	for (u32 i = first; i < path->nr; i++)
		path->frames[i].node = b->nodes[i - first];
	b->last_instance = task->instance;
	return path->nr ? path->frames[path->nr - 1].node : NODE_ROOT;
}

static struct hot_row *hot_row_of(const struct profile_builder *b, u64 ip)
{
	return &b->hot_rows[(ip ^ ip >> 12) % HOT_ROWS];
}

/* Add to the row that an equal sample made before; false if none is known. */
static bool add_to_hot_row(struct profile_builder *b, const struct task *task,
                           const struct row *row, u32 values, const struct sample *sample,
                           struct moment when)
{
	const struct hot_row *hot = hot_row_of(b, sample->ip);

	if (hot->ip != sample->ip || hot->space != space_key(task, sample->cpumode) ||
	    hot->comm != row->comm || (hot->thread != row->thread && !b->options->any_thread) ||
	    hot->evsel != row->evsel || hot->cpu != row->cpu || hot->cpumode != sample->cpumode ||
	    hot->values != values || !validity__covers(&hot->valid, when))
		return false;
	row__add(&b->intern.rows[hot->row], row);
	return true;
}

static void add_chainless(struct profile_builder *b, const struct task *task, struct row *row,
                          u32 values, const struct sample *sample, struct moment when)
{
	struct validity valid;

	if (likely(add_to_hot_row(b, task, row, values, sample, when)))
		return;
	row->leaf_loc = place_ip(b, task, sample->cpumode, sample->ip, when, &valid);
	*hot_row_of(b, sample->ip) = (struct hot_row){
		.ip = sample->ip,
		.valid = valid,
		.space = space_key(task, sample->cpumode),
		.thread = row->thread,
		.comm = row->comm,
		.row = intern__row(&b->intern, row, values),
		.values = values,
		.evsel = row->evsel,
		.cpu = row->cpu,
		.cpumode = sample->cpumode,
	};
}

/* A frame of a branch stack below @node. */
static u32 add_branch_frame(struct profile_builder *b, const struct task *task, u32 node, u64 ip,
                            u8 flags, u64 branch, struct moment when)
{
	struct validity valid;
	u32 place = place_ip(b, task, sample__mode_of_address(ip), ip, when, &valid);
	struct loc loc = b->intern.locs[place];

	loc.flags |= flags;
	loc.branch = branch;
	return intern__node(&b->intern, node, intern__loc(&b->intern, &loc));
}

static u64 source_of(const struct branch_step *step)
{
	return step->cycles | (u64)step->more << LOC_FROM_MORE |
	       step->rounds_cycles << LOC_FROM_ROUNDS_CYCLES;
}

static u64 target_of(const struct branch_step *step)
{
	unsigned kind = branch_entry__kind(step->flags);

	return (step->flags & BRANCH_MISPREDICTED ? LOC_TO_MISPREDICTED : 0) |
	       (step->flags & BRANCH_ABORT ? LOC_TO_ABORTED : 0) |
	       (kind == BRANCH_CONDITIONAL && step->to <= step->from ? LOC_TO_BACK : 0) |
	       kind << LOC_TO_KIND;
}

/* What the branches of the sample add to the chain that ends with @node: source, target, source ...
 */
static u32 add_branch_frames(struct profile_builder *b, const struct task *task, u32 node,
                             const struct sample *sample, struct moment when)
{
	struct branch_path *path = &b->branch_path;
	u64 nr = sample->branches.nr / 3;

	branch_path__read(path, &sample->branches, b->swap, b->max_stack);
	b->counts.problems.nr_cut_frames += nr > b->max_stack ? 2 * (nr - b->max_stack) : 0;
	for (u32 i = path->nr; i-- > 0;) {
		const struct branch_step *step = &path->steps[i];

		node = add_branch_frame(b, task, node, step->from, LOC_BRANCH_FROM, source_of(step),
		                        when);
		node = add_branch_frame(b, task, node, step->to, LOC_BRANCH_TO, target_of(step),
		                        when);
	}
	return node;
}

/* Branches that are calls are the call chain. */
static bool takes_branches(const struct profile_builder *b, const struct evsel *evsel,
                           const struct sample *sample)
{
	return b->options->branch_frames && sample->branches.nr &&
	       !(evsel->attr.branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK);
}

/* What a chain, in b->path, tells about its end. */
static struct row_end end_of_chain(const struct profile_builder *b, const struct evsel *evsel)
{
	const struct path *path = &b->path;
	bool copy = evsel->attr.sample_type & PERF_SAMPLE_STACK_USER;
	bool calls = evsel->attr.branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK;
	struct row_end end = row_end__none();

	if (b->was_unwound)
		return b->unwound_end;
	if (!path->nr || calls || (copy && !b->unwound))
		return end;
	end.end = path->nr_cut ? CHAIN_CUT_READER : ROW_END_LATE;
	if (!path->nr_cut)
		end.flags = (path->unknown ? ROW_END_BEYOND : 0) |
		            (path->nr >= health__record_limit(&evsel->attr) ? ROW_END_AT_LIMIT : 0);
	return end;
}

static void add_chain(struct profile_builder *b, const struct evsel *evsel, const struct task *task,
                      struct row *row, u32 values, const struct sample *sample, struct moment when)
{
	struct path *path = &b->path;
	u32 kept = path__read(path, &sample->chain, b->swap, sample->cpumode, &b->counts.problems);
	struct validity valid;

	row->node = intern_chain(b, task, kept, when);
	const struct path_frame *leaf = path->nr ? &path->frames[path->nr - 1] : NULL;

	if (leaf && leaf->ip == sample->ip && leaf->cpumode == sample->cpumode)
		row->leaf_loc = leaf->loc;
	else
		row->leaf_loc = place_ip(b, task, sample->cpumode, sample->ip, when, &valid);
	row->end = end_of_chain(b, evsel);
	if (unlikely(takes_branches(b, evsel, sample)))
		row->node = add_branch_frames(b, task, row->node, sample, when);
	intern__row(&b->intern, row, values);
}

static u32 place_of_key(struct profile_builder *b, const struct key *key, const struct task *task,
                        const struct sample *sample, struct moment when)
{
	u8 cpumode;
	u64 address = key->address(key, sample, &cpumode);
	struct place place;
	struct validity valid;

	if (!key->of_data)
		return place_ip(b, task, cpumode, address, when, &valid);
	resolver__place_data(b->resolver, task, cpumode, address, when, &place);
	return intern__loc(&b->intern, &place.loc);
}

/* What the keys of samples say of this one. */
static u32 take_values(struct profile_builder *b, const struct evsel *evsel,
                       const struct task *task, const struct sample *sample, struct moment when)
{
	const struct profile_options *options = b->options;

	for (u32 i = 0; i < options->nr_sample_keys; i++) {
		const struct key *key = options->sample_keys[i];

		b->values[i] = key->address    ? place_of_key(b, key, task, sample, when)
		               : key->of_event ? key->of_event(key, evsel, sample)
		                               : key->extract(key, sample);
	}
	return intern__values(&b->intern, b->values);
}

static void add_sample(struct profile_builder *b, const struct evsel *evsel,
                       const struct sample *sample, struct moment when)
{
	const struct profile_options *options = b->options;
	const struct task *task = resolver__task(b->resolver, sample->pid, sample->tid, when);

	if (unlikely(!task)) {
		b->counts.problems.nr_broken++;
		return;
	}
	struct row row = {
		.node = NODE_ROOT,
		.thread = row_threads__of(b->threads, task->thread),
		.comm = task->comm,
		.evsel = evsel->idx,
		.cpu = options->cpu ? sample->cpu : UINT16_MAX,
		.end = row_end__none(),
		.count = 1,
		.period = sample->period,
	};

	u32 values =
	        unlikely(options->nr_sample_keys) ? take_values(b, evsel, task, sample, when) : 0;

	b->counts.nr_samples++;
	if (b->chains && (sample->chain.nr || b->was_unwound || takes_branches(b, evsel, sample)))
		add_chain(b, evsel, task, &row, values, sample, when);
	else
		add_chainless(b, task, &row, values, sample, when);
}

static bool add_if_passes(struct profile_builder *b, const struct evsel *evsel,
                          const struct sample *sample, struct moment when)
{
	bool passes = sample_filter__early(&b->options->filter, sample);

	if (passes)
		add_sample(b, evsel, sample, when);
	else
		b->counts.nr_filtered++;
	return passes;
}

/* Each branch that the sample carries counts one, where it led to. */
static void add_branches(struct profile_builder *b, const struct evsel *evsel,
                         const struct sample *sample, struct moment when)
{
	struct sample one = *sample;

	one.chain.nr = 0;
	one.period = 1;
	for (u64 i = 0; i + 2 < sample->branches.nr; i += 3) {
		one.branch.from = u64_span__get(&sample->branches, i, b->swap);
		one.branch.to = u64_span__get(&sample->branches, i + 1, b->swap);
		one.branch.flags = u64_span__get(&sample->branches, i + 2, b->swap);
		u64 from = one.branch.from, to = one.branch.to;

		if (b->options->blocks) {
			one.branch.to = from;
			one.branch.from = i + 5 < sample->branches.nr
			                          ? u64_span__get(&sample->branches, i + 4, b->swap)
			                          : 0;
		}
		one.ip = one.branch.to;
		one.cpumode = sample__mode_of_address(one.ip);
		if (add_if_passes(b, evsel, &one, when))
			branch_stats__count(&b->counts.branch_stats, from, to, one.branch.flags);
	}
}

void profile_builder__add_begun(struct profile_builder *b, const struct evsel *evsel,
                                const struct sample *sample, struct moment when)
{
	if (unlikely(b->options->branches))
		add_branches(b, evsel, sample, when);
	else
		add_if_passes(b, evsel, sample, when);
}

/* The user's part of a chain that was recorded as registers and a copy of the stack. */
static void unwind(struct profile_builder *b, const struct sample_layout *layout,
                   struct sample *sample, struct moment when)
{
	const struct task *task;
	struct unwound_end end;

	b->path.max = b->max_stack;
	b->was_unwound = false;
	if (!sample_filter__early(&b->options->filter, sample))
		return;
	task = resolver__task(b->resolver, sample->pid, sample->tid, when);
	if (!task || !unwound__join(b->unwound, sample, layout, task, when, &end))
		return;
	b->was_unwound = true;
	b->path.max *= 2; /* each of its parts was cut to that */
	b->counts.problems.nr_cut_frames += end.nr_cut;
	b->unwound_end = row_end__make(end.by, end.verdict.end, end.verdict.dso);
}

void profile_builder__begin(struct profile_builder *b, const struct sample_layout *layout,
                            struct sample *sample, struct moment when)
{
	/* For report --mem-mode: a latency of 0 counts as 1, as in Linux's perf. */
	if (unlikely(b->options->weights))
		sample->period = sample__weight(sample) ?: 1;
	if (unlikely(b->unwound))
		unwind(b, layout, sample, when);
}

void profile_builder__add(struct profile_builder *b, const struct evsel *evsel,
                          const struct sample_layout *layout, struct sample *sample,
                          struct moment when)
{
	profile_builder__begin(b, layout, sample, when);
	profile_builder__add_begun(b, evsel, sample, when);
}

bool profile_builder__wants_all(const struct profile_builder *b, const struct sample_layout *layout)
{
	return b->options->nr_sample_keys || b->options->branches || b->options->branch_frames ||
	       b->options->weights || (b->unwound && unwound__wants(layout));
}

void profile_builder__add_broken(struct profile_builder *b)
{
	b->counts.problems.nr_broken++;
}

/* ---- all of it ---- */

/* Nothing is known from the last sample, of places or of rows. */
static void forget_places(struct profile_builder *b)
{
	memset(b->hot_rows, 0, HOT_ROWS * sizeof(*b->hot_rows));
	direct_map__clear(&b->hot_locs);
	b->last_instance = ID_NONE;
}

void profile_builder__settled(struct profile_builder *b)
{
	forget_places(b);
	row_threads__settled(b->threads);
	resolver__forget(b->resolver);
	unwound__forget(b->unwound);
}

void profile_builder__snapshot(struct profile_builder *b, struct profile *profile)
{
	intern__copy(&b->intern, profile);
	profile->sample_keys = b->options->sample_keys;
	profile->generation = b->generation;
	health__exit(&profile->health);
	profile->health.max_stack = b->options->max_stack;
	profile->health.unread = !b->chains;
	profile->nr_samples = b->counts.nr_samples;
	profile->nr_filtered = b->counts.nr_filtered;
	profile->problems = b->counts.problems;
	profile->branch_stats = b->counts.branch_stats;
}

void profile_builder__decay(struct profile_builder *b)
{
	u32 nr_dead = 0;

	b->counts.nr_samples = 0;
	for (u32 i = 0; i < b->intern.nr_rows; i++) {
		struct row *row = &b->intern.rows[i];

		row->count /= 2;
		row->period = row->count ? row->period / 2 : 0;
		b->counts.nr_samples += row->count;
		nr_dead += !row->count;
	}
	if (!nr_dead || nr_dead * 2 < b->intern.nr_rows)
		return;
	intern__drop_dead(&b->intern);
	forget_places(b);
	b->generation++;
}

void profile_builder__mark_threads(const struct profile_builder *b, u8 *used)
{
	row_threads__mark(b->threads, b->intern.rows, b->intern.nr_rows, used);
}

void profile_builder__mark_values(const struct profile_builder *b, u32 slot, u8 *used)
{
	const struct intern *intern = &b->intern;

	for (size_t i = 0; i < intern->nr_values; i++)
		used[intern->sample_values[i * intern->nr_sample_keys + slot]] = 1;
}

struct row_threads *profile_builder__finish(struct profile_builder *b, struct intern *intern,
                                            struct profile *counts)
{
	struct row_threads *threads = b->threads;

	b->threads = NULL;
	intern__seal(&b->intern);
	*intern = b->intern;
	intern__init(&b->intern, 0, 0);
	counts->nr_samples += b->counts.nr_samples;
	counts->nr_filtered += b->counts.nr_filtered;
	read_problems__add(&counts->problems, &b->counts.problems);
	branch_stats__add(&counts->branch_stats, &b->counts.branch_stats);
	return threads;
}
