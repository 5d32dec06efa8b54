/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command line of a command: its options, -h, completion, and mistakes in it. A usage error is
 * the error, then the usage lines of the command with the options that concern the word at fault,
 * and exit status 129, as in Linux's perf.
 */
#ifndef PERF_UI_OPTIONS_COMMAND_LINE_H
#define PERF_UI_OPTIONS_COMMAND_LINE_H

#include "util/lib/error.h"
#include "util/options/options.h"

/*
 * Parse a command's options and deal with -h and mistakes. Returns 0 to go on (*rest as in
 * options__parse), or the exit status of the command. argv must end with a NULL. -h goes to
 * stdout, the words behind it choose what it shows; --list-opts and --list-cmds (for
 * completion) go to stdout. A callback
 * that fails with -EOPNOTSUPP was understood but cannot be had here: no usage, EXIT_ERROR.
 */
int command_line__parse(int argc, const char **argv, const char *const *usage,
                        const struct option *options, unsigned flags, int *rest);

/*
 * For tables of options: what Linux's perf has and this one does not have yet. Accepted by the
 * parser, so that it is refused by name (exit status EXIT_ERROR) and not called unknown; hidden.
 */
int command_line__refuse_not_yet(const struct option *option, const char *arg, bool unset,
                                 struct error *err);

#define OPT_NOT_YET(short_, long_, argument_, flags_)                                              \
	OPT_CALLBACK(short_, long_, NULL, argument_, "not built yet",                              \
	             command_line__refuse_not_yet, .flags = OPTION_HIDDEN | (flags_))

/*
 * A mistake that shows only after parsing (a bad event, options that exclude each other): print
 * @err (may be NULL: nothing) and the usage reduced to @only (may be NULL). Returns 129.
 */
int command_line__usage(const struct error *err, const char *const *usage,
                        const struct option *options, const char *only);

#endif
