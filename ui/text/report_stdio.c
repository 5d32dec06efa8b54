// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/text/report_stdio.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ui/text/health_table.h"
#include "ui/text/report_chain.h"
#include "ui/text/table.h"
#include "util/lib/alloc.h"
#include "util/view/confidence.h"
#include "util/view/key_trace.h"
#include "util/view/view_print.h"

#define PERCENT_WIDTH  8  /* " 100.00%" */
#define INTERVAL_WIDTH 13 /* "12.34-100.00%" */
#define RANK_WIDTH     4
#define NUMBER_WIDTH   12  /* samples and periods */
#define WIDE_SYMBOLS   200 /* columns */
#define LEVEL_INDENT   3   /* of a hierarchy */

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
	if (list->nr != 1 || !sort_keys__has(&view->options.hists.keys, key))
		return;
	out__printf(out, "# %s: ", key->name);
	out__name(out, list->names[0]);
	out__char(out, '\n');
}

static void print_inputs(struct out *out, const struct report_style *style)
{
	out__str(out, "# Recordings: ");
	for (u32 i = 0; i < style->nr_inputs; i++) {
		out__str(out, i ? ", " : "");
		out__name(out, style->inputs[i]);
	}
	out__str(out, "\n#\n");
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
	if (style->nr_inputs > 1)
		print_inputs(out, style);
	else
		loss_table__print_summary(out, session, &style->lost);
	health_table__print_summary(out, &view->chains->profile->health, session);
}

/* What printing one report needs everywhere. */
struct printer {
	struct out *out;
	struct view *view;
	const struct report_style *style;
	/* Of the event at work: a column for each event of its group, one behind the other. */
	u32 nr_members;
	bool joined; /* or one for all, of texts: where columns are not aligned, or cut */
	u32 nr_figures;
	struct table table;
	struct table_column *columns;
	struct cell *cells;
	struct out texts[VIEW_COLUMNS_MAX]; /* of joined cells */
	const char *tip;                    /* NULL: any */
	const struct chain_ends *ends;      /* NULL: they are not shown */
	bool some; /* not all rows of the event: keys are as wide as those that are printed */
	u32 evsel; /* at work */
	u32 nr_noise;
	u64 noise; /* period of these */
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
	case VIEW_LATENCY:
		return PERCENT_WIDTH - 1;
	case VIEW_INTERVAL:
		return INTERVAL_WIDTH;
	case VIEW_RANK:
		return RANK_WIDTH;
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
	column->cut = column->align == TABLE_LEFT && !column->heading_right;
	column->width = column->cut || width > column->width ? width : column->width;
}

static struct table_column key_column(const struct view *view, u32 i)
{
	const struct key *key = view->columns[i].by->key;
	bool bare = view->nr_levels && key__is_trace(key); /* fields in a hierarchy */

	return (struct table_column){
		.heading = view__heading(view, i),
		.gap = 2,
		.align = key->right && !bare ? TABLE_RIGHT : TABLE_LEFT,
		/* Symbols are long: a last column of them is not padded. */
		.ragged = bare || (key->ragged && (view->nr_levels || i + 1 == view->nr_columns)),
	};
}

/* Ranks are those of the whole row, by the event that sorts. */
static u32 columns_of(const struct printer *p, enum view_figure figure)
{
	return figure == VIEW_KEY || figure == VIEW_RANK ? 1 : p->nr_members;
}

/* The columns of a figure at @to. Returns their number. */
static u32 add_figure(const struct printer *p, u32 i, struct table_column *to)
{
	enum view_figure figure = p->view->columns[i].figure;
	u32 nr = columns_of(p, figure);
	struct table_column column = {
		.heading = view__heading(p->view, i),
		.gap = 2,
		.width = width_of(figure),
		.align = p->style->separator ? TABLE_AFTER_BLANK : TABLE_RIGHT,
	};

	if (p->joined && nr > 1) {
		column.width *= nr;
		column.align = TABLE_LEFT;
		column.heading_right = true;
		*to = column;
		return 1;
	}
	for (u32 m = 0; m < nr; m++) {
		to[m] = column;
		if (m && figure != VIEW_INTERVAL)
			to[m].gap = 0;
		if (m + 1 < nr)
			to[m].heading = "";
	}
	return nr;
}

static bool is_figure(const struct view *view, u32 i)
{
	return view->columns[i].figure != VIEW_KEY;
}

/* What fits the entries of the event. */
static void measure_key(struct printer *p, u32 evsel, u32 i, struct table_column *column)
{
	if (column->cut || p->some)
		return;
	column->width = view__width(p->view, evsel, i);
	if (p->view->columns[i].by->key == &key_symbol && column->width > WIDE_SYMBOLS)
		p->tip = "these names are wide: perf report --demangle=short";
}

static void make_columns(struct printer *p, u32 evsel)
{
	const struct view *view = p->view;
	u32 nr = 0;

	p->joined = p->nr_members > 1 && (p->style->separator || p->style->nr_widths);
	p->nr_figures = 0;
	free(p->columns);
	free(p->cells);
	p->columns = xcalloc((size_t)view->nr_columns * p->nr_members, sizeof(*p->columns));
	p->cells = xcalloc((size_t)view->nr_columns * p->nr_members, sizeof(*p->cells));
	for (u32 i = 0; i < view->nr_columns; i++) {
		struct table_column *column = &p->columns[nr];

		if (is_figure(view, i)) {
			nr += add_figure(p, i, column);
		} else {
			*column = key_column(view, i);
			nr++;
		}
		if (!view->nr_levels) /* as Linux's perf: -w changes no hierarchy */
			set_width(column, p->style, i);
		column->hidden = !view__has_column(view, i, evsel);
		if (!is_figure(view, i) && !column->hidden)
			measure_key(p, evsel, i, column);
		else if (i == p->nr_figures)
			p->nr_figures++;
	}
	p->table = (struct table){
		.columns = p->columns,
		.nr = nr,
		.prefix = "# ",
		.separator = p->style->separator,
		.colored = p->style->colored,
	};
}

/* ---- the heading of an event ---- */

/* "Command / Shared Object+Symbol": the keys of all levels. */
static void join_headings(const struct view *view, struct out *out)
{
	u32 level = 0;

	for (u32 i = 0; i < view->nr_columns; i++) {
		if (is_figure(view, i))
			continue;
		const char *heading = view__heading(view, i);

		if (out->len)
			out__str(out, view__level_of(view, i) > level ? " / " : "+");
		out__str(out, heading + strspn(heading, " "));
		level = view__level_of(view, i);
	}
}

/* Of all levels the widest. */
static int width_of_levels(const struct printer *p)
{
	const struct view *view = p->view;
	u32 at = p->table.nr - (view->nr_columns - p->nr_figures);
	int widest = 0, width = 0;
	u32 level = 0;

	for (u32 i = p->nr_figures; i < view->nr_columns; i++, at++) {
		/* As Linux's perf: one between keys that share a level, though two are printed. */
		width = view__level_of(view, i) == level && width ? width + 1 : 0;
		level = view__level_of(view, i);
		width += p->columns[at].width;
		if (width + (int)level * LEVEL_INDENT > widest)
			widest = width + level * LEVEL_INDENT;
	}
	return widest;
}

/* Of a hierarchy: the figures stand at the right of what their levels are indented by. */
static void print_level_headings(struct printer *p)
{
	const struct view *view = p->view;
	u32 nr_keys = view->nr_columns - p->nr_figures, nr = p->table.nr - nr_keys + 1;
	struct table_column *columns = xcalloc(nr, sizeof(*columns));
	struct table table = p->table;
	struct out joined = { .fd = -1 };
	int indent = p->style->separator ? 0 : LEVEL_INDENT * (view->nr_levels - 1), width = 0;

	join_headings(view, &joined);
	memcpy(columns, p->columns, (nr - 1) * sizeof(*columns));
	columns[nr - 1] = (struct table_column){ out__take(&joined), .gap = 2, .ragged = true };
	columns[0].width += indent;
	table.columns = columns;
	table.nr = nr;
	table__print_heading(&table, p->out);
	columns[nr - 1].width = width_of_levels(p);
	if ((int)strlen(columns[nr - 1].heading) > columns[nr - 1].width)
		columns[nr - 1].width = strlen(columns[nr - 1].heading);
	for (u32 i = 0; !p->style->separator && i + 1 < nr; i++) {
		width += columns[i].width + (i ? columns[i].gap : 0);
		columns[i].hidden = i;
	}
	if (!p->style->separator)
		columns[0].width = width;
	table__print_rules(&table, p->out);
	out__exit(&joined);
	free(columns);
}

static void print_headings(struct printer *p)
{
	if (p->view->nr_levels) {
		print_level_headings(p);
	} else {
		table__print_heading(&p->table, p->out);
		if (p->style->separator)
			return;
		table__print_rules(&p->table, p->out);
	}
	out__str(p->out, "#\n");
}

/* @made: the group is the report's own and has no name. */
static void print_event_name(struct out *out, const struct view *view, u32 evsel, bool made)
{
	const struct evlist *evlist = view->names->session->evlist;
	const struct evsel *leader = evlist->evsels[evsel];
	u32 nr_members = hists__nr_members(&view->hists, evsel);
	bool group = nr_members > 1 && !made;

	if (group) {
		out__name(out, leader->group_name ? leader->group_name : "anon group");
		out__str(out, " { ");
	}
	for (u32 m = 0; m < nr_members; m++) {
		out__str(out, m ? ", " : "");
		out__name(out, evlist->evsels[evsel + m]->name);
	}
	out__str(out, group ? " }" : "");
}

static u64 samples_of(const struct view *view, u32 evsel)
{
	const struct hist_event *event = &view->hists.events[evsel];
	u64 samples = 0;

	for (u32 m = 0; m < hists__nr_members(&view->hists, evsel); m++)
		samples += view->options.relative ? event[m].shown_count : event[m].count;
	return samples;
}

static void print_samples(struct out *out, const struct view *view, u32 evsel, bool made)
{
	const struct evsel *leader = view->names->session->evlist->evsels[evsel];

	out__str(out, "Samples: ");
	print_count(out, samples_of(view, evsel));
	out__str(out, leader->nr_members > 1 ? " of events '" : " of event '");
	print_event_name(out, view, evsel, made);
	out__char(out, '\'');
}

static u64 total_of(const struct view *view, u32 evsel)
{
	u64 total = 0;

	for (u32 m = 0; m < hists__nr_members(&view->hists, evsel); m++)
		total += view__total(view, evsel + m);
	return total;
}

void report_stdio__choice(struct out *out, const struct view *view, u32 evsel)
{
	print_count(out, samples_of(view, evsel));
	out__char(out, ' ');
	print_event_name(out, view, evsel, false);
}

void report_stdio__event(struct out *out, const struct view *view, u32 evsel)
{
	print_samples(out, view, evsel, false);
	out__str(out, ", Event count (approx.): ");
	out__dec(out, total_of(view, evsel), 0);
}

/* How much the samples of an event are worth. */
static void print_worth(const struct printer *p, u32 evsel)
{
	const struct event_confidence *event = &p->view->confidence->events[evsel];
	struct out *out = p->out;

	out__str(out, "\n# Confidence");
	if (p->nr_members > 1) {
		out__str(out, " of '");
		out__name(out, p->view->names->session->evlist->evsels[evsel]->name);
		out__char(out, '\'');
	}
	if (event->sees_bursts)
		out__printf(out,
		            ": %llu samples are worth %llu independent ones (design effect %.1f)",
		            (unsigned long long)event->nr_samples,
		            (unsigned long long)event_confidence__independent(event),
		            event->design_effect);
	else
		out__printf(out, ": " CONFIDENCE_NO_BURSTS, SHARES_SLICES_MIN);
}

/* And whether the first entries need more, by the event that sorts. */
static void print_confidence(const struct printer *p, u32 evsel)
{
	u32 sorting = evsel + hists__sort_member(&p->view->hists, evsel);
	double lacking = event_confidence__lacking(&p->view->confidence->events[sorting]);

	for (u32 m = 0; m < p->nr_members; m++)
		print_worth(p, evsel + m);
	out__printf(p->out, "\n# First %d entries: ", CONFIDENCE_FIRST);
	if (isinf(lacking))
		out__str(p->out, "no number of samples tells equal shares apart");
	else if (!lacking)
		out__str(p->out, "all can be told apart");
	else
		out__printf(p->out, "%.0f more samples would tell all of them apart", lacking);
}

static void print_event_heading(struct printer *p, u32 evsel)
{
	const struct hist_event *event = &p->view->hists.events[evsel];

	out__str(p->out, "# ");
	print_samples(p->out, p->view, evsel, p->style->group_made);
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
	out__dec(p->out, total_of(p->view, evsel), 0);
	if (p->style->memory_order) {
		out__str(p->out, "\n# Sort order   : ");
		out__name(p->out, p->style->memory_order);
	}
	if (p->view->options.hists.has_socket)
		out__printf(p->out, "\n# Processor Socket: %d", p->view->options.hists.socket);
	if (p->view->confidence)
		print_confidence(p, evsel);
	out__str(p->out, "\n#\n");
}

/* ---- rows ---- */

/* What is printed as 0.50 % is not below it. */
static bool is_noise(const struct printer *p, const struct view_row *row)
{
	return p->style->sums_noise && p->nr_members == 1 && !p->view->nr_levels &&
	       row->total_period * 100.0 <
	               (NOISE_PERCENT - 0.005) * view__total(p->view, row->evsel);
}

/* Behind the one N/A that a group has for what is not added up. */
static bool is_void(const struct printer *p, u32 column, u32 member)
{
	return p->view->columns[column].figure == VIEW_CHILDREN &&
	       !p->view->options.hists.children && member;
}

/* The cells of a figure in all events of the group, as one text. */
static struct cell join_cells(struct printer *p, const struct view_row *row, u32 column)
{
	struct out *text = &p->texts[column];
	struct view_row of_member;
	struct cell cell;
	char buf[CELL_TEXT_SIZE];

	text->len = 0;
	for (u32 m = 0; m < p->nr_members; m++) {
		if (is_void(p, column, m))
			break;
		view__member(p->view, row, m, &of_member);
		view__cell(p->view, &of_member, column, &cell);
		out__char(text, ' ');
		out__str(text, cell__print(&cell, buf));
	}
	return cell__mark(out__take(text));
}

/* Fills in p->cells. */
static void make_cells(struct printer *p, const struct view_row *row)
{
	struct view_row of_member;
	u32 nr = 0;

	for (u32 i = 0; i < p->view->nr_columns; i++) {
		struct cell *cell = &p->cells[nr];

		u32 nr_columns = columns_of(p, p->view->columns[i].figure);

		if (nr_columns == 1) {
			view__cell(p->view, row, i, cell);
			if (p->view->nr_levels && cell->kind == CELL_TEXT)
				cell->text += strspn(cell->text, " "); /* levels are indented */
			nr++;
			continue;
		}
		if (p->joined) {
			p->cells[nr++] = join_cells(p, row, i);
			continue;
		}
		for (u32 m = 0; m < nr_columns; m++) {
			view__member(p->view, row, m, &of_member);
			view__cell(p->view, &of_member, i, &p->cells[nr]);
			if (is_void(p, i, m))
				p->cells[nr] = cell__text("");
			nr++;
		}
	}
}

/* In a hierarchy the first key of a level stands behind the room for all levels. */
static void indent_level(struct printer *p, const struct view_row *row)
{
	const struct view *view = p->view;
	struct table_column *first_key = &p->columns[p->table.nr - view->nr_columns];
	bool first = true;

	out__fill(p->out, ' ', LEVEL_INDENT * row->depth);
	for (u32 i = p->nr_figures; i < view->nr_columns; i++) {
		bool of_level = view__level_of(view, i) == row->depth;

		first_key[i].gap = of_level && first ? 2 + LEVEL_INDENT * (view->nr_levels - 1) : 2;
		first &= !of_level;
	}
}

/* Below a level of which nothing reaches the limit, where the names of the next would be. */
static void print_none(struct printer *p, const struct view_row *row)
{
	int indent = 2 + LEVEL_INDENT * (row->depth + p->view->nr_levels);

	for (u32 i = 0; i < p->table.nr - (p->view->nr_columns - p->nr_figures); i++)
		indent += p->columns[i].gap + p->columns[i].width;
	out__fill(p->out, ' ', indent);
	out__printf(p->out, "no entry >= %.2f%%\n", p->view->options.percent_limit);
}

static void print_row(struct printer *p, const struct view_row *row)
{
	struct view *view = p->view;
	const struct hists *hists = &view->hists;
	bool by_symbol = hists->options.keys.nr && hists->options.keys.list[0].key == &key_symbol;

	if (view->nr_levels)
		indent_level(p, row);
	make_cells(p, row);
	table__print_row(&p->table, p->out, p->cells);
	if (row->kind == VIEW_LEVEL && !row->open)
		print_none(p, row);
	if (view->options.chain.mode == CHAIN_NONE || row->kind != VIEW_ENTRY)
		return;
	report_chain__print(p->out, hists, &view->options.chain, view__tree(view, row->entry),
	                    by_symbol ? hist_entry__sym(hists, &hists->entries[row->entry]) : NULL,
	                    view__total(view, row->evsel), p->style->colored, p->ends);
}

static void start_printer(struct printer *p)
{
	for (u32 i = 0; i < VIEW_COLUMNS_MAX; i++)
		p->texts[i].fd = -1;
}

static void end_printer(struct printer *p)
{
	for (u32 i = 0; i < VIEW_COLUMNS_MAX; i++)
		out__exit(&p->texts[i]);
	free(p->columns);
	free(p->cells);
}

/* ---- rows by several workers */

/* The columns are those of @ctx, of which nothing changes but in a hierarchy. */
static void *begin_rows(const void *ctx, struct view *view, struct out *out)
{
	struct printer *p = xrealloc(NULL, 1, sizeof(*p));

	memcpy(p, ctx, sizeof(*p));
	p->view = view;
	p->out = out;
	p->cells = xcalloc(p->table.nr, sizeof(*p->cells));
	memset(p->texts, 0, sizeof(p->texts));
	start_printer(p);
	return p;
}

static void print_or_sum(void *printer, u32 i)
{
	struct printer *p = printer;
	struct view_row row;

	view__row(p->view, p->evsel, i, &row);
	if (is_noise(p, &row)) {
		p->nr_noise++;
		p->noise += row.period;
		return;
	}
	print_row(p, &row);
}

static void end_rows(void *ctx, void *printer)
{
	struct printer *all = ctx, *p = printer;

	all->nr_noise += p->nr_noise;
	all->noise += p->noise;
	p->columns = NULL;
	end_printer(p);
	free(p);
}

static const struct row_printing row_printing = { begin_rows, print_or_sum, end_rows };

/* A line for what is not shown. With children only what entries have themselves can be added up. */
static void print_noise(const struct printer *p)
{
	u64 total = view__total(p->view, p->evsel);

	out__fill(p->out, ' ', p->view->options.hists.children ? 2 + PERCENT_WIDTH : 0);
	out__printf(p->out, "  %7.2f%%  [%u more below %.1f %%: --percent-limit 0 shows them]\n",
	            total ? p->noise * 100.0 / total : 0, p->nr_noise, NOISE_PERCENT);
}

static void print_blocks(struct printer *p, u32 evsel)
{
	const struct report_style *style = p->style;
	const struct block_style block_style = { .quiet = style->quiet,
		                                 .colored = style->colored,
		                                 .separator = style->separator,
		                                 .percent_limit = p->view->options.percent_limit };

	if (!style->quiet)
		print_event_heading(p, evsel);
	block_table__print(p->out, style->blocks, evsel, p->view->names,
	                   p->view->options.hists.source, &block_style);
}

static void print_event(struct printer *p, u32 evsel)
{
	p->evsel = evsel;
	p->nr_noise = 0;
	p->noise = 0;
	p->nr_members = hists__nr_members(&p->view->hists, evsel);
	if (p->style->blocks) {
		print_blocks(p, evsel);
		return;
	}
	make_columns(p, evsel);
	view__open_levels(p->view, evsel);
	if (!p->style->quiet) {
		print_event_heading(p, evsel);
		print_headings(p);
	}
	view__print_rows(p->view, evsel, p->out, &row_printing, p);
	if (p->nr_noise)
		print_noise(p);
	out__str(p->out, "\n\n");
}

static bool has_samples(const struct hists *hists)
{
	for (u32 i = 0; i < hists->names->session->evlist->nr; i++)
		if (hists->events[i].count)
			return true;
	return false;
}

bool report_stdio__has_table(const struct view *view, const struct report_style *style, u32 evsel)
{
	const struct evsel *of = view->names->session->evlist->evsels[evsel];
	u64 count = 0;

	if (of->same_as != evsel || (view->options.hists.groups && of->leader != evsel))
		return false;
	for (u32 m = 0; m < hists__nr_members(&view->hists, evsel); m++)
		count += view->hists.events[evsel + m].count;
	return count || !style->skip_empty;
}

static void print_share(struct out *out, const char *name, u64 nr, u64 total)
{
	if (nr)
		out__printf(out, "%8s: %5.1f%%\n", name, 100.0 * nr / total);
}

/* As in Linux's perf 100 % are those whose kind is an old one. */
static void print_branch_stats(struct out *out, const struct branch_stats *stats)
{
	u64 total = 0;

	for (unsigned i = 1; i < BRANCH_EXTENDED; i++)
		total += stats->nr_kinds[i];
	if (!total)
		return;
	out__str(out, "\n#\n# Branch Statistics:\n#\n");
	print_share(out, "COND_FWD", stats->nr_forward, total);
	print_share(out, "COND_BWD", stats->nr_backward, total);
	print_share(out, "CROSS_4K", stats->nr_beyond_4k, total);
	print_share(out, "CROSS_2M", stats->nr_beyond_2m, total);
	for (unsigned i = 1; i < BRANCH_KINDS; i++)
		print_share(out, branch_kind__name(i), stats->nr_kinds[i], total);
}

void report_stdio__hint(struct out *out)
{
	out__str(out, header_hint);
}

/* Those that are printed, in order: @fn for each. */
static void each_row(struct printer *p, u32 evsel, u32 max, u64 min_samples,
                     void (*fn)(struct printer *p, const struct view_row *row))
{
	struct view_row row;

	for (u32 i = 0, nr = 0; nr < max && i < view__nr_rows(p->view, evsel); i++) {
		view__row(p->view, evsel, i, &row);
		if (row.total_count < min_samples)
			continue;
		fn(p, &row);
		nr++;
	}
}

static void measure_row(struct printer *p, const struct view_row *row)
{
	make_cells(p, row);
	table__measure(p->columns, p->table.nr, p->cells);
}

void report_stdio__rows(struct out *out, struct view *view, const struct report_style *style,
                        u32 evsel, u32 max, u64 min_samples)
{
	struct printer p = { .out = out,
		             .view = view,
		             .style = style,
		             .nr_members = hists__nr_members(&view->hists, evsel),
		             .some = !view->nr_levels };

	start_printer(&p);
	make_columns(&p, evsel);
	view__open_levels(view, evsel);
	if (p.some)
		each_row(&p, evsel, max, min_samples, measure_row);
	each_row(&p, evsel, max, min_samples, print_row);
	end_printer(&p);
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
	start_printer(&p);
	if (style->terminal && view->options.chain.mode != CHAIN_NONE) {
		chain_ends__init(&ends, view->chains->profile);
		p.ends = &ends;
	}
	if (!style->quiet)
		print_preamble(out, view, style);
	for (u32 i = 0; i < evlist->nr; i++)
		if (report_stdio__has_table(view, style, i))
			print_event(&p, i);
	if (!style->quiet)
		out__printf(out, "#\n# (Tip: %s)\n#\n",
		            p.tip ? p.tip : tips[view->hists.nr_entries % ARRAY_SIZE(tips)]);
	print_branch_stats(out, &view->chains->profile->branch_stats);
	chain_ends__exit(&ends);
	end_printer(&p);
}
