// SPDX-License-Identifier: GPL-2.0-or-later
#ifdef HAVE_LIBDW
#include "util/fetch/function_table.h"

#include <stdlib.h>

#include "util/lib/alloc.h"

#define RANGES_MAX (1u << 20) /* damaged functions may share one long list of ranges */

struct function_range {
	u64 start, end;
	u64 behind;   /* the furthest end of this and all ranges before it */
	u32 function; /* index, in the order of the debug information */
};

struct function_table {
	struct function_range *ranges; /* by start */
	Dwarf_Die *functions;
	u32 nr_ranges, nr_functions;
	size_t cap_ranges, cap_functions;
};

struct function_table *function_table__new(void)
{
	return xcalloc(1, sizeof(struct function_table));
}

void function_table__delete(struct function_table *table)
{
	if (!table)
		return;
	free(table->ranges);
	free(table->functions);
	free(table);
}

bool function_table__add(struct function_table *table, Dwarf_Die *die)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;

	while ((at = dwarf_ranges(die, at, &base, &start, &end)) > 0) {
		if (start >= end)
			continue;
		if (table->nr_ranges == RANGES_MAX)
			return false;
		array__reserve(&table->ranges, &table->cap_ranges, table->nr_ranges + 1,
		               sizeof(*table->ranges));
		table->ranges[table->nr_ranges++] =
		        (struct function_range){ start, end, 0, table->nr_functions };
	}
	array__reserve(&table->functions, &table->cap_functions, table->nr_functions + 1,
	               sizeof(*table->functions));
	table->functions[table->nr_functions++] = *die;
	return true;
}

static int compare(const void *left, const void *right)
{
	const struct function_range *a = left, *b = right;

	return (a->start > b->start) - (a->start < b->start);
}

void function_table__sort(struct function_table *table)
{
	u64 behind = 0;

	if (table->nr_ranges)
		qsort(table->ranges, table->nr_ranges, sizeof(*table->ranges), compare);
	for (u32 i = 0; i < table->nr_ranges; i++) {
		behind = max_u64(behind, table->ranges[i].end);
		table->ranges[i].behind = behind;
	}
}

/* How many ranges start at or before @addr. */
static u32 nr_up_to(const struct function_table *table, u64 addr)
{
	u32 from = 0, to = table->nr_ranges;

	while (from < to) {
		u32 middle = from + (to - from) / 2;

		if (table->ranges[middle].start <= addr)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

bool function_table__at(const struct function_table *table, u64 addr, Dwarf_Die *function)
{
	u32 first = table->nr_functions;

	/* Only what linkers threw away overlaps: all of that begins at 0. */
	for (u32 i = nr_up_to(table, addr); i && table->ranges[i - 1].behind > addr; i--)
		if (table->ranges[i - 1].end > addr && table->ranges[i - 1].function < first)
			first = table->ranges[i - 1].function;
	if (first == table->nr_functions)
		return false;
	*function = table->functions[first];
	return true;
}
#else
extern int no_function_table;
#endif
