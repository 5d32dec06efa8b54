/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `perf --debug KEY[=N][,KEY...]`: how much perf reports about its work; keys of Linux's perf. */
#ifndef PERF_UTIL_OPTIONS_DEBUG_SETTINGS_H
#define PERF_UTIL_OPTIONS_DEBUG_SETTINGS_H

#include "util/lib/error.h"

struct debug_settings {
	int verbose;    /* like that many -v */
	int event_open; /* print the events as the kernel got them */
};

/*
 * A key without a number means 1. ordered-events, data-convert and stderr are accepted without
 * effect. 0, or -EINVAL with the key named; keys before the mistake are set.
 */
int debug_settings__parse(struct debug_settings *settings, const char *text, struct error *err);

#endif
