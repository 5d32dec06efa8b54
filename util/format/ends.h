/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How a recording marks that it is complete. Every perf of Linux ignores these marks:
 *  - a stream of ours has ENDS_MISC as the misc of its HEADER_ATTR records, and ends with a
 *    FINISHED_ROUND of that misc, which is written only at a clean end;
 *  - the header of a file has, where very old files had event types, the number of parts in its
 *    folder and whether records are known to be missing (struct ends_words);
 *  - DIR_FORMAT has the sizes of the parts after its version.
 */
#ifndef PERF_UTIL_FORMAT_ENDS_H
#define PERF_UTIL_FORMAT_ENDS_H

#include "util/lib/types.h"

#define ENDS_MISC 0x4550 /* the kernel and other perfs have 0 there */

/* Bytes 56 to 71 of a file's header. */
struct ends_words {
	u64 none; /* 0: else these are the event types of a very old file */
	u32 nr_parts;
	u32 incomplete; /* 1: perf could not write all, or copied an incomplete recording */
};

#define ENDS_WORDS_OFFSET 56

#endif
