/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How commands tell what went wrong, in one shape, on stderr:
 *
 *	Error: cannot open 'perf.data': No such file or directory
 *	  try 'perf record' first
 *
 *	Warning: ...the same for what is not fatal
 *
 * A usage error is the error, then the usage lines of the command with the options that concern
 * the word at fault, and exit status 129 (Linux's perf does the same). No colours: these lines
 * are read by scripts. What comes from a struct error is already fit for a terminal.
 */
#ifndef PERF_UI_DIAG_H
#define PERF_UI_DIAG_H

#include "util/lib/error.h"
#include "util/lib/options.h"

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

/*
 * Parse a command's options and deal with -h and mistakes. Returns 0 to go on (*rest as in
 * options__parse), or the exit status of the command. argv must end with a NULL. -h goes to
 * stdout, the words behind it choose what it shows; --list-opts and --list-cmds (for
 * completion) go to stdout. A callback
 * that fails with -EOPNOTSUPP was understood but cannot be had here: no usage, EXIT_ERROR.
 */
int diag__parse(int argc, const char **argv, const char *const *usage, const struct option *options,
                unsigned flags, int *rest);

/*
 * For tables of options: what Linux's perf has and this one does not have yet. Accepted by the
 * parser, so that it is refused by name (exit status EXIT_ERROR) and not called unknown; hidden.
 */
int diag__refuse_not_yet(const struct option *option, const char *arg, bool unset,
                         struct error *err);

#define OPTION_NOT_YET(letter, word, argument, more_flags)                                         \
	{                                                                                          \
		.type = OPTION_CALLBACK, .short_name = (letter), .name = (word),                   \
		.arg = (argument), .help = "not built yet", .flags = OPTION_HIDDEN | (more_flags), \
		.parse = diag__refuse_not_yet                                                      \
	}

/*
 * A mistake that shows only after parsing (a bad event, options that exclude each other): print
 * @err (may be NULL: nothing) and the usage reduced to @only (may be NULL). Returns 129.
 */
int diag__usage(const struct error *err, const char *const *usage, const struct option *options,
                const char *only);

#endif
