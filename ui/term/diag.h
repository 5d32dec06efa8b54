/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Errors and warnings of commands on stderr, all in one layout.
 *
 *	Error: cannot open 'perf.data': No such file or directory
 *	  try 'perf record' first
 *
 *	Warning: ...the same if it is not fatal
 *
 * No colours: scripts read these lines. Texts in a struct error are already safe for a terminal.
 */
#ifndef PERF_UI_TERM_DIAG_H
#define PERF_UI_TERM_DIAG_H

#include "util/lib/error.h"

/* Flush stdout, then print @err; each line of the advice is indented by two. */
void diag__error(const struct error *err);
void diag__warning(const struct error *err);

/* The same for words of the command's own. No final newline in @fmt. */
void diag__say_error(const char *fmt, ...) PRINTF_LIKE(1, 2);
void diag__say_warning(const char *fmt, ...) PRINTF_LIKE(1, 2);

/*
 * At the end of a command: @code is the result of its output, 0 or a negative errno. On failure
 * (not if the reader has closed its end) prints that @what '@file' (NULL: none) failed, returns
 * true.
 */
bool diag__cannot_write(int code, const char *what, const char *file);

/*
 * Keep messages off stderr while a browser has the screen; at its end (@hold false) those that came
 * are printed.
 */
void diag__hold(bool hold);

/* What was said since the start, as it was printed or is to be; @nr is the number of messages. */
const char *diag__said(u32 *nr);

/* Print a line without a label. As above, control characters are replaced. */
void diag__line(const char *fmt, ...) PRINTF_LIKE(1, 2);

#endif
