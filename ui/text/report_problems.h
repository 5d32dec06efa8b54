/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Messages on stderr about what a report could not use or name: nothing is left out silently.
 */
#ifndef PERF_UI_TEXT_REPORT_PROBLEMS_H
#define PERF_UI_TEXT_REPORT_PROBLEMS_H

#include "util/format/broken.h"
#include "util/profile/profile.h"
#include "util/symbol/session_symbols.h"

/*
 * Problems of the file: perf did not finish, the file is cut, parts were skipped; before the walk,
 * those known from the header. Every command that reads a recording calls this or a function below.
 */
void report_problems__say_file(const struct perf_data *data);

/* The worst of that in few words, after the walk; NULL: the file is whole. */
const char *report_problems__in_short(const struct perf_data *data);

/* Describe the first broken record, count the others; with @verbose describe all that are kept. */
void report_problems__say_broken(const struct broken_records *broken, int verbose);

/* Both, and what else the walk skipped: for commands that print no profile. */
void report_problems__say_records(const struct session *session, int verbose);

/*
 * All of that, one line for each kind of loss, and one line for each dso without symbols that has
 * frames in rows which pass @shown (NULL: any dso, also without rows); more with @verbose.
 */
void report_problems__say(const struct session *session, const struct profile *profile,
                          struct session_symbols *symbols, const struct row_filter *shown,
                          int verbose);

/*
 * One line for each dso whose split debug information (.dwo) was asked for and cannot be read: so
 * inlined functions are missing. Part of report_problems__say().
 */
void report_problems__say_unread(const struct session_symbols *symbols, int verbose);

/*
 * One line that the user part of every chain is missing, if the recording has stack copies of an
 * architecture whose registers are unknown here. For commands that show chains.
 */
void report_problems__say_stacks(const struct session *session);

/* -C needs samples with their CPU: -ENODATA with @err if no event of the file has it. */
int report_problems__need_cpus(const struct session *session, struct error *err);

/* --socket-filter needs this, and the sockets of CPUs in the file's header. */
int report_problems__need_sockets(const struct session *session, struct error *err);

#endif
