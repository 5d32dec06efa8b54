/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the kernel's allocators did, from the tracepoints kmem:*: who asked for slab memory and how
 * much of it was wasted, and how many pages were taken and given back.
 */
#ifndef PERF_UTIL_ANALYSIS_KMEM_H
#define PERF_UTIL_ANALYSIS_KMEM_H

#include "util/analysis/handlers.h"
#include "util/analysis/kmem_pages.h"
#include "util/lib/hash.h"
#include "util/symbol/session_symbols.h"

/* The allocations of one caller, or those that got one address. Bytes; sums over all hits. */
struct kmem_row {
	u64 key; /* address of the code behind the call; or of the memory */
	u64 requested, allocated;
	u64 hits;
	u64 ping_pong;   /* freed on another CPU than they were allocated on */
	u64 last_bytes;  /* of memory: of its last allocation ... */
	u32 last_caller; /* ... whose row this is */
	s32 last_cpu;    /* -1: it was freed */
};

struct kmem_rows {
	struct kmem_row *rows; /* in the order of their first allocation */
	size_t nr, cap;
	struct u64map by_key;
};

#define KMEM_ORDERS        11 /* orders of pages that are counted apart; higher ones are not */
#define KMEM_MIGRATE_TYPES 5  /* unmovable, reclaimable, movable, reserved, CMA or isolated */

struct kmem_count {
	u64 nr, bytes;
};

struct kmem {
	/* Slab. */
	struct kmem_rows callers, memory;
	u64 requested, allocated, freed; /* freed: of what was allocated in the recording */
	u64 nr_allocs;
	u64 nr_cross; /* of the events *_node: another node than that of the CPU; any node is
	                 another */
	s32 *nodes;   /* by CPU */
	u32 nr_cpus;
	/* Pages. */
	struct kmem_count page_allocs, page_frees, matched, failed;
	u64 orders[KMEM_ORDERS][KMEM_MIGRATE_TYPES];
	struct kmem_pages pages;
	u32 page_size; /* of the recording machine */
};

enum kmem_what {
	KMEM_SLAB = 1u << 0,
	KMEM_PAGE = 1u << 1,
	KMEM_PAGE_TABLES = 1u << 2, /* with KMEM_PAGE: pages and callers one by one */
	KMEM_LIVE = 1u << 3,        /* with that: callers and orders of what was not given back */
};

#define KMEM_RECORD_LINE "perf kmem record"

/* The events of @what, in the order in which perf kmem record names them; NULL at the end. */
const struct trace_handler *kmem__handlers(unsigned what);

/*
 * Read @session, which was scanned; @symbols tell which functions hand pages on. 0, or a negative
 * errno with @err (the events are missing; the file cannot be read to its end). Call kmem__exit()
 * in any case. @problems may be NULL.
 */
int kmem__collect(struct kmem *kmem, const struct session *session, unsigned what,
                  struct session_symbols *symbols, const struct sample_filter *filter,
                  struct read_problems *problems, struct error *err);
void kmem__exit(struct kmem *kmem);

#define KMEM_KEYS_MAX 6

enum kmem_key { KMEM_KEY, KMEM_BYTES, KMEM_HITS, KMEM_PING_PONG, KMEM_FRAG };

/* By each of the @nr keys in turn, the highest first; equal ones by address, the lowest first. */
void kmem_rows__sort(struct kmem_rows *rows, const enum kmem_key *keys, u32 nr);

/* The part of what was allocated that nobody asked for, in percent; 0 of nothing. */
double kmem__waste(u64 requested, u64 allocated);

#endif
