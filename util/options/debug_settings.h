/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `perf --debug KEY[=N][,KEY...]`: how much is told while perf works, in Linux's perf's words. */
#ifndef PERF_UTIL_OPTIONS_DEBUG_SETTINGS_H
#define PERF_UTIL_OPTIONS_DEBUG_SETTINGS_H

#include "util/lib/error.h"

struct debug_settings {
	int verbose;    /* as so many -v */
	int event_open; /* tell the events as the kernel got them */
};

/*
 * Keys without a number count as 1. ordered-events, data-convert and stderr are known and change
 * nothing here. 0 or -EINVAL with the key named; what stood before the mistake is set.
 */
int debug_settings__parse(struct debug_settings *settings, const char *text, struct error *err);

#endif
