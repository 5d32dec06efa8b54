/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arguments that options of several commands have: parsers for OPT_CALLBACK(). */
#ifndef PERF_UI_OPTIONS_COMMON_PARSE_H
#define PERF_UI_OPTIONS_COMMON_PARSE_H

#include "util/options/options.h"

/* The value is a struct name_list: "a,b"; the last of several counts. */
int common_parse__names(const struct option *option, const char *arg, bool unset,
                        struct error *err);

/* The value is a double: "5" or "5%", from 0 to 100. */
int common_parse__percent(const struct option *option, const char *arg, bool unset,
                          struct error *err);

#endif
