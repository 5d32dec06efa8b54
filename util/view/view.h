/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A view of a profile: rows and cells, which any front end lays out in its own way. It sorts,
 * groups, filters and folds without reading the recording again; the profile stays as it is.
 *
 *	view__init(&view, &chains, &names, &options);
 *	for (u32 i = 0; i < view__nr_rows(&view, evsel); i++) {
 *		view__row(&view, evsel, i, &row);
 *		for (u32 c = 0; c < view.nr_columns; c++)
 *			view__cell(&view, &row, c, &cell);
 *	}
 *	view__exit(&view);
 *
 * Rows are those of one event (an index of evlist->evsels). At first each entry is one, in the
 * order of the report; with view_options.hierarchy each value of the first key (or keys in braces).
 * An open row is followed by what is in it: a level by the values of the next key, an entry by the
 * frames of its call chains.
 *
 * Where event groups share their entries (hist_options.groups) the rows are those of the leader;
 * view__member() gives what another event of the group has in one.
 */
#ifndef PERF_UTIL_VIEW_VIEW_H
#define PERF_UTIL_VIEW_VIEW_H

#include "util/view/callchain.h"
#include "util/view/fields.h"
#include "util/view/hists.h"

struct view_column {
	enum view_figure figure;
	const struct sort_key *by; /* of VIEW_KEY */
};

struct view_options {
	struct hist_options hists;
	struct chain_options chain; /* its order is not DEFAULT */
	struct view_fields sort,
	        fields; /* of the keys in hists; not given: all keys, in their order */
	bool show_samples, show_period;
	bool show_latency, latency_leads;  /* with hists.parallelism; it is sorted by */
	bool show_confidence;              /* columns of intervals and ranks: of view.confidence */
	bool show_cpu_utilization, guests; /* the latter in guests, too */
	bool relative;                     /* 100 % is the sum of what passes the filters */
	bool hierarchy;                    /* a level for each key; without children */
	double percent_limit;              /* rows below it are left out */
	unsigned workers;                  /* of view__print_rows(); 0 is 1 */
};

enum view_row_kind {
	VIEW_ENTRY,
	VIEW_LEVEL, /* of a hierarchy: all entries that agree in the first keys */
	VIEW_FRAME, /* of a call chain */
};

struct view_row {
	enum view_row_kind kind;
	bool open, openable;
	bool first; /* of a frame: of its branch */
	u16 depth;  /* the number of rows that it is in */
	u16 evsel;
	u32 entry;  /* hists.entries[]; of a level: one in it; of a frame: where it belongs */
	u32 loc;    /* of a frame */
	u32 level;  /* private */
	u16 member; /* of the event group; 0 is the leader */
	/* Itself, and with children; of a frame: of the chains that end there, and of all. */
	u64 period, count;
	u64 total_period, total_count;
};

struct view_event; /* private */

struct confidence;

struct view {
	const struct chains *chains;
	const struct names *names;
	struct view_options options;
	struct hists hists;
	struct view_column columns[VIEW_COLUMNS_MAX];
	u32 nr_columns;
	u32 nr_levels;                       /* of a hierarchy */
	const struct confidence *confidence; /* of hists: set by who asked for such columns */
	/* Private. */
	u32 level_ends[SORT_KEYS_MAX]; /* by level: the first key behind it */
	struct chain_builder *builder; /* NULL: chains are not shown */
	struct view_event *events;     /* by evsel: made on first need */
	struct out *texts;             /* by column: of its last cell; then of the last frame */
};

/*
 * @chains, @names and what @options points to must outlive @view; when @chains were made in another
 * way, view__change() is the next call. Keys find only what profile, names and source were made
 * for.
 */
void view__init(struct view *view, const struct chains *chains, const struct names *names,
                const struct view_options *options);
void view__exit(struct view *view);

/* Sort, group, filter or limit in another way, as for view__init(); every row is closed after it.
 */
void view__change(struct view *view, const struct view_options *options);

/*
 * The same with other filters or limits, of chains as they were. Much cheaper where each entry
 * passes as a whole. A list or text of @options that is another one has another address.
 */
void view__filter(struct view *view, const struct view_options *options);

/* What 100 % is for the event. */
u64 view__total(const struct view *view, u32 evsel);

/* The rows that are to be seen, of which view__row() fills in one. */
u32 view__nr_rows(struct view *view, u32 evsel);
void view__row(struct view *view, u32 evsel, u32 i, struct view_row *row);

/* The row of an entry, wherever it stands: for view__cell(). */
void view__entry_row(const struct view *view, u32 entry, struct view_row *row);

/* What event @member of the group of @row, an entry or a level, has in it: for view__cell(). */
void view__member(const struct view *view, const struct view_row *row, u32 member,
                  struct view_row *of_member);

/* Open or close a row (nothing happens to one that has nothing in it); or all, to their ends. */
void view__open(struct view *view, u32 evsel, u32 i, bool open);
void view__open_all(struct view *view, u32 evsel, bool open);

/*
 * Let a row, or all, and what is in it be open to the ends; but nothing is made before it is shown:
 * view__show() opens such rows from @i on, until there are @wanted rows; view__show_before() from
 * @end upwards to @first, until @wanted stand before it. Both return the number of new rows. What
 * view__open() has closed stays so.
 */
void view__spread(struct view *view, u32 evsel, u32 i);
void view__spread_all(struct view *view, u32 evsel);
u32 view__show(struct view *view, u32 evsel, u32 i, u32 wanted);
u32 view__show_before(struct view *view, u32 evsel, u32 first, u32 end, u32 wanted);

/* Of a row without a look at what is in it: its depth; and where the first of an entry stands. */
u16 view__depth(struct view *view, u32 evsel, u32 i);
u32 view__find_entry(struct view *view, u32 evsel, u32 entry);

void view__open_levels(struct view *view, u32 evsel); /* down to the entries */

/*
 * The call chains below an entry, if @view shows chains; valid until rows are opened, or the next.
 * Cheapest in the order of rows.
 */
const struct chain_tree *view__tree(struct view *view, u32 entry);

/* Keys of fields are columns of one event alone. */
bool view__has_column(const struct view *view, u32 column, u32 evsel);

const char *view__heading(const struct view *view, u32 column);

/* The level of a hierarchy that has the column of a key. */
u32 view__level_of(const struct view *view, u32 column);

/* CELL_NONE where the row has no such thing. A text is valid until the next cell of the column. */
void view__cell(struct view *view, const struct view_row *row, u32 column, struct cell *cell);

/* The width that the column of a key needs for the entries of the event, below the limit, too. */
u32 view__width(struct view *view, u32 evsel, u32 column);

/* The function of a frame, or its address where it has no name, valid until the next call. */
const char *view__frame(struct view *view, const struct view_row *row);

/* Is the key's column left out because a filter passes a single name only? */
bool view__elides(const struct view *view, const struct key *key);

#endif
