// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/export/known_ids.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"
#include "util/lib/file.h"

#define FILE_PREFIX "file://"
#define FILE_MAX    (64u << 20)

static int add(struct known_ids *known, const char *entry, struct error *err)
{
	size_t digits = strcspn(entry, " \t");
	const char *path = entry + digits + strspn(entry + digits, " \t");
	struct build_id id;

	if (!*path || !build_id__parse(entry, digits, &id)) {
		error__set(err, -EINVAL, "cannot parse the known build-id", entry,
		           "it is not a pair of an even number of hex digits and a path");
		return error__advise(err, "as in: --known-build-ids '0123abcd... /usr/bin/prog'");
	}
	array__reserve(&known->ids, &known->cap, known->nr + 1, sizeof(*known->ids));
	known->ids[known->nr++] = (struct known_id){ xstrdup(path), id };
	return 0;
}

/* @text is cut at each @separator; entries that are blank are passed over. */
static int add_all(struct known_ids *known, char *text, const char *separator, struct error *err)
{
	int ret = 0;

	for (char *entry; !ret && (entry = strsep(&text, separator));) {
		entry += strspn(entry, " \t");
		if (*entry)
			ret = add(known, entry, err);
	}
	return ret;
}

int known_ids__parse(struct known_ids *known, const char *text, struct error *err)
{
	const char *path = text + strlen(FILE_PREFIX);
	bool is_file = !strncmp(text, FILE_PREFIX, strlen(FILE_PREFIX));
	size_t len;
	char *copy = is_file ? file__read_all(path, FILE_MAX, &len) : xstrdup(text);

	if (!copy)
		return error__set(err, -errno, "cannot read known build-ids from", path, NULL);
	int ret = add_all(known, copy, is_file ? "\n" : ",", err);

	free(copy);
	return ret;
}

void known_ids__exit(struct known_ids *known)
{
	for (size_t i = 0; i < known->nr; i++)
		free(known->ids[i].path);
	free(known->ids);
	*known = (struct known_ids){ 0 };
}

const struct build_id *known_ids__find(const struct known_ids *known, const char *path)
{
	for (size_t i = known->nr; i-- > 0;)
		if (!strcmp(known->ids[i].path, path))
			return &known->ids[i].id;
	return NULL;
}
