// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/annotate/inlined_code.h"

#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"

struct code_weight {
	u64 addr, period;
};

/* Each symbol that it is inlined into has a sym of its own for it. */
static bool is_same_function(const struct names *names, u32 a, u32 b)
{
	const struct sym *left = &names->syms[a], *right = &names->syms[b];

	return a == b || (sym__inlined(left) && sym__inlined(right) && left->dso == right->dso &&
	                  !strcmp(sym__name(names, left), sym__name(names, right)));
}

/* Is the function one of the inlined frames that the sample's own place became? */
static bool is_leaf_of(const struct hists *hists, u32 row, u32 sym)
{
	const struct names *names = hists->names;
	const struct node *nodes = hists->chains->nodes;

	for (u32 node = chains__node(hists->chains, row); node != NODE_ROOT;
	     node = nodes[node].parent) {
		u32 here = names->sym_of_loc[nodes[node].loc];

		if (is_same_function(names, here, sym))
			return true;
		if (!sym__inlined(&names->syms[here]))
			return false;
	}
	return false;
}

static int compare_places(const void *left, const void *right)
{
	const struct code_weight *a = left, *b = right;

	return (a->addr > b->addr) - (a->addr < b->addr);
}

static u64 largest(const struct code_weight *places, u32 nr)
{
	struct code_weight best = { .addr = 0 };

	for (u32 i = 0; i < nr;) {
		struct code_weight sum = { .addr = places[i].addr };

		while (i < nr && places[i].addr == sum.addr)
			sum.period += places[i++].period;
		best = !best.addr || sum.period > best.period ? sum : best;
	}
	return best.addr;
}

u64 inlined_code__hottest(const struct hists *hists, const struct hist_entry *entry, u32 loc)
{
	const struct names *names = hists->names;
	u32 sym = names->sym_of_loc[loc], nr = 0;
	struct code_weight *places = xcalloc((size_t)entry->nr_rows + 1, sizeof(*places));

	for (u32 i = 0; i < entry->nr_rows; i++) {
		u32 id = hists->rows[entry->first_row + i];
		const struct row *row = &hists->profile->rows[id];

		if (is_leaf_of(hists, id, sym))
			places[nr++] =
			        (struct code_weight){ names->syms[sym].addr +
				                              names__offset(names, row->leaf_loc),
				                      row->period };
	}
	qsort(places, nr, sizeof(*places), compare_places);
	u64 addr = largest(places, nr);

	free(places);
	return addr;
}

static bool has_name(const struct name_list *list, const char *name)
{
	for (u32 i = 0; i < list->nr; i++)
		if (!strcmp(list->names[i], name))
			return true;
	return false;
}

void inlined_code__holders(const struct hists *hists, u32 loc, struct name_list *holders)
{
	const struct names *names = hists->names;
	const struct profile *profile = hists->profile;
	u32 last = ID_NONE;
	size_t cap = 0;

	*holders = (struct name_list){ .nr = 0 };
	for (u64 i = 0; i < profile->nr_rows; i++) {
		u32 sym = names->sym_of_loc[profile->rows[i].leaf_loc];
		const char *name = sym__name(names, &names->syms[sym]);

		if (sym == last || !is_leaf_of(hists, i, names->sym_of_loc[loc]))
			continue;
		last = sym;
		if (has_name(holders, name))
			continue;
		array__reserve(&holders->names, &cap, (size_t)holders->nr + 1, sizeof(char *));
		holders->names[holders->nr++] = xstrdup(name);
	}
}
