// SPDX-License-Identifier: GPL-2.0-or-later
#include "selftest/meter.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "util/lib/alloc.h"

int meter__init(struct meter *meter, const char *events, struct error *err)
{
	*meter = (struct meter){ .sources = EVENT_SOURCES_INIT, .rings = RINGS_INIT };
	opener__init(&meter->opener);
	cpu_map__add(&meter->cpus, CPU_ANY);
	thread_map__add(&meter->threads, syscall(SYS_gettid));
	if (evlist__parse(&meter->list, &meter->sources, events, err))
		return err->code;
	for (u32 i = 0; i < meter->list.nr; i++) {
		struct evsel *evsel = meter->list.evsels[i];

		evsel->attr.read_format = COUNTS_READ_FORMAT;
		evsel->attr.disabled = evsel->leader == evsel->idx;
		evsel->attr.sample_id_all = 1;
	}
	return 0;
}

int meter__open(struct meter *meter, u64 ring_size, struct error *err)
{
	int ret = evlist__open(&meter->opener, &meter->list, &meter->cpus, &meter->threads, err);

	if (ret || !ring_size)
		return ret;
	ring_size = max_u64(ring_size, touch__page_size());
	return rings__map(&meter->rings, &meter->list, &meter->cpus, &meter->threads, ring_size,
	                  err);
}

void meter__exit(struct meter *meter)
{
	rings__unmap(&meter->rings);
	evlist__exit(&meter->list);
	opener__exit(&meter->opener);
	cpu_map__exit(&meter->cpus);
	thread_map__exit(&meter->threads);
	event_sources__exit(&meter->sources);
	free(meter->bytes);
}

static int for_leaders(struct meter *meter, int (*fn)(struct evsel *evsel))
{
	int ret = 0;

	for (u32 i = 0; i < meter->list.nr && !ret; i++)
		if (meter->list.evsels[i]->leader == i)
			ret = fn(meter->list.evsels[i]);
	return ret;
}

int meter__enable(struct meter *meter)
{
	return for_leaders(meter, evsel__enable);
}

int meter__disable(struct meter *meter)
{
	return for_leaders(meter, evsel__disable);
}

int meter__read(const struct meter *meter, u32 event, struct counts *counts, struct error *err)
{
	return evsel__read_counts(meter->list.evsels[event], false, counts, err);
}

static bool whole_records(const u8 *data, u64 len)
{
	u16 size;

	for (u64 at = 0; at < len; at += size) {
		if (len - at < RECORD_HEADER_SIZE)
			return false;
		size = load_u16(data + at + 6, false);
		if (size < RECORD_HEADER_SIZE || size > len - at)
			return false;
	}
	return true;
}

int meter__take(struct meter *meter, struct data_block *block)
{
	u64 total = 0, at = 0;

	for (u32 i = 0; i < meter->rings.nr; i++)
		total += meter->rings.rings[i].size;
	free(meter->bytes);
	meter->bytes = xmalloc(total);
	for (u32 i = 0; i < meter->rings.nr; i++) {
		struct ring_span spans[2];
		u64 len = ring__read(&meter->rings.rings[i], spans);

		memcpy(meter->bytes + at, spans[0].data, spans[0].len);
		memcpy(meter->bytes + at + spans[0].len, spans[1].data, spans[1].len);
		ring__consume(&meter->rings.rings[i], len);
		at += len;
	}
	*block = (struct data_block){ .data = meter->bytes, .len = at };
	return whole_records(block->data, at) ? 0 : -EBADMSG;
}

size_t touch__page_size(void)
{
	return sysconf(_SC_PAGESIZE);
}

u8 *touch__map(u32 nr)
{
	size_t size = nr * touch__page_size();
	void *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (pages == MAP_FAILED)
		return NULL;
	madvise(pages, size, MADV_NOHUGEPAGE); /* one fault would bring many */
	return pages;
}

/* Sanitizers would touch pages of their own for ours. */
__attribute__((no_sanitize_address, no_sanitize_thread)) void touch__each(u8 *pages, u32 nr)
{
	size_t size = touch__page_size();

	for (u32 i = 0; i < nr; i++)
		((volatile u8 *)pages)[i * size] = 1;
}

void touch__free(u8 *pages, u32 nr)
{
	if (pages)
		munmap(pages, nr * touch__page_size());
}
