/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The loss ledger (util/machine/losses.h) for people and for programs: `report --losses`. */
#ifndef PERF_UI_TEXT_LOSS_TABLE_H
#define PERF_UI_TEXT_LOSS_TABLE_H

#include "util/lib/out.h"
#include "util/lib/time_range.h"
#include "util/machine/losses.h"

/* By CPU, by event, and gap by gap; @list has the names of the events. */
void loss_table__print(struct out *out, const struct losses *losses, const struct evlist *list);

/* What was lost in each 100 ms in which something was. */
void loss_table__print_slots(struct out *out, const struct losses *losses);

/* All of it as one JSON object; its members are in Documentation/perf-report.txt. */
void loss_table__print_json(struct out *out, const struct losses *losses,
                            const struct evlist *list);

/* Which part of a recording a report is of. */
struct loss_view {
	const u8 *cpu_set; /* cpu_set[cpu]: it is, for cpu < nr_cpu_set; NULL: all */
	u32 nr_cpu_set;
	struct time_ranges times;
	bool filtered; /* by what losses have no part in: threads, commands, code */
};

/*
 * One line for the head of a report; nothing is printed when nothing was lost. Gaps on these CPUs
 * that these times touch count, of filtered reports all: then the line says so.
 */
void loss_table__print_summary(struct out *out, const struct session *session,
                               const struct loss_view *view);

#endif
