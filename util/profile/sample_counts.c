// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/profile/sample_counts.h"

#include <stdlib.h>
#include <string.h>

#include "util/format/sample.h"
#include "util/lib/alloc.h"
#include "util/lib/hash.h"
#include "util/profile/idtable.h"
#include "util/reader/reads.h"

#define PIDS (64 * PID_WORDS) /* sets tell so many processes apart, by the last bits of the pid */

#define STRETCH_BLOCKS 32    /* at least, before the next one begins */
#define CHANGED_BLOCKS 4     /* the same, where what samples mean changes */
#define STRETCH_KINDS  16384 /* so that all are in the cache */
#define KINDS_MAX                                                                                  \
	(256u * 1024)   /* 20 MB of them that cannot be settled, then the rest is read again */
#define BATCH        32 /* samples of which cache lines are fetched together */
#define PAUSE_BLOCKS 8  /* at first, when samples are too different */

/* Equal samples. One cache line. */
struct kind {
	u64 ip;
	u32 pid, tid;
	u16 evsel, cpu;
	u8 cpumode;
	u16 changes;     /* that its process had seen */
	u64 first, last; /* times */
	u64 count, period;
	u64 hash; /* of what is above the times */
};

/* Blocks that follow each other. */
struct stretch {
	u32 first_block, nr_blocks;
	u32 first_kind, nr_kinds;
	size_t first_seen; /* set of its first block: see seen */
	u64 nr_samples, nr_filtered, nr_broken;
	u64 newest;   /* the latest time of a sample up to its end */
	bool changes; /* what samples mean does */
	u64 *left;    /* the set of processes whose samples are to be read again; NULL: none */
};

struct sample_counts {
	const struct session *session;
	const struct profile_options *options;
	bool watching;      /* samples of the block at work are wanted */
	u32 pause, blocked; /* blocks to leave out: next time, and still */
	struct kind *kinds;
	u32 nr_kinds, most_kinds;
	size_t cap_kinds;
	struct idtable index; /* of the last stretch's kinds */
	struct kind batch[BATCH];
	u32 nr_batch;
	u16 changes[PIDS]; /* by the last bits of the pid */
	u64 *seen; /* sets of processes, one for each watched block: who has samples there */
	size_t nr_seen, cap_seen;
	struct stretch *stretches;
	u32 nr_stretches;
	u32 nr_settled; /* of them, during the scan */
	size_t cap_stretches;
	u32 nr_done; /* blocks at the file's start of which nothing is kept any more */
};

struct sample_counts *sample_counts__new(const struct session *session,
                                         const struct profile_options *options)
{
	if (options->chains || options->nr_sample_keys || options->branches || options->weights ||
	    session->by_offset || perf_data__has_counts(session->data))
		return NULL;
	struct sample_counts *sample_counts = xcalloc(1, sizeof(*sample_counts));

	sample_counts->session = session;
	sample_counts->options = options;
	sample_counts->pause = PAUSE_BLOCKS;
	return sample_counts;
}

void sample_counts__delete(struct sample_counts *sample_counts)
{
	if (!sample_counts)
		return;
	idtable__exit(&sample_counts->index);
	for (u32 i = 0; i < sample_counts->nr_stretches; i++)
		free(sample_counts->stretches[i].left);
	free(sample_counts->seen);
	free(sample_counts->kinds);
	free(sample_counts->stretches);
	free(sample_counts);
}

/* ---- during the walk ---- */

static u64 kind_hash(const struct kind *kind)
{
	u64 what = (u64)kind->evsel << 48 | (u64)kind->cpu << 32 | kind->tid;

	u64 who = (u64)kind->changes << 40 | (u64)kind->cpumode << 32 | kind->pid;

	return hash__u64(kind->ip + what * 0x9e3779b97f4a7c15ull + who * 0xc2b2ae3d27d4eb4full);
}

static bool kind_hash_of(const void *ctx, u32 id, u64 *hash)
{
	*hash = ((const struct sample_counts *)ctx)->kinds[id].hash;
	return true;
}

static bool kind_equal(const struct kind *a, const struct kind *b)
{
	return a->ip == b->ip && a->pid == b->pid && a->tid == b->tid && a->evsel == b->evsel &&
	       a->cpu == b->cpu && a->cpumode == b->cpumode && a->changes == b->changes;
}

/* Add to the equal kind, or make it one. */
static void add_kind(struct sample_counts *sample_counts, const struct kind *add)
{
	struct idtable *index = &sample_counts->index;
	u32 i;

	idtable__reserve(index, kind_hash_of, sample_counts);
	for (i = idtable__start(index, add->hash); !idtable__free(index, i);
	     i = idtable__next(index, i)) {
		struct kind *kind = &sample_counts->kinds[idtable__id(index, i)];

		if (!idtable__match(index, i, add->hash) || !kind_equal(kind, add))
			continue;
		kind->first = min_u64(kind->first, add->first);
		kind->last = max_u64(kind->last, add->last);
		kind->count += add->count;
		kind->period += add->period;
		return;
	}
	u32 id = sample_counts->nr_kinds++;

	array__reserve(&sample_counts->kinds, &sample_counts->cap_kinds, sample_counts->nr_kinds,
	               sizeof(*add));
	sample_counts->kinds[id] = *add;
	idtable__add(index, i, add->hash, id);
}

/* The block's own bytes drive the kinds out of the cache: look for many at once. */
static void add_batch(struct sample_counts *sample_counts)
{
	const struct idtable *index = &sample_counts->index;

	for (u32 n = 0; index->slots && n < sample_counts->nr_batch; n++) {
		u32 i = idtable__start(index, sample_counts->batch[n].hash);

		if (!idtable__free(index, i))
			__builtin_prefetch(&sample_counts->kinds[idtable__id(index, i)], 1);
	}
	for (u32 n = 0; n < sample_counts->nr_batch; n++)
		add_kind(sample_counts, &sample_counts->batch[n]);
	sample_counts->nr_batch = 0;
}

static void add_sample(void *ctx, const struct evsel *evsel, const struct sample *sample,
                       struct moment when)
{
	struct sample_counts *sample_counts = ctx;
	struct stretch *stretch = &sample_counts->stretches[sample_counts->nr_stretches - 1];

	if (unlikely(!sample)) {
		stretch->nr_broken++;
		return;
	}
	if (!sample_filter__early(&sample_counts->options->filter, sample)) {
		stretch->nr_filtered++;
		return;
	}
	struct kind *kind = &sample_counts->batch[sample_counts->nr_batch];

	*kind = (struct kind){
		.ip = sample->ip,
		.pid = sample->pid,
		.tid = sample->tid,
		.evsel = evsel->idx,
		.cpu = sample_counts->options->cpu ? sample->cpu : UINT16_MAX,
		.cpumode = sample->cpumode,
		.changes = sample_counts->changes[sample->pid % PIDS],
		.first = when.time,
		.last = when.time,
		.count = 1,
		.period = sample->period,
	};
	kind->hash = kind_hash(kind);
	if (sample_counts->index.slots)
		idtable__prefetch(&sample_counts->index, kind->hash);
	stretch->nr_samples++;
	pid_set__add(&sample_counts->seen[sample_counts->nr_seen - PID_WORDS], sample->pid);
	if (++sample_counts->nr_batch == BATCH)
		add_batch(sample_counts);
}

static void note_change(void *ctx, u32 pid)
{
	((struct sample_counts *)ctx)->changes[pid % PIDS]++;
}

static void begin_block(struct sample_counts *sample_counts)
{
	size_t from = sample_counts->nr_seen;

	sample_counts->nr_seen += PID_WORDS;
	array__reserve(&sample_counts->seen, &sample_counts->cap_seen, sample_counts->nr_seen,
	               sizeof(u64));
	memset(&sample_counts->seen[from], 0, PID_WORDS * sizeof(u64));
}

static void begin_stretch(struct sample_counts *sample_counts, u32 block)
{
	array__reserve(&sample_counts->stretches, &sample_counts->cap_stretches,
	               sample_counts->nr_stretches + 1, sizeof(*sample_counts->stretches));
	sample_counts->stretches[sample_counts->nr_stretches++] =
	        (struct stretch){ .first_block = block,
		                  .first_kind = sample_counts->nr_kinds,
		                  .first_seen = sample_counts->nr_seen };
	idtable__exit(&sample_counts->index);
	sample_counts->index.first_id = sample_counts->nr_kinds;
	sample_counts->watching = true;
}

/*
 * Long stretches have few kinds for their samples, but are read again as a whole: they get longer
 * with what waits to be settled, so that kinds do not become many.
 */
static bool is_long(const struct sample_counts *sample_counts, const struct stretch *stretch)
{
	u32 waiting = stretch->first_block - sample_counts->nr_done;

	return stretch->nr_blocks >= STRETCH_BLOCKS + waiting / 16 ||
	       (stretch->changes && stretch->nr_blocks >= CHANGED_BLOCKS + waiting / 64) ||
	       stretch->nr_kinds >= STRETCH_KINDS;
}

/* A kind costs about as much as two samples that are read again; at first most are new. */
static bool is_waste(const struct stretch *stretch)
{
	u64 kinds = stretch->nr_kinds, samples = stretch->nr_samples;

	return (stretch->nr_blocks == 1 && kinds * 4 > samples * 3) ||
	       (stretch->nr_blocks == 4 && kinds * 2 > samples);
}

/* A block is in the last stretch now. Is the next one to be? */
static void end_watched_block(struct sample_counts *sample_counts, bool changes)
{
	struct stretch *stretch = &sample_counts->stretches[sample_counts->nr_stretches - 1];

	add_batch(sample_counts);
	stretch->nr_blocks++;
	stretch->nr_kinds = sample_counts->nr_kinds - stretch->first_kind;
	sample_counts->most_kinds = max_u64(sample_counts->most_kinds, sample_counts->nr_kinds);
	stretch->changes |= changes;
	stretch->newest = sample_counts->session->stats.last_time;
	sample_counts->watching = !is_long(sample_counts, stretch);
	if (is_waste(stretch)) {
		sample_counts->watching = false;
		sample_counts->blocked = sample_counts->pause;
		sample_counts->pause *= 2;
	}
}

static bool end_block(void *ctx, u32 index, bool changes)
{
	struct sample_counts *sample_counts = ctx;

	if (sample_counts->watching)
		end_watched_block(sample_counts, changes);
	if (sample_counts->blocked)
		sample_counts->blocked--;
	else if (!sample_counts->watching && sample_counts->nr_kinds < KINDS_MAX)
		begin_stretch(sample_counts, index + 1);
	if (sample_counts->watching)
		begin_block(sample_counts);
	return sample_counts->watching;
}

struct session_watch sample_counts__watch(struct sample_counts *sample_counts)
{
	return (struct session_watch){ .ctx = sample_counts,
		                       .sample = add_sample,
		                       .change = note_change,
		                       .block = end_block };
}

/* ---- with a machine that knows their time ---- */

/* False: not all of its samples surely mean the same. */
static bool resolve_kind(const struct kind *kind, struct resolver *resolver, struct row *row,
                         struct loc *loc)
{
	/* Wherever in the file: what changes at one of these very times makes it unsure. */
	struct moment first = { kind->first, 0 }, last = { kind->last, UINT64_MAX };
	const struct task *task = resolver__task(resolver, kind->pid, kind->tid, first);
	struct place place;

	if (!task || !validity__covers(&task->valid, last))
		return false;
	resolver__place(resolver, task, kind->cpumode, kind->ip, first, &place);
	if (!validity__covers(&place.valid, last))
		return false;
	*loc = place.loc;
	*row = (struct row){
		.node = NODE_ROOT,
		.thread = task->thread,
		.comm = task->comm,
		.evsel = kind->evsel,
		.cpu = kind->cpu,
		.end = row_end__none(),
		.count = kind->count,
		.period = kind->period,
	};
	return true;
}

/* What one stretch is settled with. */
struct settling {
	struct resolver *resolver;
	struct row *rows; /* by kind */
	struct loc *locs;
	size_t cap_rows, cap_locs;
};

/* A process of which one kind is not sure is to be read again with all of its kinds. */
static void settle_stretch(struct settling *settling, const struct kind *kinds,
                           struct stretch *stretch, struct counted_rows *rows)
{
	u32 nr = stretch->nr_kinds;

	array__reserve(&settling->rows, &settling->cap_rows, nr, sizeof(*settling->rows));
	array__reserve(&settling->locs, &settling->cap_locs, nr, sizeof(*settling->locs));
	for (u32 i = 0; i < nr; i++) {
		if (resolve_kind(&kinds[i], settling->resolver, &settling->rows[i],
		                 &settling->locs[i]))
			continue;
		if (!stretch->left)
			stretch->left = xcalloc(PID_WORDS, sizeof(u64));
		pid_set__add(stretch->left, kinds[i].pid);
	}
	for (u32 i = 0; i < nr; i++) {
		struct row *row = &settling->rows[i];

		if (stretch->left && pid_set__has(stretch->left, kinds[i].pid))
			continue;
		row->thread = row_threads__of(rows->threads, row->thread);
		row->leaf_loc = intern__loc(&rows->intern, &settling->locs[i]);
		intern__row(&rows->intern, row, 0);
		rows->counts.nr_samples += kinds[i].count;
	}
	rows->counts.nr_filtered += stretch->nr_filtered;
	rows->counts.problems.nr_broken += stretch->nr_broken;
}

/* The next @nr stretches. */
static void settle(struct sample_counts *sample_counts, u32 nr, struct resolver *resolver,
                   struct counted_rows *rows)
{
	struct settling settling = { .resolver = resolver };

	for (u32 end = sample_counts->nr_settled + nr; sample_counts->nr_settled < end;
	     sample_counts->nr_settled++) {
		struct stretch *stretch = &sample_counts->stretches[sample_counts->nr_settled];

		settle_stretch(&settling, sample_counts->kinds + stretch->first_kind, stretch,
		               rows);
	}
	free(settling.rows);
	free(settling.locs);
}

void sample_counts__settle(struct sample_counts *sample_counts, struct resolver *resolver,
                           struct counted_rows *rows)
{
	settle(sample_counts, sample_counts->nr_stretches, resolver, rows);
}

/* How many stretches are closed and earlier than @until; *end: the block behind them. */
static u32 nr_closed(const struct sample_counts *sample_counts, u64 until, u32 *end)
{
	u32 all = sample_counts->nr_stretches - sample_counts->watching, nr = 0;

	*end = sample_counts->nr_done;
	for (; nr < all && sample_counts->stretches[nr].newest < until; nr++)
		*end = sample_counts->stretches[nr].first_block +
		       sample_counts->stretches[nr].nr_blocks;
	return nr;
}

bool sample_counts__has_closed(const struct sample_counts *sample_counts, u64 until)
{
	u32 end;

	return nr_closed(sample_counts, until, &end);
}

bool sample_counts__settle_early(struct sample_counts *sample_counts, u64 until,
                                 struct resolver *resolver, struct counted_rows *rows, u32 *end)
{
	u32 nr = nr_closed(sample_counts, until, end), tallied = 0;

	for (u32 i = 0; i < nr; i++)
		tallied += sample_counts->stretches[i].nr_blocks;
	/* Many threads should read them then. */
	if ((*end - sample_counts->nr_done - tallied) > 1 + tallied / 4)
		return false;
	settle(sample_counts, nr, resolver, rows);
	return true;
}

/* The index of the open stretch, whose kinds have moved. */
static void index_again(struct sample_counts *sample_counts, u32 first)
{
	struct idtable *index = &sample_counts->index;

	idtable__exit(index);
	index->first_id = first;
	for (u32 id = first; id < sample_counts->nr_kinds; id++)
		idtable__insert(index, sample_counts->kinds[id].hash, id, kind_hash_of,
		                sample_counts);
}

void sample_counts__drop_settled(struct sample_counts *sample_counts)
{
	u32 nr = sample_counts->nr_settled, left = sample_counts->nr_stretches - nr;

	if (!nr)
		return;
	struct stretch *stretches = sample_counts->stretches, *last = &stretches[nr - 1];
	u32 kinds = last->first_kind + last->nr_kinds;
	size_t seen = last->first_seen + (size_t)last->nr_blocks * PID_WORDS;

	sample_counts->nr_done = last->first_block + last->nr_blocks;
	for (u32 i = 0; i < nr; i++)
		free(stretches[i].left);
	memmove(stretches, stretches + nr, left * sizeof(*stretches));
	for (u32 i = 0; i < left; i++) {
		stretches[i].first_kind -= kinds;
		stretches[i].first_seen -= seen;
	}
	sample_counts->nr_stretches = left;
	sample_counts->nr_settled = 0;
	sample_counts->nr_kinds -= kinds;
	memmove(sample_counts->kinds, sample_counts->kinds + kinds,
	        sample_counts->nr_kinds * sizeof(*sample_counts->kinds));
	sample_counts->nr_seen -= seen;
	memmove(sample_counts->seen, sample_counts->seen + seen,
	        sample_counts->nr_seen * sizeof(*sample_counts->seen));
	if (left)
		index_again(sample_counts, stretches[left - 1].first_kind);
}

u32 sample_counts__waiting(const struct sample_counts *sample_counts)
{
	return sample_counts->nr_kinds +
	       sample_counts->nr_seen * sizeof(*sample_counts->seen) / sizeof(struct kind);
}

u32 sample_counts__most_kinds(const struct sample_counts *sample_counts)
{
	return sample_counts->most_kinds;
}

/* NULL: it is in none. */
static const struct stretch *stretch_of(const struct sample_counts *sample_counts, u32 index)
{
	u32 from = 0, to = sample_counts->nr_stretches;

	while (from < to) {
		u32 middle = from + (to - from) / 2;
		const struct stretch *stretch = &sample_counts->stretches[middle];

		if (index >= stretch->first_block + stretch->nr_blocks)
			from = middle + 1;
		else
			to = middle;
	}
	const struct stretch *found = &sample_counts->stretches[from];

	return from < sample_counts->nr_stretches && index >= found->first_block ? found : NULL;
}

bool sample_counts__has_block(const struct sample_counts *sample_counts, u32 index)
{
	const struct stretch *stretch = stretch_of(sample_counts, index);
	u64 both = 0;

	if (index < sample_counts->nr_done)
		return true;
	if (!stretch || !stretch->left)
		return stretch;
	const u64 *seen = &sample_counts->seen[stretch->first_seen +
	                                       (size_t)(index - stretch->first_block) * PID_WORDS];

	for (u32 i = 0; i < PID_WORDS; i++)
		both |= seen[i] & stretch->left[i];
	return !both;
}

const u64 *sample_counts__left(const struct sample_counts *sample_counts, u32 index)
{
	const struct stretch *stretch = stretch_of(sample_counts, index);

	return stretch ? stretch->left : NULL;
}
