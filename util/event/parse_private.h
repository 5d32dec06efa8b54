/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The inside of the event parser, shared by the files parse*.c. */
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

/*
 * These return -EINVAL with the parser's error filled; @at or @start is the position in its text.
 */
int parser__fail(struct parser *p, const char *at, const char *fmt, ...) PRINTF_LIKE(3, 4);

/*
 * Add an event of the source @source, called @name. @terms_at is the position of @terms in the
 * text; terms that only the processor's table knows are expanded.
 */
int parser__add_of_source(struct parser *p, const char *source, struct event_terms *terms,
                          const char *terms_at, const char *name);

/*
 * Of @sources, which one name stands for, leave those that --pmu-filter lets through. -EINVAL:
 * there is none. The others are freed.
 */
int parser__filter_sources(struct parser *p, const char *start, char **sources, u32 *nr);

/*
 * parse_table.c. Add the events named @word of the processor's table. 0: added, 1: there is none.
 */
int parser__add_of_table(struct parser *p, const char *start, const char *word);
bool parser__is_in_table(struct parser *p, const char *word);

/* Expand those of @terms that only the table knows (for @pmu). */
void parser__expand_terms(struct parser *p, const struct pmu *pmu, struct event_terms *terms,
                          struct evsel *evsel);

/* Add the tracepoint to the list of the parser @ctx, unless it is gone. 0 or a negative errno. */
int parser__add_tracepoint(void *ctx, const char *sys, const char *name);

/*
 * parse_probe.c. Add the static probe points that match the globs @sys and @name, except those with
 * the name of a tracepoint that is in the list from @first on. 0: added, 1: there is none.
 */
int parser__add_probe_points(struct parser *p, const char *start, const char *sys, const char *name,
                             u32 first);
void parser__offer_probe_points(struct parser *p, struct nearest *nearest, struct arena *arena);

/* @term, at @start + term->at, is unknown; @pmu, unless NULL, has terms of its own. */
int parser__unknown_term(struct parser *p, const char *start, const struct event_term *term,
                         const struct pmu *pmu);
int parser__unknown_tracepoint(struct parser *p, const char *start, const char *sys,
                               const char *name);
int parser__unknown_source(struct parser *p, const char *start, const char *source);
int parser__unknown_word(struct parser *p, const char *start, const char *word);

#endif
