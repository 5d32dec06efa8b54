/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the samples of an inlined function are: in the code of the symbol that it was inlined into,
 * whose entry has them.
 */
#ifndef PERF_UTIL_ANNOTATE_INLINED_CODE_H
#define PERF_UTIL_ANNOTATE_INLINED_CODE_H

#include "util/view/hists.h"

/*
 * The address, as the symbol table counts, with the largest period among the samples of @entry that
 * were taken in the inlined function at @loc (or in what was inlined into it); 0: none was.
 */
u64 inlined_code__hottest(const struct hists *hists, const struct hist_entry *entry, u32 loc);

#endif
