/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parser of event texts (parse.c) and its words about mistakes (parse_mistakes.c). */
#ifndef PERF_UTIL_EVENT_PARSE_PRIVATE_H
#define PERF_UTIL_EVENT_PARSE_PRIVATE_H

#include "util/event/parse.h"
#include "util/event/pmu.h"
#include "util/event/terms.h"

struct parser {
	struct evlist *list;
	struct event_sources *sources;
	const char *text, *pos;
	struct error *err;
};

/* All return -EINVAL, with the parser's error filled and pointing to @at, @start ... in its text.
 */
int parser__fail(struct parser *p, const char *at, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* @term at @start + term->at is known by nobody; @pmu has terms besides, or is NULL. */
int parser__unknown_term(struct parser *p, const char *start, const struct event_term *term,
                         const struct pmu *pmu);
int parser__unknown_tracepoint(struct parser *p, const char *start, const char *sys,
                               const char *name);
int parser__unknown_source(struct parser *p, const char *start, const char *source);
int parser__unknown_word(struct parser *p, const char *start, const char *word);

#endif
