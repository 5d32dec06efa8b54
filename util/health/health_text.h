/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stack health as sentences and as JSON. */
#ifndef PERF_UTIL_HEALTH_HEALTH_TEXT_H
#define PERF_UTIL_HEALTH_HEALTH_TEXT_H

#include "util/lib/out.h"
#include "util/profile/health.h"

struct session;

/* "complete", "stack copy too small": a few words, of an enum chain_end. */
const char *chain_end__name(unsigned end);

/* Parts of a sentence: why the chains of @entry (judged) ended so, and what can be done. */
void health_text__cause(struct out *out, const struct health *health,
                        const struct health_entry *entry, const struct session *session);
void health_text__fix(struct out *out, const struct health_entry *entry,
                      const struct session *session);

/*
 * "[nothing is mapped at 0x400, where libc.so.6 returns to]": of the address @addr at the end of
 * chains, which end so, as a frame. @end may be NULL: why is not known.
 */
void health_text__unmapped(struct out *out, u64 addr, const struct row_end *end,
                           const struct session *session);

/* The entry's dso, "-" if there is none; it comes from a file: print it escaped. */
const char *health_text__dso(const struct health_entry *entry, const struct session *session);

/*
 * Cause and remedy in one line of at most 100 characters, for the head of a report: what to do, for
 * which share of the stacks, and, if there is room, in which dso.
 */
void health_text__line(struct out *out, const struct health_cause *cause, u64 nr_stacks,
                       const struct session *session);

/* @part of @whole in percent: "93", "0.4"; never "100" or "0" where that is not exact. */
void health_text__share(struct out *out, u64 part, u64 whole);

/*
 * One JSON object; Documentation/perf-report.txt lists its members. Lines after the first are
 * indented by @depth tabs.
 */
void health_text__json(struct out *out, const struct health *health, const struct session *session,
                       int depth);

#endif
