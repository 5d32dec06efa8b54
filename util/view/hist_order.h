/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The order of the entries of a report.
 *
 * The usual one: by what leads (the sums with children, if there are such), then by what entries
 * have themselves, of an event group in each event in turn, then by the keys. -s and -F can ask for
 * another (struct hist_options).
 */
#ifndef PERF_UTIL_VIEW_HIST_ORDER_H
#define PERF_UTIL_VIEW_HIST_ORDER_H

#include "util/view/hists.h"

/* Sort hists->entries, and tell each of hists->events where its own are. */
void hist_order__sort(struct hists *hists);

#endif
