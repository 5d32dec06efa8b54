/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Installed paths that perf looks for when it runs; set by PREFIX and SYSCONFDIR of the build. The
 * strings are constants.
 */
#ifndef PERF_UTIL_OPTIONS_PLACES_H
#define PERF_UTIL_OPTIONS_PLACES_H

const char *places__exec_dir(void);      /* perf-CMD programs and scripts */
const char *places__doc_dir(void);       /* for --html-path */
const char *places__man_dir(void);       /* manual pages, in man1/ */
const char *places__table_dir(void);     /* event tables (util/event/event_table.h) */
const char *places__system_config(void); /* the file of the system-wide configuration */

#endif
