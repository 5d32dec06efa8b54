// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/text/report_json.h"

#include "ui/text/table.h"
#include "util/lib/json.h"

static void indent(struct out *out, u32 depth)
{
	out__char(out, '\n');
	out__fill(out, ' ', 2 * (depth + 1));
}

static void print_members(struct out *out, const char *const *keys, struct view *view,
                          const struct view_row *row)
{
	struct cell cells[VIEW_COLUMNS_MAX];

	for (u32 i = 0; i < view->nr_columns; i++)
		view__cell(view, row, i, &cells[i]);
	table__print_members(out, keys, cells, view->nr_columns, ": ");
	if (row->kind != VIEW_FRAME)
		return;
	out__str(out, ", \"frame\": ");
	json__string(out, view__frame(view, row));
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
	case VIEW_SAMPLES:
		return "samples";
	default:
		return view_figure__name(column->figure);
	}
}

static void print_event(struct out *out, const char *const *keys, struct view *view, u32 evsel)
{
	u32 depth = 0;

	view__open_all(view, evsel, true);
	for (u32 i = 0; i < view__nr_rows(view, evsel); i++) {
		struct view_row row;

		view__row(view, evsel, i, &row);
		if (i && row.depth <= depth)
			out__char(out, '}');
		for (; depth > row.depth; depth--)
			out__str(out, "]}");
		if (row.depth > depth)
			out__str(out, ", \"inside\": [");
		else if (i)
			out__char(out, ',');
		depth = row.depth;
		indent(out, depth + 1);
		out__char(out, '{');
		print_members(out, keys, view, &row);
	}
	if (view__nr_rows(view, evsel))
		out__char(out, '}');
	for (; depth > 0; depth--)
		out__str(out, "]}");
}

void report_json__print(struct out *out, struct view *view)
{
	const struct evlist *evlist = view->names->session->evlist;
	const char *keys[VIEW_COLUMNS_MAX];
	bool first = true;

	for (u32 i = 0; i < view->nr_columns; i++)
		keys[i] = name_of(&view->columns[i]);
	out__str(out, "{\"events\": [");
	for (u32 i = 0; i < evlist->nr; i++) {
		if (!view->hists.events[i].count)
			continue;
		out__str(out, first ? "\n" : ",\n");
		first = false;
		out__str(out, "  {\"event\": ");
		json__string(out, evlist->evsels[i]->name);
		out__str(out, ", \"total\": ");
		out__dec(out, view__total(view, i), 0);
		out__str(out, ", \"rows\": [");
		print_event(out, keys, view, i);
		out__str(out, "]}");
	}
	out__str(out, "\n]}\n");
}
