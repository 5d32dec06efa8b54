/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How sure the rows of a report are: the shares (shares.h) of the entries of a view, the ranks of
 * those that can be told apart, and how many samples the first ones lack for it.
 *
 * The profile must have been built with a key of time among its sample keys whose quantum is
 * SHARES_SLICE, and the view be one without children.
 */
#ifndef PERF_UTIL_VIEW_CONFIDENCE_H
#define PERF_UTIL_VIEW_CONFIDENCE_H

#include "util/lib/shares.h"
#include "util/view/hists.h"

#define CONFIDENCE_FIRST 10

struct entry_confidence {
	struct share share;
	u32 rank; /* from 1; entries that cannot be told from the first of a rank share it */
};

struct event_confidence {
	u64 nr_samples;
	double design_effect; /* of the first ten entries, by their shares */
	bool sees_bursts;     /* there are SHARES_SLICES_MIN slices at least */
	double needed; /* samples that would tell the first ten apart; infinite: none would */
};

struct confidence {
	struct entry_confidence *entries; /* by entry of the hists */
	struct event_confidence *events;  /* by evsel */
};

/* @shown_only: 100 % is what filters let through. All is borrowed, for this call. */
void confidence__init(struct confidence *confidence, const struct hists *hists,
                      const struct key *time_key, bool shown_only);
void confidence__exit(struct confidence *confidence);

#endif
