/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Splits the declaration of a field, as the format files of tracepoints have it.
 *
 *	char prev_comm[16]		__data_loc char[] name		unsigned long flags
 */
#ifndef PERF_UTIL_EVENT_DECLARATION_H
#define PERF_UTIL_EVENT_DECLARATION_H

#include <stdbool.h>
#include <stddef.h>

struct text_part {
	const char *text; /* not NUL-ended */
	size_t len;
};

struct declaration {
	struct text_part type;   /* "char", "__data_loc char[]" */
	struct text_part name;   /* "prev_comm" */
	struct text_part length; /* "16": what is in the first brackets behind the name */
	bool is_array;           /* there are brackets */
};

/* Of the text from @start to @end. False: there is no name. */
bool declaration__split(struct declaration *declaration, const char *start, const char *end);

#endif
