// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/text/thread_table.h"

#include <stdlib.h>

#include "ui/text/table.h"
#include "util/lib/alloc.h"

static const struct cell *fill_row(struct cell *row, const struct thread_counts *counts, u32 thread)
{
	row[0] = cell__signed(counts->threads[thread].pid);
	row[1] = cell__signed(counts->threads[thread].tid);
	for (u32 e = 0; e < counts->nr_events; e++)
		row[2 + e] = cell__number(thread_counts__at(counts, thread, e));
	return row;
}

void thread_table__print(struct out *out, const struct thread_counts *counts)
{
	u32 nr = 2 + counts->nr_events;
	struct table_column *columns = xcalloc(nr, sizeof(*columns));
	const struct table table = { .columns = columns, .nr = nr, .prefix = "# " };
	struct cell *row = xcalloc(nr, sizeof(*row));

	for (u32 i = 0; i < nr; i++)
		columns[i] = (struct table_column){
			.heading = i == 0   ? "PID"
			           : i == 1 ? "TID"
			                    : counts->events[i - 2]->name,
			.gap = 2,
			.align = TABLE_RIGHT,
		};
	table__measure_headings(columns, nr);
	for (u32 i = 0; i < counts->nr; i++)
		table__measure(columns, nr, fill_row(row, counts, i));
	table__print_heading(&table, out);
	for (u32 i = 0; i < counts->nr; i++)
		table__print_row(&table, out, fill_row(row, counts, i));
	free(columns);
	free(row);
}
