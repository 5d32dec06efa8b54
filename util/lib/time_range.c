// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/lib/time_range.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"

#define SECOND   1000000000ull
#define FRACTION 1000000000u /* percents are kept in these parts of 1 % */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/*
 * A decimal number with an optional fraction of which nine digits count. Returns what follows it,
 * or NULL when there is none or it is too large for @max whole units.
 */
static const char *parse_decimal(const char *s, u64 max, u64 *whole, u64 *nano)
{
	u64 unit = SECOND / 10;

	*whole = *nano = 0;
	if (!is_digit(*s) && !(*s == '.' && is_digit(s[1])))
		return NULL;
	for (; is_digit(*s); s++) {
		*whole = *whole * 10 + (*s - '0');
		if (*whole > max)
			return NULL;
	}
	if (*s != '.')
		return s;
	for (s++; is_digit(*s); s++, unit /= 10)
		*nano += (*s - '0') * unit;
	return s;
}

/* Seconds up to the end of the text or a stop character; empty gives @fallback. */
static const char *parse_seconds(const char *s, u64 fallback, u64 *time)
{
	u64 whole, nano;

	*time = fallback;
	if (!*s || *s == ',' || *s == ' ')
		return s;
	s = parse_decimal(s, UINT64_MAX / SECOND - 1, &whole, &nano);
	if (s)
		*time = whole * SECOND + nano;
	return s;
}

/* "12.5%" as parts of FRACTION of a percent; what follows, or NULL. */
static const char *parse_percent(const char *s, u64 *percent)
{
	u64 whole, nano;

	s = parse_decimal(s, 100, &whole, &nano);
	if (!s || *s != '%')
		return NULL;
	*percent = whole * FRACTION + nano;
	return *percent <= 100ull * FRACTION ? s + 1 : NULL;
}

static u64 at_percent(u64 first, u64 last, u64 percent)
{
	return first + (u64)((unsigned __int128)(last - first) * percent / (100ull * FRACTION));
}

void time_ranges__add(struct time_ranges *ranges, u64 from, u64 to)
{
	ranges->ranges = xrealloc(ranges->ranges, ranges->nr + 1, sizeof(*ranges->ranges));
	ranges->ranges[ranges->nr++] = (struct time_range){ from, to };
}

/* START,STOP */
static const char *parse_span(struct time_ranges *ranges, const char *s)
{
	u64 from, to;

	s = parse_seconds(s, 0, &from);
	if (!s || *s != ',')
		return NULL;
	s = parse_seconds(s + 1, UINT64_MAX, &to);
	if (!s || from > to)
		return NULL;
	time_ranges__add(ranges, from, to);
	return s;
}

/* A%-B% or N%/M */
static const char *parse_part(struct time_ranges *ranges, const char *s, u64 first, u64 last)
{
	u64 from, to, part, nano;

	s = parse_percent(s, &from);
	if (!s)
		return NULL;
	if (*s == '/') {
		s = parse_decimal(s + 1, 1000, &part, &nano);
		if (!s || nano || !part || !from || (part - 1) * from >= 100ull * FRACTION)
			return NULL;
		to = min_u64(part * from, 100ull * FRACTION);
		from = (part - 1) * from;
	} else {
		if (*s != '-')
			return NULL;
		s = parse_percent(s + 1, &to);
		if (!s || from > to)
			return NULL;
	}
	/* The end of a part is the start of the next, which has it; but the last has its own. */
	u64 end = at_percent(first, last, to), start = at_percent(first, last, from);

	time_ranges__add(ranges, start, to == 100ull * FRACTION || end == start ? end : end - 1);
	return s;
}

int time_ranges__parse(struct time_ranges *ranges, const char *text, u64 first, u64 last,
                       struct error *err)
{
	bool parts = strchr(text, '%');
	const char *s = text;

	*ranges = (struct time_ranges){ .nr = 0 };
	if (parts && first > last) {
		error__set(err, -EINVAL, "cannot use percents in --time", text,
		           "the file has no sample with a time");
		return -EINVAL;
	}
	for (;;) {
		while (*s == ' ' || (parts && ranges->nr && *s == ','))
			s++;
		if (!*s && ranges->nr)
			return 0;
		s = parts ? parse_part(ranges, s, first, last) : parse_span(ranges, s);
		if (!s || (*s && *s != ' ' && !(parts && *s == ',')))
			break;
	}
	time_ranges__exit(ranges);
	return error__set(err, -EINVAL, "Invalid time string", text,
	                  "use START,STOP in seconds, N%%/M, or A%%-B%%");
}

void time_ranges__exit(struct time_ranges *ranges)
{
	free(ranges->ranges);
	*ranges = (struct time_ranges){ .nr = 0 };
}

bool time_ranges__hold(const struct time_ranges *ranges, u64 time)
{
	u32 low = 0,
	    high = ranges->nr; /* the last that begins before or at @time is in [low, high) */

	while (high - low > 1) {
		u32 middle = low + (high - low) / 2;

		if (ranges->ranges[middle].from <= time)
			low = middle;
		else
			high = middle;
	}
	return ranges->nr && time >= ranges->ranges[low].from && time <= ranges->ranges[low].to;
}
