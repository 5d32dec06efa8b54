/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Time ranges of a recording, as --time takes them.
 *
 *	START,STOP	seconds with a fraction; either may be left out
 *	A,B C,D		several, separated by blanks
 *	N%/M		the M-th part of N percent of the whole (1 is the first)
 *	A%-B%		a part by percent; several with commas between
 */
#ifndef PERF_UTIL_LIB_TIME_RANGE_H
#define PERF_UTIL_LIB_TIME_RANGE_H

#include "util/lib/error.h"
#include "util/lib/types.h"

struct time_range {
	u64 from, to; /* ns, both inclusive */
};

struct time_ranges {
	struct time_range *ranges;
	u32 nr; /* 0: everything passes */
};

/*
 * Parse @text. The percent forms are parts of [@first, @last], the recording's first and last
 * sample times. 0, or -EINVAL with @err.
 */
int time_ranges__parse(struct time_ranges *ranges, const char *text, u64 first, u64 last,
                       struct error *err);
void time_ranges__exit(struct time_ranges *ranges);

void time_ranges__add(struct time_ranges *ranges, u64 from, u64 to);

/* Is @time in one of @ranges, which are in order and do not meet? In none of none. */
bool time_ranges__hold(const struct time_ranges *ranges, u64 time);

/* Does any part of @from to @to, both inclusive, lie in the ranges? */
static inline bool time_ranges__touch(const struct time_ranges *ranges, u64 from, u64 to)
{
	if (!ranges->nr)
		return true;
	for (u32 i = 0; i < ranges->nr; i++)
		if (to >= ranges->ranges[i].from && from <= ranges->ranges[i].to)
			return true;
	return false;
}

static inline bool time_ranges__pass(const struct time_ranges *ranges, u64 time)
{
	return time_ranges__touch(ranges, time, time);
}

#endif
