/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where `make install` puts what perf looks for later; decided by PREFIX and SYSCONFDIR of the
 * build. The strings are constants.
 */
#ifndef PERF_UTIL_OPTIONS_INSTALL_DIRS_H
#define PERF_UTIL_OPTIONS_INSTALL_DIRS_H

const char *install_dirs__exec(void);          /* perf-CMD programs and scripts */
const char *install_dirs__doc(void);           /* what --html-path says */
const char *install_dirs__man(void);           /* manual pages, in man1/ */
const char *install_dirs__tables(void);        /* tables of events (util/event/event_table.h) */
const char *install_dirs__system_config(void); /* the file of the system-wide configuration */

#endif
