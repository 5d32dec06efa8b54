// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/lib/out_parts.h"

#include <stdlib.h>

#include "util/lib/alloc.h"

#define WAITING 4          /* parts for each thread that wait for one before them */
#define PIECE   (48 << 10) /* bytes that are worth writing */

struct waiting_part {
	struct out text;
	bool complete;
};

void out_parts__init(struct out_parts *parts, struct out *out, unsigned nr_threads)
{
	*parts = (struct out_parts){ .out = out, .nr_waiting = WAITING * nr_threads };
	parts->waiting = xcalloc(parts->nr_waiting, sizeof(*parts->waiting));
	for (u32 i = 0; i < parts->nr_waiting; i++)
		out__init(&parts->waiting[i].text, -1);
	pthread_mutex_init(&parts->lock, NULL);
	pthread_cond_init(&parts->written, NULL);
}

void out_parts__exit(struct out_parts *parts)
{
	pthread_cond_destroy(&parts->written);
	pthread_mutex_destroy(&parts->lock);
	for (u32 i = 0; i < parts->nr_waiting; i++)
		out__exit(&parts->waiting[i].text);
	free(parts->waiting);
}

/* Are all parts before it written? Then nobody else writes. */
static bool is_turn(const struct out_parts *parts, u64 number)
{
	return __atomic_load_n(&parts->nr_written, __ATOMIC_ACQUIRE) == number;
}

static void write_text(struct out_parts *parts, struct out *text)
{
	out__mem(parts->out, text->buf, text->len);
	text->len = 0;
}

void out_parts__write(struct out_parts *parts, u64 number, struct out *text)
{
	if (text->len >= PIECE && is_turn(parts, number))
		write_text(parts, text);
}

/* Part @number is written: so are those behind it that wait. The lock is held. */
static void write_waiting(struct out_parts *parts, u64 number)
{
	struct waiting_part *next;

	__atomic_store_n(&parts->nr_written, ++number, __ATOMIC_RELEASE);
	while ((next = &parts->waiting[number % parts->nr_waiting])->complete) {
		pthread_mutex_unlock(&parts->lock);
		write_text(parts, &next->text);
		pthread_mutex_lock(&parts->lock);
		next->complete = false;
		__atomic_store_n(&parts->nr_written, ++number, __ATOMIC_RELEASE);
	}
	pthread_cond_broadcast(&parts->written);
}

void out_parts__end(struct out_parts *parts, u64 number, struct out *text)
{
	if (is_turn(parts, number))
		write_text(parts, text);
	pthread_mutex_lock(&parts->lock);
	while (number - parts->nr_written >= parts->nr_waiting)
		pthread_cond_wait(&parts->written, &parts->lock);
	if (is_turn(parts, number)) {
		write_text(parts, text); /* if it has only just become that */
		write_waiting(parts, number);
	} else {
		struct waiting_part *slot = &parts->waiting[number % parts->nr_waiting];
		struct out made = *text;

		*text = slot->text; /* empty */
		slot->text = made;
		slot->complete = true;
	}
	pthread_mutex_unlock(&parts->lock);
}
