// SPDX-License-Identifier: GPL-2.0-or-later
/* record --threads: which thread reads which rings. The machine is a folder of the test's own. */
#include "tests/unit/unit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "util/lib/alloc.h"
#include "util/sink/thread_masks.h"

struct topology_text {
	s32 cpu;
	const char *package, *core, *node;
};

/* Two sockets with two cores each, of two threads each; a memory node for each socket. */
static const struct topology_text machine[] = {
	{ 0, "0", "0", "node0" }, { 1, "0", "1", "node0" }, { 2, "1", "0", "node1" },
	{ 3, "1", "1", "node1" }, { 4, "0", "0", "node0" }, { 5, "0", "1", "node0" },
	{ 6, "1", "0", "node1" }, { 7, "1", "1", "node1" },
};

static void put(s32 cpu, const char *file, const char *text)
{
	char *path =
	        xasprintf("%s/devices/system/cpu/cpu%d/topology/%s", unit__tmpdir(), cpu, file);
	FILE *f;

	for (char *p = path + strlen(unit__tmpdir()) + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		mkdir(path, 0700);
		*p = '/';
	}
	f = fopen(path, "w");
	CHECK(f);
	fputs(text, f);
	fclose(f);
	free(path);
}

static void put_machine(void)
{
	for (u32 i = 0; i < ARRAY_SIZE(machine); i++) {
		char *node = xasprintf("../%s/x", machine[i].node);

		put(machine[i].cpu, "physical_package_id", machine[i].package);
		put(machine[i].cpu, "die_id", "0");
		put(machine[i].cpu, "core_id", machine[i].core);
		put(machine[i].cpu, node, "");
		free(node);
	}
}

static struct error err;

/* "0,4/0,4 1,5/1,5": what @spec makes of the CPUs @recorded of this machine; NULL: @err. */
static const char *masks_of(const char *spec, const char *recorded)
{
	static char text[512];
	struct cpu_map cpus = CPU_MAP_INIT, online = CPU_MAP_INIT;
	struct thread_masks masks;
	size_t len = 0;
	char maps[64], affinity[64];
	int ret;

	err = (struct error)ERROR_INIT;
	cpu_map__parse(&cpus, recorded, NULL);
	cpu_map__parse(&online, "0-7", NULL);
	ret = thread_masks__parse(&masks, spec, &cpus, &online, unit__tmpdir(), &err);
	CHECK_EQ(ret, err.code);
	text[0] = '\0';
	for (u32 i = 0; i < masks.nr; i++)
		len += snprintf(
		        text + len, sizeof(text) - len, "%s%s/%s", i ? " " : "",
		        cpu_map__format(&masks.masks[i].maps, maps, sizeof(maps)),
		        cpu_map__format(&masks.masks[i].affinity, affinity, sizeof(affinity)));
	thread_masks__exit(&masks);
	cpu_map__exit(&cpus);
	cpu_map__exit(&online);
	return ret ? NULL : text;
}

TEST(thread_masks_by_units_of_the_machine)
{
	put_machine();
	CHECK_STR(masks_of("", "0-3"), "0/0 1/1 2/2 3/3");
	CHECK_STR(masks_of("cpu", "0-3"), "0/0 1/1 2/2 3/3");
	CHECK_STR(masks_of("CPU", "5,7"), "5/5 7/7");
	CHECK_STR(masks_of("core", "0-7"), "0,4/0,4 1,5/1,5 2,6/2,6 3,7/3,7");
	CHECK_STR(masks_of("core", "0-4"), "0,4/0,4 1/1 2/2 3/3");
	CHECK_STR(masks_of("package", "0-7"), "0-1,4-5/0-1,4-5 2-3,6-7/2-3,6-7");
	CHECK_STR(masks_of("numa", "1-7"), "1,4-5/1,4-5 2-3,6-7/2-3,6-7");
	CHECK(!masks_of("cores", "0-7") && err.code == -EINVAL);
}

TEST(thread_masks_by_lists)
{
	CHECK_STR(masks_of("0-3/0:4-7/1", "0-7"), "0-3/0 4-7/1");
	CHECK_STR(masks_of("0/7", "0-7"), "0/7");
	CHECK_STR(masks_of("0-3/0-3", "2-7"), "2-3/2-3"); /* those that are recorded */
	CHECK_STR(masks_of("0/0:", "0-7"), "0/0");
}

TEST(thread_masks_refuse_what_makes_no_sense)
{
	static const struct {
		const char *spec;
		int code;
		const char *cause;
	} rows[] = {
		{ "0,1/0:1/1", -EINVAL, "CPU 1 is in two lists of rings" },
		{ "0/2:1/2", -EINVAL, "CPU 2 is in two lists to run on" },
		{ "0", -EINVAL, "'0' is not CPUS/CPUS" },
		{ ":", -EINVAL, "no lists of CPUs" },
		{ "0/", -EINVAL, "not a list" },
		{ "/0", -EINVAL, "not a list" },
		{ "3-1/0", -EINVAL, "not a list" },
		{ "0/0/1", -EINVAL, "not a list" },
		{ "a/b", -EINVAL, "not a list" },
		{ "5/5", -EINVAL, "none of the CPUs '5' is recorded" },
		{ "0/8", -ENODEV, "online are 0-7" },
		{ "99999999/0", -EINVAL, "not a list" },
	};

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		CHECK(!masks_of(rows[i].spec, "0-3"));
		CHECK_EQ(err.code, rows[i].code);
		CHECK(strstr(err.cause, rows[i].cause));
	}
}
