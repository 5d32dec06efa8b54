/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How sure the rows of a view are: their shares (shares.h) in each event of their table, the ranks
 * of those that can be told apart, and how many samples the first ones lack for it. Of a hierarchy
 * all levels, each as a table of its own: rows are ranked among those of one level above.
 *
 * The profile must have been built with a key of time among its sample keys that tells each moment,
 * and the view be one without children. Slices are those of one recording, where
 * several are added up.
 */
#ifndef PERF_UTIL_VIEW_CONFIDENCE_H
#define PERF_UTIL_VIEW_CONFIDENCE_H

#include "util/lib/shares.h"
#include "util/view/event_lockstep.h"
#include "util/view/view.h"

#define CONFIDENCE_FIRST 10

/* What is said of an event that does not see bursts: a format, of SHARES_SLICES_MIN. */
#define CONFIDENCE_NO_BURSTS                                                                       \
	"as of independent samples: less than %d slices of 100 ms cannot show bursts"

struct row_confidence {
	struct share share;
	/* From 1; rows that cannot be told from the first of a rank share it. By the event that
	 * sorts, kept in the leader. */
	u32 rank;
};

struct event_confidence {
	u64 nr_samples;
	/* Of its own first ten rows (levels, in a hierarchy), by their shares. */
	double design_effect;
	bool sees_bursts; /* there are SHARES_SLICES_MIN slices at least */
	struct event_lockstep lockstep;
	double needed; /* samples that would tell these apart; infinite: none would */
	/* Private: by entry, from the first of the table; by level of a hierarchy. */
	struct row_confidence *entries, *levels;
};

struct confidence {
	struct event_confidence *events; /* by evsel */
	u32 nr_events;
};

/* @view stays as it is, as long as @confidence is asked. */
void confidence__init(struct confidence *confidence, struct view *view, const struct key *time_key);
void confidence__exit(struct confidence *confidence);

/* Of a row of that view, an entry or a level; of an event of a group: view__member(). */
const struct row_confidence *confidence__of(const struct confidence *confidence,
                                            const struct view *view, const struct view_row *row);

/* So many independent samples say as much as those of the event. */
u64 event_confidence__independent(const struct event_confidence *event);

/* So many more would tell the first rows apart: 0, they are; infinite, no number of them. */
double event_confidence__lacking(const struct event_confidence *event);

#endif
