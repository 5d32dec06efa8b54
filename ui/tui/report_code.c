// SPDX-License-Identifier: GPL-2.0-or-later
/* Keys a and b of the report browser: the code of the row's function, its callers and callees. */
#include "ui/tui/callers_browser.h"
#include "ui/tui/report_browser_private.h"
#include "util/annotate/inlined_code.h"

#define NO_FUNCTION "rows are not of one function: report -s sym,... has such"

/* ---- the code ---- */

/*
 * An entry of the event that has the function of a location, best one like the row with the cursor:
 * of the same command, say. ID_NONE: none.
 */
static u32 entry_of(struct report_browser *b, u32 loc)
{
	const struct hists *hists = &b->view->hists;
	const struct hist_event *event = &hists->events[evsel_of(b)];
	u32 key = hists->key_of_loc[loc], found = ID_NONE;
	struct view_row row;
	bool there = report_browser__row(b, &row);

	for (u32 i = event->first_entry; i < event->first_entry + event->nr_entries; i++) {
		if (hists->entries[i].key != key)
			continue;
		if (there && hists->entries[i].group == hists->entries[row.entry].group)
			return i;
		found = found == ID_NONE ? i : found;
	}
	return found;
}

/* The code of an inlined function is that of the symbol which has its samples. */
static void annotate(void *ctx, u32 loc)
{
	struct report_browser *b = ctx;
	const struct names *names = b->view->names;
	bool inlined = sym__inlined(&names->syms[names->sym_of_loc[loc]]);
	u32 entry = entry_of(b, inlined ? names__built_loc(names, loc) : loc);

	if (!sort_keys__has(&b->options.hists.keys, &key_symbol)) {
		dialog__say(b->tui, NO_FUNCTION);
	} else if (entry == ID_NONE) {
		dialog__say(b->tui, "no sample is in that function itself");
	} else {
		const struct hists *hists = &b->view->hists;
		u64 addr = inlined ? inlined_code__hottest(hists, &hists->entries[entry], loc) : 0;

		annotate_browser__run(b->tui, b->view, &b->texts->code, entry, addr);
	}
}

/* A location of the function of the row; false: it has none. */
static bool chosen_loc(struct report_browser *b, u32 *loc)
{
	struct view_row row;

	if (!report_browser__row(b, &row))
		return false;
	*loc = report_filters__loc(b, &row);
	if (row.kind == VIEW_FRAME || report_filters__has_function(b, &row))
		return true;
	dialog__say(b->tui, NO_FUNCTION);
	return false;
}

void report_code__show(struct report_browser *b)
{
	u32 loc;

	if (chosen_loc(b, &loc))
		annotate(b, loc);
}

/* ---- callers and callees ---- */

void report_code__drop_callers(struct report_browser *b)
{
	if (b->callers_evsel != ID_NONE)
		call_tree__exit(&b->call_tree);
	b->callers_evsel = ID_NONE;
}

/* Of the event, added up when they are first asked for. */
static struct call_tree *tree_of(struct report_browser *b)
{
	if (b->callers_evsel == evsel_of(b))
		return &b->call_tree;
	report_code__drop_callers(b);
	dialog__show(b->tui, "adding up callers and callees ...");
	b->callers_evsel = evsel_of(b);
	call_tree__init(&b->call_tree, &b->view->hists, b->callers_evsel);
	return &b->call_tree;
}

void report_code__show_callers(struct report_browser *b)
{
	struct callers_shown shown = { .view = b->view, .show_code = annotate, .ctx = b };
	u32 loc;

	if (!chosen_loc(b, &loc))
		return;
	shown.evsel = evsel_of(b);
	shown.tree = tree_of(b);
	if (!callers_browser__run(b->tui, &shown, loc))
		dialog__say(b->tui, "no call chain has that function");
}
