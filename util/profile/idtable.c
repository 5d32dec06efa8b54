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

void idtable__grow(struct idtable *table, u32 more, idtable_hash_fn hash_of, const void *ctx)
{
	size_t nr_slots = table->slots ? (size_t)table->mask + 1 : FIRST_SLOTS;
	u32 nr = table->nr;

	while (((u64)nr + more) * 4 > (u64)nr_slots * 3)
		nr_slots *= 2;
	BUG_ON(nr_slots > 1ull << 32); /* owners stop at IDTABLE_MAX */
	free(table->slots);
	table->slots = xrealloc(NULL, nr_slots, sizeof(*table->slots));
	memset(table->slots, 0xff, nr_slots * sizeof(*table->slots));
	table->mask = nr_slots - 1;
	table->nr = 0;
	for (u32 n = 0; n < nr; n++) {
		if (nr - n > AHEAD)
			idtable__prefetch(table, hash_of(ctx, table->first_id + n + AHEAD));
		u64 hash = hash_of(ctx, table->first_id + n);
		u32 i = idtable__start(table, hash);

		while (!idtable__free(table, i))
			i = idtable__next(table, i);
		idtable__add(table, i, hash, table->first_id + n);
	}
}
