/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A command line in one text, split into words without a shell: blanks separate, '...' is taken as
 * it is, in "..." and outside of quotes a backslash takes the next character as it is (in "..."
 * only before " \ $ `). Nothing is expanded.
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
 * Split @text. What a shell would act on outside of quotes (| & ; < > ( ) $ ` * ? [ # ~ at the
 * start) is refused: -EINVAL with @err, as are an open quote and a text without words. @words needs
 * no words__exit() then.
 */
int words__split(struct words *words, const char *text, struct error *err);
void words__exit(struct words *words);

#endif
