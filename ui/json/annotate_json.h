/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `perf annotate --json`: functions as JSON (its keys: Documentation/perf-annotate.txt). */
#ifndef PERF_UI_JSON_ANNOTATE_JSON_H
#define PERF_UI_JSON_ANNOTATE_JSON_H

#include "ui/text/annotate_stdio.h"

/* The beginning of the document, one function (the @index-th), and the end. */
void annotate_json__begin(struct out *out);
int annotate_json__print(struct annotate_text *text, struct annotation *annotation, u32 index,
                         struct error *err);
void annotate_json__end(struct out *out);

#endif
