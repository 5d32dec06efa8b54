/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Texts of data sources (PERF_SAMPLE_DATA_SRC, union perf_mem_data_src): where the data of a memory
 * access was found, and how, in the words of Linux's perf 6.1.
 */
#ifndef PERF_UTIL_FORMAT_DATA_SRC_H
#define PERF_UTIL_FORMAT_DATA_SRC_H

#include "util/lib/out.h"
#include "util/lib/types.h"

/* Append one part: "LOAD", "Local RAM hit", "Hit or Fwd", "Walker miss"; "N/A" where it is not
 * known. */
void data_src__operation(struct out *out, u64 source);
void data_src__level(struct out *out, u64 source);
void data_src__snoop(struct out *out, u64 source);
void data_src__tlb(struct out *out, u64 source);
void data_src__lock(struct out *out, u64 source);    /* "Yes", "No" */
void data_src__blocked(struct out *out, u64 source); /* " Data Addr", " N/A" */

/* Append all: "|OP LOAD|LVL L1 hit|SNP None|TLB L2 hit|LCK No|BLK  N/A". */
void data_src__print(struct out *out, u64 source);

#endif
