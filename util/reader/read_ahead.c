// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/reader/read_ahead.h"

#include <pthread.h>
#include <stdlib.h>

#include "util/lib/alloc.h"
#include "util/lib/file.h"
#include "util/lib/workers.h"

#define SLOTS    4u         /* chunks that are read, or wait to be looked at */
#define ALONE    2u         /* without a second thread: those that the caller looks at */
#define WORTH_IT (8u << 20) /* bytes */

struct slot {
	u8 *buf; /* of READ_AHEAD_FRONT + READ_AHEAD_CHUNK */
	ssize_t len;
	bool ready;
};

struct read_ahead {
	int fd;
	u64 from, end;
	pthread_t thread;
	bool alone; /* there is no second thread */
	pthread_mutex_t lock;
	pthread_cond_t changed;
	/* Under the lock. Chunk N lies in slot N modulo their count. */
	u64 nr_begun; /* chunks that somebody reads, or has read */
	u64 nr_given;
	bool at_end;
	u32 nr_slots;
	struct slot slots[SLOTS];
};

/* All of the chunk, if there is so much: bytes, or a negative errno. */
static ssize_t read_chunk(const struct read_ahead *a, u64 number, u8 *buf)
{
	u64 offset = a->from + number * READ_AHEAD_CHUNK;
	size_t want = offset < a->end ? min_u64(READ_AHEAD_CHUNK, a->end - offset) : 0;

	return file__read_some(a->fd, buf, want, offset);
}

/* A slot is free for the next chunk: the caller looks at the last two that it was given. */
static bool may_begin(const struct read_ahead *a)
{
	return !a->at_end && a->nr_begun + 2 < a->nr_given + a->nr_slots;
}

/* With the lock, which is free meanwhile. */
static void begin_chunk(struct read_ahead *a)
{
	u64 number = a->nr_begun++;
	struct slot *slot = &a->slots[number % a->nr_slots];

	slot->ready = false;
	pthread_mutex_unlock(&a->lock);
	ssize_t len = read_chunk(a, number, slot->buf + READ_AHEAD_FRONT);

	pthread_mutex_lock(&a->lock);
	slot->len = len;
	slot->ready = true;
	a->at_end |= len < (ssize_t)READ_AHEAD_CHUNK;
	pthread_cond_broadcast(&a->changed);
}

static void *run(void *ctx)
{
	struct read_ahead *a = ctx;

	pthread_mutex_lock(&a->lock);
	while (!a->at_end) {
		if (may_begin(a))
			begin_chunk(a);
		else
			pthread_cond_wait(&a->changed, &a->lock);
	}
	pthread_mutex_unlock(&a->lock);
	return NULL;
}

static void free_all(struct read_ahead *a)
{
	for (u32 i = 0; i < SLOTS; i++)
		free(a->slots[i].buf);
	pthread_cond_destroy(&a->changed);
	pthread_mutex_destroy(&a->lock);
	free(a);
}

struct read_ahead *read_ahead__new(int fd, u64 from, u64 end)
{
	if (end < from + WORTH_IT)
		return NULL;
	struct read_ahead *a = xcalloc(1, sizeof(*a));

	a->fd = fd;
	a->from = from;
	a->end = end;
	pthread_mutex_init(&a->lock, NULL);
	pthread_cond_init(&a->changed, NULL);
	a->alone = workers__default() < 2;
	a->nr_slots = a->alone ? ALONE : SLOTS;
	for (u32 i = 0; i < a->nr_slots; i++)
		a->slots[i].buf = xmalloc(READ_AHEAD_FRONT + READ_AHEAD_CHUNK);
	if (!a->alone && workers__start(&a->thread, NULL, run, a))
		a->alone = true;
	return a;
}

void read_ahead__delete(struct read_ahead *a)
{
	if (!a)
		return;
	pthread_mutex_lock(&a->lock);
	a->at_end = true;
	pthread_cond_broadcast(&a->changed);
	pthread_mutex_unlock(&a->lock);
	if (!a->alone)
		pthread_join(a->thread, NULL);
	free_all(a);
}

u8 *read_ahead__next(struct read_ahead *a, ssize_t *len)
{
	pthread_mutex_lock(&a->lock);
	struct slot *slot = &a->slots[a->nr_given % a->nr_slots];
	u64 number = a->nr_given++;

	pthread_cond_broadcast(&a->changed); /* the one before the last is free */
	while (number == a->nr_begun ? !a->at_end : !slot->ready) {
		if (may_begin(a))
			begin_chunk(a);
		else
			pthread_cond_wait(&a->changed, &a->lock);
	}
	*len = number < a->nr_begun ? slot->len : 0;
	pthread_mutex_unlock(&a->lock);
	return *len > 0 ? slot->buf + READ_AHEAD_FRONT : NULL;
}
