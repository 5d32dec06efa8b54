/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How commands tell what went wrong, in one shape, on stderr:
 *
 *	Error: cannot open 'perf.data': No such file or directory
 *	  try 'perf record' first
 *
 *	Warning: ...the same for what is not fatal
 *
 * No colours: these lines are read by scripts. What comes from a struct error is already fit for a
 *terminal.
 */
#ifndef PERF_UI_TERM_DIAG_H
#define PERF_UI_TERM_DIAG_H

#include "util/lib/error.h"

/* Print @err; each line of the advice is indented by two. stdout is flushed before. */
void diag__error(const struct error *err);
void diag__warning(const struct error *err);

/* The same for words of the command's own. No final newline in @fmt. */
void diag__say_error(const char *fmt, ...) PRINTF_LIKE(1, 2);
void diag__say_warning(const char *fmt, ...) PRINTF_LIKE(1, 2);

/*
 * At the end of a command: what became of its output, 0 or a negative errno. On failure (a reader
 * that has gone is none) says that @what '@file' (NULL: none) went wrong, and returns true.
 */
bool diag__cannot_write(int code, const char *what, const char *file);

/* One line without a label. Like above, control characters in it do not reach the terminal. */
void diag__line(const char *fmt, ...) PRINTF_LIKE(1, 2);

#endif
