// SPDX-License-Identifier: GPL-2.0-or-later
/* The targets that /proc knows: threads of processes, of users, of descendants. */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "util/counter/targets.h"
#include "util/lib/alloc.h"
#include "util/lib/file.h"
#include "util/lib/hash.h"
#include "util/lib/text.h"

static int compare_s32(const void *a, const void *b)
{
	s32 x = *(const s32 *)a, y = *(const s32 *)b;

	return x < y ? -1 : x > y;
}

int thread_map__add_process(struct thread_map *map, s32 pid)
{
	u32 before = map->nr;
	struct dirent *entry;
	char path[64];
	u64 tid;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	dir = opendir(path);
	if (!dir)
		return errno == ENOENT ? -ESRCH : -errno;
	while ((entry = readdir(dir)))
		if (entry->d_name[0] != '.' && !text__parse_u64(entry->d_name, &tid))
			thread_map__add(map, tid);
	closedir(dir);
	if (map->nr > before)
		qsort(map->tids + before, map->nr - before, sizeof(*map->tids), compare_s32);
	return map->nr > before ? 0 : -ESRCH;
}

/* The processes of @uid, or of everybody. */
static int add_processes(struct thread_map *map, const u32 *uid, struct error *err)
{
	DIR *dir = opendir("/proc");
	struct dirent *entry;
	struct stat st;
	u64 pid;

	if (!dir)
		return error__set(err, -errno, "cannot read", "/proc", NULL);
	while ((entry = readdir(dir))) {
		if (text__parse_u64(entry->d_name, &pid) || pid > INT_MAX)
			continue;
		if (uid && (fstatat(dirfd(dir), entry->d_name, &st, 0) || st.st_uid != *uid))
			continue;
		thread_map__add_process(map, pid); /* it may have ended since */
	}
	closedir(dir);
	return 0;
}

int thread_map__of_all(struct thread_map *map, struct error *err)
{
	int ret = add_processes(map, NULL, err);

	if (!ret && !map->nr)
		ret = error__set(err, -ESRCH, "cannot read", "/proc", "no process is in it");
	return ret;
}

int thread_map__of_user(struct thread_map *map, u32 uid, const char *name, struct error *err)
{
	int ret = add_processes(map, &uid, err);

	if (ret || map->nr)
		return ret;
	return error__set(err, -ESRCH, "cannot measure user", name, "no process of that user");
}

struct family {
	s32 pid, parent;
};

/* All processes with their parents. */
static u32 read_families(struct family **families)
{
	DIR *dir = opendir("/proc");
	struct dirent *entry;
	char path[64], text[512];
	size_t cap = 0;
	u32 nr = 0;
	u64 pid;

	while (dir && (entry = readdir(dir))) {
		const char *behind_comm;
		int parent;

		if (text__parse_u64(entry->d_name, &pid) || pid > INT_MAX)
			continue;
		snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
		if (file__read_text(path, text, sizeof(text)) <= 0)
			continue;
		behind_comm = strrchr(text, ')'); /* a comm may hold anything, ')' too */
		if (!behind_comm || sscanf(behind_comm, ") %*c %d", &parent) != 1)
			continue;
		array__reserve(families, &cap, nr + 1, sizeof(**families));
		(*families)[nr++] = (struct family){ pid, parent };
	}
	if (dir)
		closedir(dir);
	return nr;
}

void thread_map__add_descendants(struct thread_map *map)
{
	struct family *families = NULL;
	struct u64map known = U64MAP_INIT;
	u32 nr = read_families(&families);
	bool found = true;

	for (u32 i = 0; i < map->nr; i++)
		*u64map__at(&known, map->tids[i]) = 1;
	while (found) {
		found = false;
		for (u32 i = 0; i < nr; i++) {
			if (u64map__get(&known, families[i].parent) == ID_NONE ||
			    u64map__get(&known, families[i].pid) != ID_NONE)
				continue;
			*u64map__at(&known, families[i].pid) = 1;
			thread_map__add_process(map, families[i].pid); /* it may have ended since */
			found = true;
		}
	}
	thread_map__drop_duplicates(map);
	u64map__exit(&known);
	free(families);
}
