/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the samples of an inlined function are: in the code of the symbol that it was inlined into,
 * whose entry has them.
 */
#ifndef PERF_UTIL_ANNOTATE_INLINED_CODE_H
#define PERF_UTIL_ANNOTATE_INLINED_CODE_H

#include "util/lib/name_list.h"
#include "util/view/hists.h"

/*
 * The address, as the symbol table counts, with the largest period among the samples of @entry that
 * were taken in the inlined function at @loc (or in what was inlined into it); 0: none was.
 */
u64 inlined_code__hottest(const struct hists *hists, const struct hist_entry *entry, u32 loc);

/*
 * The names of the symbols that have samples which were taken in the inlined function at @loc.
 * Empty: no sample was. Release with name_list__exit().
 */
void inlined_code__holders(const struct hists *hists, u32 loc, struct name_list *holders);

#endif
