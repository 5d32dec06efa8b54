// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/profile/keys.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

#include "util/lib/text.h"

static const struct key_name {
	const char *name, *heading;
} names[KEY_NR] = {
	[KEY_COMM] = { "comm", "Command" },           [KEY_PID] = { "pid", "    Pid:Command" },
	[KEY_TID] = { "tid", "    Tid:Command" },     [KEY_CPU] = { "cpu", "CPU" },
	[KEY_DSO] = { "dso", "Shared Object" },       [KEY_SYM] = { "symbol", "Symbol" },
	[KEY_SRCLINE] = { "srcline", "Source:Line" }, [KEY_SRCFILE] = { "srcfile", "Source File" },
};

const char *sort_key__name(enum sort_key key)
{
	return names[key].name;
}

const char *sort_key__heading(enum sort_key key)
{
	return names[key].heading;
}

/*
 * The first key that begins with @word, whatever its case; KEY_NR when there is none. "t" and "ti"
 * are not tid: to Linux's perf they are other keys.
 */
static enum sort_key find_key(const char *word)
{
	size_t len = strlen(word);

	for (unsigned i = 0; i < KEY_NR; i++)
		if (!strncasecmp(word, names[i].name, len) && (i != KEY_TID || len == 3))
			return i;
	return KEY_NR;
}

/* Columns that Linux's perf takes as keys, too, and the option that shows them here. */
static const struct {
	const char *name, *option;
} columns[] = {
	{ "sample", "-n (--show-nr-samples)" },
	{ "period", "--show-total-period" },
};

static int unknown_key(const char *word, struct error *err)
{
	unsigned best = KEY_NR, least = 3;

	for (unsigned i = 0; i < KEY_NR; i++) {
		unsigned distance = text__distance(word, names[i].name);

		if (distance < least) {
			least = distance;
			best = i;
		}
	}
	error__set(err, -EINVAL, "unknown sort key", word, "this perf sorts by " SORT_KEYS_ALL);
	for (unsigned i = 0; i < ARRAY_SIZE(columns); i++)
		if (!strcasecmp(word, columns[i].name))
			error__advise(err, "for that column use %s", columns[i].option);
	if (best != KEY_NR)
		error__advise(err, "did you mean '%s'?", names[best].name);
	return -EINVAL;
}

int sort_keys__parse(struct sort_keys *keys, const char *text, struct error *err)
{
	bool overhead = false;
	char word[32];

	*keys = (struct sort_keys){ .nr = 0 };
	while (*text) {
		size_t len = strcspn(text, ", ");

		if (len >= sizeof(word))
			return unknown_key(text, err);
		memcpy(word, text, len);
		word[len] = '\0';
		text += len + (text[len] != '\0');
		/* The share of each entry is shown anyway, in front. */
		if (len && !strcasecmp(word, "overhead")) {
			overhead = true;
			continue;
		}
		if (!len)
			continue;
		enum sort_key key = find_key(word);

		if (key == KEY_NR)
			return unknown_key(word, err);
		if (!keys->has[key])
			keys->keys[keys->nr++] = key;
		keys->has[key] = true;
	}
	if (!keys->nr && !overhead)
		return error__set(err, -EINVAL, "no sort key in", text, "the list is empty");
	return 0;
}
