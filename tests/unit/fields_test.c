// SPDX-License-Identifier: GPL-2.0-or-later
/* Braces around keys: which are joined with the one before. */
#include "util/view/fields.h"

#include <errno.h>

#include "tests/unit/unit.h"

/* A letter for each field: J where it is joined, . where it is not; or "refused". */
static const char *joined(const char *text)
{
	static char marks[VIEW_FIELDS_MAX + 1];
	struct view_fields fields = { .nr = 0 };
	struct sort_keys keys = { .nr = 0 };
	struct error err = ERROR_INIT;

	if (view_fields__parse(&fields, text, &keys, NULL, &err))
		return err.code == -EINVAL ? "refused" : "another error";
	for (u32 i = 0; i < fields.nr; i++)
		marks[i] = fields.list[i].joined ? 'J' : '.';
	marks[fields.nr] = '\0';
	return marks;
}

TEST(fields_in_braces_are_joined)
{
	CHECK_STR(joined("comm,dso"), "..");
	CHECK_STR(joined("{comm,dso}"), ".J");
	CHECK_STR(joined("{comm,dso,sym},pid"), ".JJ.");
	CHECK_STR(joined("{comm,dso},{sym,pid}"), ".J.J");
	CHECK_STR(joined("{comm},dso"), "..");
}

TEST(fields_refuse_braces_that_do_not_match)
{
	CHECK_STR(joined("{comm,{dso}"), "refused");
	CHECK_STR(joined("{comm,dso},sym}"), "refused");
	CHECK_STR(joined("comm}"), "refused");
	CHECK_STR(joined("pid,{comm,dso"), "refused");
}
