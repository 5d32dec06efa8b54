/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What view.c and view_lines.c share: the rows of an event as a list of lines. */
#ifndef PERF_UTIL_VIEW_VIEW_PRIVATE_H
#define PERF_UTIL_VIEW_VIEW_PRIVATE_H

#include "util/view/view.h"

/* A row, small: entries, levels and nodes know the rest. */
struct line {
	u32 entry;
	u32 id;    /* of a level: of event->levels; of a frame: of the tree's nodes */
	u32 frame; /* of the node's frames */
	u16 depth;
	u8 kind; /* enum view_row_kind */
	bool open : 1;
	bool closed : 1;  /* again: it was open */
	bool spreads : 1; /* it is opened when it is shown, and so is what is in it */
};

struct lines {
	struct line *list;
	u32 nr;
	size_t cap;
};

/* What agrees in the first keys. Its entries, and the levels in it, stand together. */
struct level {
	u32 first, nr;               /* of event->levels; nothing at the last level */
	u32 first_entry, nr_entries; /* of event->order */
	u16 depth;
	u64 period, count;
	u64 latency; /* 0, where it does not lead */
};

/* What a level has. */
struct view_sums {
	u64 period, count;
};

struct view_event {
	bool made;
	struct lines lines;
	/* Of a hierarchy. */
	u32 *order; /* entries, as their levels stand */
	struct level *levels;
	u32 nr_levels, nr_top;
	size_t cap_levels;
	/* The chains of entries that are open: by entry an index of trees. */
	struct u64map tree_of;
	struct growing_tree *trees;
	u32 nr_trees;
	size_t cap_trees;
};

/* ---- view.c ---- */

/* Fill in the levels of a hierarchy. */
void view_event__make_levels(const struct view *view, struct view_event *event, u32 evsel);

/* ---- view_lines.c ---- */

/* Its lines are there, and all closed at first. */
struct view_event *view_event__at(struct view *view, u32 evsel);
void view_event__exit(struct view_event *event);

bool view__has_chains(const struct view *view, const struct hist_entry *entry);

/* Is there anything in the row? */
bool view_event__is_openable(struct view *view, struct view_event *event, const struct line *line);

/* The tree of an entry, begun on first need and kept until all rows are closed at once. */
struct growing_tree *view_event__tree(struct view *view, struct view_event *event, u32 entry);

/*
 * A view of the same rows for another thread: both may print those that are closed, as long as the
 * rows of the event have been asked for before. @of must outlive it.
 */
void view__share(struct view *view, const struct view *of);
void view__unshare(struct view *view);

/* How many rows of the profile row @row has, about: what it costs to print it. */
u64 view__profile_rows(struct view *view, u32 evsel, u32 row);

#endif
