// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/report_stdio.h"

#include "ui/report_columns.h"

/* Said at the end of a report; which one depends on the profile, so that output repeats. */
static const char *const tips[] = {
	"one line for each program and library: perf report --sort comm,dso",
	"who calls a function: perf report --no-children -g caller",
	"only one program: perf report --comms NAME",
	"chains in one line each, for other tools: perf report --no-children -g folded,0,caller,count",
	"hide what is small: perf report --percent-limit 1",
	"numbers instead of shares: perf report -n --show-total-period",
};

/* "30 ", "46K", "2M": the number of samples in at most thousands of a unit. */
static void print_count(struct out *out, u64 count)
{
	static const char units[] = " KMGTPE";
	unsigned unit = 0;

	for (; count >= 1000; count /= 1000)
		unit++;
	out__dec(out, count, 0);
	out__char(out, units[unit]);
}

static void print_filter(struct out *out, const struct hists *hists, enum sort_key key,
                         const struct name_list *list)
{
	if (!columns__elides(hists, key))
		return;
	out__printf(out, "# %s: ", sort_key__name(key));
	out__name(out, list->names[0]);
	out__char(out, '\n');
}

static void print_preamble(struct out *out, const struct hists *hists, bool hint)
{
	const struct hist_options *options = &hists->options;

	if (hint)
		out__str(out, "# To display the perf.data header info, please use "
		              "--header/--header-only options.\n#\n");
	print_filter(out, hists, KEY_COMM, &options->comms);
	print_filter(out, hists, KEY_DSO, &options->dsos);
	print_filter(out, hists, KEY_SYM, &options->symbols);
	out__printf(out, "#\n# Total Lost Samples: %llu\n#\n",
	            (unsigned long long)hists->names->session->stats.lost_samples);
}

static void print_event(struct out *out, struct columns *columns, const struct evsel *evsel,
                        const struct hist_event *event)
{
	const struct report_style *style = columns->style;
	const struct hists *hists = columns->hists;

	columns__measure(columns, event);
	if (!style->quiet) {
		out__str(out, "# Samples: ");
		print_count(out, style->relative ? event->shown_count : event->count);
		out__str(out, " of event '");
		out__name(out, evsel->name);
		out__printf(out, "'\n# Event count (approx.): %llu\n#\n",
		            (unsigned long long)columns->total);
		columns__print_heading(columns, out);
	}
	for (u32 i = 0; i < event->nr_entries; i++) {
		const struct hist_entry *entry = &hists->entries[event->first_entry + i];

		if (entry->hidden ||
		    entry->total_period * 100.0 < style->percent_limit * columns->total)
			continue;
		columns__print_entry(columns, out, entry);
	}
	out__str(out, "\n\n");
}

void report_stdio__print(struct out *out, const struct hists *hists,
                         const struct chain_options *chain, const struct report_style *style)
{
	const struct evlist *evlist = hists->names->session->evlist;
	struct columns columns;

	(void)chain; /* drawn from the next commit on */
	columns__init(&columns, hists, style);
	if (!style->quiet)
		print_preamble(out, hists, !style->no_hint);
	for (u32 i = 0; i < evlist->nr; i++) {
		const struct hist_event *event = &hists->events[i];

		if (event->count || !style->skip_empty)
			print_event(out, &columns, evlist->evsels[i], event);
	}
	if (!style->quiet)
		out__printf(out, "#\n# (Tip: %s)\n#\n",
		            tips[hists->nr_entries % (sizeof(tips) / sizeof(tips[0]))]);
	columns__exit(&columns);
}
