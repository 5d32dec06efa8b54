/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Splits a command line into words without a shell. Blanks separate; '...' is literal; a backslash
 * makes the next character literal, outside quotes and (only before " \ $ `) in "...". Nothing is
 * expanded.
 */
#ifndef PERF_UTIL_LIB_WORDS_H
#define PERF_UTIL_LIB_WORDS_H

#include "util/lib/error.h"

struct words {
	char **words; /* NULL-ended */
	u32 nr;
	size_t cap;
};

/*
 * Split @text. -EINVAL with @err for what a shell would act on (outside quotes | & ; < > ( ) $ ` *
 * ? [, and # ~ at the start of a word; in "..." $ `), for an open quote and a text without words.
 * @words needs no words__exit() then.
 */
int words__split(struct words *words, const char *text, struct error *err);
void words__exit(struct words *words);

#endif
