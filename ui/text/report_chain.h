/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Call chains of a report as text, below the entry they belong to.
 */
#ifndef PERF_UI_TEXT_REPORT_CHAIN_H
#define PERF_UI_TEXT_REPORT_CHAIN_H

#include "util/lib/out.h"
#include "util/profile/callchain.h"

/*
 * Prints nothing for a tree without branches. @own: the symbol that the entry's line begins with,
 * which a graph that begins with it does not repeat, or NULL. @total is what 100 % is, @colored:
 * percentages are; on a @terminal a frame where nothing is mapped says so.
 */
void report_chain__print(struct out *out, const struct hists *hists,
                         const struct chain_options *options, const struct chain_tree *tree,
                         const struct sym *own, u64 total, bool colored, bool terminal);

#endif
