// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/event/cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/lib/alloc.h"
#include "util/lib/file.h"
#include "util/lib/text.h"

#define MOUNTS_MAX (16u << 20)

/* "perf_event" among "rw,relatime,perf_event" */
static bool has_word(const char *list, const char *word)
{
	size_t len = strlen(word);

	while (*list) {
		size_t n = strcspn(list, ",");

		if (n == len && !memcmp(list, word, len))
			return true;
		list += n + (list[n] == ',');
	}
	return false;
}

/* The next of the fields that blanks part; NULL: none. */
static char *take_field(char **line)
{
	char *field = *line + strspn(*line, " ");

	if (!*field)
		return NULL;
	*line = field + strcspn(field, " ");
	if (**line)
		*(*line)++ = '\0';
	return field;
}

char *cgroup__mount_point(const char *root, struct error *err)
{
	char *path = xasprintf("%s/proc/mounts", root), *found = NULL;
	bool found_v1 = false;
	size_t len;
	char *text = file__read_all(path, MOUNTS_MAX, &len), *line = text, *next;

	if (!text)
		error__set(err, -errno, "cannot read", path, NULL);
	free(path);
	for (; line && *line && !found_v1; line = next) {
		char *where, *type, *options;

		next = line + strcspn(line, "\n");
		if (*next)
			*next++ = '\0';
		take_field(&line); /* the device */
		where = take_field(&line);
		type = take_field(&line);
		options = take_field(&line);
		if (!options)
			continue;
		found_v1 = !strcmp(type, "cgroup") && has_word(options, "perf_event");
		if (!found_v1 && (found || strcmp(type, "cgroup2")))
			continue;
		free(found);
		found = xstrdup(where);
	}
	if (!found && text)
		error__set(err, -ENODEV, "no cgroups to measure by", NULL,
		           "neither cgroup v2 nor v1's perf_event is mounted");
	free(text);
	return found;
}

static int open_cgroup(const char *mount_point, const char *name, struct error *err)
{
	char *path = xasprintf("%s/%s", mount_point, name);
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		fd = error__set(err, -errno, "no access to cgroup", path, NULL);
	free(path);
	return fd;
}

int evsel__set_cgroup(struct evsel *evsel, const char *mount_point, const char *name,
                      struct error *err)
{
	int fd;

	if (!*name)
		return 0;
	fd = open_cgroup(mount_point, name, err);
	if (fd < 0)
		return fd;
	if (evsel->cgroup)
		close(evsel->cgroup_fd);
	evsel__set_text(&evsel->cgroup, name);
	evsel->cgroup_fd = fd;
	return 0;
}

int evlist__set_cgroups(struct evlist *list, u32 *next, const char *text, struct error *err)
{
	char *mount_point, *names, *rest, *name;
	bool single = !strchr(text, ',');
	int ret = 0;

	if (!list->nr)
		return error__set(err, -EINVAL, "must define events before cgroups", text,
		                  "there is no -e before it");
	mount_point = cgroup__mount_point("", err);
	if (!mount_point)
		return -ENODEV;
	names = rest = xstrdup(text);
	while (!ret && (name = strsep(&rest, ","))) {
		if (*next >= list->nr)
			ret = error__set(err, -EINVAL, "cgroup without an event", name,
			                 "there are %u events before it", list->nr);
		while (!ret && *next < list->nr) {
			ret = evsel__set_cgroup(list->evsels[(*next)++], mount_point, name, err);
			if (!single)
				break;
		}
	}
	free(mount_point);
	free(names);
	return ret;
}
