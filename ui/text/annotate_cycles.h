/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The columns IPC and Cycle of annotated code, in the layout of Linux's perf 6.1. */
#ifndef PERF_UI_TEXT_ANNOTATE_CYCLES_H
#define PERF_UI_TEXT_ANNOTATE_CYCLES_H

#include "util/annotate/code_cycles.h"
#include "util/lib/out.h"

enum cycles_shown {
	CYCLES_NONE,
	CYCLES_AVERAGE,
	CYCLES_RANGE, /* "7(5/10)": the least and the most, too */
};

/* How wide both are; 0 where no branch of the function has cycles. */
int annotate_cycles__width(const struct function_cycles *function, enum cycles_shown shown);

void annotate_cycles__heading(struct out *out, const struct function_cycles *function,
                              enum cycles_shown shown);
void annotate_cycles__insn(struct out *out, const struct insn_cycles *insn,
                           enum cycles_shown shown);

#endif
