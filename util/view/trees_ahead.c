// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/trees_ahead.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"
#include "util/lib/workers.h"

#define FRAMES_AHEAD 1000000 /* once there are so many no more trees are begun */

struct trees_ahead {
	struct chain_builder *builders[WORKERS_MAX];
	unsigned workers;
	const struct hist_entry *entries[TREES_AHEAD];
	struct chain_tree trees[TREES_AHEAD];
	u32 nr, found; /* trees; the one that was found last */
	/* While they are built. */
	u32 nr_wanted;
	u64 total;
	atomic_uint next;
	atomic_ulong nr_frames;
};

struct trees_ahead *trees_ahead__new(struct chain_builder *builder, unsigned workers)
{
	struct trees_ahead *ahead = xcalloc(1, sizeof(*ahead));

	ahead->workers = workers < WORKERS_MAX ? workers : WORKERS_MAX;
	ahead->builders[0] = builder;
	for (unsigned i = 1; i < ahead->workers; i++)
		ahead->builders[i] = chain_builder__share(builder);
	return ahead;
}

void trees_ahead__forget(struct trees_ahead *ahead)
{
	for (u32 i = 0; i < ahead->nr; i++)
		chain_tree__exit(&ahead->trees[i]);
	ahead->nr = ahead->found = 0;
}

void trees_ahead__delete(struct trees_ahead *ahead)
{
	if (!ahead)
		return;
	trees_ahead__forget(ahead);
	for (unsigned i = 1; i < ahead->workers; i++)
		chain_builder__delete(ahead->builders[i]);
	free(ahead);
}

const struct chain_tree *trees_ahead__find(struct trees_ahead *ahead,
                                           const struct hist_entry *entry)
{
	for (u32 n = 0; n < ahead->nr; n++) {
		u32 i = (ahead->found + n) % ahead->nr;

		if (ahead->entries[i] == entry) {
			ahead->found = i;
			return &ahead->trees[i];
		}
	}
	return NULL;
}

/* Entries are taken in their order, so those that were built are the first ones. */
static void build_some(void *ctx, unsigned worker)
{
	struct trees_ahead *ahead = ctx;
	struct chain_builder *builder = ahead->builders[worker];
	u32 i;

	while (atomic_load(&ahead->nr_frames) < FRAMES_AHEAD &&
	       (i = atomic_fetch_add(&ahead->next, 1)) < ahead->nr_wanted) {
		const struct chain_tree *tree =
		        chain_builder__build(builder, ahead->entries[i], ahead->total);

		atomic_fetch_add(&ahead->nr_frames, tree->nr_frames);
		chain_builder__take(builder, &ahead->trees[i]);
	}
}

void trees_ahead__build(struct trees_ahead *ahead, const struct hist_entry *const *entries, u32 nr,
                        u64 total)
{
	trees_ahead__forget(ahead);
	ahead->nr_wanted = nr < TREES_AHEAD ? nr : TREES_AHEAD;
	memcpy(ahead->entries, entries, ahead->nr_wanted * sizeof(*entries));
	ahead->total = total;
	atomic_store(&ahead->next, 0);
	atomic_store(&ahead->nr_frames, 0);
	workers__run(ahead->workers, build_some, ahead);
	u32 taken = atomic_load(&ahead->next);

	ahead->nr = taken < ahead->nr_wanted ? taken : ahead->nr_wanted;
}
