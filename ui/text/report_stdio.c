// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/text/report_stdio.h"

#include "ui/text/health_table.h"
#include "ui/text/report_chain.h"
#include "ui/text/report_columns.h"

/* Said at the end of a report; which one depends on the profile, so that output repeats. */
static const char *const tips[] = {
	"one line for each program and library: perf report --sort comm,dso",
	"who calls a function: perf report --no-children -g caller",
	"only one program: perf report --comms NAME",
	"chains in one line each, for other tools: perf report --no-children -g folded,0,caller,count",
	"hide what is small: perf report --percent-limit 1",
	"numbers instead of shares: perf report -n --show-total-period",
};

static const char header_hint[] =
        "# To display the perf.data header info, please use --header/--header-only options.\n#\n";

/* "30 ", "46K", "2M": the number of samples in at most thousands of a unit. */
static void print_count(struct out *out, u64 count)
{
	static const char units[] = " KMGTPE";
	unsigned unit = 0;

	for (; count > 1000; count /= 1000)
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

static void print_preamble(struct out *out, const struct hists *hists,
                           const struct report_style *style)
{
	const struct hist_options *options = &hists->options;

	if (!style->no_hint)
		out__str(out, header_hint);
	print_filter(out, hists, KEY_COMM, &options->comms);
	print_filter(out, hists, KEY_DSO, &options->dsos);
	print_filter(out, hists, KEY_SYM, &options->symbols);
	out__printf(out, "#\n# Total Lost Samples: %llu\n#\n",
	            (unsigned long long)hists->names->session->stats.lost_samples);
	loss_table__print_summary(out, hists->names->session, &style->lost);
	health_table__print_summary(out, &hists->profile->health, hists->names->session);
}

/* What printing one report needs everywhere. */
struct printer {
	struct out *out;
	const struct report_style *style;
	const struct chain_options *chain_options;
	struct chain_builder *chains; /* NULL: no chains are shown */
	struct columns columns;
	const char *tip; /* NULL: any */
};

#define WIDE_SYMBOLS 200 /* columns */

static void print_event_heading(struct printer *p, const struct evsel *evsel,
                                const struct hist_event *event)
{
	out__str(p->out, "# Samples: ");
	print_count(p->out, p->style->relative ? event->shown_count : event->count);
	out__str(p->out, " of event '");
	out__name(p->out, evsel->name);
	out__char(p->out, '\'');
	if (p->style->times) {
		out__str(p->out, " (time slices: ");
		out__name(p->out, p->style->times);
		out__char(p->out, ')');
	}
	if (event->count_rest) { /* record --call-graph auto changed over */
		double rest = 100.0 * event->count_rest / event->count;

		out__printf(
		        p->out,
		        "\n# Call graphs: %.1f %% of samples by frame pointers, then %.1f %% by "
		        "unwinding copies of stacks",
		        100 - rest, rest);
	}
	out__printf(p->out, "\n# Event count (approx.): %llu\n#\n",
	            (unsigned long long)p->columns.total);
	columns__print_heading(&p->columns, p->out);
}

static bool is_shown(const struct printer *p, const struct hist_entry *entry)
{
	return !entry->hidden &&
	       entry->total_period * 100.0 >= p->style->percent_limit * p->columns.total;
}

/* What is printed as 0.50 % is not below it. */
static bool is_noise(const struct printer *p, const struct hist_entry *entry)
{
	return p->style->sums_noise &&
	       entry->total_period * 100.0 < (NOISE_PERCENT - 0.005) * p->columns.total;
}

static void print_chains(struct printer *p, const struct hist_entry *entry)
{
	const struct hists *hists = p->columns.hists;
	bool by_symbol = hists->options.keys.keys[0] == KEY_SYM;

	report_chain__print(p->out, hists, p->chain_options,
	                    chain_builder__build(p->chains, entry, p->columns.total),
	                    by_symbol ? hist_entry__sym(hists, entry) : NULL, p->columns.total,
	                    p->style->colored, p->style->terminal);
}

static void print_event(struct printer *p, const struct evsel *evsel,
                        const struct hist_event *event)
{
	const struct hists *hists = p->columns.hists;

	u32 nr_noise = 0;
	u64 noise = 0;

	columns__measure(&p->columns, event);
	if (columns__width_of(&p->columns, KEY_SYM) > WIDE_SYMBOLS)
		p->tip = "these names are wide: perf report --demangle=short";
	if (!p->style->quiet)
		print_event_heading(p, evsel, event);
	for (u32 i = 0; i < event->nr_entries; i++) {
		const struct hist_entry *entry = &hists->entries[event->first_entry + i];

		if (!is_shown(p, entry))
			continue;
		if (is_noise(p, entry)) {
			nr_noise++;
			noise += entry->period;
			continue;
		}
		columns__print_entry(&p->columns, p->out, entry);
		if (p->chains)
			print_chains(p, entry);
	}
	if (nr_noise)
		columns__print_rest(&p->columns, p->out, nr_noise, noise);
	out__str(p->out, "\n\n");
}

static bool has_samples(const struct hists *hists)
{
	for (u32 i = 0; i < hists->names->session->evlist->nr; i++)
		if (hists->events[i].count)
			return true;
	return false;
}

void report_stdio__hint(struct out *out)
{
	out__str(out, header_hint);
}

void report_stdio__print(struct out *out, const struct hists *hists,
                         const struct chain_options *chain, const struct report_style *style)
{
	const struct evlist *evlist = hists->names->session->evlist;
	struct printer p = { .out = out, .style = style, .chain_options = chain };

	if (style->skip_empty && !has_samples(hists)) {
		if (!style->quiet && !style->no_hint)
			report_stdio__hint(out);
		return;
	}
	columns__init(&p.columns, hists, style);
	if (chain->mode != CHAIN_NONE)
		p.chains = chain_builder__new(hists, chain);
	if (!style->quiet)
		print_preamble(out, hists, style);
	for (u32 i = 0; i < evlist->nr; i++) {
		const struct hist_event *event = &hists->events[i];

		if (event->count || (!style->skip_empty && evlist->evsels[i]->same_as == i))
			print_event(&p, evlist->evsels[i], event);
	}
	if (!style->quiet)
		out__printf(out, "#\n# (Tip: %s)\n#\n",
		            p.tip ? p.tip : tips[hists->nr_entries % ARRAY_SIZE(tips)]);
	if (p.chains)
		chain_builder__delete(p.chains);
	columns__exit(&p.columns);
}
