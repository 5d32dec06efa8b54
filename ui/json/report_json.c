// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/json/report_json.h"

#include <stdlib.h>
#include <string.h>

#include "ui/text/loss_table.h"
#include "ui/text/table.h"
#include "util/export/json_export.h"
#include "util/health/health_text.h"
#include "util/lib/alloc.h"
#include "util/lib/json.h"
#include "util/view/confidence.h"
#include "util/view/view_print.h"

static void indent(struct out *out, u32 depth)
{
	out__char(out, '\n');
	out__fill(out, ' ', 2 * (depth + 1));
}

static void number(struct out *out, const char *name, u64 value)
{
	out__printf(out, ", \"%s\": %llu", name, (unsigned long long)value);
}

/* "[k] do_exit": how the code ran, and its name. */
static void split_symbol(struct cell *symbol, struct cell *mode)
{
	static const struct {
		char mark;
		const char *name;
	} modes[] = { { 'k', "kernel" },
		      { '.', "user" },
		      { 'g', "guest kernel" },
		      { 'u', "guest user" },
		      { 'H', "hypervisor" } };

	*mode = (struct cell){ .kind = CELL_NONE };
	if (symbol->kind != CELL_TEXT || symbol->text[0] != '[' ||
	    strncmp(symbol->text + 2, "] ", 2))
		return;
	for (u32 i = 0; i < ARRAY_SIZE(modes); i++)
		if (symbol->text[1] == modes[i].mark)
			*mode = cell__text(modes[i].name);
	symbol->text += 4;
}

/* What a row has: its figures as numbers, then its columns. */
static void print_members(struct out *out, const char *const *keys, struct view *view,
                          const struct view_row *row)
{
	struct cell cells[VIEW_COLUMNS_MAX], mode = { .kind = CELL_NONE };

	out__printf(out, "\"samples\": %llu", (unsigned long long)row->count);
	number(out, "period", row->period);
	if (view->options.hists.children) {
		number(out, "total_samples", row->total_count);
		number(out, "total_period", row->total_period);
	}
	for (u32 i = 0; i < view->nr_columns; i++) {
		const struct view_column *column = &view->columns[i];

		view__cell(view, row, i, &cells[i]);
		if (column->figure == VIEW_SAMPLES || column->figure == VIEW_PERIOD)
			cells[i].kind = CELL_NONE; /* they are there */
		if (column->figure == VIEW_KEY && column->by->key == &key_symbol)
			split_symbol(&cells[i], &mode);
	}
	if (mode.kind != CELL_NONE) {
		out__str(out, ", \"mode\": ");
		json__string(out, mode.text);
	}
	for (u32 i = 0; i < view->nr_columns; i++) {
		if (cells[i].kind == CELL_NONE)
			continue;
		out__str(out, ", ");
		table__print_members(out, &keys[i], &cells[i], 1, ": ");
	}
}

static const char *name_of(const struct view_column *column)
{
	switch (column->figure) {
	case VIEW_KEY:
		return column->by->key->name;
	case VIEW_CHILDREN:
		return "children";
	case VIEW_SELF:
		return "self";
	case VIEW_INTERVAL:
		return "interval";
	case VIEW_RANK:
		return "rank";
	default:
		return view_figure__name(column->figure);
	}
}

/* What prints the rows of a view needs everywhere. */
struct printer {
	struct out *out;
	struct view *view;
	u32 evsel;                          /* at work */
	const char *keys[VIEW_COLUMNS_MAX]; /* the names of columns */
	struct out name;                    /* of the frame at work; of a printer of rows */
};

/* The branches below a node, each with its run of frames and what is below that. */
static void print_branches(struct printer *p, const struct chain_tree *tree, u32 parent, u32 depth)
{
	const struct chain_node *above = &tree->nodes[parent];

	for (u32 i = above->first_child; i < above->first_child + above->nr_children; i++) {
		const struct chain_node *node = &tree->nodes[i];

		out__str(p->out, i > above->first_child ? "," : ", \"inside\": [");
		indent(p->out, depth);
		out__printf(p->out, "{\"samples\": %llu", (unsigned long long)node->count);
		number(p->out, "period", node->period);
		number(p->out, "total_samples", node->total_count);
		number(p->out, "total_period", node->total_period);
		out__str(p->out, ", \"frames\": [");
		for (u32 f = 0; f < node->nr_frames; f++) {
			p->name.len = 0;
			chain_options__print_frame(&p->view->options.chain, &p->view->hists,
			                           &p->name, tree->frames[node->first_frame + f]);
			out__str(p->out, f ? ", " : "");
			json__string(p->out, out__take(&p->name));
		}
		out__char(p->out, ']');
		print_branches(p, tree, i, depth + 1);
		out__char(p->out, '}');
	}
	if (above->nr_children)
		out__char(p->out, ']');
}

static u32 depth_of(struct printer *p, u32 i)
{
	struct view_row row;

	view__row(p->view, p->evsel, i, &row);
	return row.depth;
}

/* Begins with the end of the row before it; rows inside of that go on in it. */
static void print_row(void *printer, u32 i)
{
	struct printer *p = printer;
	u32 depth = i ? depth_of(p, i - 1) : 0;
	struct view_row row;

	view__row(p->view, p->evsel, i, &row);
	if (i && row.depth <= depth)
		out__char(p->out, '}');
	for (; depth > row.depth; depth--)
		out__str(p->out, "]}");
	if (row.depth > depth)
		out__str(p->out, ", \"inside\": [");
	else if (i)
		out__char(p->out, ',');
	indent(p->out, row.depth + 1);
	out__char(p->out, '{');
	print_members(p->out, p->keys, p->view, &row);
	if (row.kind == VIEW_ENTRY && row.openable)
		print_branches(p, view__tree(p->view, row.entry), 0, row.depth + 2);
}

static void *begin_rows(const void *ctx, struct view *view, struct out *out)
{
	struct printer *p = xrealloc(NULL, 1, sizeof(*p));

	memcpy(p, ctx, sizeof(*p));
	p->view = view;
	p->out = out;
	out__init(&p->name, -1);
	return p;
}

static void end_rows(void *ctx, void *printer)
{
	struct printer *p = printer;

	(void)ctx;
	out__exit(&p->name);
	free(p);
}

static void print_rows(struct printer *p, u32 evsel)
{
	static const struct row_printing how = { begin_rows, print_row, end_rows };
	u32 nr = view__nr_rows(p->view, evsel);

	p->evsel = evsel;
	view__print_rows(p->view, evsel, p->out, &how, p);
	if (!nr)
		return;
	out__char(p->out, '}');
	for (u32 depth = depth_of(p, nr - 1); depth > 0; depth--)
		out__str(p->out, "]}");
}

/* What the text says of it above the table. */
static void print_confidence(struct out *out, const struct event_confidence *of)
{
	static const char *const keys[] = { "samples", "design_effect", "independent_samples",
		                            "first", "more_samples" };
	const struct cell none = cell__mark(""); /* null */
	const struct cell cells[] = {
		cell__number(of->nr_samples),
		of->sees_bursts ? cell__real(of->design_effect, 1) : none,
		of->sees_bursts ? cell__number(event_confidence__independent(of)) : none,
		cell__number(CONFIDENCE_FIRST),
		cell__real(event_confidence__lacking(of), 0), /* null, where it is infinite */
	};

	out__str(out, ", \"confidence\": {");
	table__print_members(out, keys, cells, ARRAY_SIZE(cells), ": ");
	out__str(out, ", \"lockstep\": ");
	if (of->lockstep.round)
		out__printf(out, "{\"samples\": %llu, \"round\": %u}",
		            (unsigned long long)of->lockstep.nr_samples, of->lockstep.round);
	else
		out__str(out, "null");
	out__char(out, '}');
}

static void print_event(struct printer *p, u32 evsel)
{
	struct out *out = p->out;
	struct view *view = p->view;
	const struct evlist *evlist = view->names->session->evlist;
	const struct evsel *of = evlist->evsels[evsel];
	const struct hist_event *sums = &view->hists.events[evsel];

	out__str(out, "  {\"event\": ");
	json__string(out, of->name);
	if (of->leader != evsel) {
		out__str(out, ", \"leader\": ");
		json__string(out, evlist->evsels[of->leader]->name);
	}
	number(out, "samples", sums->count);
	number(out, "period", sums->period);
	number(out, "shown_samples", sums->shown_count);
	number(out, "shown_period", sums->shown_period);
	if (view->confidence)
		print_confidence(out, &view->confidence->events[evsel]);
	out__str(out, ", \"rows\": [");
	view__open_levels(view, evsel);
	print_rows(p, evsel);
	out__str(out, "]}");
}

static void print_events(struct out *out, struct view *view)
{
	const struct session *session = view->names->session;
	const struct evlist *evlist = session->evlist;
	struct printer p = { .out = out, .view = view };
	bool first = true;

	for (u32 i = 0; i < view->nr_columns; i++)
		p.keys[i] = name_of(&view->columns[i]);
	out__str(out, ",\n \"events\": [");
	for (u32 i = 0; i < evlist->nr; i++) {
		if (!view->hists.events[i].count)
			continue;
		out__str(out, first ? "\n" : ",\n");
		first = false;
		print_event(&p, i);
	}
	out__str(out, "\n],\n");
}

static void print_health(struct out *out, const struct view *view)
{
	const struct health *health = &view->chains->profile->health;

	out__str(out, "\"stack_health\": ");
	if (health->nr)
		health_text__json(out, health, view->names->session, 0);
	else
		out__str(out, "null");
	out__str(out, "}\n");
}

void report_json__print(struct out *out, struct view *view, const struct losses *losses)
{
	const struct session *session = view->names->session;

	out__str(out, "{\"version\": 1,\n \"headers\": ");
	json_export__headers(session, out);
	print_events(out, view);
	out__str(out, " \"losses\": ");
	loss_table__print_json(out, losses, session->evlist);
	out__str(out, ", ");
	print_health(out, view);
}

void report_json__print_sum(struct out *out, struct view *view, const char *recordings)
{
	out__str(out, "{\"version\": 1,\n \"recordings\": [");
	out__str(out, recordings);
	out__char(out, ']');
	print_events(out, view);
	out__char(out, ' ');
	print_health(out, view);
}
