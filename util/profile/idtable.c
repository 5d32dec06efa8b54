// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/profile/idtable.h"

#include <stdlib.h>

#include "util/lib/alloc.h"

#define FIRST_SLOTS 256

void idtable__exit(struct idtable *table)
{
	free(table->slots);
	*table = (struct idtable)IDTABLE_INIT;
}

void idtable__grow(struct idtable *table)
{
	size_t nr = table->slots ? ((size_t)table->mask + 1) * 2 : FIRST_SLOTS;
	struct idtable grown = {
		.slots = xrealloc(NULL, nr, sizeof(*grown.slots)),
		.mask = nr - 1,
		.used = table->used,
	};

	BUG_ON(nr > 1ull << 32); /* ids have 32 bits: owners stop before */
	for (size_t i = 0; i < nr; i++)
		grown.slots[i].id = ID_NONE;
	for (size_t i = 0; table->slots && i <= table->mask; i++) {
		struct idslot slot = table->slots[i];

		if (slot.id == ID_NONE)
			continue;
		u32 to = idtable__first(&grown, slot.tag);

		while (idtable__id(&grown, to) != ID_NONE)
			to = idtable__next(&grown, to);
		grown.slots[to] = slot;
	}
	free(table->slots);
	*table = grown;
}
