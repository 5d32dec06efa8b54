/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The option --debuginfod[=URLS]: fetch debug files from servers, for commands that name addresses.
 * Without it no server is asked. On a terminal the current download is shown.
 */
#ifndef PERF_UI_OPTIONS_DEBUGINFOD_OPTION_H
#define PERF_UI_OPTIONS_DEBUGINFOD_OPTION_H

#include "util/options/options.h"
#include "util/symtab/debuginfod.h"

struct debuginfod_option {
	bool wanted;
	const char *urls; /* NULL: those of DEBUGINFOD_URLS */
	struct debuginfod *client;
	bool shown; /* the terminal's line has a message */
};

#define OPT_DEBUGINFOD(value_)                                                                     \
	OPT_CALLBACK(0, "debuginfod", value_, "urls",                                              \
	             "fetch debug files from these servers, or those of DEBUGINFOD_URLS",          \
	             debuginfod_option__parse, .flags = OPTION_OPTIONAL_ARG)

int debuginfod_option__parse(const struct option *option, const char *arg, bool unset,
                             struct error *err);

/* For commands that name no addresses: an error that lists those that do. */
int debuginfod_option__refuse(const struct option *option, const char *arg, bool unset,
                              struct error *err);

/* The client for struct symbol_config. NULL: not requested, or not available (with a warning). */
struct debuginfod *debuginfod_option__start(struct debuginfod_option *self);

/* After all names are known: print what went wrong. */
void debuginfod_option__end(struct debuginfod_option *self);

#endif
