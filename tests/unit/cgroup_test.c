// SPDX-License-Identifier: GPL-2.0-or-later
/* Which hierarchy of cgroups events go by, and the words of -G. */
#include "tests/unit/unit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/test_file.h"
#include "util/event/cgroup.h"
#include "util/event/registers.h"

static void check_mount(const char *mounts, const char *want)
{
	char *path = write_test_file("proc/mounts", mounts, strlen(mounts)), *found;
	struct error err = ERROR_INIT;

	found = cgroup__mount_point(unit__tmpdir(), &err);
	if (want) {
		CHECK_STR(found, want);
	} else {
		CHECK(!found);
		CHECK_EQ(err.code, -ENODEV);
	}
	free(found);
	free(path);
}

TEST(cgroup_finds_the_hierarchy_of_events)
{
	check_mount("cgroup2 /cg cgroup2 rw 0 0\n", "/cg");
	check_mount("none /v1 cgroup rw,cpu 0 0\ncgroup2 /cg cgroup2 rw 0 0\n", "/cg");
	check_mount("cgroup2 /cg cgroup2 rw 0 0\nnone /v1 cgroup rw,perf_event,cpu 0 0\n", "/v1");
	check_mount("none /v1 cgroup rw,perf_event 0 0\ncgroup2 /cg cgroup2 rw 0 0\n", "/v1");
	check_mount("none /v1 cgroup rw,no_perf_event 0 0\n", NULL);
	check_mount("cgroup2 /one cgroup2 rw 0 0\ncgroup2 /two cgroup2 rw 0 0", "/one");
	check_mount("", NULL);
	check_mount("cgroup2\n\n   \ncgroup2 /cg\ncgroup2 /cg cgroup2\n", NULL);
}

TEST(cgroup_names_need_events)
{
	struct evlist list = { .nr = 0 };
	u32 next = 0;
	struct error err = ERROR_INIT;

	CHECK_EQ(evlist__set_cgroups(&list, &next, "a", &err), -EINVAL);
	evlist__exit(&list);
}

#ifdef __x86_64__
TEST(registers_are_found_by_name)
{
	struct error err = ERROR_INIT;
	u64 mask;

	CHECK_EQ(registers__parse("ax,R15,sp", 0xff0fff, &mask, &err), 0);
	CHECK_EQ(mask, 1 | 1 << 23 | 1 << 7);
	CHECK_EQ(registers__parse("xmm0", 0xff0fff, &mask, &err), -EINVAL);
	CHECK_EQ(registers__parse("ax,", 0xff0fff, &mask, &err), -EINVAL);
	CHECK_EQ(registers__parse("", 0xff0fff, &mask, &err), -EINVAL);
	CHECK_EQ(registers__parse("a", 0xff0fff, &mask, &err), -EINVAL);
	CHECK_EQ(registers__parse("ds", 0xff0fff, &mask, &err), -EINVAL); /* not allowed */
}
#endif
