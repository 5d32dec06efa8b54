// SPDX-License-Identifier: GPL-2.0-or-later
/* Evaluated as it is read: filters are a few words long. */
#include "util/options/name_filter.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"
#include "util/lib/text.h"

#define DEPTH_MAX   32
#define PATTERN_MAX 256

struct reading {
	const char *at, *name;
	const char *full; /* what globs with a colon are of; NULL: the same */
	u32 depth;
	const char *wrong;
};

static bool either(struct reading *r);

static void skip_blanks(struct reading *r)
{
	while (isspace((u8)*r->at))
		r->at++;
}

static bool fail(struct reading *r, const char *wrong)
{
	if (!r->wrong)
		r->wrong = wrong;
	return false;
}

static bool group(struct reading *r)
{
	if (++r->depth > DEPTH_MAX)
		return fail(r, "it is nested too deep");
	bool passes = either(r);

	skip_blanks(r);
	r->depth--;
	if (*r->at != ')')
		return fail(r, "a ')' is missing");
	r->at++;
	return passes;
}

/*
 * A glob, in which [...] may hold any of the characters that mean something here. A backslash takes
 * its meaning from the character behind it.
 */
static bool pattern(struct reading *r)
{
	char glob[PATTERN_MAX];
	size_t len = 0;
	bool in_class = false;

	while (*r->at && (in_class || (!isspace((u8)*r->at) && !strchr("&|()", *r->at)))) {
		bool plain = !in_class && *r->at == '\\' && r->at[1];
		bool boxed;

		r->at += plain;
		boxed = plain && strchr("*?[", *r->at);
		in_class = !plain && (*r->at == '[' || (in_class && *r->at != ']'));
		if (len + 3 >= sizeof(glob))
			return fail(r, "a pattern is too long");
		if (boxed)
			glob[len++] = '[';
		glob[len++] = *r->at++;
		if (boxed)
			glob[len++] = ']';
	}
	glob[len] = '\0';
	if (!len)
		return fail(r, "a pattern is missing");
	return text__glob(glob, r->full && strchr(glob, ':') ? r->full : r->name);
}

static bool one(struct reading *r)
{
	bool turned = false, passes;

	skip_blanks(r);
	for (; *r->at == '!'; r->at++, skip_blanks(r))
		turned = !turned;
	if (*r->at == '(') {
		r->at++;
		passes = group(r);
	} else {
		passes = pattern(r);
	}
	return passes != turned;
}

static bool both(struct reading *r)
{
	bool passes = one(r);

	for (skip_blanks(r); *r->at == '&' && !r->wrong; skip_blanks(r)) {
		r->at++;
		passes = one(r) && passes;
	}
	return passes;
}

static bool either(struct reading *r)
{
	bool passes = both(r);

	for (skip_blanks(r); *r->at == '|' && !r->wrong; skip_blanks(r)) {
		r->at++;
		passes = both(r) || passes;
	}
	return passes;
}

int name_filter__check(const char *filter, struct error *err)
{
	struct reading r = { .at = filter, .name = "" };

	either(&r);
	if (!r.wrong && *r.at)
		r.wrong = "two patterns are joined by & or |";
	return r.wrong ? error__set(err, -EINVAL, "cannot understand the filter", filter, "%s",
	                            r.wrong)
	               : 0;
}

bool name_filter__passes(const char *filter, const char *name)
{
	struct reading r = { .at = filter, .name = name };

	return either(&r);
}

bool name_filter__passes_event(const char *filter, const char *group, const char *event)
{
	char *full = xasprintf("%s:%s", group, event);
	struct reading r = { .at = filter, .name = event, .full = full };
	bool passes = either(&r);

	free(full);
	return passes;
}
