// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/bpf_filter/bpf_filters.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "util/bpf_filter/bpf_calls.h"
#include "util/bpf_filter/filter_map.h"
#include "util/bpf_filter/filter_pins.h"
#include "util/lib/alloc.h"

#define WHAT "cannot filter the samples of"

int bpf_filters__open(struct bpf_filters *filters, u32 nr, struct error *err)
{
	struct error none = ERROR_INIT;
	int ret, pin_ret;

	*filters = (struct bpf_filters)BPF_FILTERS_INIT;
	ret = filter_kernel__load(&filters->kernel, nr, err);
	if (ret != -EPERM && ret != -EACCES)
		return ret;
	pin_ret = filter_pins__get(&filters->kernel, &none);
	if (!pin_ret) {
		if (err)
			*err = (struct error)ERROR_INIT;
		filter_map__tidy(filters->kernel.map);
		return 0;
	}
	if (pin_ret != -ENOENT) {
		if (err)
			*err = none;
		return pin_ret;
	}
	return error__advise(err, "run as root; or as root, once: perf record --setup-filter pin");
}

int bpf_filters__attach(struct bpf_filters *filters, const struct filter_expression *filter, int fd,
                        u64 id, u32 event, const char *name, struct error *err)
{
	struct filter_entry entry;
	int ret;

	memset(&entry, 0, sizeof(entry));
	entry.nr = filter->nr;
	memcpy(entry.comparisons, filter->comparisons, sizeof(entry.comparisons));
	filter_entry__own(&entry);
	ret = bpf_call__add(filters->kernel.map, &id, &entry);
	if (ret == -E2BIG) {
		error__set(err, ret, WHAT, name, "all %d places for filtered counters are taken",
		           FILTER_PLACES);
		return error__advise(err, "filter fewer events, or fewer CPUs (-C)");
	}
	if (ret)
		return error__set(err, ret, WHAT, name, NULL);
	array__reserve(&filters->counters, &filters->cap, filters->nr + 1,
	               sizeof(*filters->counters));
	filters->counters[filters->nr++] = (struct filtered){ id, event };
	if (ioctl(fd, PERF_EVENT_IOC_SET_BPF, filters->kernel.program))
		return error__set(err, -errno, WHAT, name,
		                  errno == EINVAL ? "the kernel takes no BPF program for this event"
		                                  : NULL);
	return 0;
}

u64 bpf_filters__nr_dropped(const struct bpf_filters *filters, u32 event)
{
	struct filter_entry entry;
	u64 nr = 0;

	for (u32 i = 0; i < filters->nr; i++)
		if (filters->counters[i].event == event &&
		    !bpf_call__lookup(filters->kernel.map, &filters->counters[i].id, &entry))
			nr += entry.dropped;
	return nr;
}

void bpf_filters__close(struct bpf_filters *filters)
{
	for (u32 i = 0; filters->kernel.pinned && i < filters->nr; i++)
		bpf_call__remove(filters->kernel.map, &filters->counters[i].id);
	filter_kernel__close(&filters->kernel);
	free(filters->counters);
	*filters = (struct bpf_filters)BPF_FILTERS_INIT;
}

/* ---- the proof ---- */

/* One page fault. */
static int touch(void)
{
	size_t size = sysconf(_SC_PAGESIZE);
	char *page = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (page == MAP_FAILED)
		return -errno;
	*(volatile char *)page = 1;
	munmap(page, size);
	return 0;
}

static int try_on(struct bpf_filters *filters, int fd, struct error *err)
{
	struct filter_expression filter;
	u64 id;
	int ret = filter_expression__parse(&filter, "cpu == 0xffffffffffffffff", err);

	if (!ret && ioctl(fd, PERF_EVENT_IOC_ID, &id))
		ret = error__set(err, -errno, WHAT, "page-faults", NULL);
	if (!ret)
		ret = bpf_filters__attach(filters, &filter, fd, id, 0, "page-faults", err);
	if (!ret && (ioctl(fd, PERF_EVENT_IOC_ENABLE, 0) || touch() ||
	             ioctl(fd, PERF_EVENT_IOC_DISABLE, 0)))
		ret = error__set(err, -errno, WHAT, "page-faults", NULL);
	if (!ret && !bpf_filters__nr_dropped(filters, 0))
		ret = error__set(err, -EIO, WHAT, "page-faults", "the program did not run");
	return ret;
}

int bpf_filters__try(bool *pinned, struct error *err)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_PAGE_FAULTS,
		.size = PERF_ATTR_SIZE_VER5,
		.sample_period = 1,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_CPU,
		.disabled = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	struct bpf_filters filters;
	int ret = bpf_filters__open(&filters, 1, err), fd;

	if (ret)
		return ret;
	*pinned = filters.kernel.pinned;
	fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	ret = fd < 0 ? error__set(err, -errno, "cannot open", "page-faults", NULL)
	             : try_on(&filters, fd, err);
	if (fd >= 0)
		close(fd);
	bpf_filters__close(&filters);
	return ret;
}
