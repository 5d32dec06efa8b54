/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The columns of a report's table: their list, their widths for one event, headings and cells.
 */
#ifndef PERF_UI_TEXT_REPORT_COLUMNS_H
#define PERF_UI_TEXT_REPORT_COLUMNS_H

#include "ui/text/report_stdio.h"
#include "util/lib/out.h"
#include "util/profile/hists.h"

enum column_kind {
	COLUMN_OVERHEAD, /* percent of self, without children */
	COLUMN_CHILDREN, /* percent of the total */
	COLUMN_SELF,
	COLUMN_SAMPLES,
	COLUMN_PERIOD,
	COLUMN_KEY,
};

struct column {
	enum column_kind kind;
	enum sort_key key; /* of COLUMN_KEY */
	int width;
};

struct columns {
	const struct hists *hists;
	const struct report_style *style;
	u64 total; /* 100 % */
	struct column list[5 + KEY_NR];
	u32 nr;
	struct out line; /* buffer for a line */
};

void columns__init(struct columns *columns, const struct hists *hists,
                   const struct report_style *style);
void columns__exit(struct columns *columns);

/* Set widths and the total for the entries of @event. */
void columns__measure(struct columns *columns, const struct hist_event *event);

/* Is the key's column left out because a filter passes a single name only? */
bool columns__elides(const struct hists *hists, enum sort_key key);

void columns__print_heading(const struct columns *columns, struct out *out);
void columns__print_entry(struct columns *columns, struct out *out, const struct hist_entry *entry);

/* A line for @nr entries that are not shown; @period is their sum. */
void columns__print_rest(struct columns *columns, struct out *out, u32 nr, u64 period);

/* The width of the key's widest cell; 0: there is no such column. */
int columns__width_of(const struct columns *columns, enum sort_key key);

/* Follows the names of inlined functions. */
#define INLINED_MARK " (inlined)"

#endif
