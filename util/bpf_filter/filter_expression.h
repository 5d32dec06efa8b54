/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Filters of samples (--filter of events that are no tracepoints) as text and as comparisons.
 *
 *	period > 1000, cpu == 1
 *	mem_op == load || mem_op == store, mem_lvl > l1
 *
 * A comma is "and", || is "or" and binds more: of each part between commas one comparison must
 * hold. Terms and words are those of the newest Linux's perf-record(1). All numbers are unsigned.
 */
#ifndef PERF_UTIL_BPF_FILTER_FILTER_EXPRESSION_H
#define PERF_UTIL_BPF_FILTER_FILTER_EXPRESSION_H

#include "util/lib/error.h"
#include "util/lib/types.h"

#define FILTER_COMPARISONS 32 /* comparisons of one event */

/*
 * What is taken out of a sample, and how it is compared. The numbers stand in pinned programs of
 * other builds of this perf: change none, and FILTER_NAME (filter_kernel.h) when one is added.
 */
enum sample_value {
	SAMPLE_IP = 1,
	SAMPLE_ID,
	SAMPLE_TID,
	SAMPLE_PID,
	SAMPLE_CPU,
	SAMPLE_TIME,
	SAMPLE_ADDR,
	SAMPLE_PERIOD,
	SAMPLE_TXN,
	SAMPLE_WEIGHT1,
	SAMPLE_WEIGHT2,
	SAMPLE_WEIGHT3,
	SAMPLE_PHYS_ADDR,
	SAMPLE_CODE_PAGE_SIZE,
	SAMPLE_DATA_PAGE_SIZE,
	SAMPLE_DATA_SOURCE,
	SAMPLE_SNOOP, /* of the data source, whose bits are in two places */
	SAMPLE_UID,
	SAMPLE_GID,
	SAMPLE_NR_VALUES,
};

enum sample_operator {
	SAMPLE_EQUAL = 1,
	SAMPLE_NOT_EQUAL,
	SAMPLE_GREATER,
	SAMPLE_GREATER_EQUAL,
	SAMPLE_LESS,
	SAMPLE_LESS_EQUAL,
	SAMPLE_ANY_BIT, /* & */
	SAMPLE_NR_OPERATORS,
};

/* As the program reads it: (value >> shift & mask) op number. */
struct sample_comparison {
	u8 value, op; /* enum sample_value, enum sample_operator */
	u8 last;      /* of those that are joined by || */
	u8 shift;
	u32 mask; /* 0: all bits */
	u64 number;
};

struct filter_expression {
	u32 nr;
	u64 fields; /* PERF_SAMPLE_* bits that the kernel fills in only when they are asked for */
	struct sample_comparison comparisons[FILTER_COMPARISONS];
};

/* 0, or a negative errno with @err, which has the place: a mistake (-EINVAL), too long (-E2BIG). */
int filter_expression__parse(struct filter_expression *filter, const char *text, struct error *err);

#endif
