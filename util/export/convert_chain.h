/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Converts samples with a copy of the stack (record --call-graph dwarf) into ones with a whole call
 * chain. They say how it ended (the told form of util/unwind/chain_record.h), have a hundredth of
 * the size, and every perf reads them without the programs' unwind tables. As from other unwinders,
 * the frames above the first are the last bytes of calls, not return addresses.
 */
#ifndef PERF_UTIL_EXPORT_CONVERT_CHAIN_H
#define PERF_UTIL_EXPORT_CONVERT_CHAIN_H

#include "util/machine/session.h"
#include "util/profile/health.h"
#include "util/stream/resolve.h"
#include "util/symbol/session_symbols.h"
#include "util/unwind/unwind.h"

struct convert_chain; /* private */

/* All are borrowed; @style was checked. NULL: no event of @session has copies of the stack. */
struct convert_chain *convert_chain__new(const struct session *session,
                                         const struct symbol_config *objects,
                                         struct resolver *resolver, enum unwind_style style);
void convert_chain__delete(struct convert_chain *convert);

/*
 * Convert a fully decoded sample. Returns the new size, *out points to it until the next call; 0:
 * the sample has no copy of a stack, and stays as it is. How the chain ended is counted in @health.
 */
u32 convert_chain__take(struct convert_chain *convert, const struct evsel *evsel,
                        const struct record *record, const struct sample *sample,
                        struct health *health, const u8 **out);

#endif
