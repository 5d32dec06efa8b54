// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/counter/targets.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/unit/unit.h"

TEST(targets_cpu_lists)
{
	static const struct {
		const char *text, *formatted; /* NULL: refused */
		u32 nr;
	} rows[] = {
		{ "0", "0", 1 },
		{ "0-3,5", "0-3,5", 5 },
		{ "5,0-3\n", "0-3,5", 5 },
		{ "2,2,1-2", "1-2", 2 },
		{ "0,2,4,6", "0,2,4,6", 4 },
		{ "", NULL, 0 },
		{ "a", NULL, 0 },
		{ "1-", NULL, 0 },
		{ "3-1", NULL, 0 },
		{ "1,", NULL, 0 },
		{ "-1", NULL, 0 },
		{ "1 2", NULL, 0 },
		{ "0-99999999", NULL, 0 },
		{ "99999999999999999999", NULL, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct cpu_map map = CPU_MAP_INIT;
		struct error err = ERROR_INIT;
		char buf[64];
		int ret = cpu_map__parse(&map, rows[i].text, &err);

		CHECK_EQ(ret, rows[i].formatted ? 0 : -EINVAL);
		CHECK_EQ(map.nr, rows[i].nr);
		if (rows[i].formatted)
			CHECK_STR(cpu_map__format(&map, buf, sizeof(buf)), rows[i].formatted);
		else
			CHECK(strstr(err.cause, "0-3,5"));
		cpu_map__exit(&map);
	}
}

TEST(targets_cpu_index_and_online)
{
	struct cpu_map map = CPU_MAP_INIT, online = CPU_MAP_INIT;
	struct error err = ERROR_INIT;

	CHECK_EQ(cpu_map__parse(&map, "1-2,7", &err), 0);
	CHECK_EQ(cpu_map__index(&map, 1), 0);
	CHECK_EQ(cpu_map__index(&map, 7), 2);
	CHECK_EQ(cpu_map__index(&map, 3), -1);
	CHECK_EQ(cpu_map__index(&map, 8), -1);
	CHECK_EQ(cpu_map__parse(&online, "0-2", &err), 0);
	CHECK_EQ(cpu_map__check_online(&map, &online, &err), -ENODEV);
	CHECK_STR(err.subject, "7");
	CHECK(strstr(err.cause, "0-2"));
	cpu_map__exit(&online);
	CHECK_EQ(cpu_map__online(&online, &err), 0);
	CHECK(online.nr >= 1);
	cpu_map__exit(&map);
	cpu_map__exit(&online);
}

TEST(targets_threads_of_processes)
{
	struct thread_map map = THREAD_MAP_INIT;
	struct error err = ERROR_INIT;
	char text[64];

	snprintf(text, sizeof(text), "%d,%d", getpid(), getpid());
	CHECK_EQ(thread_map__of_pids(&map, text, &err), 0);
	CHECK(map.nr >= 1);
	u32 nr_found = 0; /* a sanitizer's own thread may have a smaller number */

	for (u32 i = 0; i < map.nr; i++) {
		nr_found += map.tids[i] == getpid();
		CHECK(i == 0 || map.tids[i] != map.tids[i - 1]);
	}
	CHECK_EQ(nr_found, 1);
	thread_map__exit(&map);
	/* No Linux gives out such a pid. */
	CHECK_EQ(thread_map__of_pids(&map, "2000000000", &err), -ESRCH);
	CHECK_STR(err.cause, "no such process");
	CHECK_EQ(thread_map__of_pids(&map, "1x", &err), -EINVAL);
	CHECK_EQ(thread_map__of_pids(&map, "0", &err), -EINVAL);
	CHECK_EQ(map.nr, 0);
}

TEST(targets_thread_lists)
{
	struct thread_map map = THREAD_MAP_INIT;
	struct error err = ERROR_INIT;

	CHECK_EQ(thread_map__of_tids(&map, "9,7,9", &err), 0);
	CHECK_EQ(map.nr, 2);
	CHECK_EQ(map.tids[0], 9);
	CHECK_EQ(map.tids[1], 7);
	thread_map__exit(&map);
	CHECK_EQ(thread_map__of_tids(&map, "", &err), -EINVAL);
	CHECK_EQ(thread_map__of_tids(&map, "7,", &err), -EINVAL);
	CHECK_EQ(thread_map__of_tids(&map, "-7", &err), -EINVAL);
	CHECK_EQ(thread_map__of_tids(&map, "99999999999", &err), -EINVAL);
}

TEST(targets_threads_of_a_user)
{
	struct thread_map map = THREAD_MAP_INIT;
	struct error err = ERROR_INIT;
	bool found = false;

	CHECK_EQ(thread_map__of_user(&map, getuid(), "me", &err), 0);
	for (u32 i = 0; i < map.nr; i++)
		found |= map.tids[i] == getpid();
	CHECK(found);
	thread_map__exit(&map);
	CHECK_EQ(thread_map__of_user(&map, 4294967290u, "none", &err), -ESRCH);
	CHECK_STR(err.subject, "none");
}
