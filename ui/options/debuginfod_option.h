/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The option --debuginfod[=URLS] of commands that name addresses: servers are asked for debug files
 * only with it. On a terminal, what is being fetched is shown.
 */
#ifndef PERF_UI_OPTIONS_DEBUGINFOD_OPTION_H
#define PERF_UI_OPTIONS_DEBUGINFOD_OPTION_H

#include "util/options/options.h"
#include "util/symtab/debuginfod.h"

struct debuginfod_option {
	bool wanted;
	const char *urls; /* NULL: those of DEBUGINFOD_URLS */
	struct debuginfod *client;
	bool shown; /* something stands on the terminal's line */
};

#define OPT_DEBUGINFOD(value_)                                                                     \
	OPT_CALLBACK(0, "debuginfod", value_, "urls",                                              \
	             "fetch debug files from these servers, or those of DEBUGINFOD_URLS",          \
	             debuginfod_option__parse, .flags = OPTION_OPTIONAL_ARG)

int debuginfod_option__parse(const struct option *option, const char *arg, bool unset,
                             struct error *err);

/* Of commands that name nothing: says which ones fetch debug files. */
int debuginfod_option__refuse(const struct option *option, const char *arg, bool unset,
                              struct error *err);

/* The client for struct symbol_config: NULL when it was not asked for, or, warned of, not there. */
struct debuginfod *debuginfod_option__start(struct debuginfod_option *self);

/* When all names are known: says what went wrong. */
void debuginfod_option__end(struct debuginfod_option *self);

#endif
