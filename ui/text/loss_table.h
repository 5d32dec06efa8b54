/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `report --losses`: the loss ledger (util/analysis/losses.h) as tables and as JSON. */
#ifndef PERF_UI_TEXT_LOSS_TABLE_H
#define PERF_UI_TEXT_LOSS_TABLE_H

#include "util/analysis/losses.h"
#include "util/lib/out.h"
#include "util/lib/time_range.h"

/* By CPU, by event, and gap by gap; @list has the names of the events. */
void loss_table__print(struct out *out, const struct losses *losses, const struct evlist *list);

/* Losses in each slot of 100 ms that has any. */
void loss_table__print_slots(struct out *out, const struct losses *losses);

/* All of it as one JSON object; its members are in Documentation/perf-report.txt. */
void loss_table__print_json(struct out *out, const struct losses *losses,
                            const struct evlist *list);

/* The part of a recording that a report covers. */
struct loss_view {
	const u8 *cpu_set; /* cpu_set[cpu] != 0: covered, for cpu < nr_cpu_set; NULL: all */
	u32 nr_cpu_set;
	struct time_ranges times;
	bool filtered; /* by properties that losses lack: threads, commands, code */
};

/*
 * One line for the head of a report; nothing if nothing was lost. It counts gaps on the view's CPUs
 * that overlap its times; in a filtered report it counts the whole recording, and says so.
 */
void loss_table__print_summary(struct out *out, const struct session *session,
                               const struct loss_view *view);

#endif
