// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/profile/preorder.h"

#include <stdlib.h>

#include "util/lib/alloc.h"

bool preorder__is(const struct node *nodes, u32 nr)
{
	u32 open = NODE_ROOT; /* the innermost of those that others may lie below */

	for (u32 i = 1; i < nr; open = i++)
		for (; open != nodes[i].parent; open = nodes[open].parent)
			if (open == NODE_ROOT)
				return false;
	return true;
}

u32 *preorder__numbers(const struct node *nodes, u32 nr)
{
	u32 *size = xcalloc(nr, sizeof(*size)); /* of a node and what is below it */
	u32 *next = xcalloc(nr, sizeof(*next)); /* the number that its next child gets */

	for (u32 i = nr - 1; i > 0; i--)
		size[nodes[i].parent] += ++size[i];
	size[NODE_ROOT] = 0;
	next[NODE_ROOT] = 1;
	for (u32 i = 1; i < nr; i++) {
		u32 *place = &next[nodes[i].parent], number = *place;

		*place += size[i];
		next[i] = number + 1;
		size[i] = number;
	}
	free(next);
	return size;
}

struct node *preorder__apply(const struct node *nodes, u32 nr, const u32 *numbers)
{
	struct node *ordered = xrealloc(NULL, nr, sizeof(*ordered));

	ordered[NODE_ROOT] = nodes[NODE_ROOT];
	for (u32 i = 1; i < nr; i++)
		ordered[numbers[i]] = (struct node){ numbers[nodes[i].parent], nodes[i].loc };
	return ordered;
}
