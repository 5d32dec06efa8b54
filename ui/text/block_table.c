// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/text/block_table.h"

#include <stdio.h>

#include "ui/text/table.h"

#define RANGE_WIDTH 70
#define DSO_WIDTH   20

/* "950", "402.0K", "2.8M" */
static void print_cycles(char *buf, size_t size, u64 cycles)
{
	if (cycles >= 1000000)
		snprintf(buf, size, "%.1fM", cycles / 1e6);
	else if (cycles >= 1000)
		snprintf(buf, size, "%.1fK", cycles / 1e3);
	else
		snprintf(buf, size, "%llu", (unsigned long long)cycles);
}

static void print_block(struct out *out, const struct table *table, const struct block *block,
                        const struct block_event *event, const struct names *names,
                        const struct source *source)
{
	const struct sym *sym = &names->syms[names->sym_of_loc[block->end]];
	u64 average = block->cycles / block->count;
	struct out range = { .fd = -1 };
	char cycles[32], share[32];

	print_cycles(cycles, sizeof(cycles), block->cycles);
	snprintf(share, sizeof(share), "%.2f%%",
	         event->averages ? 100.0 * average / event->averages : 0.0);
	out__char(&range, '[');
	out__str(&range, strtab__get(&source->texts, source->line_of_loc[block->start]));
	out__str(&range, " -> ");
	out__str(&range, strtab__get(&source->texts, source->line_of_loc[block->end]));
	out__char(&range, ']');
	const struct cell row[] = {
		cell__percent(block->cycles, event->cycles),
		cell__text(cycles),
		cell__text(share),
		cell__number(average),
		cell__text(out__take(&range)),
		cell__text(names__dso(names, sym->dso_name)),
	};

	table__print_row(table, out, row);
	out__exit(&range);
}

void block_table__print(struct out *out, const struct blocks *blocks, u32 evsel,
                        const struct names *names, const struct source *source,
                        const struct block_style *style)
{
	const struct block_event *event = &blocks->events[evsel];
	const struct table_column columns[] = {
		{ .heading = "Sampled Cycles%", .width = 15, .gap = 2, .align = TABLE_RIGHT },
		{ .heading = "Sampled Cycles", .width = 14, .gap = 2, .align = TABLE_RIGHT },
		{ .heading = "Avg Cycles%", .width = 11, .gap = 2, .align = TABLE_RIGHT },
		{ .heading = "Avg Cycles", .width = 10, .gap = 2, .align = TABLE_RIGHT },
		{ .heading = "[Program Block Range]",
		  .width = RANGE_WIDTH,
		  .gap = 2,
		  .align = TABLE_RIGHT },
		{ .heading = "Shared Object", .width = DSO_WIDTH, .gap = 2, .align = TABLE_RIGHT },
	};
	const struct table table = { .columns = columns,
		                     .nr = ARRAY_SIZE(columns),
		                     .prefix = "# ",
		                     .separator = style->separator,
		                     .colored = style->colored };

	if (!style->quiet) {
		table__print_heading(&table, out);
		if (!style->separator) {
			table__print_rules(&table, out);
			out__str(out, "#\n");
		}
	}
	for (u32 i = event->first; i < event->first + event->nr; i++)
		if (blocks->list[i].cycles * 100.0 >= style->percent_limit * event->cycles)
			print_block(out, &table, &blocks->list[i], event, names, source);
}
