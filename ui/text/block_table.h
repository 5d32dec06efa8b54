/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * `perf report --total-cycles`: basic blocks (util/view/blocks.h) as a table, in the layout of
 * Linux's perf 6.1.
 */
#ifndef PERF_UI_TEXT_BLOCK_TABLE_H
#define PERF_UI_TEXT_BLOCK_TABLE_H

#include "util/lib/out.h"
#include "util/profile/source.h"
#include "util/view/blocks.h"

struct block_style {
	bool quiet, colored;
	const char *separator; /* between columns; NULL: they are aligned */
	double percent_limit;  /* of the cycles of the event */
};

/* Those of one event. @source names the lines of their ends. */
void block_table__print(struct out *out, const struct blocks *blocks, u32 evsel,
                        const struct names *names, const struct source *source,
                        const struct block_style *style);

#endif
