// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The text of samples made by several workers. The file is cut, in the order of time, into parts
 * (util/reader/time_index.h), which they take by turns: each reads its parts itself. Texts are
 * written in the order of the parts, so the bytes are those of one worker. Whose part is the next
 * one writes it as it is made, piece by piece, so that it never leaves the cache of its processor;
 * the others keep theirs until their turn comes.
 *
 * Each worker is a script of its own, with its own caches. Only symbols are shared, and one at a
 * time may ask for them: caches spare most of that. The first delta time of a part is put in once
 * the part before it is written. What else depends on the entries before it, or waits for a live
 * stream, is not shared out.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "ui/script/script_private.h"
#include "util/lib/alloc.h"
#include "util/lib/workers.h"

#define WAITING   2u          /* texts for each worker that wait for one before them */
#define PIECE     (48u << 10) /* of a text is written, if it is its turn */
#define ASIDE_MAX (48u << 20) /* bytes of all texts that are put aside */
#define PARTS_MIN 8           /* of fewer there is not enough to do for several */
/* So many runs for each part are looked at again and again, if they are as long. */
#define RUNS_MAX 1024

/* What an entry may have that only depends on its sample. */
#define OWN_FIELDS                                                                                 \
	(FIELD_COMM | FIELD_TID | FIELD_PID | FIELD_TIME | FIELD_CPU | FIELD_EVENT | FIELD_TRACE | \
	 FIELD_IP | FIELD_SYM | FIELD_DSO | FIELD_ADDR | FIELD_SYMOFF | FIELD_PERIOD |             \
	 FIELD_MISC | FIELD_WEIGHT | FIELD_PHYS_ADDR | FIELD_CALLINDENT | FIELD_IREGS |            \
	 FIELD_UREGS | FIELD_DATA_PAGE_SIZE | FIELD_CODE_PAGE_SIZE | FIELD_INS_LAT |               \
	 FIELD_SRCLINE | FIELD_DSOFF | FIELD_RETIRE_LAT | FIELD_TOD | FIELD_FLAGS | FIELD_SYNTH |  \
	 FIELD_IPC | FIELD_MACHINE_PID | FIELD_VCPU | FIELD_FOLDED | FIELD_BPF_OUTPUT |            \
	 FIELD_METRIC | FIELD_BRSTACK | FIELD_BRSTACKSYM | FIELD_BRSTACKOFF | FIELD_JSON |         \
	 FIELD_INSN | FIELD_INSNLEN | FIELD_DISASM | FIELD_BRSTACKINSN | FIELD_BRSTACKINSNLEN |    \
	 FIELD_BRSTACKDISASM | FIELD_BRCNTR)

/* A text that is complete, and waits; at its number modulo their count. */
struct text {
	struct out out;
	struct deltas deltas;
	bool ready;
};

struct shared {
	struct script *script; /* whose order, and whose output */
	struct script **workers;
	struct record_place *cuts; /* part N is from cut N to the next one */
	u64 nr_parts, nr_taken;
	pthread_mutex_t writing, names;
	pthread_cond_t written;
	u64 nr_written;     /* changed under writing, by whose turn it is */
	struct text *texts; /* under writing; one that is ready is its writer's */
	u32 nr_texts;
	size_t aside_max; /* bytes that a worker puts aside */
	bool stopped;     /* nobody reads what is written */
};

/*
 * The texts of one worker that have gaps, or that it could not hand on without waiting for others,
 * in the order of their parts.
 */
struct aside {
	struct unfinished {
		u64 number;
		struct out out;
		struct deltas deltas;
		struct script_gaps gaps;
	} * texts;
	size_t nr, cap, bytes;
};

/* ---- may it be shared out? */

static bool events_are_own(const struct script *script)
{
	const struct evlist *evlist = script->session->evlist;
	struct trace_text_slow slow;

	for (u32 i = 0; i < evlist->nr; i++) {
		const struct script_event *event = &script->events[i];

		/* An event that lacks a field has no layout, and no samples. */
		if (event->print & ~OWN_FIELDS || (event->layout && event->layout->has_counts))
			return false;
	}
	for (u32 i = 0; trace_text__slow(script->trace, i, &slow); i++)
		if (slow.why)
			return false; /* libtraceevent prints it */
	return true;
}

static bool is_shared(const struct script *script)
{
	const struct script_options *o = script->options;

	return workers__default() > 1 && !perf_data__is_live(script->session->data) && !o->dump &&
	       !o->dumps && !o->dlfilter && !script->ends && !o->show_rounds && !o->unsorted &&
	       !o->show_text_pokes && events_are_own(script);
}

/*
 * Where the parts begin, and the end: nr_parts + 1 places. False: there are too few, or too many
 * runs for each of them.
 */
static bool cut(struct shared *shared, struct record_place from)
{
	const struct time_index *times = stream__times(shared->script->stream);
	struct record_place *cuts;
	size_t nr, first = 0;

	cuts = time_index__cuts(times, &nr);
	while (first < nr && !record_place__is_before(from, cuts[first]))
		first++;
	shared->nr_parts = nr - first + 1;
	shared->cuts = xcalloc(shared->nr_parts + 1, sizeof(*cuts));
	shared->cuts[0] = from;
	memcpy(&shared->cuts[1], &cuts[first], (nr - first) * sizeof(*cuts));
	shared->cuts[shared->nr_parts] = (struct record_place){ UINT64_MAX, UINT64_MAX };
	free(cuts);
	return shared->nr_parts >= PARTS_MIN && times->nr_runs / shared->nr_parts < RUNS_MAX;
}

/*
 * Relative times are from that of the first entry on, so this is printed first. The place from
 * which on records are left.
 */
static struct record_place print_first(struct script *script)
{
	bool wanted = script->options->relative_time;

	while (wanted && script->first_time == ~0ull && script__next(script))
		;
	return wanted ? stream__next_place(script->stream) : (struct record_place){ 0, 0 };
}

/* ---- a worker */

static inline bool is_stopped(const struct shared *shared)
{
	return __atomic_load_n(&shared->stopped, __ATOMIC_RELAXED);
}

static bool take(struct shared *shared, struct script *worker, u64 *number)
{
	*number = __atomic_fetch_add(&shared->nr_taken, 1, __ATOMIC_RELAXED);
	if (*number >= shared->nr_parts)
		return false;
	stream__begin_part(worker->stream, shared->cuts[*number], shared->cuts[*number + 1]);
	worker->deltas = DELTAS_NONE;
	return true;
}

/* As it is: no copy is made of it. */
static void write_whole(struct out *out, struct out *text)
{
	out__flush(out);
	text->fd = out->fd;
	text->error = out->error;
	out__flush(text);
	out->error = text->error;
	out->written += text->written;
	text->written = 0;
	text->fd = -1;
}

/* What is there of the next text in order; its first delta is from the last entry before it. */
static void write_text(struct shared *shared, struct out *text, struct deltas *deltas)
{
	struct script *script = shared->script;
	struct out *out = script->out;

	if (deltas->first != ~0ull) {
		out__mem(out, text->buf, deltas->at);
		script__print_time(script, deltas->first);
		out__mem(out, text->buf + deltas->at, text->len - deltas->at);
		text->len = 0;
		deltas->first = ~0ull;
	}
	write_whole(out, text);
	if (deltas->last != ~0ull)
		script->deltas.last = deltas->last;
	if (out->error)
		__atomic_store_n(&shared->stopped, true, __ATOMIC_RELAXED);
}

static void write_made(struct shared *shared, struct script *worker)
{
	write_text(shared, worker->out, &worker->deltas);
}

/* Are all parts before it written? Then nobody else writes. */
static inline bool is_turn(const struct shared *shared, u64 number)
{
	return __atomic_load_n(&shared->nr_written, __ATOMIC_ACQUIRE) == number;
}

/* May the part end without waiting? */
static bool has_room(const struct shared *shared, u64 number)
{
	u64 written = __atomic_load_n(&shared->nr_written, __ATOMIC_ACQUIRE);

	return number - written < shared->nr_texts;
}

/* Its own text, if it is to wait: in place of one that has been written. */
static void keep_text(struct shared *shared, u64 number, struct script *worker)
{
	struct text *slot = &shared->texts[number % shared->nr_texts];
	struct out made = *worker->out;

	*worker->out = slot->out;
	slot->out = made;
	slot->deltas = worker->deltas;
	slot->ready = true;
}

/* Part @number is made. If it is its turn, what waits for it comes behind it. */
static void end_part(struct shared *shared, u64 number, struct script *worker)
{
	bool written = is_turn(shared, number);
	struct text *slot;

	if (written)
		write_made(shared, worker);
	pthread_mutex_lock(&shared->writing);
	/* Once nobody reads any more, parts before it may never end. */
	while (number - shared->nr_written >= shared->nr_texts && !is_stopped(shared))
		pthread_cond_wait(&shared->written, &shared->writing);
	if (is_stopped(shared))
		worker->out->len = 0;
	else if (written)
		__atomic_store_n(&shared->nr_written, ++number, __ATOMIC_RELEASE);
	else
		keep_text(shared, number, worker);
	for (; !is_stopped(shared) && shared->nr_written == number &&
	       (slot = &shared->texts[number % shared->nr_texts])->ready;) {
		pthread_mutex_unlock(&shared->writing);
		write_text(shared, &slot->out, &slot->deltas);
		pthread_mutex_lock(&shared->writing);
		slot->ready = false;
		__atomic_store_n(&shared->nr_written, ++number, __ATOMIC_RELEASE);
	}
	pthread_cond_broadcast(&shared->written);
	pthread_mutex_unlock(&shared->writing);
}

/*
 * With a text of its own. NULL: it cannot be made. On the thread that it is for: what two threads
 * write to must not share a line of their caches.
 */
static struct script *new_worker(struct shared *shared)
{
	struct error err = ERROR_INIT; /* with which the script is content, too */
	struct script *worker;
	struct out *out = xcalloc(1, sizeof(*out));

	out__init(out, -1);
	worker = script__new_worker(shared->script, out, &shared->names, &err);
	if (worker)
		return worker;
	out__exit(out);
	free(out);
	return NULL;
}

/* ---- texts put aside */

/* The part is made, but for gaps: the worker goes on with another. */
static void put_aside(struct aside *aside, u64 number, struct script *worker)
{
	struct unfinished *text;

	array__reserve(&aside->texts, &aside->cap, aside->nr + 1, sizeof(*aside->texts));
	text = &aside->texts[aside->nr++];
	*text = (struct unfinished){ .number = number,
		                     .out = *worker->out,
		                     .deltas = worker->deltas,
		                     .gaps = script_frames__take_gaps(worker->frames) };
	aside->bytes += text->out.len;
	out__init(worker->out, -1);
}

static void drop(struct unfinished *text)
{
	out__exit(&text->out);
	free(text->gaps.gaps);
}

/* Their gaps are filled, and they are ended, if @all or as long as that needs no waiting. */
static void complete(struct shared *shared, struct aside *aside, struct script *worker, bool all)
{
	size_t done = 0;

	for (; done < aside->nr && (all || has_room(shared, aside->texts[done].number)); done++) {
		struct unfinished *text = &aside->texts[done];

		worker->deltas = text->deltas;
		script_frames__fill_gaps(worker->frames, &text->gaps, &text->out, worker->out,
		                         &worker->deltas.at);
		aside->bytes -= text->out.len;
		end_part(shared, text->number, worker);
		drop(text);
	}
	aside->nr -= done;
	if (aside->nr)
		memmove(aside->texts, aside->texts + done, aside->nr * sizeof(*aside->texts));
	else
		script_frames__drop_lines(worker->frames);
}

/*
 * A part is at its end. If it has gaps, or parts before it wait: can these be ended now? They must,
 * where there are enough of them already.
 */
static void end_or_put_aside(struct shared *shared, u64 number, struct aside *aside,
                             struct script *worker)
{
	if (!aside->nr && !script_frames__has_gaps(worker->frames) && has_room(shared, number)) {
		end_part(shared, number, worker);
		return;
	}
	put_aside(aside, number, worker);
	bool must = aside->bytes > shared->aside_max;

	if (script_frames__make_lines(worker->frames, must))
		complete(shared, aside, worker, must);
}

static void work(void *ctx, unsigned number)
{
	struct shared *shared = ctx;
	struct script *worker = number ? new_worker(shared) : shared->workers[0];
	struct aside aside = { 0 };
	u64 turn;

	workers__unblock_sigpipe();
	shared->workers[number] = worker;
	while (worker && !is_stopped(shared) && take(shared, worker, &turn)) {
		while (script__next(worker))
			if (worker->out->len >= PIECE && is_turn(shared, turn) &&
			    !script_frames__has_gaps(worker->frames))
				write_made(shared, worker);
		end_or_put_aside(shared, turn, &aside, worker);
	}
	if (aside.nr && !is_stopped(shared)) {
		script_frames__make_lines(worker->frames, true);
		complete(shared, &aside, worker, true);
	}
	while (aside.nr)
		drop(&aside.texts[--aside.nr]);
	free(aside.texts);
}

/* ---- all of them */

static void add_up(struct script *script, struct script *worker)
{
	struct read_problems problems = script__problems(worker);
	const struct stream_counts *counts = stream__counts(worker->stream);

	read_problems__add(&script->problems, &problems);
	script->counts.nr_judged += counts->nr_judged;
	script->counts.nr_passed += counts->nr_passed;
	script->nr_printed += worker->nr_printed;
	script_check__add(script->check, worker->check);
}

static void delete_worker(struct script *worker)
{
	struct out *out = worker->out;

	script__delete(worker);
	out__exit(out);
	free(out);
}

/* False: nothing is printed, for want of a worker. The first does all if the others are not made.
 */
static bool print_all(struct shared *shared, unsigned nr)
{
	shared->workers = xcalloc(nr, sizeof(*shared->workers));
	shared->workers[0] = new_worker(shared);
	bool made = shared->workers[0];

	shared->texts = xcalloc(shared->nr_texts, sizeof(*shared->texts));
	for (u32 i = 0; i < shared->nr_texts; i++)
		out__init(&shared->texts[i].out, -1);
	if (made)
		workers__run(nr, work, shared);
	for (unsigned i = 0; i < nr; i++) {
		if (!shared->workers[i])
			continue;
		add_up(shared->script, shared->workers[i]);
		delete_worker(shared->workers[i]);
	}
	for (u32 i = 0; i < shared->nr_texts; i++)
		out__exit(&shared->texts[i].out);
	free(shared->workers);
	free(shared->texts);
	return made;
}

bool script__by_workers(struct script *script)
{
	unsigned nr = workers__default();
	struct shared shared = {
		.script = script,
		.writing = PTHREAD_MUTEX_INITIALIZER,
		.names = PTHREAD_MUTEX_INITIALIZER,
		.written = PTHREAD_COND_INITIALIZER,
		.nr_texts = nr * WAITING,
		.aside_max = ASIDE_MAX / nr,
	};

	if (!is_shared(script))
		return false;
	bool done = cut(&shared, print_first(script)) && print_all(&shared, nr);

	free(shared.cuts);
	return done;
}
