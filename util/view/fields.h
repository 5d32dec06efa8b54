/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a view is sorted by and which columns it has, from the words of -s and -F: keys
 * (util/profile/key.h) and figures like "overhead" and "period" in one list.
 */
#ifndef PERF_UTIL_VIEW_FIELDS_H
#define PERF_UTIL_VIEW_FIELDS_H

#include "util/profile/key.h"

enum view_figure {
	VIEW_OVERHEAD,  /* percent of what entries have themselves, without children */
	VIEW_CHILDREN,  /* percent of the total */
	VIEW_SELF,      /* the same as VIEW_OVERHEAD, beside children */
	VIEW_SYS,       /* of VIEW_OVERHEAD: what ran in the kernel ... */
	VIEW_US,        /* ... in programs ... */
	VIEW_GUEST_SYS, /* ... and in guests */
	VIEW_GUEST_US,
	VIEW_SAMPLES,
	VIEW_PERIOD,
	VIEW_LATENCY,  /* percent of the time that passed; with children, if there are such */
	VIEW_INTERVAL, /* of VIEW_OVERHEAD, as text: see confidence.h; and ... */
	VIEW_RANK,     /* ... the rank of entries that can be told apart */
	VIEW_KEY,
};

struct view_field {
	enum view_figure figure;
	u32 key;     /* of VIEW_KEY: of the list of keys */
	bool joined; /* in braces with the key before it: one level of a hierarchy */
};

#define VIEW_FIELDS_MAX  (SORT_KEYS_MAX + VIEW_KEY)
#define VIEW_COLUMNS_MAX VIEW_FIELDS_MAX

struct view_fields {
	struct view_field list[VIEW_FIELDS_MAX];
	u32 nr;
	bool given;
	bool more; /* "+...": beside what is there without it */
	/* A word begins so, whichever it is. */
	bool names_overhead, names_children, names_latency;
};

/*
 * Parse @text, "comm,overhead" or "+period" or "{comm,dso},sym". Keys that are not in @keys are
 * added to it. NULL: not given. Names are found as by sort_keys__find(). -EINVAL or -E2BIG with
 * @err.
 */
int view_fields__parse(struct view_fields *fields, const char *text, struct sort_keys *keys,
                       const struct key *const *more, struct error *err);

/* Is there that figure among @fields? */
bool view_fields__has(const struct view_fields *fields, enum view_figure figure);

/* The name of a figure, as it is parsed; NULL for VIEW_KEY and behind. */
const char *view_figure__name(enum view_figure figure);

/* The figures that columns have beside those that are named. */
struct view_shown {
	bool children, cpu_utilization, guests, samples, period;
	bool confidence;
	bool latency, latency_leads; /* it is in front, and sorted by first */
};

/*
 * Into @order: what entries are sorted by. @sort is what -s says (or what stands for it), @fields
 * what -F says.
 */
void view_fields__order(struct view_fields *order, const struct view_fields *sort,
                        const struct view_fields *fields, const struct view_shown *shown);

/* Into @columns: what stands in the columns. */
void view_fields__columns(struct view_fields *columns, const struct view_fields *sort,
                          const struct view_fields *fields, const struct view_shown *shown);

#endif
