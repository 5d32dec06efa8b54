/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * `perf report --stdio`: a finished profile as text, in the layout of Linux's perf 6.1 for scripts.
 */
#ifndef PERF_UI_TEXT_REPORT_STDIO_H
#define PERF_UI_TEXT_REPORT_STDIO_H

#include "ui/text/block_table.h"
#include "ui/text/loss_table.h"
#include "util/lib/out.h"
#include "util/view/view.h"

struct report_style {
	bool quiet;               /* entries only */
	bool skip_empty;          /* no blocks for events without samples */
	bool colored;             /* percentages in colours */
	bool terminal;            /* the output is read on a terminal */
	bool sums_noise;          /* sum up entries below NOISE_PERCENT in one line */
	bool no_hint;             /* the header was printed: leave out the hint how to get it */
	const char *times;        /* --time, for the heading; NULL: not given */
	const char *memory_order; /* of --mem-mode: the sort keys, for the heading; else NULL */
	struct loss_view lost;    /* report losses of this part */
	const u32 *widths; /* of columns (-w); 0: as wide as is needed, as are those behind: */
	u32 nr_widths;
	bool group_made; /* the events were made one group for the report: it has no name */
	const char *const *inputs; /* the recordings, where they are several */
	u32 nr_inputs;
	const char *separator;       /* between columns, which then are not aligned; NULL: none */
	const struct blocks *blocks; /* to be shown instead of the entries; NULL: entries */
};

#define NOISE_PERCENT 0.5

/* "Samples: 2K of event 'cycles'": without a newline. */
void report_stdio__event(struct out *out, const struct view *view, u32 evsel);

/* "2K cycles": the event as one to choose from. */
void report_stdio__choice(struct out *out, const struct view *view, u32 evsel);

/* Does the event, or its group, have a table of its own? */
bool report_stdio__has_table(const struct view *view, const struct report_style *style, u32 evsel);

/* "# To display the perf.data header info, ..." */
void report_stdio__hint(struct out *out);

/* The rows of one event alone, the first @max of those with @min_samples at least. */
void report_stdio__rows(struct out *out, struct view *view, const struct report_style *style,
                        u32 evsel, u32 max, u64 min_samples);

void report_stdio__print(struct out *out, struct view *view, const struct report_style *style);

#endif
