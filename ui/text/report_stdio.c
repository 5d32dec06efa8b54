// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/text/report_stdio.h"

#include "ui/text/health_table.h"
#include "ui/text/report_chain.h"
#include "ui/text/table.h"

#define PERCENT_WIDTH 8   /* " 100.00%" */
#define NUMBER_WIDTH  12  /* samples and periods */
#define WIDE_SYMBOLS  200 /* columns */

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

static void print_filter(struct out *out, const struct view *view, const struct key *key,
                         const struct name_list *list)
{
	if (!view__elides(view, key))
		return;
	out__printf(out, "# %s: ", key->name);
	out__name(out, list->names[0]);
	out__char(out, '\n');
}

static void print_preamble(struct out *out, const struct view *view,
                           const struct report_style *style)
{
	const struct hist_options *options = &view->options.hists;
	const struct session *session = view->names->session;

	if (!style->no_hint)
		out__str(out, header_hint);
	print_filter(out, view, &key_comm, &options->filter.comms);
	print_filter(out, view, &key_dso, &options->filter.dsos);
	print_filter(out, view, &key_symbol, &options->filter.symbols);
	out__printf(out, "#\n# Total Lost Samples: %llu\n#\n",
	            (unsigned long long)session->stats.lost_samples);
	loss_table__print_summary(out, session, &style->lost);
	health_table__print_summary(out, &view->chains->profile->health, session);
}

/* What printing one report needs everywhere. */
struct printer {
	struct out *out;
	struct view *view;
	const struct report_style *style;
	struct table table;
	struct table_column columns[VIEW_COLUMNS_MAX];
	const char *tip;               /* NULL: any */
	const struct chain_ends *ends; /* NULL: they are not shown */
};

static int width_of(enum view_figure figure)
{
	switch (figure) {
	case VIEW_SAMPLES:
	case VIEW_PERIOD:
		return NUMBER_WIDTH;
	case VIEW_GUEST_SYS:
	case VIEW_GUEST_US:
		return PERCENT_WIDTH + 1;
	default:
		return PERCENT_WIDTH;
	}
}

/* -w: numbers, and what stands at the right, are not cut. */
static void set_width(struct table_column *column, const struct report_style *style, u32 i)
{
	int width = i < style->nr_widths ? style->widths[i] : 0;

	if (!width || style->separator)
		return;
	column->cut = column->align == TABLE_LEFT;
	column->width = column->cut || width > column->width ? width : column->width;
}

static void init_table(struct printer *p)
{
	const struct view *view = p->view;
	bool separated = p->style->separator;

	p->table = (struct table){
		.columns = p->columns,
		.nr = view->nr_columns,
		.prefix = "# ",
		.separator = p->style->separator,
		.colored = p->style->colored,
	};
	for (u32 i = 0; i < view->nr_columns; i++) {
		const struct view_column *column = &view->columns[i];
		const struct key *key = column->by ? column->by->key : NULL;
		bool left = key && !key->right;

		p->columns[i] = (struct table_column){
			.heading = view__heading(view, i),
			.gap = 2,
			.width = width_of(column->figure),
			.align = left                ? TABLE_LEFT
			         : separated && !key ? TABLE_AFTER_BLANK
			                             : TABLE_RIGHT,
			/* Symbols are long: a last column of them is not padded. */
			.ragged = key && i + 1 == view->nr_columns && key->ragged,
		};
		set_width(&p->columns[i], p->style, i);
	}
}

static void measure(struct printer *p, u32 evsel)
{
	for (u32 i = 0; i < p->view->nr_columns; i++) {
		const struct view_column *column = &p->view->columns[i];

		if (column->figure != VIEW_KEY || p->columns[i].cut)
			continue;
		p->columns[i].width = view__width(p->view, evsel, i);
		if (column->by->key == &key_symbol && p->columns[i].width > WIDE_SYMBOLS)
			p->tip = "these names are wide: perf report --demangle=short";
	}
}

static void print_event_heading(struct printer *p, u32 evsel)
{
	const struct hist_event *event = &p->view->hists.events[evsel];

	out__str(p->out, "# Samples: ");
	print_count(p->out, p->view->options.relative ? event->shown_count : event->count);
	out__str(p->out, p->view->names->session->evlist->evsels[evsel]->nr_members > 1
	                         ? " of events '"
	                         : " of event '");
	out__name(p->out, p->view->names->session->evlist->evsels[evsel]->name);
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
	out__str(p->out,
	         p->style->memory_order ? "\n# Total weight : " : "\n# Event count (approx.): ");
	out__dec(p->out, view__total(p->view, evsel), 0);
	if (p->style->memory_order) {
		out__str(p->out, "\n# Sort order   : ");
		out__name(p->out, p->style->memory_order);
	}
	if (p->view->options.hists.has_socket)
		out__printf(p->out, "\n# Processor Socket: %d", p->view->options.hists.socket);
	out__str(p->out, "\n#\n");
	table__print_heading(&p->table, p->out);
	if (p->style->separator)
		return;
	table__print_rules(&p->table, p->out);
	out__str(p->out, "#\n");
}

/* What is printed as 0.50 % is not below it. */
static bool is_noise(const struct printer *p, const struct view_row *row)
{
	return p->style->sums_noise &&
	       row->total_period * 100.0 <
	               (NOISE_PERCENT - 0.005) * view__total(p->view, row->evsel);
}

static void print_row(struct printer *p, const struct view_row *row)
{
	struct view *view = p->view;
	const struct hists *hists = &view->hists;
	bool by_symbol = hists->options.keys.nr && hists->options.keys.list[0].key == &key_symbol;
	struct cell cells[VIEW_COLUMNS_MAX];

	for (u32 i = 0; i < view->nr_columns; i++)
		view__cell(view, row, i, &cells[i]);
	table__print_row(&p->table, p->out, cells);
	if (view->options.chain.mode == CHAIN_NONE)
		return;
	report_chain__print(p->out, hists, &view->options.chain, view__tree(view, row->entry),
	                    by_symbol ? hist_entry__sym(hists, &hists->entries[row->entry]) : NULL,
	                    view__total(view, row->evsel), p->style->colored, p->ends);
}

/* A line for what is not shown. With children only what entries have themselves can be added up. */
static void print_noise(const struct printer *p, u32 evsel, u32 nr, u64 period)
{
	u64 total = view__total(p->view, evsel);

	out__fill(p->out, ' ', p->view->options.hists.children ? 2 + PERCENT_WIDTH : 0);
	out__printf(p->out, "  %7.2f%%  [%u more below %.1f %%: --percent-limit 0 shows them]\n",
	            total ? period * 100.0 / total : 0, nr, NOISE_PERCENT);
}

static void print_event(struct printer *p, u32 evsel)
{
	u32 nr_noise = 0;
	u64 noise = 0;

	measure(p, evsel);
	if (!p->style->quiet)
		print_event_heading(p, evsel);
	for (u32 i = 0; i < view__nr_rows(p->view, evsel); i++) {
		struct view_row row;

		view__row(p->view, evsel, i, &row);
		if (is_noise(p, &row)) {
			nr_noise++;
			noise += row.period;
			continue;
		}
		print_row(p, &row);
	}
	if (nr_noise)
		print_noise(p, evsel, nr_noise, noise);
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

void report_stdio__print(struct out *out, struct view *view, const struct report_style *style)
{
	const struct evlist *evlist = view->names->session->evlist;
	struct printer p = { .out = out, .view = view, .style = style };
	struct chain_ends ends = { .nr_locs = 0 };

	if (style->skip_empty && !has_samples(&view->hists)) {
		if (!style->quiet && !style->no_hint)
			report_stdio__hint(out);
		return;
	}
	init_table(&p);
	if (style->terminal && view->options.chain.mode != CHAIN_NONE) {
		chain_ends__init(&ends, view->chains->profile);
		p.ends = &ends;
	}
	if (!style->quiet)
		print_preamble(out, view, style);
	for (u32 i = 0; i < evlist->nr; i++)
		if (view->hists.events[i].count ||
		    (!style->skip_empty && evlist->evsels[i]->same_as == i))
			print_event(&p, i);
	if (!style->quiet)
		out__printf(out, "#\n# (Tip: %s)\n#\n",
		            p.tip ? p.tip : tips[view->hists.nr_entries % ARRAY_SIZE(tips)]);
	chain_ends__exit(&ends);
}
