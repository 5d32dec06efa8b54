// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/lib/name_list.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"
#include "util/lib/file.h"
#include "util/lib/text.h"

#define FILE_PREFIX "file://"
#define FILE_MAX    (16u << 20)

static void add_name(struct name_list *list, const char *name, size_t len)
{
	if (!len)
		return;
	char *copy = memcpy(xmalloc(len + 1), name, len);

	copy[len] = '\0';
	array__reserve(&list->names, &list->cap, list->nr + 1, sizeof(*list->names));
	list->names[list->nr++] = copy;
}

/* Add the pieces of @text between any of @separators. */
static void add_names(struct name_list *list, const char *text, const char *separators)
{
	while (*text) {
		size_t len = strcspn(text, separators);

		add_name(list, text, len);
		text += len + (text[len] != '\0');
	}
}

static int add_file(struct name_list *list, const char *path, struct error *err)
{
	size_t len;
	char *text = file__read_all(path, FILE_MAX, &len);

	if (!text)
		return error__set(err, -errno, "cannot read the list of names", path, NULL);
	add_names(list, text, "\n\r");
	free(text);
	return 0;
}

int name_list__parse(struct name_list *list, const char *text, struct error *err)
{
	int ret = 0;

	while (!ret && *text) {
		size_t len = strcspn(text, ",");

		if (text__starts_with(text, FILE_PREFIX)) {
			char *path = strndup(text + strlen(FILE_PREFIX), len - strlen(FILE_PREFIX));

			ret = add_file(list, path, err);
			free(path);
		} else {
			add_name(list, text, len);
		}
		text += len + (text[len] != '\0');
	}
	return ret;
}

void name_list__exit(struct name_list *list)
{
	for (u32 i = 0; i < list->nr; i++)
		free(list->names[i]);
	free(list->names);
	*list = (struct name_list){ .names = NULL };
}

void name_list__add(struct name_list *list, const char *name)
{
	add_name(list, name, strlen(name));
}

bool name_list__has(const struct name_list *list, const char *name)
{
	for (u32 i = 0; i < list->nr; i++)
		if (!strcmp(list->names[i], name))
			return true;
	return false;
}

int number_list__parse(u32 **numbers, u32 *nr, const char *text, struct error *err)
{
	struct name_list words = { .names = NULL };
	u64 value;
	int ret = 0;

	add_names(&words, text, ", ");
	*numbers = xrealloc(*numbers, *nr + words.nr, sizeof(**numbers));
	for (u32 i = 0; !ret && i < words.nr; i++) {
		if (text__parse_u64(words.names[i], &value) || value > UINT32_MAX)
			ret = error__set(err, -EINVAL, "not a number", words.names[i],
			                 "a list looks like 12,34");
		else
			(*numbers)[(*nr)++] = value;
	}
	name_list__exit(&words);
	return ret;
}
