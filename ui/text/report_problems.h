/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a report could not use or name, on stderr: nothing is left out in silence.
 */
#ifndef PERF_UI_TEXT_REPORT_PROBLEMS_H
#define PERF_UI_TEXT_REPORT_PROBLEMS_H

#include "util/format/broken.h"
#include "util/profile/profile.h"
#include "util/symbol/session_symbols.h"

/*
 * What is wrong with the file: perf did not end, it is cut, places that were skipped; before the
 * walk, what the header tells. Every command that reads a recording says this or one of those
 * below.
 */
void report_problems__say_file(const struct perf_data *data);

/* The first one by name, the others as a number; with @verbose all that are kept. */
void report_problems__say_broken(const struct broken_records *broken, int verbose);

/* Both, and what else was skipped by the walk: for commands that print no profile. */
void report_problems__say_records(const struct session *session, int verbose);

/*
 * All of that, and one line for each kind of loss; missing symbols one line for each dso that rows
 * which pass @shown (NULL: all, and dsos of no row) have frames in; more with @verbose.
 */
void report_problems__say(const struct session *session, const struct profile *profile,
                          struct session_symbols *symbols, const struct row_filter *shown,
                          int verbose);

/*
 * When chains were recorded as copies of the stack on a machine whose registers are not known
 * here: one line that the user part of every chain is missing. For commands that show chains.
 */
void report_problems__say_stacks(const struct session *session);

/* -C needs samples that say their CPU: -ENODATA and @err when no event of the file has that. */
int report_problems__need_cpus(const struct session *session, struct error *err);

#endif
