// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/profile/row_threads.h"

#include <stdlib.h>

#include "util/lib/alloc.h"
#include "util/lib/hash.h"
#include "util/profile/profile.h"

#define RECENT 256 /* direct-mapped by thread: a look-up for each sample costs a tenth more */

struct row_threads {
	const struct machine *machine;
	const struct profile_options *options;
	struct u64map by_pair; /* (pid, tid) -> number */
	u32 *latest;           /* thread, by number */
	u32 nr;
	size_t cap;
	struct {
		u32 thread, number; /* ID_NONE: empty */
	} recent[RECENT];
};

struct row_threads *row_threads__new(const struct machine *machine,
                                     const struct profile_options *options)
{
	struct row_threads *threads = xcalloc(1, sizeof(*threads));

	threads->machine = machine;
	threads->options = options;
	row_threads__settled(threads);
	return threads;
}

void row_threads__delete(struct row_threads *threads)
{
	if (!threads)
		return;
	u64map__exit(&threads->by_pair);
	free(threads->latest);
	free(threads);
}

void row_threads__settled(struct row_threads *threads)
{
	for (u32 i = 0; i < RECENT; i++)
		threads->recent[i].thread = ID_NONE;
}

static u32 later(const struct machine *machine, u32 a, u32 b)
{
	return machine__made(machine, b) > machine__made(machine, a) ? b : a;
}

static u64 pair_of(const struct machine *machine, u32 id)
{
	const struct thread *thread = machine__thread(machine, id);

	return (u64)(u32)thread->pid << 32 | (u32)thread->tid;
}

static u32 find_number(struct row_threads *threads, u32 id)
{
	u32 *number = u64map__at(&threads->by_pair, pair_of(threads->machine, id));

	if (*number == ID_NONE) {
		*number = threads->nr++;
		array__reserve(&threads->latest, &threads->cap, threads->nr, sizeof(u32));
		threads->latest[*number] = id;
	} else {
		threads->latest[*number] = later(threads->machine, threads->latest[*number], id);
	}
	return *number;
}

static bool are_numbered(const struct row_threads *threads)
{
	return threads->options->by_number && !threads->options->any_thread;
}

u32 row_threads__of(struct row_threads *threads, u32 thread)
{
	u32 slot = thread % RECENT;

	if (!threads->options->any_thread && !threads->options->by_number)
		return thread;
	if (unlikely(threads->recent[slot].thread != thread)) {
		threads->recent[slot].number = threads->options->any_thread
		                                       ? machine__made(threads->machine, thread)
		                                       : find_number(threads, thread);
		threads->recent[slot].thread = thread;
	}
	return threads->recent[slot].number;
}

void row_threads__agree(struct row_threads *const *all, u32 nr)
{
	struct u64map latest = U64MAP_INIT;

	for (u32 pass = 0; pass < 2; pass++)
		for (u32 n = 0; n < nr; n++)
			for (u32 i = 0; i < all[n]->nr; i++) {
				u32 *mine = &all[n]->latest[i];
				u32 *of_all = u64map__at(&latest, pair_of(all[n]->machine, *mine));

				*of_all = *of_all == ID_NONE
				                  ? *mine
				                  : later(all[n]->machine, *of_all, *mine);
				*mine = *of_all;
			}
	u64map__exit(&latest);
}

void row_threads__mark(const struct row_threads *threads, const struct row *rows, u32 nr, u8 *used)
{
	if (threads->options->any_thread)
		return;
	for (u32 i = 0; !threads->options->by_number && i < nr; i++)
		if (rows[i].count)
			used[rows[i].thread] = 1;
	for (u32 i = 0; i < threads->nr; i++)
		used[threads->latest[i]] = 1;
}

void row_threads__name(const struct row_threads *threads, struct row *rows, u32 nr)
{
	for (u32 i = 0; are_numbered(threads) && i < nr; i++)
		rows[i].thread = threads->latest[rows[i].thread];
}
