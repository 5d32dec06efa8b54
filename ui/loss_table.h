/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The loss ledger (util/machine/losses.h) for people and for programs: `report --losses`. */
#ifndef PERF_UI_LOSS_TABLE_H
#define PERF_UI_LOSS_TABLE_H

#include "util/lib/out.h"
#include "util/machine/losses.h"

void loss_table__print(struct out *out, const struct losses *losses);

/* One JSON object; its members are in Documentation/perf-report.txt. */
void loss_table__print_json(struct out *out, const struct losses *losses);

/* One line for the head of a report; nothing is printed when nothing was lost. */
void loss_table__print_summary(struct out *out, const struct session *session);

#endif
