/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The manual pages that `make install` brought, shown by man(1), the guide, and what to use instead
 * of what has none.
 */
#ifndef PERF_UI_TERM_MANUAL_H
#define PERF_UI_TERM_MANUAL_H

#include <stdbool.h>

/*
 * Show the page of the command @name and wait for its reader. False where nobody has seen it: it
 * is not installed, or man is missing or failed, which man itself has said.
 */
bool manual__show(const char *name);

/* Print the guide (Documentation/guide.txt). The exit status; 1: it is nowhere, which is said. */
int manual__show_guide(bool paged);

/* Is -h, or --help, among the options of this command? In front of what it runs. */
bool manual__is_asked(int argc, const char **argv);

/* What to use meanwhile for a command that is not built yet. */
const char *manual__instead(const char *command);

#endif
