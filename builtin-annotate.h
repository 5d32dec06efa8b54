/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The settings of perf annotate, shared by builtin-annotate.c and builtin-annotate-options.c. */
#ifndef PERF_BUILTIN_ANNOTATE_H
#define PERF_BUILTIN_ANNOTATE_H

#include "builtin.h"
#include "ui/options/accepted.h"
#include "ui/options/symbol_options.h"
#include "ui/term/color.h"
#include "ui/text/annotate_options.h"

struct annotate {
	/* As given. */
	const char *input, *symbol, *cpus_text;
	int verbose;
	bool force, quiet, dump, stdio, tui, modules, skip_missing, group, json;
	double percent_limit;
	enum color_mode color;
	struct annotate_options shown;
	struct hist_options hists; /* dsos and symbols */
	struct symbol_options symbols;
	struct accepted accepted;
};

/* Set by the command line and the configuration. */
extern struct annotate annotate;

/* Fills annotate. 0 to go on, or the exit status after a message. */
int annotate__parse_options(int argc, const char **argv);

/* Call it also after an error in the options. */
void annotate__free_options(void);

#endif
