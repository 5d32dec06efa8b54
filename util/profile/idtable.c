// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/profile/idtable.h"

#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"

#define FIRST_SLOTS 256
#define AHEAD       16 /* elements whose slot is fetched while earlier ones are put back */

void idtable__exit(struct idtable *table)
{
	free(table->slots);
	table->slots = NULL;
	table->mask = table->nr = 0;
}

static void make_slots(struct idtable *table, u32 id)
{
	size_t nr_slots = table->slots ? (size_t)table->mask + 1 : FIRST_SLOTS;

	while (((u64)table->nr + 1) * 4 > (u64)nr_slots * 3 || id >= nr_slots - 1)
		nr_slots *= 2;
	BUG_ON(nr_slots > 1ull << 32); /* owners stop at IDTABLE_MAX */
	free(table->slots);
	table->slots = xrealloc(NULL, nr_slots, sizeof(*table->slots));
	memset(table->slots, 0xff, nr_slots * sizeof(*table->slots));
	table->mask = nr_slots - 1;
}

static void put_back(struct idtable *table, u64 hash, u32 id)
{
	u32 i = idtable__start(table, hash);

	while (!idtable__free(table, i))
		i = idtable__next(table, i);
	idtable__add(table, i, hash, id);
}

void idtable__grow(struct idtable *table, u32 id, idtable_hash_fn hash_of, const void *ctx)
{
	u64 first = table->first_id, end = table->nr ? table->next_id : first;
	u64 hashes[AHEAD];
	bool known[AHEAD] = { false };

	make_slots(table, id);
	table->nr = 0;
	/* Each slot is fetched first, and filled AHEAD elements later. */
	for (u64 n = first; n < end + AHEAD; n++) {
		u64 at = n % AHEAD;

		if (known[at])
			put_back(table, hashes[at], n - AHEAD);
		known[at] = n < end && hash_of(ctx, n, &hashes[at]);
		if (known[at])
			idtable__prefetch(table, hashes[at]);
	}
}
