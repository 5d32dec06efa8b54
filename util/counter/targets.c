// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/counter/targets.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/lib/alloc.h"
#include "util/lib/file.h"
#include "util/lib/hash.h"

#define CPU_MAX 65535 /* far above NR_CPUS of any kernel; bounds what a range can ask for */

void cpu_map__exit(struct cpu_map *map)
{
	free(map->cpus);
	*map = (struct cpu_map)CPU_MAP_INIT;
}

void thread_map__exit(struct thread_map *map)
{
	free(map->tids);
	*map = (struct thread_map)THREAD_MAP_INIT;
}

void cpu_map__add(struct cpu_map *map, s32 cpu)
{
	u32 at = map->nr;

	while (at && map->cpus[at - 1] > cpu)
		at--;
	if (at && map->cpus[at - 1] == cpu)
		return;
	array__reserve(&map->cpus, &map->cap, map->nr + 1, sizeof(*map->cpus));
	memmove(map->cpus + at + 1, map->cpus + at, (map->nr - at) * sizeof(*map->cpus));
	map->cpus[at] = cpu;
	map->nr++;
}

void thread_map__add(struct thread_map *map, s32 tid)
{
	array__reserve(&map->tids, &map->cap, map->nr + 1, sizeof(*map->tids));
	map->tids[map->nr++] = tid;
}

/* A number at *@s up to @max; *@s moves behind it. */
static bool take_number(const char **s, long max, long *value)
{
	char *end;

	if (**s < '0' || **s > '9')
		return false;
	errno = 0;
	*value = strtol(*s, &end, 10);
	*s = end;
	return !errno && *value <= max;
}

int cpu_map__parse(struct cpu_map *map, const char *text, struct error *err)
{
	const char *s = text;
	long first, last;

	do {
		if (!take_number(&s, CPU_MAX, &first))
			goto bad;
		last = first;
		if (*s == '-') {
			s++;
			if (!take_number(&s, CPU_MAX, &last) || last < first)
				goto bad;
		}
		for (long cpu = first; cpu <= last; cpu++)
			cpu_map__add(map, cpu);
	} while (*s++ == ',');
	if (s[-1] == '\0' || (s[-1] == '\n' && !*s))
		return 0;
bad:
	cpu_map__exit(map);
	error__set(err, -EINVAL, "cannot use the CPU list", text, "not a list like 0-3,5");
	return -EINVAL;
}

int cpu_map__online(struct cpu_map *map, struct error *err)
{
	static const char path[] = "/sys/devices/system/cpu/online";
	char buf[4096];
	ssize_t n;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0) {
		/* No sysfs (a bare chroot): the C library knows the number at least. */
		long nr = sysconf(_SC_NPROCESSORS_ONLN);

		if (nr <= 0)
			return error__set(err, -errno, "cannot read", path, NULL);
		for (long cpu = 0; cpu < nr; cpu++)
			cpu_map__add(map, cpu);
		return 0;
	}
	n = read(fd, buf, sizeof(buf) - 1);
	close(fd);
	if (n <= 0)
		return error__set(err, n ? -EIO : -ENODATA, "cannot read", path, NULL);
	buf[n] = '\0';
	return cpu_map__parse(map, buf, err);
}

s32 cpu_map__last_possible(void)
{
	struct cpu_map map = CPU_MAP_INIT;
	char text[4096];
	bool known = file__read_text("/sys/devices/system/cpu/possible", text, sizeof(text)) > 0 &&
	             !cpu_map__parse(&map, text, NULL) && map.nr;
	s32 last = known ? map.cpus[map.nr - 1] : -1;

	cpu_map__exit(&map);
	return last;
}

int cpu_map__index(const struct cpu_map *map, s32 cpu)
{
	u32 low = 0, high = map->nr;

	while (low < high) {
		u32 mid = low + (high - low) / 2;

		if (map->cpus[mid] < cpu)
			low = mid + 1;
		else
			high = mid;
	}
	return low < map->nr && map->cpus[low] == cpu ? (int)low : -1;
}

int cpu_map__check_online(const struct cpu_map *map, const struct cpu_map *online,
                          struct error *err)
{
	char text[16], list[128];

	for (u32 i = 0; i < map->nr; i++) {
		if (cpu_map__index(online, map->cpus[i]) >= 0)
			continue;
		snprintf(text, sizeof(text), "%d", map->cpus[i]);
		return error__set(err, -ENODEV, "cannot measure CPU", text,
		                  "it is not online; online are %s",
		                  cpu_map__format(online, list, sizeof(list)));
	}
	return 0;
}

const char *cpu_map__format(const struct cpu_map *map, char *buf, size_t size)
{
	size_t len = 0;

	buf[0] = '\0';
	for (u32 i = 0, last; i < map->nr && len < size; i = last + 1) {
		last = i;
		while (last + 1 < map->nr && map->cpus[last + 1] == map->cpus[last] + 1)
			last++;
		len += snprintf(buf + len, size - len, "%s%d", i ? "," : "", map->cpus[i]);
		if (last > i && len < size)
			len += snprintf(buf + len, size - len, "-%d", map->cpus[last]);
	}
	return buf;
}

void thread_map__drop_duplicates(struct thread_map *map)
{
	struct u64map seen = U64MAP_INIT;
	u32 nr = 0;

	for (u32 i = 0; i < map->nr; i++) {
		u32 *seen_tid = u64map__at(&seen, map->tids[i]);

		if (*seen_tid != ID_NONE)
			continue;
		*seen_tid = 1;
		map->tids[nr++] = map->tids[i];
	}
	map->nr = nr;
	u64map__exit(&seen);
}

static int parse_tasks(struct thread_map *map, const char *text, bool processes, struct error *err)
{
	const char *what = processes ? "cannot measure process" : "cannot measure thread";
	const char *s = text;
	char number[16];
	long id;
	int ret;

	do {
		if (!take_number(&s, INT_MAX, &id) || !id || (*s && *s != ',')) {
			thread_map__exit(map);
			return error__set(err, -EINVAL, what, text,
			                  "not a number or a comma list of numbers");
		}
		ret = 0;
		if (processes)
			ret = thread_map__add_process(map, id);
		else
			thread_map__add(map, id);
		if (ret) {
			thread_map__exit(map);
			snprintf(number, sizeof(number), "%ld", id);
			return error__set(err, ret, what, number,
			                  ret == -ESRCH ? "no such process" : NULL);
		}
	} while (*s++ == ',');
	thread_map__drop_duplicates(map);
	return 0;
}

int thread_map__of_pids(struct thread_map *map, const char *text, struct error *err)
{
	return parse_tasks(map, text, true, err);
}

int thread_map__of_tids(struct thread_map *map, const char *text, struct error *err)
{
	return parse_tasks(map, text, false, err);
}
