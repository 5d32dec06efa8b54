/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sort keys of tracepoints, made at run time from the formats in a recording: "trace", the text of
 * a sample, and one for each field that -s names: "prev_comm", "sched:sched_switch.prev_pid",
 * "sched_switch.*", "trace_fields", with "/raw" behind it for the number instead of its name.
 *
 * A key of a field belongs to one event (key.h: evsel); samples of others do not differ in it.
 * Values are numbers of contents, which the threads that build a profile share.
 */
#ifndef PERF_UTIL_VIEW_KEY_TRACE_H
#define PERF_UTIL_VIEW_KEY_TRACE_H

#include "util/profile/key.h"

struct trace_keys; /* private */

/* Of @session, which must outlive them; with @raw all contents are numbers. */
struct trace_keys *trace_keys__new(const struct session *session, bool raw);
void trace_keys__delete(struct trace_keys *keys);

/*
 * The list of keys @text, to be freed, with each word that is no key of the table and matches
 * fields (also by glob) replaced by the names of theirs, which are made. Other words stay as they
 * are.
 */
char *trace_keys__expand(struct trace_keys *keys, const char *text);

/*
 * Advice in @err, which says that the word @word means nothing: the fields, or the events, of the
 * first session that are near it. None: the advice is empty.
 */
void trace_keys__propose(const struct trace_keys *keys, const char *word, struct error *err);

/* "trace" and all that were made: for sort_keys__find(). NULL is behind the last. */
const struct key *const *trace_keys__list(const struct trace_keys *keys);

/*
 * Read samples of @session from now on, and name addresses of the kernel by @symbols: from before a
 * profile is built until it is done. Events and fields are found by the names that the first
 * session has, which must still be open; equal contents are one.
 */
void trace_keys__use(struct trace_keys *keys, const struct session *session,
                     struct session_symbols *symbols);

/*
 * For profiles that grow: forget the contents, which are so many, whose used[i] is 0. Numbers of
 * others stay.
 */
size_t trace_keys__nr_contents(const struct trace_keys *keys);
void trace_keys__keep(struct trace_keys *keys, const u8 *used);

/* Is @key one of these? */
bool key__is_trace(const struct key *key);

#endif
