// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/text/loss_table.h"

#include "ui/text/table.h"

static const char *const reason_names[] = {
	[LOSS_RING_FULL] = "ring full",
	[LOSS_WRITER_BEHIND] = "writer behind",
	[LOSS_DISK_FULL] = "disk full",
	[LOSS_THROTTLED] = "throttled",
};

static struct cell cpu_cell(s32 cpu)
{
	return cpu < 0 ? cell__mark("?") : cell__number(cpu);
}

/* ---- what was kept and lost: of a CPU, an event, a slot of time ---- */

enum { OF, KEPT, LOST, SHARE, EVENT, NR_SUMS }; /* EVENT: what OF is, behind the figures */

#define SUMS_TABLE(heading, width, gap, nr)                                                        \
	{                                                                                          \
		(const struct table_column[]){                                                     \
			{ heading, width, gap, TABLE_RIGHT }, { "kept", 12, 1, TABLE_RIGHT },      \
			{ "lost", 12, 1, TABLE_RIGHT },       { "lost %", 8, 1, TABLE_RIGHT },     \
			{ "event", 0, 2, TABLE_LEFT },                                             \
		},                                                                                 \
		        nr, .prefix = "#\n#"                                                       \
	}

static const struct table cpu_table = SUMS_TABLE("CPU", 5, 0, EVENT);
static const struct table slot_table = SUMS_TABLE("from [s]", 16, 1, EVENT);
static const struct table event_table = SUMS_TABLE(NULL, 5, 0, NR_SUMS);

static const char *const cpu_keys[] = { "cpu", "kept", "lost" };
static const char *const slot_keys[] = { "from_ns", "kept", "lost" };
static const char *const event_keys[] = { "event", "kept", "lost" };

/* Samples are there of which nobody knows the CPU: the share that one CPU lost is not known. */
static bool is_apart(const struct losses *losses)
{
	return losses->nr_cpus > 1 && losses->cpus[0].cpu < 0 && losses->cpus[0].all.kept;
}

static void fill_sums(struct cell *row, struct cell of, const struct loss_sums *sums, bool apart)
{
	row[OF] = of;
	row[KEPT] = apart && !sums->kept ? cell__mark("?") : cell__number(sums->kept);
	row[LOST] = cell__number(sums->lost);
	row[SHARE] =
	        apart ? cell__mark("?") : cell__real(losses__percent(sums->lost, sums->kept), 2);
}

static struct loss_sums sums_of_event(const struct losses *losses, u32 event)
{
	struct loss_sums sums = { 0 };

	for (u32 i = 0; i < losses->nr_cpus; i++) {
		sums.kept += losses->cpus[i].events[event].kept;
		sums.lost += losses->cpus[i].events[event].lost;
	}
	return sums;
}

/* For each event, those of all CPUs. Without counts of the counters nobody knows whose is lost. */
static void print_events(struct out *out, const struct losses *losses, const struct evlist *list,
                         bool json)
{
	struct cell row[NR_SUMS];

	for (u32 i = 0; i < losses->nr_events; i++) {
		const struct loss_sums sums = sums_of_event(losses, i);

		row[EVENT] = cell__text(list->evsels[i]->name);
		fill_sums(row, json ? row[EVENT] : (struct cell){ CELL_EMPTY }, &sums, false);
		if (!losses->counted)
			row[LOST] = cell__mark("?");
		if (json)
			table__print_object(out, event_keys, row, ARRAY_SIZE(event_keys), i);
		else
			table__print_row(&event_table, out, row);
	}
}

static void print_slots(struct out *out, const struct losses *losses, bool json)
{
	struct cell row[NR_SUMS];

	for (u32 i = 0; i < losses->nr_slots; i++) {
		const struct loss_slot *slot = &losses->slots[i];

		if (!slot->all.lost && !json)
			continue;
		fill_sums(row, cell__time(slot->from, 1), &slot->all, false);
		if (slot->from == LOSS_NO_SLOT)
			row[OF] = cell__mark("?");
		else if (json)
			row[OF] = cell__number(slot->from);
		if (json)
			table__print_object(out, slot_keys, row, ARRAY_SIZE(slot_keys), i);
		else
			table__print_row(&slot_table, out, row);
	}
}

/* ---- gaps ---- */

enum { CPU, FROM, TO, LENGTH, RECORDS, WHY, NR_GAP };

static const struct table_column gap_columns[] = {
	[CPU] = { NULL, 5, 0, TABLE_RIGHT },      [FROM] = { NULL, 18, 1, TABLE_RIGHT },
	[TO] = { NULL, 18, 1, TABLE_RIGHT },      [LENGTH] = { NULL, 11, 1, TABLE_RIGHT },
	[RECORDS] = { NULL, 10, 1, TABLE_RIGHT }, [WHY] = { NULL, 0, 2, TABLE_LEFT },
};

static const char *const gap_keys[] = { "cpu", "from_ns", "to_ns", NULL, "records", "reason" };

static const struct table gap_table = { gap_columns, NR_GAP };

static void print_gaps(struct out *out, const struct losses *losses, bool json)
{
	for (u32 i = 0; i < losses->nr; i++) {
		const struct loss *loss = &losses->losses[i];
		bool begins = loss->from, ends = loss->to != LOSS_TO_END;
		const struct cell row[NR_GAP] = {
			[CPU] = cpu_cell(loss->cpu),
			[FROM] = json     ? cell__number(loss->from)
			         : begins ? cell__time(loss->from, 9)
			                  : cell__mark("start"),
			[TO] = !ends  ? cell__mark("end")
			       : json ? cell__number(loss->to)
			              : cell__time(loss->to, 9),
			[LENGTH] = begins && ends ? cell__real((loss->to - loss->from) / 1e6, 3)
			                          : cell__mark("?"),
			[RECORDS] = loss->reason == LOSS_THROTTLED ? cell__mark("?")
			                                           : cell__number(loss->nr),
			[WHY] = cell__text(reason_names[loss->reason]),
		};

		if (json)
			table__print_object(out, gap_keys, row, ARRAY_SIZE(gap_keys), i);
		else
			table__print_row(&gap_table, out, row);
	}
}

static bool has_reason(const struct losses *losses, enum loss_reason reason)
{
	for (u32 i = 0; i < losses->nr; i++)
		if (losses->losses[i].reason == reason)
			return true;
	return false;
}

static void print_head(struct out *out, const struct losses *losses)
{
	out__printf(out,
	            "# Lost: %llu records in %llu gaps, %.2f %% of %llu produced; throttled: %llu "
	            "times\n",
	            (unsigned long long)losses->lost, (unsigned long long)losses->nr_gaps,
	            losses__percent(losses->lost, losses->kept),
	            (unsigned long long)(losses->lost + losses->kept),
	            (unsigned long long)losses->nr_throttled);
}

void loss_table__print_slots(struct out *out, const struct losses *losses)
{
	print_head(out, losses);
	table__print_heading(&slot_table, out);
	print_slots(out, losses, false);
}

void loss_table__print(struct out *out, const struct losses *losses, const struct evlist *list)
{
	struct cell row[NR_SUMS];

	print_head(out, losses);
	table__print_heading(&cpu_table, out);
	for (u32 i = 0; i < losses->nr_cpus; i++) {
		fill_sums(row, cpu_cell(losses->cpus[i].cpu), &losses->cpus[i].all,
		          is_apart(losses));
		table__print_row(&cpu_table, out, row);
	}
	if (losses->nr_events > 1 && losses->counted) {
		table__print_heading(&event_table, out);
		print_events(out, losses, list, false);
	}
	if (!losses->nr)
		return;
	out__str(out,
	         "#\n#  CPU          from [s]             to [s] length [ms]       lost  why\n");
	print_gaps(out, losses, false);
	if (has_reason(losses, LOSS_RING_FULL))
		out__str(out, "#\n# ring full: perf came too late to empty it; larger rings help: "
		              "perf record -m 2M\n");
	if (has_reason(losses, LOSS_WRITER_BEHIND))
		out__str(out,
		         "#\n# writer behind: the ring became full while the disk or the reader of "
		         "the pipe took what had\n# been read; write elsewhere, or less (-z)\n");
	if (has_reason(losses, LOSS_DISK_FULL))
		out__str(
		        out,
		        "#\n# disk full: the recording ends there; make room, or record to another "
		        "disk: perf record -o\n");
	if (losses->nr_throttled)
		out__str(out, "#\n# throttled: more samples than the kernel allows; ask for fewer: "
		              "perf record -F\n");
}

/* ---- JSON ---- */

/* Counters whose CPU is not known counted what gaps tell of others: its event is not known. */
static bool knows_events(const struct losses *losses, const struct cpu_losses *cpu)
{
	u64 lost = 0;

	for (u32 event = 0; event < losses->nr_events; event++)
		lost += cpu->events[event].lost;
	return losses->counted && lost == cpu->all.lost;
}

static void print_json_cpus(struct out *out, const struct losses *losses, const struct evlist *list)
{
	struct cell row[NR_SUMS];

	for (u32 i = 0; i < losses->nr_cpus; i++) {
		const struct cpu_losses *cpu = &losses->cpus[i];

		out__str(out, i ? ",\n  {" : "\n  {");
		fill_sums(row, cpu_cell(cpu->cpu), &cpu->all, is_apart(losses));
		table__print_members(out, cpu_keys, row, ARRAY_SIZE(cpu_keys), ": ");
		out__str(out, ", \"events\": [");
		for (u32 event = 0; event < losses->nr_events; event++) {
			out__str(out, event ? ", {" : "{");
			fill_sums(row, cell__text(list->evsels[event]->name), &cpu->events[event],
			          is_apart(losses));
			if (!knows_events(losses, cpu))
				row[LOST] = cell__mark("?");
			table__print_members(out, event_keys, row, ARRAY_SIZE(event_keys), ": ");
			out__char(out, '}');
		}
		out__str(out, "]}");
	}
}

void loss_table__print_json(struct out *out, const struct losses *losses, const struct evlist *list)
{
	out__printf(out, "{\"kept\": %llu, \"lost\": %llu,\n \"cpus\": [",
	            (unsigned long long)losses->kept, (unsigned long long)losses->lost);
	print_json_cpus(out, losses, list);
	out__str(out, "],\n \"events\": [");
	print_events(out, losses, list, true);
	out__str(out, "],\n \"slots\": [");
	print_slots(out, losses, true);
	out__str(out, "],\n \"losses\": [");
	print_gaps(out, losses, true);
	out__str(out, "]}\n");
}

static bool is_in_view(const struct loss_view *view, const struct loss *loss)
{
	bool cpu = !view->cpu_set || loss->cpu < 0 ||
	           ((u32)loss->cpu < view->nr_cpu_set && view->cpu_set[loss->cpu]);

	return cpu && time_ranges__touch(&view->times, loss->from, loss->to);
}

static void count_in_view(const struct session *session, const struct loss_view *view, u64 *lost,
                          u64 *throttled)
{
	struct losses losses;

	losses__collect(&losses, session,
	                NULL); /* what cannot be read again is not in the report */
	*lost = *throttled = 0;
	for (u32 i = 0; i < losses.nr; i++) {
		const struct loss *loss = &losses.losses[i];

		if (!is_in_view(view, loss))
			continue;
		*lost += loss->nr;
		*throttled += loss->reason == LOSS_THROTTLED;
	}
	losses__exit(&losses);
}

void loss_table__print_summary(struct out *out, const struct session *session,
                               const struct loss_view *view)
{
	const struct session_stats *stats = &session->stats;
	u64 lost = max_u64(stats->lost, stats->lost_samples);
	u64 throttled = stats->nr_records[PERF_RECORD_THROTTLE];

	if ((lost || throttled) && !view->filtered && (view->cpu_set || view->times.nr))
		count_in_view(session, view, &lost, &throttled);
	if (!lost && !throttled)
		return;
	out__printf(out, "# Lost: %llu records", (unsigned long long)lost);
	if (throttled)
		out__printf(out, "; throttled: %llu times", (unsigned long long)throttled);
	out__printf(out, "%s (perf report --losses shows when and why)\n#\n",
	            view->filtered ? " in the whole recording" : "");
}
