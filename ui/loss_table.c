// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/loss_table.h"

#define NS_PER_S 1000000000ull

static const char *const reason_names[] = {
	[LOSS_RING_FULL] = "ring full",
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

void loss_table__print(struct out *out, const struct losses *losses)
{
	out__printf(out,
	            "# Lost: %llu records in %llu gaps, %.2f %% of %llu produced; throttled: %llu "
	            "times\n",
	            (unsigned long long)losses->lost, (unsigned long long)losses->nr_gaps,
	            losses__percent(losses->lost, losses->kept),
	            (unsigned long long)(losses->lost + losses->kept),
	            (unsigned long long)losses->nr_throttled);
	out__str(out, "#\n#  CPU         kept         lost   lost %\n");
	for (u32 i = 0; i < losses->nr_cpus; i++) {
		const struct cpu_losses *cpu = &losses->cpus[i];

		print_cpu(out, cpu->cpu);
		out__printf(out, " %12llu %12llu %8.2f\n", (unsigned long long)cpu->kept,
		            (unsigned long long)cpu->lost, losses__percent(cpu->lost, cpu->kept));
	}
	if (!losses->nr)
		return;
	out__printf(out, "#\n#  CPU %17s %18s %11s %10s  why\n", "from [s]", "to [s]",
	            "length [ms]", "lost");
	for (u32 i = 0; i < losses->nr; i++)
		print_loss(out, &losses->losses[i]);
	if (losses->nr_gaps)
		out__str(out, "#\n# ring full: perf came too late to empty it; larger rings help: "
		              "perf record -m 2M\n");
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

void loss_table__print_json(struct out *out, const struct losses *losses)
{
	out__printf(out, "{\"kept\": %llu, \"lost\": %llu,\n \"cpus\": [",
	            (unsigned long long)losses->kept, (unsigned long long)losses->lost);
	for (u32 i = 0; i < losses->nr_cpus; i++) {
		out__str(out, i ? ",\n  " : "\n  ");
		print_json_cpu(out, losses->cpus[i].cpu);
		out__printf(out, ", \"kept\": %llu, \"lost\": %llu}",
		            (unsigned long long)losses->cpus[i].kept,
		            (unsigned long long)losses->cpus[i].lost);
	}
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
