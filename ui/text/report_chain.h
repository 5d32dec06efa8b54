/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Call chains of a report as text, below the entry they belong to.
 */
#ifndef PERF_UI_TEXT_REPORT_CHAIN_H
#define PERF_UI_TEXT_REPORT_CHAIN_H

#include "util/health/chain_ends.h"
#include "util/lib/out.h"
#include "util/view/callchain.h"

/*
 * Prints nothing for a tree without branches. @own, or NULL: the symbol of the entry's line, which
 * a graph that starts with it does not repeat. @total is 100 %. @colored: colour percentages.
 * @ends, or NULL: frames where nothing is mapped say why, which scripts know as bare addresses.
 */
void report_chain__print(struct out *out, const struct hists *hists,
                         const struct chain_options *options, const struct chain_tree *tree,
                         const struct sym *own, u64 total, bool colored,
                         const struct chain_ends *ends);

#endif
