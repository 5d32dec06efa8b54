/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The dump of `report -D` and `script -D`: each record in hex and as text, as in Linux's perf 6.1.
 * Nothing is left out: a record that is malformed or of unknown type is shown at least as bytes.
 */
#ifndef PERF_UI_DUMP_DUMP_H
#define PERF_UI_DUMP_DUMP_H

#include "util/lib/out.h"
#include "util/machine/session.h"
#include "util/stream/resolve.h"
#include "util/symbol/session_symbols.h"

enum dump_flags {
	/*
	 * The form of `perf script`: the thread and dso of a sample are left to dump__where(), and
	 * some records that script itself uses are worded differently.
	 */
	DUMP_SCRIPT = 1u << 0,
};

struct dump_counts {
	u64 nr_broken, nr_unknown; /* malformed records, records of unknown type */
};

struct dump; /* private */

/* All arguments are borrowed. @session has been scanned. If it is unordered, @out says so. */
struct dump *dump__new(const struct session *session, struct session_symbols *symbols,
                       struct out *out, unsigned flags);
void dump__delete(struct dump *dump);

/* Records must come in the order of util/reader/perf_order.h. */
void dump__record(struct dump *dump, const struct record *record);
/* Drop the caches: a live stream was read on, and earlier look-ups may be invalid. */
void dump__forget(struct dump *dump);

const struct dump_counts *dump__counts(const struct dump *dump);

/*
 * A TEXT_POKE record, with the symbol that was patched (@symbols NULL: without); its lines, the
 * last with a newline. False: it is malformed, and nothing was written.
 */
bool dump__text_poke(struct out *out, const struct session *session,
                     struct session_symbols *symbols, const struct record *record,
                     struct moment when);

/* The thread and the dso that a sample was taken in; @task NULL: unknown. */
void dump__where(struct out *out, const struct session *session, struct resolver *resolver,
                 const struct task *task, const struct sample *sample, struct moment when);

#endif
