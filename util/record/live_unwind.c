// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/record/live_unwind.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"
#include "util/lib/workers.h"

struct live_unwind {
	struct live_chains *chains; /* the thread's while it has something to do */
	live_write_fn *write;
	void *ctx;
	u64 limit;
	u64 waiting; /* bytes; atomic */
	pthread_t thread;
	bool started;

	pthread_mutex_t lock;             /* of what follows */
	pthread_cond_t to_do;             /* for the thread */
	pthread_cond_t done;              /* for the command's thread */
	struct live_batch *first, **last; /* the queue */
	u64 queued;                       /* bytes in it */
	struct live_batch *spare;         /* empty */
	bool pending;                     /* a batch waits for the next one */
	bool draining, stopping;
	int error; /* of a write */
};

static void delete_batches(struct live_batch *batch)
{
	while (batch) {
		struct live_batch *next = batch->next;

		free(batch->data);
		free(batch);
		batch = next;
	}
}

/* ---- in the thread ---- */

/* Locked, but not while it works. @batch is done then. */
static void run(struct live_unwind *live, struct live_batch *batch, const struct live_batch *next,
                struct out *out)
{
	const struct live_load load = { &live->waiting, live->limit };
	int ret;

	pthread_mutex_unlock(&live->lock);
	out->len = 0;
	live_chains__run(live->chains, batch, next, &load, out);
	ret = out->len ? live->write(live->ctx, (const u8 *)out->buf, out->len, true) : 0;
	pthread_mutex_lock(&live->lock);
	if (!live->error)
		live->error = ret;
	batch->next = live->spare;
	live->spare = batch;
}

static struct live_batch *pop(struct live_unwind *live)
{
	struct live_batch *batch = live->first;

	live->first = batch->next;
	if (!live->first)
		live->last = &live->first;
	live->queued -= batch->len;
	batch->next = NULL;
	return batch;
}

static void *work(void *arg)
{
	struct live_unwind *live = arg;
	struct live_batch *at_work = NULL; /* and waits for the next */
	struct out out;

	out__init(&out, -1);
	pthread_mutex_lock(&live->lock);
	while (!live->stopping) {
		struct live_batch *next = live->first ? pop(live) : NULL;

		if (!next && !live->draining) {
			pthread_cond_wait(&live->to_do, &live->lock);
			continue;
		}
		if (at_work)
			run(live, at_work, next, &out);
		at_work = next;
		live->pending = at_work && at_work->len;
		if (!next)
			live->draining = false;
		pthread_cond_signal(&live->done);
	}
	pthread_mutex_unlock(&live->lock);
	delete_batches(at_work);
	out__exit(&out);
	return NULL;
}

/* ---- in the command's thread ---- */

struct live_unwind *live_unwind__new(const struct evlist *list, u64 limit, live_write_fn *write,
                                     void *ctx, struct error *err)
{
	struct live_unwind *live = xcalloc(1, sizeof(*live));
	int ret;

	live->chains = live_chains__new(list);
	live->write = write;
	live->ctx = ctx;
	live->limit = limit;
	live->last = &live->first;
	pthread_mutex_init(&live->lock, NULL);
	pthread_cond_init(&live->to_do, NULL);
	pthread_cond_init(&live->done, NULL);
	ret = -workers__start(&live->thread, NULL, work, live);
	live->started = !ret;
	if (!ret)
		return live;
	error__set(err, ret, "cannot start the thread that unwinds", NULL, NULL);
	error__advise(err, "leave out --unwind-live");
	live_unwind__delete(live);
	return NULL;
}

void live_unwind__delete(struct live_unwind *live)
{
	if (!live)
		return;
	pthread_mutex_lock(&live->lock);
	live->stopping = true;
	pthread_cond_signal(&live->to_do);
	pthread_mutex_unlock(&live->lock);
	if (live->started)
		pthread_join(live->thread, NULL);
	delete_batches(live->first);
	delete_batches(live->spare);
	live_chains__delete(live->chains);
	pthread_cond_destroy(&live->done);
	pthread_cond_destroy(&live->to_do);
	pthread_mutex_destroy(&live->lock);
	free(live);
}

void live_unwind__tell(struct live_unwind *live, const u8 *records, size_t len)
{
	pthread_mutex_lock(&live->lock); /* orders what the thread does before and after */
	live_chains__tell(live->chains, records, len);
	pthread_mutex_unlock(&live->lock);
}

struct live_batch *live_unwind__batch(struct live_unwind *live)
{
	struct live_batch *batch;

	pthread_mutex_lock(&live->lock);
	batch = live->spare;
	if (batch)
		live->spare = batch->next;
	pthread_mutex_unlock(&live->lock);
	if (!batch)
		batch = xcalloc(1, sizeof(*batch));
	batch->len = 0;
	batch->next = NULL;
	return batch;
}

void live_batch__add(struct live_batch *batch, const struct ring_span *span)
{
	if (!span->len)
		return;
	array__reserve(&batch->data, &batch->cap, batch->len + span->len, 1);
	memcpy(batch->data + batch->len, span->data, span->len);
	batch->len += span->len;
}

int live_unwind__submit(struct live_unwind *live, struct live_batch *batch)
{
	int ret;

	__atomic_add_fetch(&live->waiting, batch->len, __ATOMIC_RELAXED);
	pthread_mutex_lock(&live->lock);
	if (batch->len || live->pending || live->first) {
		*live->last = batch;
		live->last = &batch->next;
		live->queued += batch->len;
		pthread_cond_signal(&live->to_do);
	} else {
		batch->next = live->spare;
		live->spare = batch;
	}
	while (live->queued > live->limit && live->queued - live->limit > LIVE_QUEUE_MAX)
		pthread_cond_wait(&live->done, &live->lock);
	ret = live->error;
	pthread_mutex_unlock(&live->lock);
	return ret;
}

int live_unwind__drain(struct live_unwind *live)
{
	int ret;

	pthread_mutex_lock(&live->lock);
	live->draining = true;
	pthread_cond_signal(&live->to_do);
	while (live->draining)
		pthread_cond_wait(&live->done, &live->lock);
	ret = live->error;
	pthread_mutex_unlock(&live->lock);
	return ret;
}

struct live_chains *live_unwind__chains(struct live_unwind *live)
{
	return live->chains;
}

void live_unwind__set_limit(struct live_unwind *live, u64 limit)
{
	pthread_mutex_lock(&live->lock);
	live->limit = limit;
	pthread_mutex_unlock(&live->lock);
}

const struct live_counts *live_unwind__counts(const struct live_unwind *live)
{
	return live_chains__counts(live->chains);
}
