// SPDX-License-Identifier: GPL-2.0-or-later
/* Key r of the report browser: the samples of a row, which scripts would be run on. */
#include <stdio.h>
#include <string.h>

#include "ui/tui/report_browser_private.h"
#include "ui/tui/samples_browser.h"
#include "util/annotate/inlined_code.h"

static const char *fields_of(const struct report_browser *b)
{
	return *b->sample_fields ? b->sample_fields : NULL;
}

static void run(struct report_browser *b, const struct sample_filter *filter, const char *of,
                const char *name)
{
	char title[DIALOG_TEXT];

	snprintf(title, sizeof(title), "Samples %s %s", of, name);
	samples_browser__run(b->tui, &b->texts->code, b->view, filter, fields_of(b), title);
}

/* Filters of the report that are about samples hold for all of them. */
static void list_all(struct report_browser *b)
{
	run(b, &b->options.hists.filter, "that pass", "the filters");
}

/* Samples are of symbols: those that have what was inlined are listed, and said. */
static void list_of_inlined(struct report_browser *b, u32 loc, const char *name)
{
	struct sample_filter filter = b->options.hists.filter;
	struct name_list holders;
	char of[DIALOG_TEXT / 2];

	inlined_code__holders(&b->view->hists, loc, &holders);
	filter.symbols = holders;
	if (holders.nr == 1)
		snprintf(of, sizeof(of), "taken in %s, which has the inlined", holders.names[0]);
	else
		snprintf(of, sizeof(of), "taken in the %u functions which have the inlined",
		         holders.nr);
	if (holders.nr)
		run(b, &filter, of, name);
	else
		dialog__say(b->tui, "no sample is in that function itself");
	name_list__exit(&holders);
}

static void list_of_symbol(struct report_browser *b)
{
	const struct names *names = b->view->names;
	struct view_row row;
	const char *name = report_browser__row(b, &row) ? report_filters__symbol(b, &row) : NULL;
	u32 loc = name ? report_filters__loc(b, &row) : 0;

	if (name && sym__inlined(&names->syms[names->sym_of_loc[loc]]))
		list_of_inlined(b, loc, name);
	else if (name)
		samples_browser__of_symbol(b->tui, &b->texts->code, b->view, name, fields_of(b));
}

static void list_of_dso(struct report_browser *b)
{
	struct sample_filter filter = b->options.hists.filter;
	struct view_row row;
	const char *name = report_browser__row(b, &row) ? report_filters__dso(b, &row) : NULL;

	filter.dsos = (struct name_list){ .names = (char **)&name, .nr = 1 };
	if (name)
		run(b, &filter, "taken in", name);
}

static void list_of_task(struct report_browser *b)
{
	struct sample_filter filter = b->options.hists.filter;
	struct view_row row;
	const char *name = report_browser__row(b, &row) ? report_filters__task(b, &row) : NULL;
	u32 tid;

	if (!name)
		return;
	if (report_filters__tid(b, &row, &tid))
		filter.tids = (struct id_list){ .ids = &tid, .nr = 1 };
	else
		filter.comms = (struct name_list){ .names = (char **)&name, .nr = 1 };
	run(b, &filter, "of", name);
}

/* Then it is asked again which samples. */
static void choose_fields(struct report_browser *b)
{
	char text[DIALOG_TEXT];

	strcpy(text, b->sample_fields);
	report_draw__all(b);
	if (!dialog__ask(b->tui, "Fields, as perf script -F (empty: the usual ones):", text))
		return;
	strcpy(b->sample_fields, text);
	report_draw__all(b);
	report_samples__choose(b);
}

static void tell_of_engines(struct report_browser *b)
{
	samples_browser__tell_of_engines(b->tui);
}

static const struct row_item items[] = {
	{ "Samples taken in %s", list_of_symbol, report_filters__symbol },
	{ "Samples taken in %s DSO", list_of_dso, report_filters__dso },
	{ "Samples of %s", list_of_task, report_filters__task },
	{ "Samples that pass the filters", list_all, NULL },
	{ "Other fields (perf script -F) ...", choose_fields, NULL },
	{ "Scripts in Python or Perl: why there are none", tell_of_engines, NULL },
};

void report_samples__choose(struct report_browser *b)
{
	report_browser__menu(b, "Samples as text (Enter, Esc)", items, ARRAY_SIZE(items));
}
