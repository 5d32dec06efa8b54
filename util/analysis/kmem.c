// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Numbers as Linux's perf 6.1 counts them: what is freed without having been allocated in the
 * recording counts nowhere in slab, and apart in pages; memory that is allocated twice without a
 * free between (it was lost) belongs to the later caller.
 */
#include "util/analysis/kmem.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"
#include "util/reader/features.h"
#include "util/stream/frame_walk.h"
#include "util/trace/trace_blob.h"
#include "util/trace/trace_text.h"

/* Fields of the handlers below, by their place in the list. */
enum { CALL_SITE, PTR, BYTES_REQ, BYTES_ALLOC, NODE };
enum { FREE_PTR };
enum { PFN, PAGE_ORDER, MIGRATE_TYPE, GFP_FLAGS };

/* What knows names while the samples are read. */
struct kmem_names {
	struct session_symbols *symbols;
	struct u64map allocators; /* address -> is it in a function that hands pages on? */
	struct trace_text *text;  /* NULL: there are no formats */
	bool swap;
};

/* What the handlers get. */
struct collecting {
	struct kmem *kmem;
	struct kmem_names names;
};

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
	struct kmem *kmem = ((struct collecting *)ctx)->kmem;
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
	struct kmem *kmem = ((struct collecting *)ctx)->kmem;

	on_alloc(ctx, s);
	kmem->nr_cross += trace_sample__s64(s, NODE) != node_of(kmem, s->s->sample->cpu);
}

static void on_free(void *ctx, const struct trace_sample *s)
{
	struct kmem *kmem = ((struct collecting *)ctx)->kmem;
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

/* ---- pages ---- */

static bool is_allocator(struct kmem_names *names, u64 addr)
{
	u32 *known = u64map__at(&names->allocators, addr);
	u64 offset;

	if (*known == ID_NONE) {
		const char *name = session_symbols__kernel_name(names->symbols, addr, &offset);

		*known = name && kmem_pages__is_allocator(name);
	}
	return *known;
}

/* The innermost function of the kernel that is none of the allocator's. */
static u64 caller_of(struct kmem_names *names, const struct sample *sample)
{
	struct frame_walk walk = frame_walk__begin(sample, names->swap);
	struct frame frame;

	while (frame_walk__next(&walk, &frame) && frame.cpumode == PERF_RECORD_MISC_KERNEL)
		if (!is_allocator(names, frame.ip))
			return frame.ip;
	return sample->ip;
}

/* The kernel's own text has the names: "... gfp_flags=GFP_KERNEL|__GFP_ZERO". */
static void name_gfp(struct kmem *kmem, struct kmem_names *names, const struct trace_sample *s,
                     u64 gfp)
{
	static const char field[] = "gfp_flags=";
	const struct sample *sample = s->s->sample;
	struct out out;

	out__init(&out, -1);
	if (names->text)
		trace_text__print(names->text, trace_text__event(names->text, s->s->evsel), &out,
		                  sample->raw, sample->raw_size, sample->cpu);
	const char *text = strstr(out__take(&out), field);

	text = text ? text + strlen(field) : "";
	if (*text)
		kmem_pages__name_gfp(&kmem->pages, gfp, text, strcspn(text, " "));
	else {
		char hex[32];

		snprintf(hex, sizeof(hex), "%#llx", (unsigned long long)gfp);
		kmem_pages__name_gfp(&kmem->pages, gfp, hex, strlen(hex));
	}
	out__exit(&out);
}

static void on_page_alloc(void *ctx, const struct trace_sample *s)
{
	struct collecting *collecting = ctx;
	struct kmem *kmem = collecting->kmem;
	u64 order = trace_sample__u64(s, PAGE_ORDER);
	u64 type = trace_sample__u64(s, MIGRATE_TYPE), bytes = (u64)kmem->page_size << (order & 31);
	struct kmem_page_row page = { .at = trace_sample__u64(s, PFN),
		                      .gfp = trace_sample__u64(s, GFP_FLAGS),
		                      .bytes = bytes,
		                      .order = order,
		                      .type = type };

	kmem->page_allocs.nr++;
	kmem->page_allocs.bytes += bytes;
	if (page.at == UINT64_MAX) {
		kmem->failed.nr++;
		kmem->failed.bytes += bytes;
		return;
	}
	if (kmem->pages.tables)
		page.caller = caller_of(&collecting->names, s->s->sample);
	if (kmem_pages__wants_gfp(&kmem->pages, page.gfp))
		name_gfp(kmem, &collecting->names, s, page.gfp);
	kmem_pages__take(&kmem->pages, &page);
	if (order < KMEM_ORDERS && type < KMEM_MIGRATE_TYPES)
		kmem->orders[order][type]++;
}

static void on_page_free(void *ctx, const struct trace_sample *s)
{
	struct kmem *kmem = ((struct collecting *)ctx)->kmem;
	u64 order = trace_sample__u64(s, PAGE_ORDER), bytes = (u64)kmem->page_size << (order & 31);

	kmem->page_frees.nr++;
	kmem->page_frees.bytes += bytes;
	const struct kmem_page_row *taken =
	        kmem_pages__give_back(&kmem->pages, trace_sample__u64(s, PFN), order);

	if (!taken)
		return;
	kmem->matched.nr++;
	kmem->matched.bytes += bytes;
	if (kmem->pages.only_live && taken->order < KMEM_ORDERS &&
	    (u32)taken->type < KMEM_MIGRATE_TYPES && kmem->orders[taken->order][taken->type])
		kmem->orders[taken->order][taken->type]--;
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
	{ "kmem:mm_page_alloc", "pfn order migratetype ?gfp_flags", on_page_alloc, true },         \
	{                                                                                          \
		"kmem:mm_page_free", "pfn order", on_page_free, true                               \
	}

static const struct trace_handler slab[] = { SLAB_EVENTS, { NULL } };
static const struct trace_handler page[] = { PAGE_EVENTS, { NULL } };
static const struct trace_handler both[] = { SLAB_EVENTS, PAGE_EVENTS, { NULL } };

const struct trace_handler *kmem__handlers(unsigned what)
{
	what &= KMEM_SLAB | KMEM_PAGE;
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
                  struct session_symbols *symbols, const struct sample_filter *filter,
                  struct read_problems *problems, struct error *err)
{
	struct handlers *handlers =
	        handlers__bind(session, kmem__handlers(what), KMEM_RECORD_LINE, err);
	struct collecting collecting = {
		kmem, { .symbols = symbols, .swap = perf_data__swapped(session->data) }
	};
	bool tables = what & KMEM_PAGE_TABLES;
	int ret;

	*kmem = (struct kmem){ .page_size = page_size_of(session),
		               .pages = { .tables = tables, .only_live = what & KMEM_LIVE } };
	if (!handlers)
		return -ENODATA;
	if (tables)
		collecting.names.text =
		        trace_text__new(session->data, session->stats.samples_of, NULL, NULL, NULL);
	kmem->nodes = perf_data__nodes(session->data, &kmem->nr_cpus);
	ret = handlers__run(handlers, filter, tables ? STREAM_ALL_AND_CHAIN : STREAM_RAW, 0,
	                    &collecting, err);
	kmem_pages__sort_gfps(&kmem->pages);
	if (problems)
		*problems = *handlers__problems(handlers);
	if (problems)
		problems->nr_broken += handlers__nr_short(handlers);
	trace_text__delete(collecting.names.text);
	u64map__exit(&collecting.names.allocators);
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
	kmem_pages__exit(&kmem->pages);
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
