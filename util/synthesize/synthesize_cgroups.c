// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The cgroups that exist: one CGROUP record each, with the id that samples carry, which is the
 * file handle of its folder.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/event/cgroup.h"
#include "util/format/record.h"
#include "util/lib/alloc.h"
#include "util/synthesize/synthesize_local.h"

#define MAX_DEPTH 64 /* each level keeps a folder open */

struct cgroup_walk {
	struct synth *synth;
	struct out path; /* below the mount point: "/a/b"; "" is the root */
};

static bool read_id(int folder, u64 *id)
{
	struct {
		struct file_handle head;
		u64 id;
	} handle = { .head.handle_bytes = sizeof(u64) };
	int mount_id;

	if (name_to_handle_at(folder, "", &handle.head, &mount_id, AT_EMPTY_PATH))
		return false;
	memcpy(id, handle.head.f_handle, sizeof(*id));
	return handle.head.handle_bytes == sizeof(*id);
}

static void put_cgroup(struct synth *synth, u64 id, const struct out *path)
{
	synth__begin(synth, PERF_RECORD_CGROUP, 0);
	synth__u64(synth, id);
	if (path->len)
		out__mem(&synth->out, path->buf, path->len);
	synth__text(synth, path->len ? "" : "/");
	synth__end(synth);
}

/* @folder and what is below it; takes @folder over. */
static void walk(struct cgroup_walk *w, int folder, u32 depth)
{
	DIR *dir = fdopendir(folder);
	size_t len = w->path.len;
	u64 id;

	if (!dir) {
		close(folder);
		return;
	}
	if (read_id(folder, &id))
		put_cgroup(w->synth, id, &w->path);
	for (struct dirent *entry; depth && !w->synth->error && (entry = readdir(dir));) {
		int child;

		if (entry->d_type != DT_DIR || entry->d_name[0] == '.')
			continue;
		child = openat(folder, entry->d_name,
		               O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (child < 0) /* gone */
			continue;
		out__char(&w->path, '/');
		out__str(&w->path, entry->d_name);
		walk(w, child, depth - 1);
		w->path.len = len;
	}
	closedir(dir);
}

void synth__cgroups(struct synth *synth)
{
	struct cgroup_walk w = { .synth = synth };
	char *mount_point = cgroup__mount_point(synth->root, NULL), *path;
	int folder;

	if (!mount_point)
		return;
	path = xasprintf("%s%s", synth->root, mount_point);
	folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (folder >= 0) {
		out__init(&w.path, -1);
		walk(&w, folder, MAX_DEPTH);
		out__exit(&w.path);
	}
	free(path);
	free(mount_point);
}
