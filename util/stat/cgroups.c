// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/stat/cgroups.h"

#include <dirent.h>
#include <errno.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "util/event/cgroup.h"
#include "util/lib/alloc.h"

#define DEPTH_MAX 32 /* of folders that are looked through */

struct names {
	char **names;
	u32 nr;
	size_t cap;
};

static void names__add(struct names *names, const char *name)
{
	array__reserve(&names->names, &names->cap, names->nr + 1, sizeof(*names->names));
	names->names[names->nr++] = xstrdup(name);
}

static void names__exit(struct names *names)
{
	for (u32 i = 0; i < names->nr; i++)
		free(names->names[i]);
	free(names->names);
}

/* Folders below @path whose names below the mount fit @regex. Sorted within each folder. */
static void find_folders(const char *path, const char *below, const regex_t *regex, u32 depth,
                         struct names *found)
{
	struct dirent **entries;
	int nr = depth < DEPTH_MAX ? scandir(path, &entries, NULL, alphasort) : -1;

	for (int i = 0; i < nr; i++) {
		const char *name = entries[i]->d_name;
		char *full = xasprintf("%s/%s", path, name);
		char *inner = xasprintf("%s%s%s", below, *below ? "/" : "", name);
		struct stat st;

		if (name[0] != '.' && !lstat(full, &st) && S_ISDIR(st.st_mode)) {
			if (!regexec(regex, inner, 0, NULL, 0))
				names__add(found, inner);
			find_folders(full, inner, regex, depth + 1, found);
		}
		free(full);
		free(inner);
		free(entries[i]);
	}
	if (nr >= 0)
		free(entries);
}

static bool is_folder(const char *mount, const char *name)
{
	char *path = xasprintf("%s/%s", mount, name);
	struct stat st;
	bool is = !stat(path, &st) && S_ISDIR(st.st_mode);

	free(path);
	return is;
}

static int find_groups(const char *mount, const char *name, struct names *found, struct error *err)
{
	u32 before = found->nr;
	regex_t regex;

	if (is_folder(mount, name) || !strpbrk(name, ".*+?^$|[](){}\\")) {
		names__add(found, name);
		return 0;
	}
	if (regcomp(&regex, name, REG_EXTENDED | REG_NOSUB))
		return error__set(err, -EINVAL, "no access to cgroup", name,
		                  "it is neither a name nor a regular expression");
	find_folders(mount, "", &regex, 0, found);
	regfree(&regex);
	if (found->nr > before)
		return 0;
	return error__set(err, -ENOENT, "no access to cgroup", name, "none fits");
}

/* A copy of evsel @of of the list at its end; its group moves by @shift. */
static struct evsel *copy_evsel(struct evlist *list, u32 of, u32 shift)
{
	struct evsel *from = list->evsels[of];
	struct evsel *to = evlist__add(list, &from->attr, from->name);
	struct evsel fresh = *to;

	*to = *from;
	to->idx = fresh.idx;
	to->name = fresh.name;
	to->unit = fresh.unit;
	evsel__set_text(&to->unit, from->unit);
	to->leader = from->leader + shift;
	to->ids = NULL;
	to->nr_ids = to->ids_cap = 0;
	to->group_name = from->group_name ? xstrdup(from->group_name) : NULL;
	to->tracepoint = from->tracepoint ? xstrdup(from->tracepoint) : NULL;
	to->filter = from->filter ? xstrdup(from->filter) : NULL;
	to->call_graph = from->call_graph ? xstrdup(from->call_graph) : NULL;
	to->pmu = from->pmu ? xstrdup(from->pmu) : NULL;
	to->pmu_cpus = from->pmu_cpus ? xstrdup(from->pmu_cpus) : NULL;
	to->cgroup = NULL;
	to->fds = NULL;
	return to;
}

int stat_cgroups__for_each(struct evlist *list, const char *names, struct error *err)
{
	struct names found = { 0 };
	u32 nr = list->nr;
	char *mount = cgroup__mount_point("", err), *copy = xstrdup(names), *rest = copy, *name;
	int ret = mount ? 0 : -ENODEV;

	while (!ret && (name = strsep(&rest, ",")))
		if (*name)
			ret = find_groups(mount, name, &found, err);
	for (u32 g = 1; !ret && g < found.nr; g++)
		for (u32 e = 0; e < nr; e++)
			copy_evsel(list, e, g * nr);
	for (u32 g = 0; !ret && g < found.nr; g++)
		for (u32 e = 0; !ret && e < nr; e++)
			ret = evsel__set_cgroup(list->evsels[g * nr + e], mount, found.names[g],
			                        err);
	free(copy);
	free(mount);
	names__exit(&found);
	return ret;
}
