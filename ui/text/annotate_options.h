/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How code is shown: options and configuration of perf annotate and of report's browser. */
#ifndef PERF_UI_TEXT_ANNOTATE_OPTIONS_H
#define PERF_UI_TEXT_ANNOTATE_OPTIONS_H

#include "ui/text/annotate_stdio.h"
#include "util/options/options.h"

struct annotate_options {
	struct annotate_style style;
	struct annotation_style code;
	const char *prefix; /* the folder that sources are looked for in; NULL: as they are named */
	unsigned prefix_strip;
};

#define ANNOTATE_OPTIONS_INIT                                                                      \
	{                                                                                          \
		.style = {.source = true }                                                         \
	}

/* clang-format off */
#define OPT_ANNOTATE(self)                                                                        \
	OPT_BOOL(0, "asm-raw", &(self)->style.raw, "also print the bytes of instructions"),       \
	OPT_CALLBACK('M', "disassembler-style", &(self)->code, "att|intel",                       \
	             "use this syntax for x86 code (default: att); with --objdump, any "          \
	             "that program knows",                                                        \
	             annotate_options__parse_style),                                              \
	OPT_STRING(0, "objdump", &(self)->code.objdump, "file",                                   \
	           "disassemble with this program, such as the objdump of another architecture"), \
	OPT_BOOL(0, "source", &(self)->style.source,                                              \
	         "print source lines where they are found (default)"),                            \
	OPT_CALLBACK(0, "percent-type", &(self)->style.percent,                                   \
	             "local-period|local-hits|global-period|global-hits",                         \
	             "take the function (local, default) or everything (global) as " \
	             "100 %, by period (default) or by samples (hits)",                               \
	             annotate_options__parse_percent_type),                                       \
	OPT_STRING(0, "prefix", &(self)->prefix, "dir", "look for sources below this folder"),    \
	OPT_UINT(0, "prefix-strip", &(self)->prefix_strip, "number",                              \
	         "with --prefix: strip this many leading folders from their paths")

/* For tables of configuration variables. */
#define OPT_ANNOTATE_KEYS(self)                                                                   \
	OPT_KEY(OPTION_STRING, "annotate.objdump", &(self)->code.objdump),                        \
	OPT_KEY(OPTION_CALLBACK, "annotate.disassembler_style", &(self)->code,                    \
	        .parse = annotate_options__parse_style),                                          \
	OPT_KEY(OPTION_CALLBACK, "annotate.percent_type", &(self)->style.percent,                 \
	        .parse = annotate_options__parse_percent_type)
/* clang-format on */

int annotate_options__parse_style(const struct option *option, const char *arg, bool unset,
                                  struct error *err);
int annotate_options__parse_percent_type(const struct option *option, const char *arg, bool unset,
                                         struct error *err);

#endif
