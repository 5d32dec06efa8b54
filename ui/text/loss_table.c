// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/text/loss_table.h"

#include "util/lib/json.h"

#define NS_PER_S 1000000000ull

static const char *const reason_names[] = {
	[LOSS_RING_FULL] = "ring full",
	[LOSS_WRITER_BEHIND] = "writer behind",
	[LOSS_DISK_FULL] = "disk full",
	[LOSS_THROTTLED] = "throttled",
};

static void print_time(struct out *out, u64 ns)
{
	out__printf(out, " %8llu.%09llu", (unsigned long long)(ns / NS_PER_S),
	            (unsigned long long)(ns % NS_PER_S));
}

static void print_cpu(struct out *out, s32 cpu)
{
	if (cpu < 0)
		out__str(out, "    ?");
	else
		out__printf(out, "%5d", cpu);
}

static void print_sums(struct out *out, const struct loss_sums *sums)
{
	out__printf(out, " %12llu %12llu %8.2f", (unsigned long long)sums->kept,
	            (unsigned long long)sums->lost, losses__percent(sums->lost, sums->kept));
}

/* Samples are there of which nobody knows the CPU: the share that one CPU lost is not known. */
static bool is_apart(const struct losses *losses)
{
	return losses->nr_cpus > 1 && losses->cpus[0].cpu < 0 && losses->cpus[0].all.kept;
}

static void print_apart(struct out *out, const struct loss_sums *sums)
{
	if (sums->kept)
		out__printf(out, " %12llu", (unsigned long long)sums->kept);
	else
		out__printf(out, " %12s", "?");
	out__printf(out, " %12llu %8s", (unsigned long long)sums->lost, "?");
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
static void print_events(struct out *out, const struct losses *losses, const struct evlist *list)
{
	if (losses->nr_events < 2 || !losses->counted)
		return;
	out__str(out, "#\n#              kept         lost   lost %  event\n");
	for (u32 i = 0; i < losses->nr_events; i++) {
		const struct loss_sums sums = sums_of_event(losses, i);

		out__str(out, "     ");
		print_sums(out, &sums);
		out__printf(out, "  %s\n", list->evsels[i]->name);
	}
}

static void print_loss(struct out *out, const struct loss *loss)
{
	print_cpu(out, loss->cpu);
	if (loss->from)
		print_time(out, loss->from);
	else
		out__printf(out, " %18s", "start");
	if (loss->to != LOSS_TO_END)
		print_time(out, loss->to);
	else
		out__printf(out, " %18s", "end");
	if (loss->from && loss->to != LOSS_TO_END)
		out__printf(out, " %11.3f ", (loss->to - loss->from) / 1e6);
	else
		out__printf(out, " %11s ", "?");
	if (loss->reason == LOSS_THROTTLED)
		out__printf(out, "%10s", "?");
	else
		out__printf(out, "%10llu", (unsigned long long)loss->nr);
	out__printf(out, "  %s\n", reason_names[loss->reason]);
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
	out__str(out, "#\n#        from [s]         kept         lost   lost %\n");
	for (u32 i = 0; i < losses->nr_slots; i++) {
		const struct loss_slot *slot = &losses->slots[i];

		if (!slot->all.lost)
			continue;
		if (slot->from == LOSS_NO_SLOT)
			out__printf(out, " %16s", "?");
		else
			out__printf(out, " %14llu.%llu",
			            (unsigned long long)(slot->from / NS_PER_S),
			            (unsigned long long)(slot->from % NS_PER_S / LOSS_SLOT_NS));
		print_sums(out, &slot->all);
		out__char(out, '\n');
	}
}

void loss_table__print(struct out *out, const struct losses *losses, const struct evlist *list)
{
	print_head(out, losses);
	out__str(out, "#\n#  CPU         kept         lost   lost %\n");
	for (u32 i = 0; i < losses->nr_cpus; i++) {
		const struct cpu_losses *cpu = &losses->cpus[i];

		print_cpu(out, cpu->cpu);
		(is_apart(losses) ? print_apart : print_sums)(out, &cpu->all);
		out__char(out, '\n');
	}
	print_events(out, losses, list);
	if (!losses->nr)
		return;
	out__printf(out, "#\n#  CPU %17s %18s %11s %10s  why\n", "from [s]", "to [s]",
	            "length [ms]", "lost");
	for (u32 i = 0; i < losses->nr; i++)
		print_loss(out, &losses->losses[i]);
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

static void print_json_cpu(struct out *out, s32 cpu)
{
	if (cpu < 0)
		out__str(out, "{\"cpu\": null");
	else
		out__printf(out, "{\"cpu\": %d", cpu);
}

/* @apart: as in is_apart() */
static void print_json_sums(struct out *out, const struct loss_sums *sums, bool counted, bool apart)
{
	out__str(out, "\"kept\": ");
	if (apart && !sums->kept)
		out__str(out, "null");
	else
		out__dec(out, sums->kept, 0);
	out__str(out, ", \"lost\": ");
	if (counted)
		out__dec(out, sums->lost, 0);
	else
		out__str(out, "null");
}

static void print_json_event(struct out *out, const struct evsel *evsel,
                             const struct loss_sums *sums, bool counted, bool apart)
{
	out__str(out, "{\"event\": ");
	json__string(out, evsel->name);
	out__str(out, ", ");
	print_json_sums(out, sums, counted, apart);
	out__char(out, '}');
}

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
	for (u32 i = 0; i < losses->nr_cpus; i++) {
		const struct cpu_losses *cpu = &losses->cpus[i];

		out__str(out, i ? ",\n  " : "\n  ");
		print_json_cpu(out, cpu->cpu);
		out__str(out, ", ");
		print_json_sums(out, &cpu->all, true, is_apart(losses));
		out__str(out, ", \"events\": [");
		for (u32 event = 0; event < losses->nr_events; event++) {
			out__str(out, event ? ", " : "");
			print_json_event(out, list->evsels[event], &cpu->events[event],
			                 knows_events(losses, cpu), is_apart(losses));
		}
		out__str(out, "]}");
	}
}

static void print_json_slots(struct out *out, const struct losses *losses)
{
	for (u32 i = 0; i < losses->nr_slots; i++) {
		const struct loss_slot *slot = &losses->slots[i];

		out__str(out, i ? ",\n  " : "\n  ");
		out__str(out, "{\"from_ns\": ");
		if (slot->from == LOSS_NO_SLOT)
			out__str(out, "null");
		else
			out__dec(out, slot->from, 0);
		out__str(out, ", ");
		print_json_sums(out, &slot->all, true, false);
		out__char(out, '}');
	}
}

void loss_table__print_json(struct out *out, const struct losses *losses, const struct evlist *list)
{
	out__printf(out, "{\"kept\": %llu, \"lost\": %llu,\n \"cpus\": [",
	            (unsigned long long)losses->kept, (unsigned long long)losses->lost);
	print_json_cpus(out, losses, list);
	out__str(out, "],\n \"events\": [");
	for (u32 i = 0; i < losses->nr_events; i++) {
		const struct loss_sums sums = sums_of_event(losses, i);

		out__str(out, i ? ",\n  " : "\n  ");
		print_json_event(out, list->evsels[i], &sums, losses->counted, false);
	}
	out__str(out, "],\n \"slots\": [");
	print_json_slots(out, losses);
	out__str(out, "],\n \"losses\": [");
	for (u32 i = 0; i < losses->nr; i++) {
		const struct loss *loss = &losses->losses[i];

		out__str(out, i ? ",\n  " : "\n  ");
		print_json_cpu(out, loss->cpu);
		out__printf(out,
		            ", \"from_ns\": %llu, \"to_ns\": ", (unsigned long long)loss->from);
		if (loss->to == LOSS_TO_END)
			out__str(out, "null");
		else
			out__dec(out, loss->to, 0);
		out__str(out, ", \"records\": ");
		if (loss->reason == LOSS_THROTTLED)
			out__str(out, "null");
		else
			out__dec(out, loss->nr, 0);
		out__printf(out, ", \"reason\": \"%s\"}", reason_names[loss->reason]);
	}
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
