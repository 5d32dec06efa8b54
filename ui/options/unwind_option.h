/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The option --unwind-style of commands that unwind copied stacks. */
#ifndef PERF_UI_OPTIONS_UNWIND_OPTION_H
#define PERF_UI_OPTIONS_UNWIND_OPTION_H

#include "util/options/options.h"
#include "util/unwind/unwind.h"

#define OPT_UNWIND_STYLE(value_)                                                                   \
	OPT_CALLBACK(0, "unwind-style", value_, "native|libunwind|libdw",                          \
	             "unwind copied stacks with perf itself (default), or with a library",         \
	             unwind_option__parse)

int unwind_option__parse(const struct option *option, const char *arg, bool unset,
                         struct error *err);

#endif
