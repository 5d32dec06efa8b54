// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/counter/opener.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "util/lib/alloc.h"

static int real_open(void *ctx, struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd,
                     unsigned long flags)
{
	int fd = syscall(SYS_perf_event_open, attr, pid, cpu, group_fd, flags);

	(void)ctx;
	return fd < 0 ? -errno : fd;
}

void opener__init(struct opener *opener)
{
	*opener = (struct opener){ .open = real_open, .has_counters = -1 };
}

void opener__exit(struct opener *opener)
{
	for (u32 i = 0; i < opener->nr_notes; i++)
		free(opener->notes[i]);
	free(opener->notes);
	opener->notes = NULL;
	opener->nr_notes = 0;
	opener->notes_cap = 0;
}

const struct access *opener__access(struct opener *opener)
{
	if (!opener->has_access)
		access__read(&opener->access, "");
	opener->has_access = true;
	return &opener->access;
}

void opener__note(struct opener *opener, char *note)
{
	array__reserve(&opener->notes, &opener->notes_cap, opener->nr_notes + 1,
	               sizeof(*opener->notes));
	opener->notes[opener->nr_notes++] = note;
}

int opener__ask(struct opener *opener, u32 type, u64 config)
{
	struct perf_event_attr attr = {
		.type = type,
		.config = config,
		.size = PERF_ATTR_SIZE_VER0,
		.disabled = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	int fd = opener->open(opener->ctx, &attr, 0, -1, -1, 0);

	if (fd >= 0)
		close(fd);
	return fd;
}

bool opener__reads_children(struct opener *opener)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.size = PERF_ATTR_SIZE_VER0,
		.sample_period = 1,
		.sample_type = PERF_SAMPLE_READ | PERF_SAMPLE_TID,
		.disabled = 1,
		.inherit = 1,
		.exclude_kernel = 1,
	};
	int fd = opener->open(opener->ctx, &attr, 0, -1, -1, 0);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

bool opener__has_counters(struct opener *opener)
{
	if (opener->has_counters >= 0)
		return opener->has_counters;
	int fd = opener__ask(opener, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES);

	opener->has_counters =
	        fd >= 0 || !(fd == -ENOENT || fd == -ENODEV || fd == -EOPNOTSUPP || fd == -ENXIO);
	return opener->has_counters;
}
