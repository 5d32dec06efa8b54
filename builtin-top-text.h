/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf top as text: a head and rows after each delay; on a terminal with keys. */
#ifndef PERF_BUILTIN_TOP_TEXT_H
#define PERF_BUILTIN_TOP_TEXT_H

#include "builtin-top.h"

/* Until ^C, q, or the end of the recording. 0 or a negative errno with @err. */
int top_text__run(struct top *top, struct error *err);

#endif
