/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The cgroups of a recording: paths by the ids that samples have (PERF_RECORD_CGROUP), and the
 * cgroup namespaces of tasks (PERF_RECORD_NAMESPACES).
 */
#ifndef PERF_UTIL_MACHINE_CGROUP_NAMES_H
#define PERF_UTIL_MACHINE_CGROUP_NAMES_H

#include "util/format/record.h"
#include "util/lib/hash.h"
#include "util/lib/strtab.h"

struct cgroup_namespace {
	u64 device, inode; /* 0: unknown */
};

struct cgroup_names {
	struct strtab paths;
	struct u64map path_of;  /* by id */
	struct u64map space_of; /* by tid: of spaces */
	struct cgroup_namespace *spaces;
	u32 nr_spaces;
	size_t cap_spaces;
};

void cgroup_names__init(struct cgroup_names *names);
void cgroup_names__exit(struct cgroup_names *names);

/* Take in a record of one of the two types: 0, or -EBADMSG. */
int cgroup_names__learn(struct cgroup_names *names, const struct record *record, bool swap);

/* NULL: no such id. */
const char *cgroup_names__path(const struct cgroup_names *names, u64 id);

/* The last one that the thread was in. */
struct cgroup_namespace cgroup_names__space(const struct cgroup_names *names, s32 tid);

#endif
