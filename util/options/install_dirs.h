/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Installed paths that perf looks for when it runs; set by PREFIX and SYSCONFDIR of the build. The
 * strings are constants.
 */
#ifndef PERF_UTIL_OPTIONS_INSTALL_DIRS_H
#define PERF_UTIL_OPTIONS_INSTALL_DIRS_H

const char *install_dirs__exec(void);          /* perf-CMD programs and scripts */
const char *install_dirs__doc(void);           /* for --html-path */
const char *install_dirs__man(void);           /* manual pages, in man1/ */
const char *install_dirs__tables(void);        /* event tables (util/event/event_table.h) */
const char *install_dirs__system_config(void); /* the file of the system-wide configuration */

#endif
