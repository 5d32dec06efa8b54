/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The filters of struct hist_options, turned into tables that are asked once per row or sym.
 * Internal to util/profile/hists.c.
 */
#ifndef PERF_UTIL_PROFILE_HIST_FILTER_H
#define PERF_UTIL_PROFILE_HIST_FILTER_H

#include "util/profile/hists.h"

struct hist_filter {
	const struct hists *hists;
	u32 *comms; /* strtab ids that pass */
	u32 nr_comms;
	bool *sym_hidden; /* per sym; NULL: none is */
};

void hist_filter__init(struct hist_filter *filter, const struct hists *hists);
void hist_filter__exit(struct hist_filter *filter);

/* By comm, pid, tid. */
bool hist_filter__row(const struct hist_filter *filter, const struct row *row);

static inline bool hist_filter__hides_sym(const struct hist_filter *filter, u32 sym)
{
	return filter->sym_hidden && filter->sym_hidden[sym];
}

#endif
