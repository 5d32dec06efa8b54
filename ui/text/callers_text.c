// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/text/callers_text.h"

#include <string.h>

#include "ui/text/table.h"
#include "util/callers/callers.h"

enum column { TOTAL, PART, SAMPLES, NAME, NR_COLUMNS };

struct printer {
	struct out *out;
	const struct view *view;
	const struct callers *callers;
	u64 total;
	struct table table;
	struct table_column columns[NR_COLUMNS];
	struct out name;
};

static void init_table(struct printer *p, const struct callers_style *style)
{
	p->columns[TOTAL] = (struct table_column){ "Total", 8, 2, TABLE_RIGHT };
	p->columns[PART] = (struct table_column){ "Part", 8, 2, TABLE_RIGHT };
	p->columns[SAMPLES] = (struct table_column){ "Samples", 12, 2, TABLE_RIGHT,
		                                     .hidden = !p->view->options.show_samples };
	p->columns[NAME] = (struct table_column){ "Function", 8, 2, TABLE_LEFT, .ragged = true };
	p->table = (struct table){
		.columns = p->columns, .nr = NR_COLUMNS, .prefix = "# ", .colored = style->colored
	};
}

static const char *name_of(struct printer *p, u32 function)
{
	p->name.len = 0;
	names__print_frame(p->view->names, &p->name, p->callers->functions[function].loc, false);
	return out__take(&p->name);
}

/* One line: of the function its total, else a part of it. */
static void print_line(struct printer *p, bool is_total, struct weight sums, const char *name)
{
	struct cell none = cell__mark("");
	struct cell percent = cell__percent(sums.period, p->total);
	struct cell row[NR_COLUMNS] = {
		[TOTAL] = is_total ? percent : none,
		[PART] = is_total ? none : percent,
		[SAMPLES] = cell__number(sums.count),
		[NAME] = cell__text(name),
	};

	table__print_row(&p->table, p->out, row);
}

static void print_part(struct printer *p, struct weight sums, const char *name)
{
	struct out indented = { .fd = -1 };

	out__printf(&indented, "    %s", name);
	print_line(p, false, sums, out__take(&indented));
	out__exit(&indented);
}

static void print_function(struct printer *p, u32 i)
{
	const struct callers *callers = p->callers;
	const struct call_function *function = &callers->functions[i];

	for (u32 n = 0; n < function->nr_callers; n++) {
		const struct call_edge *edge =
		        &callers->edges[callers->by_callee[function->first_caller + n]];

		print_part(p, edge->sums, name_of(p, edge->caller));
	}
	if (function->outermost.count)
		print_part(p, function->outermost, "[no caller]");
	print_line(p, true, function->total, name_of(p, i));
	if (function->self.count)
		print_part(p, function->self, "[self]");
	for (u32 n = 0; n < function->nr_callees; n++) {
		const struct call_edge *edge =
		        &callers->edges[callers->by_caller[function->first_callee + n]];

		print_part(p, edge->sums, name_of(p, edge->callee));
	}
	out__str(p->out, "#\n");
}

static bool is_wanted(struct printer *p, const struct name_list *functions, u32 i)
{
	const char *name = name_of(p, i);

	for (u32 n = 0; n < functions->nr; n++)
		if (!strcmp(functions->names[n], name))
			return true;
	return !functions->nr;
}

static void print_event(struct printer *p, const struct callers_style *style, u32 evsel)
{
	const struct hist_event *event = &p->view->hists.events[evsel];
	const struct evlist *evlist = p->view->names->session->evlist;

	p->total = view__total(p->view, evsel);
	if (!style->quiet) {
		out__printf(p->out, "# Samples: %llu of event '",
		            (unsigned long long)event->shown_count);
		out__name(p->out, evlist->evsels[evsel]->name);
		out__str(p->out, "'\n#\n");
		table__print_heading(&p->table, p->out);
		table__print_rules(&p->table, p->out);
		out__str(p->out, "#\n");
	}
	for (u32 i = 0; i < p->callers->nr_functions; i++)
		if (p->callers->functions[i].total.period * 100.0 >=
		            p->view->options.percent_limit * p->total &&
		    is_wanted(p, style->functions, i))
			print_function(p, i);
	out__char(p->out, '\n');
}

void callers_text__print(struct out *out, struct view *view, const struct callers_style *style)
{
	struct printer p = { .out = out, .view = view, .name.fd = -1 };
	struct callers callers;

	init_table(&p, style);
	p.callers = &callers;
	for (u32 i = 0; i < view->names->session->evlist->nr; i++) {
		if (!view->hists.events[i].count)
			continue;
		callers__init(&callers, &view->hists, i);
		print_event(&p, style, i);
		callers__exit(&callers);
	}
	out__exit(&p.name);
}
