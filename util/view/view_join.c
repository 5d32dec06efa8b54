// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/view_join.h"

#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"
#include "util/lib/strtab.h"

struct joining {
	struct view_join *join;
	struct strtab contents; /* what all keys of an entry say */
	struct u64map row_of;   /* by that, and nth << 32 */
	struct u64map nth_of;   /* by that: the last entry of the member at work that says it */
	struct out text;
	size_t cap_rows;
};

/* So that different cells are different texts, also one after the other: none is NUL inside. */
static void add_content(struct out *text, const struct cell *cell)
{
	bool is_text = cell->kind == CELL_TEXT || cell->kind == CELL_MARK;

	out__char(text, 'a' + cell->kind);
	out__dec(text, is_text ? strlen(cell->text) : cell->number, 0);
	out__char(text, ':');
	out__str(text, is_text ? cell->text : "");
}

static u32 content_of(struct joining *joining, struct view *view, const struct view_row *row)
{
	const struct sort_keys *keys = &view->options.hists.keys;
	const struct hist_entry *entry = &view->hists.entries[row->entry];
	struct out cell_text = { .fd = -1 };
	struct cell cell;

	joining->text.len = 0;
	for (u32 i = 0; i < keys->nr; i++) {
		sort_key__cell(&view->hists.data, &keys->list[i],
		               hist_entry__subject(&view->hists, entry, keys->list[i].key),
		               &cell_text, &cell);
		add_content(&joining->text, &cell);
	}
	out__exit(&cell_text);
	return strtab__intern(&joining->contents, joining->text.buf, joining->text.len);
}

static u32 row_of(struct joining *joining, u32 content)
{
	struct view_join *join = joining->join;
	u64 nth = ++*u64map__at(&joining->nth_of, content); /* ID_NONE + 1 is 0 */
	u32 *row = u64map__at(&joining->row_of, nth << 32 | content), nr = join->nr_members;

	if (*row != ID_NONE)
		return *row;
	*row = join->nr_rows++;
	array__reserve(&join->entries, &joining->cap_rows, (size_t)join->nr_rows * nr,
	               sizeof(*join->entries));
	memset(join->entries + (size_t)*row * nr, 0xff, nr * sizeof(*join->entries));
	return *row;
}

void view_join__init(struct view_join *join, const struct view_member *members, u32 nr_members)
{
	struct joining joining = { .join = join };

	*join = (struct view_join){ .members = members, .nr_members = nr_members };
	strtab__init(&joining.contents);
	out__init(&joining.text, -1);
	for (u32 m = 0; m < nr_members; m++) {
		struct view *view = members[m].view;

		for (u32 i = 0; i < view__nr_rows(view, members[m].evsel); i++) {
			struct view_row row;

			view__row(view, members[m].evsel, i, &row);
			if (row.kind != VIEW_ENTRY)
				continue;
			u32 at = row_of(&joining, content_of(&joining, view, &row));

			join->entries[(size_t)at * nr_members + m] = row.entry;
		}
		u64map__exit(&joining.nth_of);
	}
	strtab__exit(&joining.contents);
	u64map__exit(&joining.row_of);
	out__exit(&joining.text);
}

void view_join__exit(struct view_join *join)
{
	free(join->entries);
}

bool view_join__row(const struct view_join *join, u32 i, u32 member, struct view_row *row)
{
	u32 entry = join->entries[(size_t)i * join->nr_members + member];

	if (entry == ID_NONE)
		return false;
	view__entry_row(join->members[member].view, entry, row);
	return true;
}
