/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Converts samples with a copy of the stack (record --call-graph dwarf) into ones with a whole call
 * chain. They say how it ended (the told form of util/unwind/chain_record.h), have a hundredth of
 * the size, and every perf reads them without the programs' unwind tables. As from other unwinders,
 * the frames above the first are the last bytes of calls, not return addresses.
 */
#ifndef PERF_UTIL_EXPORT_CONVERT_CHAIN_H
#define PERF_UTIL_EXPORT_CONVERT_CHAIN_H

#include "util/profile/health.h"
#include "util/stream/stream.h"

#define CONVERT_MAX_STACK                                                                          \
	4096 /* frames of the user's part; a record has room for twice as many                     \
	      */

/*
 * Let @stream unwind the chains of the events that can be converted. It was made with .objects,
 * CONVERT_MAX_STACK, and STREAM_TASKS; a sample of no known task is not converted.
 */
void convert_chain__ask(struct stream *stream, const struct session *session);

/*
 * Write the sample @s of @record again, to @out (CHAIN_RECORD_MAX bytes). Returns the new size; 0:
 * it has no copy of a stack, and stays as it is. How the chain ended is counted in @health.
 */
u32 convert_chain__write(u8 *out, const struct record *record, const struct stream_sample *s,
                         struct health *health);

#endif
