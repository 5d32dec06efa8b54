/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -vv: each call for a counter is told on stderr, as Linux's perf does. */
#ifndef PERF_UI_TEXT_OPENER_TEXT_H
#define PERF_UI_TEXT_OPENER_TEXT_H

#include "util/counter/open.h"

struct opener_text {                 /* zero-initialised */
	struct perf_event_attr told; /* the attr that was shown last */
};

/*
 * Tell the calls of @opener: as text if @verbose; into files in the folder that PERF_TEST_ATTR in
 * the environment names, as the attr tests of Linux's perf read them, where it does. @text must
 * outlive the opener.
 */
void opener_text__tell(struct opener *opener, struct opener_text *text, bool verbose);

#endif
