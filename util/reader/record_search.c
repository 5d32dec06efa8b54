// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which bytes are records: where one may begin, and where several in a row surely are. The search
 * goes forward only and looks at a bounded number of headers per byte, so the cost of a broken
 * file is linear in its size, whatever it holds.
 */
#include "util/reader/reader_private.h"

#define CHAIN_ALIGNED 3 /* records in a row that prove a place to go on ... */
#define CHAIN_ODD     6 /* ... and at an odd distance from the damage */

_Static_assert(RECORDS_LOOKAHEAD >= (CHAIN_ODD + 1) * 65536, "room for a whole chain");

bool record_header__may_begin(const struct perf_data *data, const u8 *p)
{
	return record_header__is_possible(load_u32(p, data->swap), load_u16(p + 6, data->swap),
	                                  data->exact_sample_size);
}

#define TRAILER_MAX 64 /* of any record of the kernel; six fields today */

/* Are the record's own fields of one size, so that only the trailer can be behind the smallest? */
static bool is_fixed(u32 type)
{
	return type == PERF_RECORD_LOST || type == PERF_RECORD_EXIT || type == PERF_RECORD_FORK ||
	       type == PERF_RECORD_THROTTLE || type == PERF_RECORD_UNTHROTTLE ||
	       type == PERF_RECORD_AUX || type == PERF_RECORD_ITRACE_START ||
	       type == PERF_RECORD_LOST_SAMPLES || type == PERF_RECORD_SWITCH ||
	       type == PERF_RECORD_SWITCH_CPU_WIDE || type == PERF_RECORD_AUX_OUTPUT_HW_ID;
}

/* Surely a record's header? Stricter than the walk: only types that we know, in true sizes. */
static bool sure_header(const struct perf_data *data, const u8 *p, u16 *size)
{
	bool swap = data->swap;
	u32 type = load_u32(p, swap);
	u16 misc = load_u16(p + 4, swap);

	*size = load_u16(p + 6, swap);
	u16 least = record__min_size(type);

	if (!least || *size < least || (is_fixed(type) && *size > least + TRAILER_MAX))
		return false;
	if (type == RECORD_FINISHED_ROUND || type == RECORD_FINISHED_INIT)
		return *size == RECORD_HEADER_SIZE;
	if (type < RECORD_HEADER_ATTR &&
	    (*size % 8 || (misc & PERF_RECORD_MISC_CPUMODE_MASK) > PERF_RECORD_MISC_GUEST_USER))
		return false;
	if (type == PERF_RECORD_SAMPLE)
		return data->exact_sample_size ? *size == data->exact_sample_size
		                               : *size >= data->min_sample_size;
	return true;
}

/*
 * Do @want records follow each other from @p on, or at least one up to the end of the data?
 * @at_end: @end is the data's end. RECORDS_LOOKAHEAD bytes lie behind @p otherwise.
 */
static bool records_follow(const struct perf_data *data, const u8 *p, const u8 *end, unsigned want,
                           bool at_end)
{
	for (unsigned nr = 0; nr < want; nr++) {
		u16 size;

		if (p == end)
			return at_end && nr;
		if (end - p < RECORD_HEADER_SIZE || !sure_header(data, p, &size))
			return false;
		if (size > end - p)
			return at_end && nr; /* the last record is cut */
		u32 type = load_u32(p, data->swap);

		if (type == RECORD_AUXTRACE || type == RECORD_TRACING_DATA)
			return nr > 0; /* cannot look behind the payload */
		p += size;
	}
	return true;
}

bool records__find(const struct perf_data *data, const u8 *buf, size_t len, u64 distance,
                   bool at_end, size_t *at)
{
	size_t stop = at_end ? len : len - min_u64(len, RECORDS_LOOKAHEAD);

	for (; *at < stop; ++*at, distance++)
		if (records_follow(data, buf + *at, buf + len,
		                   distance % 8 ? CHAIN_ODD : CHAIN_ALIGNED, at_end))
			return true;
	return false;
}
