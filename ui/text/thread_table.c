// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/text/thread_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"

static int digits_of(u64 value)
{
	int digits = 1;

	while (value /= 10)
		digits++;
	return digits;
}

static int max_int(int a, int b)
{
	return a > b ? a : b;
}

static int width_of_event(const struct thread_counts *counts, u32 event)
{
	int width = strlen(counts->events[event]->name);

	for (u32 i = 0; i < counts->nr; i++)
		width = max_int(width, digits_of(thread_counts__at(counts, i, event)));
	return width;
}

static void print_number(struct out *out, s32 value, int width)
{
	out__printf(out, "%*d", width, value);
}

void thread_table__print(struct out *out, const struct thread_counts *counts)
{
	int pid = 3, tid = 3, *widths = xcalloc(counts->nr_events + 1, sizeof(*widths));

	for (u32 i = 0; i < counts->nr; i++) {
		pid = max_int(pid, snprintf(NULL, 0, "%d", counts->threads[i].pid));
		tid = max_int(tid, snprintf(NULL, 0, "%d", counts->threads[i].tid));
	}
	out__printf(out, "# %*s  %*s", pid, "PID", tid, "TID");
	for (u32 e = 0; e < counts->nr_events; e++) {
		widths[e] = width_of_event(counts, e);
		out__str(out, "  ");
		out__right(out, counts->events[e]->name, widths[e]);
	}
	out__char(out, '\n');
	for (u32 i = 0; i < counts->nr; i++) {
		out__str(out, "  ");
		print_number(out, counts->threads[i].pid, pid);
		out__str(out, "  ");
		print_number(out, counts->threads[i].tid, tid);
		for (u32 e = 0; e < counts->nr_events; e++) {
			out__str(out, "  ");
			out__dec(out, thread_counts__at(counts, i, e), widths[e]);
		}
		out__char(out, '\n');
	}
	free(widths);
}
