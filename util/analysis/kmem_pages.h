/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pages that were taken and given back: by page, by who took them, and those that are still taken.
 */
#ifndef PERF_UTIL_ANALYSIS_KMEM_PAGES_H
#define PERF_UTIL_ANALYSIS_KMEM_PAGES_H

#include "util/lib/hash.h"

/* Allocations of one page, or by one caller, of one kind. */
struct kmem_page_row {
	u64 at;     /* the page's number, or the caller */
	u64 caller; /* of a page: the last one */
	u64 gfp;    /* flags */
	u64 bytes, hits;
	u32 order;
	s32 type; /* the kernel's migrate type */
	u32 next; /* private: another row with the same hash */
};

struct kmem_page_rows {
	struct kmem_page_row *rows; /* those without hits are as if they were not there */
	size_t nr, cap;
	struct u64map by_hash;
};

/* Flags, as the kernel calls them and as tables do: "GFP_KERNEL|__GFP_ZERO", "K|Z". Owned. */
struct kmem_gfp {
	u64 flags;
	char *text, *brief;
};

struct kmem_pages {
	struct kmem_page_rows live;    /* what is not freed yet: a row for each page */
	struct kmem_page_rows pages;   /* all: by page, order, type and flags */
	struct kmem_page_rows callers; /* by caller, order, type and flags: all, or what is live */
	struct kmem_gfp *gfps;         /* of these */
	u32 nr_gfps;
	size_t cap_gfps;
	struct u64map by_flags;
	bool tables;    /* the last three are filled */
	bool only_live; /* @callers has what is live */
};

void kmem_pages__exit(struct kmem_pages *pages);

/* Row: at (the page), caller, gfp, order, type and bytes of one allocation. */
void kmem_pages__take(struct kmem_pages *pages, const struct kmem_page_row *page);

/* What it was taken as, valid until the next call; NULL: not in this recording. */
const struct kmem_page_row *kmem_pages__give_back(struct kmem_pages *pages, u64 page, u32 order);

/* Are the names of these flags still wanted? Then name them: @text has @len bytes. */
bool kmem_pages__wants_gfp(const struct kmem_pages *pages, u64 flags);
void kmem_pages__name_gfp(struct kmem_pages *pages, u64 flags, const char *text, size_t len);

/* NULL: nobody named them. */
const struct kmem_gfp *kmem_pages__gfp(const struct kmem_pages *pages, u64 flags);

/* Sort the names by their flags; kmem_pages__gfp() goes on to work. */
void kmem_pages__sort_gfps(struct kmem_pages *pages);

#define KMEM_PAGE_KEYS_MAX 7

enum kmem_page_key {
	KMEM_PAGE_AT,
	KMEM_PAGE_CALLER,
	KMEM_PAGE_BYTES,
	KMEM_PAGE_HITS,
	KMEM_PAGE_ORDER,
	KMEM_PAGE_TYPE,
	KMEM_PAGE_GFP,
};

/* The order of rows that are equal by all keys; then it is by order, type and flags. */
enum kmem_page_ties {
	KMEM_BY_CALLER, /* rows of callers, the lowest first; the key KMEM_PAGE_AT says nothing */
	KMEM_BY_PAGE,
	KMEM_BY_PAGE_DOWN,
};

/* By each of the @nr keys in turn, the highest first. */
void kmem_page_rows__sort(struct kmem_page_rows *rows, const enum kmem_page_key *keys, u32 nr,
                          enum kmem_page_ties ties);

/* Is it a function that hands pages on for others, and so nobody's caller? By its name. */
bool kmem_pages__is_allocator(const char *name);

#endif
