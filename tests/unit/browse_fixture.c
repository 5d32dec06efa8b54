// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/browse_fixture.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/fake_terminal.h"
#include "tests/unit/profile_fixture.h"
#include "tests/unit/unit.h"
#include "ui/tui/report_browser.h"
#include "util/lib/alloc.h"

struct browsed browsed = { .has_cycles = true, .warned_of = "" };

/* A line of code, which has a mark. */
static void add_insn(struct out *out, struct annotate_marks *marks, enum insn_kind kind, u64 addr,
                     u64 target, const char *callee, double percent)
{
	array__reserve(&marks->list, &marks->cap, (size_t)marks->nr + 1, sizeof(*marks->list));
	marks->list[marks->nr++] =
	        (struct annotate_mark){ .at = out->len,
		                        .kind = kind,
		                        .addr = addr,
		                        .target = target,
		                        .callee = callee ? xstrdup(callee) : NULL,
		                        .percent = percent };
	out__printf(out, " %5.2f  %2llx: insn\n", percent, (unsigned long long)addr);
}

static int some_code(void *ctx, struct view *view, u32 entry, const struct annotate_style *style,
                     struct out *out, struct annotate_marks *marks, struct error *err)
{
	const char *name =
	        sym__name(view->names, hist_entry__sym(&view->hists, &view->hists.entries[entry]));

	(void)ctx;
	if (!name || !strcmp(name, "h"))
		return error__set(err, -ENOENT, "no code", name, "it is gone");
	out__printf(out, "Samples of %s\n%s%s%s%s%s%s%s%s%s label %d\n", name,
	            style->labels ? "" : "plain ", style->source ? "source " : "",
	            style->line_numbers ? "numbers " : "", style->places ? "places " : "",
	            style->addresses ? "addresses " : "", style->nr_jumps ? "jumps " : "",
	            style->percent.global ? "global " : "", style->percent.hits ? "hits " : "",
	            style->show_period    ? "periods"
	            : style->show_samples ? "samples"
	                                  : "percent",
	            style->label);
	if (style->cycles && browsed.has_cycles) {
		out__printf(out, "cycles %d\n", style->cycles);
		marks->cycles_width = 12;
	}
	out__str(out, style->source ? "             source 1\n             source 2\n" : "");
	add_insn(out, marks, INSN_OTHER, 0x10, 0, NULL, 1);
	add_insn(out, marks, INSN_JUMP, 0x14, 0x1c, NULL, 0);
	add_insn(out, marks, INSN_OTHER, 0x18, 0, NULL, 60);
	add_insn(out, marks, INSN_CALL, 0x1c, 0, "f@plt", 30);
	add_insn(out, marks, INSN_CALL, 0x20, 0, "nobody", 0);
	add_insn(out, marks, INSN_JUMP, 0x24, 0x10, NULL, 2);
	return 0;
}

/* What is asked for. */
static int some_samples(void *ctx, struct view *view, const struct sample_filter *filter,
                        const char *fields, struct out *out, struct error *err)
{
	(void)ctx;
	(void)view;
	if (filter->symbols.nr && !strcmp(filter->symbols.names[0], "f"))
		return error__set(err, -EIO, "no samples", "f", "they are gone");
	for (u32 i = 0; i < filter->symbols.nr; i++)
		out__printf(out, "symbol %s\n", filter->symbols.names[i]);
	for (u32 i = 0; i < filter->dsos.nr; i++)
		out__printf(out, "dso %s\n", filter->dsos.names[i]);
	for (u32 i = 0; i < filter->comms.nr; i++)
		out__printf(out, "comm %s\n", filter->comms.names[i]);
	for (u32 i = 0; i < filter->tids.nr; i++)
		out__printf(out, "tid %u\n", filter->tids.ids[i]);
	if (fields)
		out__printf(out, "fields %s\n", fields);
	out__str(out, "end\n");
	return 0;
}

void browse_report(void *ctx, struct view *view, struct out *out)
{
	(void)ctx;
	view__open_all(view, 0, true);
	out__printf(out, "the report: %u rows\n", view__nr_rows(view, 0));
	view__open_all(view, 0, false);
}

static void list_files(void *ctx, struct name_list *files)
{
	(void)ctx;
	name_list__add(files, "a.data");
	name_list__add(files, "b.data");
}

static int map(void *ctx, u32 dso, struct out *out, struct error *err)
{
	const struct fixture *f = ctx;
	const char *path = strtab__get(&f->session.strings, dsos__at(&f->session.dsos, dso)->name);

	if (!strstr(path, "prog"))
		return error__set(err, -ENOENT, "no symbols", path, NULL);
	out__str(out, "10 20 g f\n20 30 g g\n");
	return 0;
}

static void health(void *ctx, struct view *view, struct out *out)
{
	(void)ctx;
	out__str(out, "lost: 3");
	if (view->options.hists.filter.dsos.nr)
		out__printf(out, " of %s", view->options.hists.filter.dsos.names[0]);
}

static const char *said(u32 *nr)
{
	*nr = *browsed.warned_of ? 1 : 0;
	return browsed.warned_of;
}

const char *browse_with(struct view_options options, int nr_rows, int nr_columns, const char *sort,
                        const int *keys)
{
	struct fixture f;
	const struct report_texts texts = {
		.code = { NULL, some_code, some_samples, { .source = true } },
		.report = browse_report,
		.map = map,
		.ctx = &f,
		.list_files = list_files,
		.health = health,
		.said = said
	};
	struct error err = ERROR_INIT;
	struct view view;

	fixture__init(&f);
	fixture__sample(&f, "main;f;g", 40);
	fixture__sample(&f, "main;f", 20);
	fixture__sample(&f, "main;h;g", 10);
	f.last.pid = f.last.tid = 200;
	builder__comm(&f.file.data, FIXTURE_TYPE, &f.last, "other");
	fixture__sample(&f, "?7;?9", 5);
	fixture__profile(&f, 1);
	options.chain = (struct chain_options)CHAIN_OPTIONS_INIT;
	CHECK_EQ(chain_options__parse(&options.chain, "graph,0.5,callee", &err), 0);
	CHECK_EQ(sort_keys__parse(&options.hists.keys, sort, NULL, &err), 0);
	view__init(&view, &f.chains, &f.names, &options);
	if (browsed.branches)
		f.session.evlist->evsels[0]->attr.sample_type |= PERF_SAMPLE_BRANCH_STACK;
	fake__start(nr_rows, nr_columns, keys);
	char *next = report_browser__run(&tui, &view, &texts);

	snprintf(browsed.next_file, sizeof(browsed.next_file), "%s", next ? next : "");
	free(next);
	fake__stop();
	view__exit(&view);
	fixture__exit(&f);
	return fake.screen;
}

const char *browse(int nr_rows, int nr_columns, const char *sort, const int *keys)
{
	return browse_with((struct view_options){ .hists.children = false }, nr_rows, nr_columns,
	                   sort, keys);
}
