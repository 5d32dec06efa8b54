/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command line of a command: its options, -h, completion, and usage errors. A usage error
 * prints the error, then the usage lines of the command with options related to the wrong word;
 * the exit status is 129, as in Linux's perf.
 */
#ifndef PERF_UI_OPTIONS_COMMAND_LINE_H
#define PERF_UI_OPTIONS_COMMAND_LINE_H

#include "util/lib/error.h"
#include "util/options/options.h"

/*
 * Parse a command's options and handle -h and mistakes. Returns 0 to go on (*rest as in
 * options__parse), or the exit status of the command. argv must end with a NULL. -h prints to
 * stdout; the words after it choose what it shows. --list-opts and --list-cmds (for completion)
 * print to stdout. -EOPNOTSUPP from a callback: understood, but not available here; no usage is
 * printed, and the status is EXIT_ERROR.
 */
int command_line__parse(int argc, const char **argv, const char *const *usage,
                        const struct option *options, unsigned flags, int *rest);

/*
 * For tables of options: an option of Linux's perf that this one does not have yet. The parser
 * accepts it, so that it is refused by name (exit status EXIT_ERROR), not as unknown; hidden.
 */
int command_line__refuse_not_yet(const struct option *option, const char *arg, bool unset,
                                 struct error *err);

#define OPT_NOT_YET(short_, long_, argument_, flags_)                                              \
	OPT_CALLBACK(short_, long_, NULL, argument_, "not built yet",                              \
	             command_line__refuse_not_yet, .flags = OPTION_HIDDEN | (flags_))

/*
 * For a mistake found after parsing (a bad event, options that exclude each other): print @err (if
 * not NULL) and the usage, reduced to @only (if not NULL). Returns 129.
 */
int command_line__usage(const struct error *err, const char *const *usage,
                        const struct option *options, const char *only);

/* The same for an argument that the command has no use for; @cause says what belongs there. */
int command_line__refuse_word(const char *word, const char *cause, const char *const *usage,
                              const struct option *options, const char *only);

#endif
