/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -vv: print each perf_event_open() call to stderr, as Linux's perf does. */
#ifndef PERF_UI_TEXT_OPENER_TEXT_H
#define PERF_UI_TEXT_OPENER_TEXT_H

#include "util/counter/open.h"

struct opener_text {                 /* zero-initialised */
	struct perf_event_attr told; /* the attr that was printed last */
};

/*
 * Print the calls of @opener: as text if @verbose; if the environment has PERF_TEST_ATTR, also to
 * files in the folder it names, in the form that the attr tests of Linux's perf read. @text must
 * outlive the opener.
 */
void opener_text__tell(struct opener *opener, struct opener_text *text, bool verbose);

#endif
