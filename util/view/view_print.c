// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Workers take parts of the rows by turns, small ones: the first rows may have large trees, of
 * which each is a part of its own. A worker has a view of its own, which shares all but what is
 * filled while rows are printed: its texts, and the builder of trees.
 */
#include "util/view/view_print.h"

#include <stdlib.h>

#include "util/lib/alloc.h"
#include "util/lib/out_parts.h"
#include "util/lib/workers.h"
#include "util/view/view_private.h"

#define PART_ROWS    64   /* of a part, at most, ... */
#define PART_SAMPLES 1024 /* ... and so many rows of the profile in them, but for the last one */
#define MANY_ROWS    2000 /* fewer are not worth threads, unless their trees are ... */
#define MANY_NODES   4096 /* ... nor trees of fewer nodes */

struct printing {
	struct view *view;
	u32 evsel, nr_rows;
	const struct row_printing *how;
	void *ctx;
	struct out_parts parts;
	pthread_mutex_t taking;
	u64 next_part;
	u32 next_row;
	struct {
		struct view view;
		struct out text;
		void *printer;
	} workers[WORKERS_MAX];
};

/* The rows of the next part, [*from, *to): false, if there are none. */
static bool take(struct printing *p, u64 *number, u32 *from, u32 *to)
{
	u64 nr_samples = 0;

	pthread_mutex_lock(&p->taking);
	*number = p->next_part++;
	*from = p->next_row;
	while (p->next_row < p->nr_rows && p->next_row - *from < PART_ROWS &&
	       nr_samples < PART_SAMPLES)
		nr_samples += view__profile_rows(p->view, p->evsel, p->next_row++);
	*to = p->next_row;
	pthread_mutex_unlock(&p->taking);
	return *from < *to;
}

static void print_parts(void *ctx, unsigned worker)
{
	struct printing *p = ctx;
	struct view *view = &p->workers[worker].view;
	struct out *text = &p->workers[worker].text;
	u64 number;
	u32 row, end;

	workers__unblock_sigpipe();
	view__share(view, p->view);
	out__init(text, -1);
	void *printer = p->workers[worker].printer = p->how->begin(p->ctx, view, text);

	while (take(p, &number, &row, &end)) {
		for (; row < end; row++) {
			p->how->print(printer, row);
			out_parts__write(&p->parts, number, text);
		}
		out_parts__end(&p->parts, number, text);
	}
}

/* Keys of samples may keep what they have made for the last cell. */
static bool is_shared(const struct view *view, u32 nr_rows)
{
	const struct sort_keys *keys = &view->options.hists.keys;

	if (view->options.workers < 2 || view->nr_levels ||
	    (nr_rows < MANY_ROWS && (!view->builder || view->chains->nr_nodes < MANY_NODES)))
		return false;
	for (u32 i = 0; i < keys->nr; i++)
		if (keys->list[i].key->scope == KEY_OF_SAMPLE || keys->list[i].key->kind)
			return false;
	return true;
}

static void print_alone(struct view *view, u32 nr_rows, struct out *out,
                        const struct row_printing *how, void *ctx)
{
	void *printer = how->begin(ctx, view, out);

	for (u32 i = 0; i < nr_rows; i++)
		how->print(printer, i);
	how->end(ctx, printer);
}

void view__print_rows(struct view *view, u32 evsel, struct out *out, const struct row_printing *how,
                      void *ctx)
{
	u32 nr_rows = view__nr_rows(view, evsel);

	if (!is_shared(view, nr_rows)) {
		print_alone(view, nr_rows, out, how, ctx);
		return;
	}
	unsigned nr = view->options.workers < WORKERS_MAX ? view->options.workers : WORKERS_MAX;
	struct printing *p = xcalloc(1, sizeof(*p));

	p->view = view;
	p->evsel = evsel;
	p->nr_rows = nr_rows;
	p->how = how;
	p->ctx = ctx;
	pthread_mutex_init(&p->taking, NULL);
	out_parts__init(&p->parts, out, nr);
	workers__run(nr, print_parts, p);
	for (unsigned i = 0; i < nr; i++) {
		how->end(ctx, p->workers[i].printer);
		out__exit(&p->workers[i].text);
		view__unshare(&p->workers[i].view);
	}
	out_parts__exit(&p->parts);
	pthread_mutex_destroy(&p->taking);
	free(p);
}
