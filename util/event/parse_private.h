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

/*
 * An event of the source named @source. @terms_at is where @terms stand in the text, @name what it
 * is called; terms that the table of the processor names are replaced by what they stand for.
 */
int parser__add_of_source(struct parser *p, const char *source, struct event_terms *terms,
                          const char *terms_at, const char *name);

/*
 * Of @sources, which one name stands for, leave those that --pmu-filter lets through. -EINVAL:
 * there is none. The others are freed.
 */
int parser__filter_sources(struct parser *p, const char *start, char **sources, u32 *nr);

/* parse_table.c. The events named @word of the processor's table. 0: added, 1: there is none. */
int parser__add_of_table(struct parser *p, const char *start, const char *word);
bool parser__is_in_table(struct parser *p, const char *word);

/* Replace those of @terms that only the table knows (for @pmu) by what they stand for there. */
void parser__expand_terms(struct parser *p, const struct pmu *pmu, struct event_terms *terms,
                          struct evsel *evsel);

/*
 * parse_probe.c. The static probe points that fit the globs @sys and @name, save those of which a
 * tracepoint of the list's end (from @first on) bears the name. 0: added, 1: there is none.
 */
int parser__add_probe_points(struct parser *p, const char *start, const char *sys, const char *name,
                             u32 first);
void parser__offer_probe_points(struct parser *p, struct nearest *nearest, struct arena *arena);

/* @term at @start + term->at is known by nobody; @pmu has terms besides, or is NULL. */
int parser__unknown_term(struct parser *p, const char *start, const struct event_term *term,
                         const struct pmu *pmu);
int parser__unknown_tracepoint(struct parser *p, const char *start, const char *sys,
                               const char *name);
int parser__unknown_source(struct parser *p, const char *start, const char *source);
int parser__unknown_word(struct parser *p, const char *start, const char *word);

#endif
