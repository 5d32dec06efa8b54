/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * `perf report --json`: a report as one JSON object: what the header of the file tells, the rows of
 * each event, what was lost, how far call chains can be believed. Its schema is
 * Documentation/report.schema.json.
 */
#ifndef PERF_UI_JSON_REPORT_JSON_H
#define PERF_UI_JSON_REPORT_JSON_H

#include "util/analysis/losses.h"
#include "util/lib/out.h"
#include "util/view/view.h"

/* Opens all levels of @view. @losses are those of its session. */
void report_json__print(struct out *out, struct view *view, const struct losses *losses);

/* Of several: @recordings is a text, the list of what each has instead of "headers" and "losses".
 */
void report_json__print_sum(struct out *out, struct view *view, const char *recordings);

#endif
