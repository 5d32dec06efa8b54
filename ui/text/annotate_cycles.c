// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/text/annotate_cycles.h"

#include <stdio.h>

#define IPC_WIDTH   5
#define CYCLE_WIDTH 5
#define RANGE_WIDTH 18

static int cycle_width(enum cycles_shown shown)
{
	return shown == CYCLES_RANGE ? RANGE_WIDTH : CYCLE_WIDTH;
}

int annotate_cycles__width(const struct function_cycles *function, enum cycles_shown shown)
{
	return shown && function->any ? IPC_WIDTH + 1 + cycle_width(shown) + 1 : 0;
}

void annotate_cycles__heading(struct out *out, const struct function_cycles *function,
                              enum cycles_shown shown)
{
	double covered = function->nr ? 100.0 * function->nr_covered / function->nr : 0;

	out__printf(out, "%*s %*s (Average IPC: %.2f, IPC Coverage: %.1f%%)", IPC_WIDTH, "IPC",
	            cycle_width(shown), shown == CYCLES_RANGE ? "Cycle(min/max)" : "Cycle",
	            function->ipc, covered);
}

void annotate_cycles__insn(struct out *out, const struct insn_cycles *insn, enum cycles_shown shown)
{
	u64 average = insn->count ? insn->cycles / insn->count : 0;
	char text[64] = "";

	if (insn->count && shown == CYCLES_RANGE)
		snprintf(text, sizeof(text), "%llu(%u/%u)", (unsigned long long)average,
		         insn->least, insn->most);
	else if (insn->count)
		snprintf(text, sizeof(text), "%llu", (unsigned long long)average);
	if (insn->ipc)
		out__printf(out, "%*.2f ", IPC_WIDTH, insn->ipc);
	else
		out__fill(out, ' ', IPC_WIDTH + 1);
	out__printf(out, "%*s ", cycle_width(shown), text);
}
