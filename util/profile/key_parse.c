// SPDX-License-Identifier: GPL-2.0-or-later
/* The words of -s: which key each means. */
#include <errno.h>
#include <string.h>
#include <strings.h>

#include "util/lib/text.h"
#include "util/profile/key_local.h"

/* Of names with the same beginning the first is meant. */
static const struct key *const *const tables[] = { plain_key_table, sample_key_table,
	                                           branch_key_table, memory_key_table };

static const struct key *key_at(u32 i, const struct key *const *more)
{
	for (u32 table = 0; table < ARRAY_SIZE(tables); table++)
		for (const struct key *const *key = tables[table]; *key; key++)
			if (!i--)
				return *key;
	for (; more && *more; more++)
		if (!i--)
			return *more;
	return NULL;
}

const struct key *sort_keys__table(u32 i)
{
	return key_at(i, NULL);
}

const struct key *sort_keys__find(const char *word, const struct key *const *more)
{
	size_t len = strlen(word);
	const struct key *key;

	for (u32 i = 0; more && more[i]; i++) /* whole names first: many begin alike */
		if (!strcasecmp(word, more[i]->name))
			return more[i];
	for (u32 i = 0; len && (key = key_at(i, more)); i++) {
		if (len < key->least || strncasecmp(word, key->name, len) != 0)
			continue;
		for (; more && *more; more++) /* one in place of the table's */
			if (!strcmp((*more)->name, key->name))
				return *more;
		return key;
	}
	return NULL;
}

/* Keys that Linux's perf has, and why they are not here. */
static const struct {
	const char *name, *why;
} absent[] = {
	{ "type", "the types of data need debug information that this perf does not read yet" },
	{ "typeoff", "the types of data need debug information that this perf does not read yet" },
	{ "symoff", "it is an offset for the types of data, which this perf does not read yet" },
	{ "simd", "only traces of the processor (AUX area) tell it" },
	{ "ipc_null", "it is a column of Linux's perf without a value" },
	{ "ipc_lbr", "it needs the code of the whole program: perf annotate shows it" },
};

int sort_keys__unknown(const char *word, const struct key *const *more, struct error *err)
{
	const char *best = NULL;
	const struct key *key;
	/* More than half of the word would be a guess. */
	unsigned least = min_u64(2, strlen(word) / 2) + 1;

	for (u32 i = 0; i < ARRAY_SIZE(absent); i++)
		if (!strcasecmp(word, absent[i].name))
			return error__set(err, -EINVAL, "there is no sort key", word, "%s",
			                  absent[i].why);
	for (u32 i = 0; (key = key_at(i, more)); i++) {
		unsigned distance = text__distance(word, key->name);

		if (distance < least) {
			least = distance;
			best = key->name;
		}
	}
	error__set(err, -EINVAL, SORT_KEYS_UNKNOWN, word, "perf report -s help lists them");
	if (best)
		error__advise(err, "did you mean '%s'?", best);
	return -EINVAL;
}

int sort_keys__add(struct sort_keys *keys, const struct key *key, struct error *err)
{
	if (sort_keys__has(keys, key))
		return 0;
	if (keys->nr == SORT_KEYS_MAX)
		return error__set(err, -E2BIG, "too many sort keys, from", key->name,
		                  "%u are possible", SORT_KEYS_MAX);
	keys->list[keys->nr++] = (struct sort_key){ .key = key };
	keys->needs |= key->needs;
	return 0;
}

int sort_keys__word(const char **text, char word[static SORT_KEYS_WORD_MAX],
                    const struct key *const *more, struct error *err)
{
	size_t len;

	*text += strspn(*text, ", ");
	len = strcspn(*text, ", ");
	if (len >= SORT_KEYS_WORD_MAX)
		return sort_keys__unknown(*text, more, err);
	memcpy(word, *text, len);
	word[len] = '\0';
	*text += len;
	return len > 0;
}

int sort_keys__parse(struct sort_keys *keys, const char *text, const struct key *const *more,
                     struct error *err)
{
	char word[SORT_KEYS_WORD_MAX];
	bool overhead = false;
	int ret;

	*keys = (struct sort_keys){ .nr = 0 };
	while ((ret = sort_keys__word(&text, word, more, err)) > 0) {
		/* The share of each entry is shown anyway, in front. */
		if (!strcasecmp(word, "overhead")) {
			overhead = true;
			continue;
		}
		const struct key *key = sort_keys__find(word, more);

		ret = key ? sort_keys__add(keys, key, err) : sort_keys__unknown(word, more, err);
		if (ret)
			return ret;
	}
	if (!ret && !keys->nr && !overhead)
		ret = error__set(err, -EINVAL, "no sort key in", text, "the list is empty");
	return ret;
}
