// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/fields.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

#include "util/lib/text.h"

/* Of names with the same beginning the first is meant. */
static const struct {
	const char *name;
	enum view_figure figure;
} figures[] = {
	{ "overhead", VIEW_OVERHEAD },
	{ "overhead_sys", VIEW_SYS },
	{ "overhead_us", VIEW_US },
	{ "overhead_guest_sys", VIEW_GUEST_SYS },
	{ "overhead_guest_us", VIEW_GUEST_US },
	{ "overhead_children", VIEW_CHILDREN },
	{ "sample", VIEW_SAMPLES },
	{ "period", VIEW_PERIOD },
	{ "latency", VIEW_LATENCY },
};

const char *view_figure__name(enum view_figure figure)
{
	for (u32 i = 0; i < ARRAY_SIZE(figures); i++)
		if (figures[i].figure == figure)
			return figures[i].name;
	return NULL;
}

static bool find_figure(const char *word, bool whole, enum view_figure *figure)
{
	for (u32 i = 0; i < ARRAY_SIZE(figures); i++) {
		if (whole ? strcasecmp(word, figures[i].name)
		          : strncasecmp(word, figures[i].name, strlen(word)))
			continue;
		*figure = figures[i].figure;
		return true;
	}
	return false;
}

static void add_field(struct view_fields *fields, struct view_field field)
{
	for (u32 i = 0; i < fields->nr; i++)
		if (fields->list[i].figure == field.figure && fields->list[i].key == field.key)
			return;
	BUG_ON(fields->nr == VIEW_FIELDS_MAX);
	fields->list[fields->nr++] = field;
}

static void add_figure(struct view_fields *fields, enum view_figure figure)
{
	add_field(fields, (struct view_field){ figure, 0 });
}

bool view_fields__has(const struct view_fields *fields, enum view_figure figure)
{
	for (u32 i = 0; i < fields->nr; i++)
		if (fields->list[i].figure == figure)
			return true;
	return false;
}

static u32 index_of(const struct sort_keys *keys, const struct key *key)
{
	u32 i = 0;

	while (keys->list[i].key != key)
		i++;
	return i;
}

/* Where no key is near @word: a figure that is. */
static void propose_figure(const char *word, struct error *err)
{
	for (u32 i = 0; err && !*err->advice && i < ARRAY_SIZE(figures); i++)
		if (text__distance(word, figures[i].name) <= min_u64(2, strlen(word) / 2))
			error__advise(err, "did you mean '%s'?", figures[i].name);
}

static int parse_name(struct view_fields *fields, const char *word, struct sort_keys *keys,
                      const struct key *const *more, struct error *err)
{
	enum view_figure figure;

	if (find_figure(word, true, &figure)) {
		add_figure(fields, figure);
		return 0;
	}
	const struct key *key = sort_keys__find(word, more);

	if ((!key || key->kind != KEY_PLAIN) && find_figure(word, false, &figure)) {
		add_figure(fields, figure);
		return 0;
	}
	int ret = key ? sort_keys__add(keys, key, err) : sort_keys__unknown(word, more, err);

	if (!ret)
		add_field(fields, (struct view_field){ VIEW_KEY, index_of(keys, key) });
	else if (!key)
		propose_figure(word, err);
	return ret;
}

/* Braces around words join them. @depth: 1 behind the first of them, 2 behind further ones. */
static int parse_word(struct view_fields *fields, char *word, u32 *depth, struct sort_keys *keys,
                      const struct key *const *more, struct error *err)
{
	bool opens = *word == '{', closes = false;
	u32 nr = fields->nr;
	size_t length = strlen(word);

	if (length && word[length - 1] == '}') {
		closes = true;
		word[length - 1] = '\0';
	}
	if (opens ? *depth : closes && !*depth)
		return error__set(err, -EINVAL, "braces do not match at", word,
		                  "they are {key,key}");
	*depth += opens || *depth;
	word += opens;
	int ret = *word || !(opens || closes) ? parse_name(fields, word, keys, more, err) : 0;

	if (*depth > 1 && fields->nr > nr)
		fields->list[nr].joined = true;
	if (closes)
		*depth = 0;
	return ret;
}

int view_fields__parse(struct view_fields *fields, const char *text, struct sort_keys *keys,
                       const struct key *const *more, struct error *err)
{
	const char *whole = text;
	char word[SORT_KEYS_WORD_MAX];
	u32 depth = 0;
	int ret;

	*fields = (struct view_fields){ .given = text };
	if (!text)
		return 0;
	if (*text == '+') {
		fields->more = true;
		text++;
	}
	fields->names_overhead = strstr(text, "overhead");
	fields->names_children = strstr(text, "overhead_children");
	fields->names_latency = strstr(text, "latency");
	while ((ret = sort_keys__word(&text, word, more, err)) > 0) {
		ret = parse_word(fields, word, &depth, keys, more, err);
		if (ret)
			return ret;
	}
	if (!ret && depth)
		ret = error__set(err, -EINVAL, "braces do not match in", whole,
		                 "they are {key,key}");
	if (!ret && !fields->nr)
		ret = error__set(err, -EINVAL, "no sort key in", whole, "the list is empty");
	return ret;
}

static void add_all(struct view_fields *fields, const struct view_fields *from)
{
	for (u32 i = 0; i < from->nr; i++)
		add_field(fields, from->list[i]);
}

void view_fields__order(struct view_fields *order, const struct view_fields *sort,
                        const struct view_fields *fields, const struct view_shown *shown)
{
	bool exact = fields->given && !fields->more;

	*order = (struct view_fields){ .nr = 0 };
	if (exact && !sort->given) {
		add_all(order, fields);
		return;
	}
	if (!exact && (shown->latency_leads || sort->names_latency))
		add_figure(order, VIEW_LATENCY);
	/* As Linux's perf: in front, unless the words of -s have it anywhere. */
	if (!exact && shown->children && !sort->names_children)
		add_figure(order, VIEW_CHILDREN);
	if (!exact && !sort->names_overhead)
		add_figure(order, VIEW_OVERHEAD);
	add_all(order, sort);
	if (exact)
		add_all(order, fields);
}

void view_fields__columns(struct view_fields *columns, const struct view_fields *sort,
                          const struct view_fields *fields, const struct view_shown *shown)
{
	bool exact = fields->given && !fields->more;

	*columns = (struct view_fields){ .nr = 0 };
	if (!exact) {
		if (shown->latency_leads || sort->names_latency)
			add_figure(columns, VIEW_LATENCY);
		if (shown->children)
			add_figure(columns, VIEW_CHILDREN);
		add_figure(columns, VIEW_OVERHEAD);
		if (shown->latency)
			add_figure(columns, VIEW_LATENCY);
		for (u32 i = VIEW_SYS; shown->cpu_utilization && i <= VIEW_GUEST_US; i++)
			if (i < VIEW_GUEST_SYS || shown->guests)
				add_figure(columns, i);
		if (shown->samples)
			add_figure(columns, VIEW_SAMPLES);
		if (shown->period)
			add_figure(columns, VIEW_PERIOD);
	}
	if (!exact && shown->confidence) {
		add_figure(columns, VIEW_INTERVAL);
		add_figure(columns, VIEW_RANK);
	}
	add_all(columns, fields);
	if (exact && shown->confidence) {
		add_figure(columns, VIEW_INTERVAL);
		add_figure(columns, VIEW_RANK);
	}
	if (!exact || sort->given)
		add_all(columns, sort);
	/* It has another heading beside that of children. */
	for (u32 i = 0; !exact && shown->children && i < columns->nr; i++)
		if (columns->list[i].figure == VIEW_OVERHEAD)
			columns->list[i].figure = VIEW_SELF;
}
