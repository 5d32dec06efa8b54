// SPDX-License-Identifier: GPL-2.0-or-later
/* Records about tasks and maps, which every later naming depends on. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "selftest/meter.h"
#include "selftest/tests.h"
#include "util/format/sample.h"

/*
 * A dummy event that only carries side-band records: of the calling task; or of what it starts,
 * too, on every CPU, because the rings of inherited counters cannot follow a task.
 */
static int start_listening(struct meter *meter, bool children, struct error *err)
{
	int ret = meter__init(meter, "dummy:u", err);
	struct perf_event_attr *attr;

	if (ret)
		return ret;
	attr = &meter->list.evsels[0]->attr;
	attr->sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME;
	attr->comm = attr->comm_exec = attr->mmap = attr->mmap2 = attr->task = 1;
	attr->read_format = 0;
	attr->sample_period = 1;
	attr->inherit = children;
	if (children) {
		cpu_map__exit(&meter->cpus);
		meter->cpus = (struct cpu_map)CPU_MAP_INIT;
		ret = cpu_map__online(&meter->cpus, err);
	}
	if (!ret)
		ret = meter__open(meter, METER_RING, err);
	return ret ? ret : meter__enable(meter);
}

enum verdict test_comm(struct selftest *test)
{
	struct error err = ERROR_INIT;
	struct data_block block;
	struct meter meter;
	u32 nr = 0;
	int ret = start_listening(&meter, false, &err);

	if (!ret) {
		prctl(PR_SET_NAME, "new name");
		prctl(PR_SET_NAME, "test");
		ret = meter__take(&meter, &block);
	}
	for (struct record r = { 0 }; !ret && data_block__next(&block, false, &r);) {
		struct comm_record comm;

		if (r.type != PERF_RECORD_COMM || comm_record__decode(&r, false, &comm))
			continue;
		selftest__say(test, "%u/%u is called '%s'", comm.pid, comm.tid, comm.name);
		if (comm.pid == (u32)getpid() && !comm.exec)
			nr += !strcmp(comm.name, nr ? "test" : "new name");
	}
	meter__exit(&meter);
	if (ret)
		return selftest__fail_error(test, &err);
	EXPECT(test, nr == 2, "of two changes of the name %u were told", nr);
	return SELFTEST_OK;
}

/* Map a page of this program as code. */
static void *map_code(size_t size, u64 offset)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	void *at = fd < 0 ? MAP_FAILED
	                  : mmap(NULL, size, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, offset);

	if (fd >= 0)
		close(fd);
	return at == MAP_FAILED ? NULL : at;
}

enum verdict test_mmap(struct selftest *test)
{
	struct error err = ERROR_INIT;
	size_t size = touch__page_size();
	struct data_block block;
	struct meter meter;
	char self[4096];
	ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);
	void *at = NULL;
	bool found = false;
	int ret = start_listening(&meter, false, &err);

	self[len < 0 ? 0 : len] = '\0';
	if (!ret) {
		at = map_code(size, size);
		ret = meter__take(&meter, &block);
	}
	for (struct record r = { 0 }; !ret && data_block__next(&block, false, &r);) {
		struct mmap_record map;

		if (r.type != PERF_RECORD_MMAP2 || mmap_record__decode(&r, false, &map))
			continue;
		selftest__say(test, "%#" PRIx64 " +%#" PRIx64 " offset %#" PRIx64 " %s", map.start,
		              map.len, map.pgoff, map.name);
		found |= map.start == (uintptr_t)at && map.len == size && map.pgoff == size &&
		         !strcmp(map.name, self) && (map.prot & PROT_EXEC);
	}
	meter__exit(&meter);
	if (ret)
		return selftest__fail_error(test, &err);
	EXPECT(test, at, "the program of perf cannot be mapped");
	munmap(at, size);
	EXPECT(test, found, "a map of this program's code at %p was not told", at);
	return SELFTEST_OK;
}

/* What was told about a child, and when. */
struct life {
	u64 fork, exec, code, exit; /* times; 0: not told */
};

static void note(struct life *life, const struct record *r, const struct sample_layout *layout,
                 u32 child)
{
	struct sample trailer = { .time = 0 };
	struct task_record task;
	struct comm_record comm;
	struct mmap_record map;

	if (sample__decode_trailer(layout, r, false, &trailer))
		return;
	switch (r->type) {
	case PERF_RECORD_FORK:
		if (!task_record__decode(r, false, &task) && task.pid == child &&
		    task.ppid == (u32)getpid())
			life->fork = trailer.time;
		break;
	case PERF_RECORD_EXIT:
		if (!task_record__decode(r, false, &task) && task.pid == child)
			life->exit = trailer.time;
		break;
	case PERF_RECORD_COMM:
		if (!comm_record__decode(r, false, &comm) && comm.pid == child && comm.exec)
			life->exec = trailer.time;
		break;
	case PERF_RECORD_MMAP2:
		if (!mmap_record__decode(r, false, &map) && map.pid == child && life->exec)
			life->code = trailer.time;
		break;
	default:
		break;
	}
}

/* A child that executes `perf --version`. Its pid, or -errno. */
static pid_t run_child(void)
{
	pid_t pid = fork();

	if (!pid) {
		int null = open("/dev/null", O_RDWR);

		dup2(null, STDOUT_FILENO);
		dup2(null, STDERR_FILENO);
		execl("/proc/self/exe", "perf", "--version", (char *)NULL);
		_exit(127);
	}
	if (pid < 0)
		return -errno;
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	return pid;
}

enum verdict test_task(struct selftest *test)
{
	struct error err = ERROR_INIT;
	struct life life = { 0 };
	struct sample_layout layout;
	struct data_block block;
	struct meter meter;
	int ret = start_listening(&meter, true, &err);
	pid_t pid = 0;

	if (!ret) {
		pid = run_child();
		ret = pid < 0 ? pid : meter__take(&meter, &block);
		sample_layout__init(&layout, &meter.list.evsels[0]->attr);
	}
	/* The rings of the CPUs stand one behind the other: the exec may come after its maps. */
	for (int pass = 0; pass < 2; pass++)
		for (struct record r = { 0 }; !ret && data_block__next(&block, false, &r);)
			note(&life, &r, &layout, pid);
	meter__exit(&meter);
	if (ret)
		return selftest__fail_error(test, &err);
	selftest__say(test,
	              "child %d: fork, exec, last map, exit at +0, +%" PRIu64 ", +%" PRIu64
	              ", +%" PRIu64 " ns",
	              pid, life.exec - life.fork, life.code - life.fork, life.exit - life.fork);
	EXPECT(test, life.fork, "the fork of a child was not told");
	EXPECT(test, life.exec, "the exec of a child was not told");
	EXPECT(test, life.code, "no map of a child was told");
	EXPECT(test, life.exit, "the end of a child was not told");
	EXPECT(test, life.fork < life.exec && life.exec < life.code && life.code < life.exit,
	       "fork, exec, maps and end of a child were told in another order");
	return SELFTEST_OK;
}
