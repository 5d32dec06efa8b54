/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Show the installed manual pages (by man(1)) and the guide; name substitutes of missing commands.
 */
#ifndef PERF_UI_TERM_MANUAL_H
#define PERF_UI_TERM_MANUAL_H

#include <stdbool.h>

/*
 * Show the page of the command @name and wait until man ends. False if it was not shown: it
 * is not installed, or man is missing or failed (man has printed why).
 */
bool manual__show(const char *name);

/* Print the guide (Documentation/guide.txt). Returns the exit status; 1 and an error: not found. */
int manual__show_guide(bool paged);

/* Is -h or --help among the leading options, before the first other word? */
bool manual__is_asked(int argc, const char **argv);

/* What to use instead of a command that is not implemented yet. */
const char *manual__instead(const char *command);

#endif
