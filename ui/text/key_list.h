/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `perf report -s help`: the sort keys and figures, with the heading of their columns. */
#ifndef PERF_UI_TEXT_KEY_LIST_H
#define PERF_UI_TEXT_KEY_LIST_H

#include "util/lib/out.h"

void key_list__print(struct out *out);

#endif
