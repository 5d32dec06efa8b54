// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/counter/id_check.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "util/counter/open.h"
#include "util/counter/ring.h"

struct check {
	struct evlist list;
	struct opener opener;
	struct cpu_map cpus;       /* any CPU */
	struct thread_map threads; /* this one */
	struct rings rings;
};

/* As they are asked for. */
struct sample {
	struct perf_event_header header;
	u64 id;
};

/* A page that nobody has touched, touched. */
static int fault(size_t page_size)
{
	volatile u8 *page =
	        mmap(NULL, page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (page == MAP_FAILED)
		return -errno;
	*page = 1;
	munmap((void *)page, page_size);
	return 0;
}

/* The ids of the first two samples. False: there are no two. */
static bool first_ids(struct ring *ring, u64 ids[2])
{
	struct ring_span spans[2];
	u32 nr = 0;

	ring__read(ring, spans); /* it was empty, so nothing wraps */
	for (size_t at = 0; nr < 2 && at + sizeof(struct sample) <= spans[0].len;) {
		struct sample sample;

		memcpy(&sample, spans[0].data + at, sizeof(sample));
		if (sample.header.size < sizeof(sample.header))
			break;
		if (sample.header.type == PERF_RECORD_SAMPLE)
			ids[nr++] = sample.id;
		at += sample.header.size;
	}
	return nr == 2;
}

static int look(struct check *check, struct error *err)
{
	struct evsel **evsels = check->list.evsels;
	size_t page_size = sysconf(_SC_PAGESIZE);
	u64 ids[2];
	int ret = rings__map(&check->rings, &check->list, &check->cpus, &check->threads, page_size,
	                     err);

	for (u32 i = 0; i < 2 && !ret; i++)
		ret = evsel__enable(evsels[i]);
	if (!ret)
		ret = fault(page_size);
	for (u32 i = 0; i < 2 && !ret; i++)
		ret = evsel__disable(evsels[i]);
	if (ret)
		return ret;
	return first_ids(&check->rings.rings[0], ids) ? ids[0] == ids[1] : -ENODATA;
}

int id_check__are_shared(void)
{
	struct check check = { .rings = RINGS_INIT };
	struct error err = ERROR_INIT; /* of which only the number counts */
	const struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_PAGE_FAULTS,
		.size = sizeof(attr),
		.sample_type = PERF_SAMPLE_IDENTIFIER,
		.sample_period = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.disabled = 1,
	};

	opener__init(&check.opener);
	cpu_map__add(&check.cpus, CPU_ANY);
	thread_map__add(&check.threads, syscall(SYS_gettid));
	for (u32 i = 0; i < 2; i++)
		evlist__add(&check.list, &attr, "page-faults:u");
	int ret = evlist__open(&check.opener, &check.list, &check.cpus, &check.threads, &err);

	if (!ret)
		ret = look(&check, &err);
	rings__unmap(&check.rings);
	evlist__exit(&check.list);
	opener__exit(&check.opener);
	cpu_map__exit(&check.cpus);
	thread_map__exit(&check.threads);
	return ret;
}
