// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/view_fixture.h"

#include <stdio.h>

#include "tests/unit/unit.h"
#include "util/lib/hash.h"

static u64 seed = 1;

u32 view_fixture__below(u32 nr)
{
	seed = hash__u64(seed + 1);
	return seed % nr;
}

static int put_cell(char *at, size_t size, const struct cell *cell)
{
	switch (cell->kind) {
	case CELL_PERCENT:
		return snprintf(at, size, "|%llu/%llu", (unsigned long long)cell->part,
		                (unsigned long long)cell->whole);
	case CELL_NUMBER:
		return snprintf(at, size, "|%llu", (unsigned long long)cell->number);
	case CELL_TEXT:
		return snprintf(at, size, "|%s", cell->text);
	default:
		return snprintf(at, size, "|-");
	}
}

const char *view_fixture__rows(struct view *view)
{
	static char text[1 << 16];
	int len = 0;

	text[0] = '\0';
	for (u32 i = 0; i < view__nr_rows(view, 0); i++) {
		struct view_row row;
		struct cell cell;

		view__row(view, 0, i, &row);
		len += snprintf(text + len, sizeof(text) - len, "%*s%s", row.depth, "",
		                row.open       ? "-"
		                : row.openable ? "+"
		                               : ".");
		for (u32 c = 0; c < view->nr_columns; c++) {
			view__cell(view, &row, c, &cell);
			len += put_cell(text + len, sizeof(text) - len, &cell);
		}
		len += snprintf(text + len, sizeof(text) - len, "%s\n",
		                row.kind == VIEW_FRAME ? view__frame(view, &row) : "");
	}
	return text;
}

void view_fixture__random_samples(struct fixture *f, u32 nr)
{
	static const char *const functions[] = { "f", "g", "h", "k", "main", "?7", "f+4", "z" };
	static const char *const comms[] = { "prog", "other", "third" };

	for (u32 i = 0; i < nr; i++) {
		char chain[64];
		int len = 0;
		u32 task = view_fixture__below(3);

		f->last.pid = f->last.tid = FIXTURE_PID + task;
		if (i < 30)
			builder__comm(&f->file.data, FIXTURE_TYPE, &f->last, comms[task]);
		for (u32 depth = 1 + view_fixture__below(6); depth > 0; depth--)
			len += snprintf(chain + len, sizeof(chain) - len, "%s;",
			                functions[view_fixture__below(ARRAY_SIZE(functions))]);
		fixture__sample(f, chain, 1 + view_fixture__below(50));
	}
}

void view_fixture__random_options(struct view_options *options)
{
	static const char *const sorts[] = { "sym", "comm,sym", "comm", "dso,comm,sym", "tid,sym" };
	static const char *const chains[] = { "none", "caller", "callee", "callee,address",
		                              "fractal,caller,5" };
	static const char *const parts[] = { NULL, "f", "main", "nowhere" };
	struct error err = ERROR_INIT;

	*options = (struct view_options){ .chain = CHAIN_OPTIONS_INIT,
		                          .hierarchy = view_fixture__below(2),
		                          .relative = view_fixture__below(2),
		                          .show_samples = view_fixture__below(2),
		                          .percent_limit = view_fixture__below(3)
		                                                   ? 0
		                                                   : view_fixture__below(30) };
	options->hists.children = view_fixture__below(2);
	options->hists.hide_unresolved = !view_fixture__below(4);
	options->hists.symbol_part = parts[view_fixture__below(ARRAY_SIZE(parts))];
	options->chain.order = CHAIN_CALLER;
	CHECK_EQ(chain_options__parse(&options->chain,
	                              chains[view_fixture__below(ARRAY_SIZE(chains))], &err),
	         0);
	options->hists.caller_order = options->chain.order == CHAIN_CALLER;
	options->hists.callers_first = view_fixture__below(2);
	CHECK_EQ(sort_keys__parse(&options->hists.keys,
	                          sorts[view_fixture__below(ARRAY_SIZE(sorts))], NULL, &err),
	         0);
}
