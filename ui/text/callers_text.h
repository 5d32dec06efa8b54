/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `perf report --callers-callees`: each function between those that call it and those it calls. */
#ifndef PERF_UI_TEXT_CALLERS_TEXT_H
#define PERF_UI_TEXT_CALLERS_TEXT_H

#include "util/lib/out.h"
#include "util/view/view.h"

struct callers_style {
	const struct name_list *functions; /* these alone; empty: all */
	bool quiet, colored;
};

/* By the filters and the limit of @view. */
void callers_text__print(struct out *out, struct view *view, const struct callers_style *style);

#endif
