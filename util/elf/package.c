// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * PACKAGE.list and PACKAGE:ARCHITECTURE.list have the path of one file a line. Systems whose /lib
 * is a link to /usr/lib map files under the one name and may list them under the other.
 */
#include "util/elf/package.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"
#include "util/lib/file.h"
#include "util/lib/text.h"

#define MAX_LIST (8u << 20)

static bool has_line(const char *text, size_t len, const char *line)
{
	size_t size = strlen(line);
	const char *end = text + len;

	for (const char *p = text; (p = memmem(p, end - p, line, size)); p += size)
		if ((p == text || p[-1] == '\n') && (p + size == end || p[size] == '\n'))
			return true;
	return false;
}

static bool lists_file(const char *list, const char *path, const char *other)
{
	size_t len;
	char *text = file__read_all(list, MAX_LIST, &len);
	bool found = text && (has_line(text, len, path) || (other && has_line(text, len, other)));

	free(text);
	return found;
}

char *package__of_file(const char *lists, const char *path)
{
	DIR *dir = path[0] == '/' ? opendir(lists) : NULL;
	char *other =
	        text__starts_with(path, "/usr/") ? xstrdup(path + 4) : xasprintf("/usr%s", path);
	char *found = NULL;

	for (struct dirent *entry; dir && !found && (entry = readdir(dir));) {
		const char *name = entry->d_name;
		size_t len = strlen(name);

		if (len <= 5 || strcmp(name + len - 5, ".list"))
			continue;
		char *list = xasprintf("%s/%s", lists, name);

		if (lists_file(list, path, other))
			found = xasprintf("%.*s", (int)min_u64(strcspn(name, ":"), len - 5), name);
		free(list);
	}
	if (dir)
		closedir(dir);
	free(other);
	return found;
}
