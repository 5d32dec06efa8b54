/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The dump of `report -D` and `script -D`: each record as bytes in hex and as one or more lines
 * that say what they mean, as Linux's perf 6.1 prints them. Nothing is left out: of a record whose
 * inside makes no sense, or whose type nobody knows, at least the bytes are shown.
 */
#ifndef PERF_UI_DUMP_DUMP_H
#define PERF_UI_DUMP_DUMP_H

#include "util/lib/out.h"
#include "util/machine/session.h"
#include "util/profile/resolve.h"
#include "util/symbol/session_symbols.h"

enum dump_flags {
	/*
	 * As of `perf script`: what follows a sample (thread and dso) is left to dump__where(), and
	 * some records that script itself makes use of are shown in other words.
	 */
	DUMP_SCRIPT = 1u << 0,
};

struct dump_counts {
	u64 nr_broken, nr_unknown; /* records whose inside, or type, could not be told */
};

struct dump; /* private */

/* All arguments are borrowed. @session has been scanned. Says on @out if it has no order of time.
 */
struct dump *dump__new(const struct session *session, struct session_symbols *symbols,
                       struct out *out, unsigned flags);
void dump__delete(struct dump *dump);

/* Records must come in the order of util/reader/perf_order.h. */
void dump__record(struct dump *dump, const struct record *record);
/* A live stream was walked on, and what was true before may not be. */
void dump__forget(struct dump *dump);

const struct dump_counts *dump__counts(const struct dump *dump);

/* The thread and the dso that a sample was taken in; @task NULL: unknown. */
void dump__where(struct out *out, const struct session *session, struct resolver *resolver,
                 const struct task *task, const struct sample *sample, struct moment when);

#endif
