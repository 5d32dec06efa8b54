// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/record/switch_output.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_SECONDS (366ull * 86400 * 100)

struct unit {
	char letter;
	u64 factor;
};

static const struct unit size_units[] = {
	{ 'B', 1 }, { 'K', 1 << 10 }, { 'M', 1 << 20 }, { 'G', 1 << 30 }, { 0, 0 }
};
static const struct unit time_units[] = {
	{ 's', 1 }, { 'm', 60 }, { 'h', 3600 }, { 'd', 86400 }, { 0, 0 }
};

/* A whole number and one letter of @units. */
static bool parse_amount(const char *text, const struct unit *units, u64 *value)
{
	u64 number;
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	number = strtoull(text, &end, 10);
	if (errno || !*end || end[1])
		return false;
	while (units->letter && units->letter != *end)
		units++;
	if (!units->letter || __builtin_mul_overflow(number, units->factor, &number) || !number)
		return false;
	*value = number;
	return true;
}

int record__parse_size(const char *text, u64 *bytes, const char *what, struct error *err)
{
	if (parse_amount(text, size_units, bytes) && *bytes < 1ull << 62)
		return 0;
	return error__set(err, -EINVAL, what, text, "not a number followed by B, K, M or G");
}

int switch_output__parse(struct switch_output *when, const char *text, struct error *err)
{
	struct switch_output found = { .enabled = true };

	if (!strcmp(text, "signal"))
		found.by_signal = true;
	else if (!parse_amount(text, size_units, &found.size) &&
	         (!parse_amount(text, time_units, &found.seconds) || found.seconds > MAX_SECONDS))
		return error__set(err, -EINVAL, "cannot switch the output by", text,
		                  "neither signal, nor a size as 100M (B, K, M, G), nor a time as "
		                  "30s (s, m, h, d)");
	*when = found;
	return 0;
}
