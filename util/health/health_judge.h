/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stack health of a profile: how each of its chains ended, once all samples were read. */
#ifndef PERF_UTIL_HEALTH_HEALTH_JUDGE_H
#define PERF_UTIL_HEALTH_HEALTH_JUDGE_H

struct error;
struct health;
struct profile;
struct profile_options;
struct row_filter;
struct session;
struct session_symbols;

/*
 * Fill profile->health, with the names that @symbols has for few places of @profile, from the rows
 * that pass @filter (NULL: all), in order: by event, complete first, then by number. Their ends
 * are settled, too: to judge by another filter costs one look at each row, and what was hidden.
 */
void health__judge(struct profile *profile, const struct session *session,
                   struct session_symbols *symbols, const struct row_filter *filter);

/*
 * Read a scanned session for this alone, with the limits and filters of @options: a judged ledger;
 * or a negative errno with @err.
 */
int health__collect(struct health *health, const struct session *session,
                    const struct profile_options *options, struct session_symbols *symbols,
                    struct error *err);

#endif
