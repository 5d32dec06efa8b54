// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Numbers as Linux's perf 6.1 counts them: what is freed without having been allocated in the
 * recording counts nowhere in slab, and apart in pages; memory that is allocated twice without a
 * free between (it was lost) belongs to the later caller.
 */
#include "util/analysis/kmem.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"
#include "util/reader/features.h"
#include "util/trace/trace_blob.h"

/* Fields of the handlers below, by their place in the list. */
enum { CALL_SITE, PTR, BYTES_REQ, BYTES_ALLOC, NODE };
enum { FREE_PTR };
enum { PFN, PAGE_ORDER, MIGRATE_TYPE };

static u32 row_of(struct kmem_rows *rows, u64 key)
{
	u32 *at = u64map__at(&rows->by_key, key);

	if (likely(*at != ID_NONE))
		return *at;
	array__reserve(&rows->rows, &rows->cap, rows->nr + 1, sizeof(*rows->rows));
	rows->rows[rows->nr] = (struct kmem_row){ .key = key, .last_cpu = -1 };
	return *at = rows->nr++;
}

static void add(struct kmem_row *row, u64 requested, u64 allocated)
{
	row->requested += requested;
	row->allocated += allocated;
	row->hits++;
}

/* 0, as on machines with one node, for CPUs that the file does not tell of. */
static s32 node_of(const struct kmem *kmem, u32 cpu)
{
	return cpu < kmem->nr_cpus ? kmem->nodes[cpu] : 0;
}

static void on_alloc(void *ctx, const struct trace_sample *s)
{
	struct kmem *kmem = ctx;
	u64 requested = trace_sample__u64(s, BYTES_REQ),
	    allocated = trace_sample__u64(s, BYTES_ALLOC);
	u32 caller = row_of(&kmem->callers, trace_sample__u64(s, CALL_SITE));
	u32 at = row_of(&kmem->memory, trace_sample__u64(s, PTR));
	struct kmem_row *memory = &kmem->memory.rows[at];

	add(&kmem->callers.rows[caller], requested, allocated);
	add(memory, requested, allocated);
	memory->last_bytes = allocated;
	memory->last_caller = caller;
	memory->last_cpu = s->s->sample->cpu;
	kmem->requested += requested;
	kmem->allocated += allocated;
	kmem->nr_allocs++;
}

static void on_alloc_for_node(void *ctx, const struct trace_sample *s)
{
	struct kmem *kmem = ctx;

	on_alloc(ctx, s);
	kmem->nr_cross += trace_sample__s64(s, NODE) != node_of(kmem, s->s->sample->cpu);
}

static void on_free(void *ctx, const struct trace_sample *s)
{
	struct kmem *kmem = ctx;
	u32 at = u64map__get(&kmem->memory.by_key, trace_sample__u64(s, FREE_PTR));
	struct kmem_row *memory;

	if (at == ID_NONE)
		return;
	memory = &kmem->memory.rows[at];
	kmem->freed += memory->last_bytes;
	if (memory->last_cpu != (s32)s->s->sample->cpu) {
		memory->ping_pong++;
		kmem->callers.rows[memory->last_caller].ping_pong++;
	}
	memory->last_cpu = -1;
}

static void on_page_alloc(void *ctx, const struct trace_sample *s)
{
	struct kmem *kmem = ctx;
	u64 page = trace_sample__u64(s, PFN), order = trace_sample__u64(s, PAGE_ORDER);
	u64 type = trace_sample__u64(s, MIGRATE_TYPE), bytes = (u64)kmem->page_size << (order & 31);

	kmem->page_allocs.nr++;
	kmem->page_allocs.bytes += bytes;
	if (page == UINT64_MAX) {
		kmem->failed.nr++;
		kmem->failed.bytes += bytes;
		return;
	}
	*u64map__at(&kmem->live, page) = 1;
	if (order < KMEM_ORDERS && type < KMEM_MIGRATE_TYPES)
		kmem->orders[order][type]++;
}

static void on_page_free(void *ctx, const struct trace_sample *s)
{
	struct kmem *kmem = ctx;
	u64 bytes = (u64)kmem->page_size << (trace_sample__u64(s, PAGE_ORDER) & 31);
	u32 *live = u64map__at(&kmem->live, trace_sample__u64(s, PFN));

	kmem->page_frees.nr++;
	kmem->page_frees.bytes += bytes;
	if (*live == 1) {
		kmem->matched.nr++;
		kmem->matched.bytes += bytes;
	}
	*live = 0;
}

#define ALLOC_FIELDS "call_site ptr bytes_req bytes_alloc ?node"

/* Kernels before 6.0 have events of their own for a wanted node. */
#define SLAB_EVENTS                                                                                \
	{ "kmem:kmalloc", ALLOC_FIELDS, on_alloc, true },                                          \
	        { "kmem:kmalloc_node", ALLOC_FIELDS, on_alloc_for_node, true },                    \
	        { "kmem:kfree", "ptr", on_free, true },                                            \
	        { "kmem:kmem_cache_alloc", ALLOC_FIELDS, on_alloc, true },                         \
	        { "kmem:kmem_cache_alloc_node", ALLOC_FIELDS, on_alloc_for_node, true },           \
	{                                                                                          \
		"kmem:kmem_cache_free", "ptr", on_free, true                                       \
	}

#define PAGE_EVENTS                                                                                \
	{ "kmem:mm_page_alloc", "pfn order migratetype", on_page_alloc, true },                    \
	{                                                                                          \
		"kmem:mm_page_free", "pfn order", on_page_free, true                               \
	}

static const struct trace_handler slab[] = { SLAB_EVENTS, { NULL } };
static const struct trace_handler page[] = { PAGE_EVENTS, { NULL } };
static const struct trace_handler both[] = { SLAB_EVENTS, PAGE_EVENTS, { NULL } };

const struct trace_handler *kmem__handlers(unsigned what)
{
	return what == KMEM_SLAB ? slab : what == KMEM_PAGE ? page : both;
}

static void keep_page_size(void *ctx, bool big_endian, unsigned long_size, u32 page_size)
{
	(void)big_endian;
	(void)long_size;
	*(u32 *)ctx = page_size;
}

static u32 page_size_of(const struct session *session)
{
	u32 page_size = 0;
	const struct trace_blob_reader reader = { .machine = keep_page_size, .ctx = &page_size };
	size_t size;
	const void *blob = perf_data__feature(session->data, FEATURE_TRACING_DATA, &size);

	if (blob)
		trace_blob__read(blob, size, &reader);
	return page_size && !(page_size & (page_size - 1)) ? page_size : 4096;
}

int kmem__collect(struct kmem *kmem, const struct session *session, unsigned what,
                  const struct sample_filter *filter, struct read_problems *problems,
                  struct error *err)
{
	struct handlers *handlers =
	        handlers__bind(session, kmem__handlers(what), KMEM_RECORD_LINE, err);
	int ret;

	*kmem = (struct kmem){ .page_size = page_size_of(session) };
	if (!handlers)
		return -ENODATA;
	kmem->nodes = perf_data__nodes(session->data, &kmem->nr_cpus);
	ret = handlers__run(handlers, filter, STREAM_RAW, 0, kmem, err);
	if (problems)
		*problems = *handlers__problems(handlers);
	if (problems)
		problems->nr_broken += handlers__nr_short(handlers);
	handlers__delete(handlers);
	return ret;
}

static void kmem_rows__exit(struct kmem_rows *rows)
{
	free(rows->rows);
	u64map__exit(&rows->by_key);
}

void kmem__exit(struct kmem *kmem)
{
	kmem_rows__exit(&kmem->callers);
	kmem_rows__exit(&kmem->memory);
	u64map__exit(&kmem->live);
	free(kmem->nodes);
}

double kmem__waste(u64 requested, u64 allocated)
{
	return allocated ? 100.0 - 100.0 * requested / allocated : 0;
}

struct order {
	const enum kmem_key *keys;
	u32 nr;
};

static int compare(const void *a, const void *b, void *ctx)
{
	const struct kmem_row *x = a, *y = b;
	const struct order *order = ctx;

	for (u32 i = 0; i < order->nr; i++) {
		double p = 0, q = 0;
		u64 m = 0, n = 0;

		switch (order->keys[i]) {
		case KMEM_KEY:
			m = x->key, n = y->key;
			break;
		case KMEM_BYTES:
			m = x->allocated, n = y->allocated;
			break;
		case KMEM_HITS:
			m = x->hits, n = y->hits;
			break;
		case KMEM_PING_PONG:
			m = x->ping_pong, n = y->ping_pong;
			break;
		case KMEM_FRAG:
			p = kmem__waste(x->requested, x->allocated);
			q = kmem__waste(y->requested, y->allocated);
			break;
		}
		if (m != n)
			return m > n ? -1 : 1;
		if (p != q)
			return p > q ? -1 : 1;
	}
	return x->key < y->key ? -1 : x->key > y->key;
}

void kmem_rows__sort(struct kmem_rows *rows, const enum kmem_key *keys, u32 nr)
{
	struct order order = { keys, nr };

	if (rows->nr)
		qsort_r(rows->rows, rows->nr, sizeof(*rows->rows), compare, &order);
}
