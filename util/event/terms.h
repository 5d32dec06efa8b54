/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parses the terms of an event text (between its slashes) and of files in a PMU's events folder.
 * "period=1000,name='a b',inherit", "event=0x3c,umask=0x1".
 */
#ifndef PERF_UTIL_EVENT_TERMS_H
#define PERF_UTIL_EVENT_TERMS_H

#include "util/event/evsel.h"
#include "util/lib/error.h"
#include "util/lib/types.h"

struct event_term {
	char *key;
	char *text; /* the value as written, without quotes; NULL: none ("inherit") */
	u64 number; /* of the value, or 1 without one */
	bool is_number;
	u32 at, value_at; /* offsets in the parsed text, for error messages */
};

struct event_terms {
	struct event_term *terms;
	u32 nr;
	size_t cap;
};

void event_terms__exit(struct event_terms *terms);

/*
 * Parse @len bytes of @text. 0, or -EINVAL with *at the offset of the mistake and @err's cause set
 * (its other parts are the caller's).
 */
int event_terms__parse(struct event_terms *terms, const char *text, size_t len, u32 *at,
                       struct error *err);

/*
 * Apply one of the terms that every event knows (period, freq, name, config, call-graph ...).
 * 1: done; 0: not such a term; -EINVAL: its value is bad, @err's cause is set.
 */
int evsel__apply_term(struct evsel *evsel, const struct event_term *term, struct error *err);

/* Key number @nr of those terms; @counting: only those that need no samples. NULL: no more. */
const char *event_terms__name(u32 nr, bool counting);

/* Is @key one of them? Is it about samples only? */
bool event_term__is_known(const char *key);
bool event_term__is_for_samples(const char *key);

/*
 * "any_call,u" or, in a term, "any_call+u": which branches a branch stack keeps, as
 * attr.branch_sample_type. All of them if only modes (u, k, hv) are given. 0 or -EINVAL, with
 * @err's cause set.
 */
int parse_branch_types(const char *text, u64 *mask, struct error *err);

/* A whole number, decimal or 0x hex; false for anything else. */
bool parse_event_number(const char *text, u64 *value);

/* "r1a8": the raw config word. */
bool parse_event_raw(const char *text, u64 *config);

#endif
