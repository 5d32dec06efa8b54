// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/counter/ring.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "util/event/refusal.h"
#include "util/lib/alloc.h"

#define DEFAULT_KB 516          /* the kernel's own default of perf_event_mlock_kb */
#define MAX_SIZE   (1ull << 30) /* of one ring; far above what any kernel grants */

static u64 page_size(void)
{
	return sysconf(_SC_PAGESIZE);
}

static u64 round_down_power(u64 value)
{
	return value ? 1ull << (63 - __builtin_clzll(value)) : 0;
}

static u64 round_up_power(u64 value)
{
	u64 down = round_down_power(value);

	return down == value ? value : down * 2;
}

/* What the kernel lets every user lock per CPU, less the control page. */
static u64 default_size(void)
{
	int kb = access__setting("", "/proc/sys/kernel/perf_event_mlock_kb");
	u64 bytes = kb > 0 && (u64)kb <= MAX_SIZE / 1024 ? (u64)kb * 1024 : DEFAULT_KB * 1024;

	return bytes >= 2 * page_size() ? round_down_power(bytes - page_size()) : page_size();
}

int rings__size(const char *text, u64 *size, struct error *err)
{
	static const char units[] = "BKMG";
	const char *unit = NULL;
	u64 value, factor;
	char *end;

	if (!text) {
		*size = default_size();
		return 0;
	}
	errno = 0;
	value = strtoull(text, &end, 10);
	if (errno || *text < '0' || *text > '9' || !value)
		goto bad;
	if (*end) {
		unit = strchr(units, *end >= 'a' ? *end - 'a' + 'A' : *end);
		if (!unit || !*unit || end[1])
			goto bad;
	}
	factor = unit ? 1ull << (10 * (unit - units)) : page_size();
	if (value > MAX_SIZE / factor)
		goto bad;
	*size = round_up_power(max_u64(value * factor, page_size()));
	return 0;
bad:
	error__set(err, -EINVAL, "cannot use the ring size", text,
	           "not a number of pages, or of bytes with B, K, M or G, up to 1G");
	return -EINVAL;
}

static int explain_map(int code, u32 nr, u64 size, struct error *err)
{
	if (code == -EPERM) {
		struct access access;
		struct refusal reason;

		access__read(&access, "");
		refusal__rings(&reason, &access, size / 1024, nr);
		return refusal__to_error(&reason, code, "cannot map the ring buffers", NULL, err);
	}
	if (code == -EINVAL) {
		error__set(err, code, "cannot map the ring buffers", NULL,
		           "the kernel refuses %llu KB", (unsigned long long)(size / 1024));
		return error__advise(err, "use a smaller -m");
	}
	return error__set(err, code, "cannot map the ring buffers", NULL, NULL);
}

static int ring__map(struct ring *ring, int fd, u64 size)
{
	size_t page = page_size();
	/* A map that cannot be written makes the ring one that the kernel overwrites. */
	int protection = ring->overwrite ? PROT_READ : PROT_READ | PROT_WRITE;
	void *base = mmap(NULL, page + size, protection, MAP_SHARED, fd, 0);

	if (base == MAP_FAILED)
		return -errno;
	ring->page = base;
	ring->data = (const u8 *)base + page;
	ring->size = size;
	ring->tail = ring->overwrite ? 0 : ring->page->data_tail; /* both start at 0 */
	ring->fd = fd;
	return 0;
}

/* The counter goes to ring @index, which it starts if it is the first. */
static int join(const struct rings *rings, u32 index, int fd, u64 size, struct error *err)
{
	struct ring *ring = &rings->rings[index];
	int ret = ring->page ? 0 : ring__map(ring, fd, size);

	if (ret)
		return explain_map(ret, rings->nr / 2, size, err);
	if (ring->fd == fd)
		return 0;
	if (ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, ring->fd))
		return error__set(err, -errno, "cannot send a counter to the ring buffer", NULL,
		                  NULL);
	return 0;
}

static int map_evsel(struct rings *rings, struct evsel *evsel, const struct cpu_map *cpus,
                     bool per_thread, u64 size, struct error *err)
{
	bool backward = evsel->attr.write_backward;
	u32 first_ring = backward ? rings->nr / 2 : 0;
	u32 first_fd = backward ? rings->nr_fds / 2 : 0;

	for (u32 cpu = 0; evsel->fds && cpu < evsel->nr_cpus; cpu++) {
		for (u32 thread = 0; thread < evsel->nr_threads; thread++) {
			u32 index = cpu * evsel->nr_threads + thread;
			struct pollfd *poll_fd = &rings->fds[first_fd + index];
			int fd = evsel->fds[index], ret;

			if (fd < 0)
				continue;
			ret = join(rings, first_ring + (per_thread ? thread : cpu), fd, size, err);
			if (ret)
				return ret;
			if (poll_fd->fd < 0)
				*poll_fd = (struct pollfd){ fd, backward ? 0 : POLLIN, 0 };
			rings->fd_cpus[first_fd + index] = cpus->cpus[cpu];
		}
	}
	return 0;
}

/* Rings that no counter came to (a thread that ended early) are taken out, and their fds. */
static void drop_unused(struct rings *rings)
{
	u32 nr = 0, nr_fds = 0;

	for (u32 i = 0; i < rings->nr_fds; i++) {
		if (rings->fds[i].fd < 0)
			continue;
		rings->fd_cpus[nr_fds] = rings->fd_cpus[i];
		rings->fds[nr_fds++] = rings->fds[i];
	}
	rings->nr_fds = nr_fds;

	for (u32 i = 0; i < rings->nr; i++)
		if (rings->rings[i].page)
			rings->rings[nr++] = rings->rings[i];
	rings->nr = nr;
}

int rings__map(struct rings *rings, struct evlist *list, const struct cpu_map *cpus,
               const struct thread_map *threads, u64 size, struct error *err)
{
	bool per_thread = cpus->nr == 1 && cpus->cpus[0] == CPU_ANY;
	u32 nr = per_thread ? threads->nr : cpus->nr;
	int ret = 0;

	BUG_ON(size & (size - 1));
	rings->nr = 2 * nr;
	rings->rings = xcalloc(nr ? 2 * nr : 1, sizeof(*rings->rings));
	for (u32 i = 0; i < 2 * nr; i++) {
		rings->rings[i].cpu = per_thread ? CPU_ANY : cpus->cpus[i % nr];
		rings->rings[i].tid = per_thread         ? threads->tids[i % nr]
		                      : threads->nr == 1 ? threads->tids[0]
		                                         : THREAD_ALL;
		rings->rings[i].overwrite = i >= nr;
	}
	rings->nr_fds = 2 * cpus->nr * threads->nr;
	rings->fds = xcalloc(rings->nr_fds ? rings->nr_fds : 1, sizeof(*rings->fds));
	rings->fd_cpus = xcalloc(rings->nr_fds ? rings->nr_fds : 1, sizeof(*rings->fd_cpus));
	for (u32 i = 0; i < rings->nr_fds; i++)
		rings->fds[i] = (struct pollfd){ .fd = -1, .events = POLLIN };
	for (u32 i = 0; !ret && i < list->nr; i++)
		ret = map_evsel(rings, list->evsels[i], cpus, per_thread, size, err);
	drop_unused(rings);
	if (ret)
		rings__unmap(rings);
	return ret;
}

/* That of a CPU, or without CPUs of a thread; NULL: there is none. */
static const struct ring *find_ring(const struct rings *rings, s32 cpu, s32 tid)
{
	for (u32 i = 0; i < rings->nr; i++) {
		const struct ring *ring = &rings->rings[i];

		if (!ring->overwrite && ring->cpu == cpu && (cpu != CPU_ANY || ring->tid == tid))
			return ring;
	}
	return NULL;
}

int rings__add(struct rings *rings, const struct evsel *evsel, const struct cpu_map *cpus,
               const struct thread_map *threads, struct error *err)
{
	for (u32 i = 0; i < evsel->nr_cpus * evsel->nr_threads; i++) {
		const struct ring *ring = find_ring(rings, cpus->cpus[i / evsel->nr_threads],
		                                    threads->tids[i % evsel->nr_threads]);

		if (evsel->fds[i] < 0)
			continue;
		if (!ring || ioctl(evsel->fds[i], PERF_EVENT_IOC_SET_OUTPUT, ring->fd))
			return error__set(err, ring ? -errno : -ESRCH,
			                  "cannot send a counter to the ring buffer", NULL, NULL);
	}
	return 0;
}

void rings__unmap(struct rings *rings)
{
	for (u32 i = 0; i < rings->nr; i++)
		munmap(rings->rings[i].page, page_size() + rings->rings[i].size);
	rings__drop_part(rings);
}

void rings__take_part(struct rings *part, const struct rings *all, const struct cpu_map *cpus,
                      bool others)
{
	*part = (struct rings){
		.rings = xcalloc(all->nr + 1, sizeof(*part->rings)),
		.fds = xcalloc(all->nr_fds + 1, sizeof(*part->fds)),
		.fd_cpus = xcalloc(all->nr_fds + 1, sizeof(*part->fd_cpus)),
	};
	for (u32 i = 0; i < all->nr; i++)
		if ((cpu_map__index(cpus, all->rings[i].cpu) >= 0) != others)
			part->rings[part->nr++] = all->rings[i];
	for (u32 i = 0; i < all->nr_fds; i++) {
		if ((cpu_map__index(cpus, all->fd_cpus[i]) >= 0) == others)
			continue;
		part->fd_cpus[part->nr_fds] = all->fd_cpus[i];
		part->fds[part->nr_fds++] = all->fds[i];
	}
}

void rings__drop_part(struct rings *part)
{
	free(part->rings);
	free(part->fds);
	free(part->fd_cpus);
	*part = (struct rings)RINGS_INIT;
}
