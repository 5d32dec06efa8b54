// SPDX-License-Identifier: GPL-2.0-or-later
/* Views whose rows are opened, closed and shown in any order, against one that is open as a whole.
 */
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

#include "tests/unit/view_fixture.h"
#include "util/lib/alloc.h"

/* All rows there can be, from a view of its own, and which of them are open. */
struct model {
	struct view view;
	bool *open;
	bool *closed; /* again */
	bool *spreads;
	u32 nr;
};

static bool same_row(const struct view_row *a, const struct view_row *b)
{
	return a->kind == b->kind && a->depth == b->depth && a->entry == b->entry &&
	       a->loc == b->loc && a->period == b->period && a->count == b->count &&
	       a->total_period == b->total_period && a->total_count == b->total_count;
}

/* The row of the model that is @i of those to be seen; with @i beyond them, how many those are. */
static u32 seen(struct model *model, u32 i)
{
	u32 nr = 0, deepest = UINT16_MAX;

	for (u32 at = 0; at < model->nr; at++) {
		struct view_row row;

		view__row(&model->view, 0, at, &row);
		if (row.depth > deepest)
			continue; /* in one that is closed */
		deepest = model->open[at] ? UINT16_MAX : row.depth;
		if (nr++ == i)
			return at;
	}
	return nr;
}

static void check_rows(struct model *model, struct view *view)
{
	u32 nr = view__nr_rows(view, 0);

	CHECK_EQ(nr, seen(model, UINT32_MAX));
	for (u32 i = 0; i < nr; i++) {
		struct view_row row, want;
		u32 at = seen(model, i);

		view__row(view, 0, i, &row);
		view__row(&model->view, 0, at, &want);
		CHECK(same_row(&row, &want));
		CHECK_EQ(row.open, model->open[at]);
	}
}

/* Whoever is closed forgets what was open in it. */
static void model_opens(struct model *model, u32 at, bool open)
{
	struct view_row row, next;

	view__row(&model->view, 0, at, &row);
	if (model->open[at] != open)
		model->closed[at] = !open;
	model->open[at] = open && row.open;
	for (u32 i = at + 1; !open && i < model->nr; i++) {
		view__row(&model->view, 0, i, &next);
		if (next.depth <= row.depth)
			break;
		model->open[i] = model->closed[i] = false;
		model->spreads[i] = model->spreads[at];
	}
}

static void model_spreads(struct model *model, u32 at)
{
	model->spreads[at] = true;
	model_opens(model, at, false);
	model->closed[at] = false;
}

static void model_closes_all(struct model *model, bool spreads)
{
	memset(model->open, 0, model->nr);
	memset(model->closed, 0, model->nr);
	memset(model->spreads, spreads, model->nr);
}

static bool waits(const struct model *model, u32 at)
{
	return model->spreads[at] && !model->open[at] && !model->closed[at];
}

/* What view__show_before() does: the last row there that waits, again and again. */
static u32 model_shows_before(struct model *model, u32 first, u32 end, u32 wanted)
{
	u32 before = seen(model, UINT32_MAX), i = end;

	while (i > first && end - i < wanted) {
		u32 at = seen(model, i - 1), nr = seen(model, UINT32_MAX);

		if (waits(model, at)) {
			model_opens(model, at, true);
			nr = seen(model, UINT32_MAX) - nr;
		} else {
			nr = 0;
		}
		end += nr;
		i = nr ? end : i - 1; /* all is looked at again */
	}
	return seen(model, UINT32_MAX) - before;
}

/* What view__show() does, row by row. Returns the number of new rows. */
static u32 model_shows(struct model *model, u32 first, u32 wanted)
{
	u32 nr_seen = seen(model, UINT32_MAX), made = 0, i;
	u32 *at = xcalloc((size_t)nr_seen + 1, sizeof(*at));
	struct view_row row, inside;

	for (i = 0; i < nr_seen; i++)
		at[i] = seen(model, i);
	for (i = first; i < nr_seen && made < wanted; i++) {
		bool opens = waits(model, at[i]);
		u32 deepest = UINT16_MAX;

		made++;
		view__row(&model->view, 0, at[i], &row);
		model->open[at[i]] |= opens && row.open;
		for (u32 n = at[i] + 1; opens && n < model->nr; n++) {
			view__row(&model->view, 0, n, &inside);
			if (inside.depth <= row.depth)
				break;
			if (inside.depth > deepest)
				continue; /* in one that stays closed */
			made++;
			model->open[n] = inside.open && made < wanted;
			deepest = model->open[n] ? UINT16_MAX : inside.depth;
		}
	}
	free(at);
	return made - (i - first);
}

/* Without a limit the rows of a level add up to it. */
static void check_levels(struct model *model)
{
	for (u32 i = 0; !model->view.options.percent_limit && i < model->nr; i++) {
		struct view_row level, row;
		u64 period = 0;

		view__row(&model->view, 0, i, &level);
		for (u32 at = i + 1; level.kind == VIEW_LEVEL && at < model->nr; at++) {
			view__row(&model->view, 0, at, &row);
			if (row.depth <= level.depth)
				break;
			period += row.depth == level.depth + 1 ? row.period : 0;
		}
		CHECK(level.kind != VIEW_LEVEL || period == level.period);
	}
}

/* Now and then: of one row, of all, or all at once; and what is shown of it. */
static void spread_and_show(struct model *model, struct view *view)
{
	u32 nr = seen(model, UINT32_MAX), i = view_fixture__below(nr),
	    wanted = view_fixture__below(30);
	u32 first = view_fixture__below(i + 1);

	switch (view_fixture__below(16)) {
	case 0:
		view__open_all(view, 0, false);
		model_closes_all(model, false);
		break;
	case 1:
		view__open_all(view, 0, true);
		model_closes_all(model, true);
		model_shows(model, 0, UINT32_MAX);
		break;
	case 2:
	case 3:
		view__spread_all(view, 0);
		model_closes_all(model, true);
		break;
	case 4:
	case 5:
		view__spread(view, 0, i);
		model_spreads(model, seen(model, i));
		break;
	case 6:
	case 7:
		CHECK_EQ(view__show(view, 0, i, wanted), model_shows(model, i, wanted));
		break;
	case 8:
	case 9:
		CHECK_EQ(view__show_before(view, 0, first, i, wanted),
		         model_shows_before(model, first, i, wanted));
		break;
	}
}

TEST(view_opens_and_closes_in_any_order)
{
	for (u32 profile = 0; profile < 6; profile++) {
		struct view_options options;
		struct fixture f;
		struct view view;

		fixture__init(&f);
		view_fixture__random_samples(&f, 1 + view_fixture__below(200));
		fixture__profile(&f, 1 + view_fixture__below(4));
		view_fixture__random_options(&options);
		view__init(&view, &f.chains, &f.names, &options);
		for (u32 change = 0; change < 40; change++) {
			struct model model;

			view_fixture__random_options(&options);
			view__change(&view, &options);
			view__init(&model.view, &f.chains, &f.names, &options);
			view__open_all(&model.view, 0, true);
			model.nr = view__nr_rows(&model.view, 0);
			model.open = xcalloc(model.nr, sizeof(bool));
			model.closed = xcalloc(model.nr, sizeof(bool));
			model.spreads = xcalloc(model.nr, sizeof(bool));
			check_levels(&model);
			for (u32 step = 0; model.nr && step < 25; step++) {
				u32 i = view_fixture__below(seen(&model, UINT32_MAX));
				bool open = view_fixture__below(4);

				view__open(&view, 0, i, open);
				model_opens(&model, seen(&model, i), open);
				spread_and_show(&model, &view);
				if (step % 6 == 0)
					check_rows(&model, &view);
			}
			check_rows(&model, &view);
			free(model.open);
			free(model.closed);
			free(model.spreads);
			view__exit(&model.view);
		}
		view__exit(&view);
		fixture__exit(&f);
	}
}
