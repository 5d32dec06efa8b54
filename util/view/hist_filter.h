/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The filters of struct hist_options as tables with one look-up per row or sym.
 *
 * They select the entries (util/view/hists.c) and the samples that messages are about.
 */
#ifndef PERF_UTIL_VIEW_HIST_FILTER_H
#define PERF_UTIL_VIEW_HIST_FILTER_H

#include "util/view/hists.h"

struct hist_filter {
	const struct chains *chains;
	const struct names *names;
	const struct hist_options *options;
	bool of_rows;         /* any of hist_filter__row() is set */
	struct id_list comms; /* strtab ids that pass, ascending */
	u32 parallelism_slot;
	bool *sym_hidden;  /* per sym; NULL: none is */
	bool *chain_shown; /* per node, with children: some sym of its chain passes; NULL: all do */
};

/* All borrowed. */
void hist_filter__init(struct hist_filter *filter, const struct chains *chains,
                       const struct names *names, const struct hist_options *options);
void hist_filter__exit(struct hist_filter *filter);

/* By comm, pid, tid. */
bool hist_filter__row(const struct hist_filter *filter, const struct row *row);

/* Does the row belong to an entry that is shown? By the above, and by dso and symbol. */
bool hist_filter__shows(const struct hist_filter *filter,
                        const struct row *row); /* of the profile */

static inline bool hist_filter__hides_sym(const struct hist_filter *filter, u32 sym)
{
	return filter->sym_hidden && filter->sym_hidden[sym];
}

#endif
