/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where `make install` puts what perf looks for later; decided by PREFIX and SYSCONFDIR of the
 * build. The strings are constants.
 */
#ifndef PERF_UTIL_OPTIONS_PLACES_H
#define PERF_UTIL_OPTIONS_PLACES_H

const char *places__exec_dir(void);      /* perf-CMD programs and scripts */
const char *places__doc_dir(void);       /* what --html-path says */
const char *places__man_dir(void);       /* manual pages, in man1/ */
const char *places__table_dir(void);     /* tables of events (util/event/event_table.h) */
const char *places__system_config(void); /* the file of the system-wide configuration */

#endif
