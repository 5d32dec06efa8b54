/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -vv: each call for a counter is told on stderr, as Linux's perf does. */
#ifndef PERF_UI_OPENER_TEXT_H
#define PERF_UI_OPENER_TEXT_H

#include "util/event/open.h"

struct opener_text {                 /* zero-initialised */
	struct perf_event_attr told; /* the attr that was shown last */
};

/* For opener.tried, with a struct opener_text as opener.tried_ctx. */
void opener_text__tried(void *ctx, const struct opener_call *call);

#endif
