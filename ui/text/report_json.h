/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rows of a report as JSON: of each event with samples, with what is in them below "inside".
 * The option that prints it is hidden: its schema is not promised yet.
 */
#ifndef PERF_UI_TEXT_REPORT_JSON_H
#define PERF_UI_TEXT_REPORT_JSON_H

#include "util/lib/out.h"
#include "util/view/view.h"

void report_json__print(struct out *out, struct view *view);

#endif
