/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Entries of several views side by side: of the events of a group, or of recordings that are
 * compared. Entries whose keys say the same make one row; ids mean nothing beyond one profile.
 * Where several of one member say the same (functions of one name), the first is joined with the
 * first of the others, the second with the second. Rows stand as the first member has its entries,
 * then the second has what the first lacks, and so on.
 */
#ifndef PERF_UTIL_VIEW_VIEW_JOIN_H
#define PERF_UTIL_VIEW_VIEW_JOIN_H

#include "util/view/view.h"

struct view_member {
	struct view *view; /* sorted by the same keys in all */
	u32 evsel;
};

struct view_join {
	const struct view_member *members;
	u32 nr_members, nr_rows;
	u32 *entries; /* [row * nr_members + member]; ID_NONE: the member has no such entry */
};

/*
 * @members must outlive @join. Only entries that are rows of the views take part: not those that a
 * filter or the limit leaves out, nor those in a closed level.
 */
void view_join__init(struct view_join *join, const struct view_member *members, u32 nr_members);
void view_join__exit(struct view_join *join);

/* The row of @member, for view__cell() of its view; false: it has no such entry. */
bool view_join__row(const struct view_join *join, u32 i, u32 member, struct view_row *row);

#endif
