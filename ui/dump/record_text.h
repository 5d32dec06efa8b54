/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Side-band records of the kernel as one line of text: "PERF_RECORD_COMM exec: ls:4/4".
 * Used by the dump (-D) and by `perf script --show-...-events`.
 */
#ifndef PERF_UI_DUMP_RECORD_TEXT_H
#define PERF_UI_DUMP_RECORD_TEXT_H

#include "util/format/record.h"
#include "util/lib/out.h"

/*
 * Print without a newline. False, and nothing printed, if this type has no such text, or if the
 * record's contents do not fit its size. LOST and LOST_SAMPLES are not included, because the two
 * users word them differently.
 */
bool record_text__print(struct out *out, const struct record *record, bool swap);

/* printf's %#lx: no prefix for 0. */
void record_text__hex(struct out *out, u64 value);

/* "4K", "2M"; "N/A" for 0. 1G is 1024M, as in Linux's perf. */
void record_text__page_size(struct out *out, u64 size);

#endif
