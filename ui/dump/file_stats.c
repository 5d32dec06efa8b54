// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/dump/file_stats.h"

#define NAME_WIDTH  16
#define COUNT_WIDTH 10

static void print_count(struct out *out, const char *name, u64 count)
{
	out__right(out, name, NAME_WIDTH);
	out__str(out, " events: ");
	out__dec(out, count, COUNT_WIDTH);
}

static void print_part(struct out *out, const char *name, u64 count, u64 total)
{
	print_count(out, name, count);
	out__str(out, "  (");
	out__percent(out, count, total, 1, 4);
	out__str(out, "%)\n");
}

static void print_event(struct out *out, const struct session *session, u32 i, unsigned flags)
{
	u64 samples = session->stats.samples_of[i];
	u64 lost = flags & FILE_STATS_LOST ? session->stats.lost_samples_of[i] : 0;

	if (flags & FILE_STATS_SKIP_EMPTY && !samples && !lost)
		return;
	out__name(out, session->evlist->evsels[i]->name);
	out__str(out, " stats:\n");
	if (samples) {
		print_count(out, "SAMPLE", samples);
		out__char(out, '\n');
	}
	if (lost) {
		print_count(out, "LOST_SAMPLES", lost);
		out__char(out, '\n');
	}
}

void file_stats__print(struct out *out, const struct session *session, unsigned flags)
{
	const struct session_stats *stats = &session->stats;
	u64 total = stats->nr_unknown;

	for (u32 type = 0; type < RECORD_TYPE_MAX; type++)
		total += stats->nr_records[type];
	out__str(out, "\nAggregated stats:\n");
	print_count(out, "TOTAL", total);
	out__char(out, '\n');
	for (u32 type = 0; type < RECORD_TYPE_MAX; type++)
		if (stats->nr_records[type])
			print_part(out, record__type_name(type), stats->nr_records[type], total);
	if (stats->nr_unknown)
		print_part(out, "unknown", stats->nr_unknown, total);
	for (u32 i = 0; i < session->evlist->nr; i++)
		print_event(out, session, i, flags);
}
