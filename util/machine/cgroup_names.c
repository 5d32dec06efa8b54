// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/machine/cgroup_names.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>

#include "util/lib/alloc.h"
#include "util/lib/cursor.h"

void cgroup_names__init(struct cgroup_names *names)
{
	*names = (struct cgroup_names){ .nr_spaces = 0 };
	strtab__init(&names->paths);
	names->path_of = names->space_of = (struct u64map)U64MAP_INIT;
}

void cgroup_names__exit(struct cgroup_names *names)
{
	strtab__exit(&names->paths);
	u64map__exit(&names->path_of);
	u64map__exit(&names->space_of);
	free(names->spaces);
}

/* Of the namespaces of a task the one of cgroups is at CGROUP_NS_INDEX. */
static int learn_space(struct cgroup_names *names, struct cursor *c)
{
	cursor__u32(c); /* pid */
	u32 tid = cursor__u32(c);
	u64 nr = cursor__u64(c);
	struct cgroup_namespace space = { 0, 0 };

	for (u64 i = 0; i < nr && i <= CGROUP_NS_INDEX && !c->failed; i++) {
		space.device = cursor__u64(c);
		space.inode = cursor__u64(c);
	}
	if (c->failed)
		return -EBADMSG;
	if (nr <= CGROUP_NS_INDEX)
		return 0;
	u32 *id = u64map__at(&names->space_of, tid);

	if (*id == ID_NONE) {
		*id = names->nr_spaces++;
		array__reserve(&names->spaces, &names->cap_spaces, names->nr_spaces,
		               sizeof(*names->spaces));
	}
	names->spaces[*id] = space;
	return 0;
}

int cgroup_names__learn(struct cgroup_names *names, const struct record *record, bool swap)
{
	struct cursor c = cursor__make(record->data + RECORD_HEADER_SIZE,
	                               record->size - RECORD_HEADER_SIZE, swap);

	if (record->type == PERF_RECORD_NAMESPACES)
		return learn_space(names, &c);
	u64 id = cursor__u64(&c);
	const char *path = cursor__str(&c, cursor__left(&c));

	if (c.failed)
		return -EBADMSG;
	*u64map__at(&names->path_of, id) = strtab__add(&names->paths, path);
	return 0;
}

const char *cgroup_names__path(const struct cgroup_names *names, u64 id)
{
	u32 path = u64map__get(&names->path_of, id);

	return path == ID_NONE ? NULL : strtab__get(&names->paths, path);
}

struct cgroup_namespace cgroup_names__space(const struct cgroup_names *names, s32 tid)
{
	u32 id = u64map__get(&names->space_of, (u32)tid);

	return id == ID_NONE ? (struct cgroup_namespace){ 0, 0 } : names->spaces[id];
}
