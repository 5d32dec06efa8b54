/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kernel records that are no samples as one line of text, "PERF_RECORD_COMM exec: ls:4/4", as the
 * dump (-D) and the lines of `perf script --show-...-events` have them.
 */
#ifndef PERF_UI_DUMP_RECORD_TEXT_H
#define PERF_UI_DUMP_RECORD_TEXT_H

#include "util/format/record.h"
#include "util/lib/out.h"

/*
 * Without a newline. False when this type has no such text, or when the record's inside does not
 * fit its size; nothing is printed then. LOST and LOST_SAMPLES are worded differently in both
 * places and are not among them.
 */
bool record_text__print(struct out *out, const struct record *record, bool swap);

/* printf's %#lx: no prefix for 0. */
void record_text__hex(struct out *out, u64 value);

/* "4K", "2M"; "N/A" for 0. 1G is 1024M, as in Linux's perf. */
void record_text__page_size(struct out *out, u64 size);

#endif
