/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When `record --switch-output` goes on in a new file: on SIGUSR2, at a file size, or after a time.
 * Texts as in Linux's perf 6.1.
 */
#ifndef PERF_UTIL_RECORD_SWITCH_OUTPUT_H
#define PERF_UTIL_RECORD_SWITCH_OUTPUT_H

#include "util/lib/error.h"
#include "util/lib/types.h"

struct switch_output {
	bool enabled;
	bool by_signal;
	u64 size;    /* bytes; 0: not by size */
	u64 seconds; /* 0: not by time */
};

/*
 * "signal", "100M" (B K M G), "30s" (s m h d); the unit is required, and case matters. 0, or
 * -EINVAL with @err.
 */
int switch_output__parse(struct switch_output *when, const char *text, struct error *err);

/* "64K": a number above 0 with one of B K M G. 0 or -EINVAL with @err, which names @what. */
int record__parse_size(const char *text, u64 *bytes, const char *what, struct error *err);

#endif
