// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The text of samples made by several workers. They take turns at the ordered reader: one takes the
 * next batch of records, copied, and goes on to make its text while others take theirs. Texts are
 * written in the order of the batches, so the bytes are those of one worker.
 *
 * Each worker is a script of its own, with its own caches. Only symbols are shared, and one at a
 * time may ask for them: caches spare most of that. What depends on the entries before it, or waits
 * for a live stream, is not shared out.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "ui/script/script_private.h"
#include "util/format/sample.h"
#include "util/lib/alloc.h"
#include "util/lib/workers.h"

#define BATCH_BYTES (64u << 10) /* of records: their text stays in the processor's cache */
#define WAITING     2u          /* texts for each worker that wait for one before them */

/* What an entry may have that only depends on its sample. */
#define OWN_FIELDS                                                                                 \
	(FIELD_COMM | FIELD_TID | FIELD_PID | FIELD_TIME | FIELD_CPU | FIELD_EVENT | FIELD_TRACE | \
	 FIELD_IP | FIELD_SYM | FIELD_DSO | FIELD_ADDR | FIELD_SYMOFF | FIELD_PERIOD |             \
	 FIELD_MISC | FIELD_WEIGHT | FIELD_PHYS_ADDR | FIELD_CALLINDENT | FIELD_IREGS |            \
	 FIELD_UREGS | FIELD_DATA_PAGE_SIZE | FIELD_CODE_PAGE_SIZE | FIELD_INS_LAT |               \
	 FIELD_SRCLINE | FIELD_DSOFF | FIELD_RETIRE_LAT | FIELD_TOD | FIELD_FLAGS | FIELD_SYNTH |  \
	 FIELD_IPC | FIELD_MACHINE_PID | FIELD_VCPU | FIELD_FOLDED | FIELD_BPF_OUTPUT |            \
	 FIELD_METRIC)

struct batch {
	u8 *bytes;
	size_t size, cap;
	struct record *records; /* their data is at an offset until all are there */
	size_t nr, records_cap;
};

/* A text that is complete; at its number modulo their count. */
struct text {
	struct out out;
	bool ready;
};

struct shared {
	struct script *script; /* whose order, and whose output */
	struct script **workers;
	pthread_mutex_t reading, writing, names;
	pthread_cond_t written;
	u64 nr_taken;    /* batches; under reading */
	u64 nr_written;  /* this and the next two: under writing */
	bool is_writing; /* somebody is, who will see what is ready then */
	struct text *texts;
	u32 nr_texts;
	bool stopped; /* nobody reads what is written */
};

/* ---- may it be shared out? */

/* Is there enough to do for several? The order of records costs as much as short lines do. */
static bool is_worth_it(const struct script *script)
{
	for (u32 i = 0; i < script->session->evlist->nr; i++)
		if (script->events[i].print & (FIELD_IP | FIELD_FOLDED | FIELD_TRACE))
			return true;
	return false;
}

static bool events_are_own(const struct script *script)
{
	const struct evlist *evlist = script->session->evlist;
	struct trace_text_slow slow;

	for (u32 i = 0; i < evlist->nr; i++)
		if (script->events[i].print & ~OWN_FIELDS || script->events[i].layout->has_counts)
			return false;
	for (u32 i = 0; trace_text__slow(script->trace, i, &slow); i++)
		if (slow.why)
			return false; /* libtraceevent prints it */
	return true;
}

static bool is_shared(const struct script *script)
{
	const struct script_options *o = script->options;

	return workers__default() > 1 && !perf_data__is_live(script->session->data) && !o->dump &&
	       !o->dumps && !o->dlfilter && !o->json && !script->ends && !o->relative_time &&
	       !o->delta_time && !o->show_task && !o->show_mmap && !o->show_switch &&
	       !o->show_lost && !o->show_rounds && !o->show_namespaces && !o->show_cgroups &&
	       !o->show_bpf && !o->show_text_pokes && !script_check__by_words(script->check) &&
	       is_worth_it(script) && events_are_own(script);
}

/* ---- a worker */

static bool take(struct shared *shared, struct batch *batch, u64 *number)
{
	const struct record *record;

	batch->size = batch->nr = 0;
	pthread_mutex_lock(&shared->reading);
	while (batch->size < BATCH_BYTES && (record = stream__record(shared->script->stream))) {
		if (record->type != PERF_RECORD_SAMPLE)
			continue;
		array__reserve(&batch->records, &batch->records_cap, batch->nr + 1,
		               sizeof(*batch->records));
		array__reserve(&batch->bytes, &batch->cap, batch->size + record->size, 1);
		memcpy(batch->bytes + batch->size, record->data, record->size);
		batch->records[batch->nr++] = *record;
		batch->size += record->size;
	}
	*number = shared->nr_taken++;
	pthread_mutex_unlock(&shared->reading);
	return batch->nr;
}

static void make_text(struct script *worker, struct batch *batch)
{
	u8 *at = batch->bytes;

	for (size_t i = 0; i < batch->nr; i++) {
		struct record *record = &batch->records[i];

		record->data = at;
		at += record->size;
		stream__give(worker->stream, record);
		script__take_record(worker, record);
	}
}

/* As it is: no copy is made of it. */
static void write_one(struct out *out, struct out *text)
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

/* Write what is complete up to the first text that is not; the others wait for their turn. */
static void write_text(struct shared *shared, u64 number, struct out *text)
{
	struct out *out = shared->script->out;
	struct text *slot = &shared->texts[number % shared->nr_texts];

	pthread_mutex_lock(&shared->writing);
	while (number - shared->nr_written >= shared->nr_texts)
		pthread_cond_wait(&shared->written, &shared->writing);
	struct out made = *text;

	*text = slot->out;
	slot->out = made;
	slot->ready = true;
	while (!shared->is_writing &&
	       (slot = &shared->texts[shared->nr_written % shared->nr_texts])->ready) {
		shared->is_writing = true;
		pthread_mutex_unlock(&shared->writing);
		write_one(out, &slot->out);
		if (out->error)
			__atomic_store_n(&shared->stopped, true, __ATOMIC_RELAXED);
		pthread_mutex_lock(&shared->writing);
		shared->is_writing = slot->ready = false;
		shared->nr_written++;
	}
	pthread_cond_broadcast(&shared->written);
	pthread_mutex_unlock(&shared->writing);
}

static void work(void *ctx, unsigned number)
{
	struct shared *shared = ctx;
	struct script *worker = shared->workers[number];
	struct batch batch = { .nr = 0 };
	u64 turn;

	while (!__atomic_load_n(&shared->stopped, __ATOMIC_RELAXED) &&
	       take(shared, &batch, &turn)) {
		make_text(worker, &batch);
		write_text(shared, turn, worker->out);
	}
	free(batch.bytes);
	free(batch.records);
}

/* ---- all of them */

/* A script like @script, of records that are given, into a text of its own. */
static struct script *new_worker(struct shared *shared)
{
	struct error err = ERROR_INIT; /* with which @script is content, too */
	struct script *script = shared->script, *worker;
	struct out *out = xcalloc(1, sizeof(*out));

	out__init(out, -1);
	worker = script__new_like(script, out, &err);
	if (!worker) {
		out__exit(out);
		free(out);
		return NULL;
	}
	worker->names = &shared->names;
	return worker;
}

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

bool script__by_workers(struct script *script)
{
	unsigned nr = workers__default(), made = 0;
	struct shared shared = {
		.script = script,
		.reading = PTHREAD_MUTEX_INITIALIZER,
		.writing = PTHREAD_MUTEX_INITIALIZER,
		.names = PTHREAD_MUTEX_INITIALIZER,
		.written = PTHREAD_COND_INITIALIZER,
		.nr_texts = nr * WAITING,
	};

	if (!is_shared(script))
		return false;
	shared.workers = xcalloc(nr, sizeof(*shared.workers));
	shared.texts = xcalloc(shared.nr_texts, sizeof(*shared.texts));
	for (u32 i = 0; i < shared.nr_texts; i++)
		out__init(&shared.texts[i].out, -1);
	while (made < nr && (shared.workers[made] = new_worker(&shared)))
		made++;
	if (made)
		workers__run(made, work, &shared);
	for (unsigned i = 0; i < made; i++) {
		add_up(script, shared.workers[i]);
		delete_worker(shared.workers[i]);
	}
	for (u32 i = 0; i < shared.nr_texts; i++)
		out__exit(&shared.texts[i].out);
	free(shared.workers);
	free(shared.texts);
	return made;
}
