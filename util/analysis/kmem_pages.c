// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/analysis/kmem_pages.h"

#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"
#include "util/lib/text.h"

/* ---- rows ---- */

static bool is_same(const struct kmem_page_row *a, const struct kmem_page_row *b)
{
	return a->at == b->at && a->order == b->order && a->type == b->type && a->gfp == b->gfp;
}

static u64 hash_of(const struct kmem_page_row *row)
{
	return hash__u64(row->at + hash__u64(row->gfp + ((u64)row->order << 40) +
	                                     ((u64)(u32)row->type << 48)));
}

static struct kmem_page_row *find(const struct kmem_page_rows *rows,
                                  const struct kmem_page_row *like)
{
	u32 i = u64map__get(&rows->by_hash, hash_of(like));

	while (i != ID_NONE && !is_same(&rows->rows[i], like))
		i = rows->rows[i].next;
	return i == ID_NONE ? NULL : &rows->rows[i];
}

static struct kmem_page_row *find_or_add(struct kmem_page_rows *rows,
                                         const struct kmem_page_row *like)
{
	struct kmem_page_row *row = find(rows, like);

	if (row)
		return row;
	u32 *first = u64map__at(&rows->by_hash, hash_of(like));

	array__reserve(&rows->rows, &rows->cap, rows->nr + 1, sizeof(*rows->rows));
	row = &rows->rows[rows->nr];
	*row = *like;
	row->bytes = row->hits = 0;
	row->next = *first;
	*first = rows->nr++;
	return row;
}

static void add(struct kmem_page_row *row, u64 bytes, u64 caller)
{
	row->bytes += bytes;
	row->hits++;
	row->caller = caller;
}

static struct kmem_page_row as_caller(struct kmem_page_row page)
{
	page.at = page.caller;
	return page;
}

/* A row of @live has the kind of its first allocation: that is found by the page alone. */
static struct kmem_page_row *find_live(struct kmem_pages *pages, u64 page)
{
	u32 i = u64map__get(&pages->live.by_hash, page);

	return i == ID_NONE ? NULL : &pages->live.rows[i];
}

static struct kmem_page_row *live_row(struct kmem_pages *pages, const struct kmem_page_row *page)
{
	struct kmem_page_rows *live = &pages->live;
	u32 *at = u64map__at(&live->by_hash, page->at);

	if (*at == ID_NONE) {
		array__reserve(&live->rows, &live->cap, live->nr + 1, sizeof(*live->rows));
		live->rows[live->nr].hits = 0;
		*at = live->nr++;
	}
	struct kmem_page_row *row = &live->rows[*at];

	if (!row->hits) {
		*row = *page;
		row->bytes = row->hits = 0;
	}
	return row;
}

void kmem_pages__take(struct kmem_pages *pages, const struct kmem_page_row *page)
{
	add(live_row(pages, page), page->bytes, page->caller);
	if (!pages->tables)
		return;
	const struct kmem_page_row caller = as_caller(*page);

	add(find_or_add(&pages->pages, page), page->bytes, page->caller);
	add(find_or_add(&pages->callers, &caller), page->bytes, page->caller);
}

/* Kernels give pages back in other pieces than they took: then that is what counts. */
static u32 order_taken(const struct kmem_pages *pages, const struct kmem_page_row *live, u32 order)
{
	struct kmem_page_row like = *live;

	like.order = order;
	return find(&pages->pages, &like) ? order : live->order;
}

/* Of who had taken it last. */
static void forget_caller(struct kmem_pages *pages, const struct kmem_page_row *live)
{
	const struct kmem_page_row like = as_caller(*live);
	struct kmem_page_row *row = find(&pages->callers, &like);

	if (!row || !row->hits)
		return;
	row->bytes -= row->bytes / row->hits;
	row->hits--;
}

const struct kmem_page_row *kmem_pages__give_back(struct kmem_pages *pages, u64 page, u32 order)
{
	struct kmem_page_row *live = find_live(pages, page);

	if (!live || !live->hits)
		return NULL;
	live->hits = 0;
	if (!pages->tables)
		return live;
	live->order = order_taken(pages, live, order);
	if (pages->only_live)
		forget_caller(pages, live);
	return live;
}

/* ---- names of flags ---- */

/* As in Linux's perf 6.1. */
static const struct {
	const char *name, *brief;
} flags[] = {
	{ "GFP_TRANSHUGE", "THP" },
	{ "GFP_TRANSHUGE_LIGHT", "THL" },
	{ "GFP_HIGHUSER_MOVABLE", "HUM" },
	{ "GFP_HIGHUSER", "HU" },
	{ "GFP_USER", "U" },
	{ "GFP_KERNEL_ACCOUNT", "KAC" },
	{ "GFP_KERNEL", "K" },
	{ "GFP_NOFS", "NF" },
	{ "GFP_ATOMIC", "A" },
	{ "GFP_NOIO", "NI" },
	{ "GFP_NOWAIT", "NW" },
	{ "GFP_DMA", "D" },
	{ "__GFP_HIGHMEM", "HM" },
	{ "GFP_DMA32", "D32" },
	{ "__GFP_HIGH", "H" },
	{ "__GFP_ATOMIC", "_A" },
	{ "__GFP_IO", "I" },
	{ "__GFP_FS", "F" },
	{ "__GFP_NOWARN", "NWR" },
	{ "__GFP_RETRY_MAYFAIL", "R" },
	{ "__GFP_NOFAIL", "NF" },
	{ "__GFP_NORETRY", "NR" },
	{ "__GFP_COMP", "C" },
	{ "__GFP_ZERO", "Z" },
	{ "__GFP_NOMEMALLOC", "NMA" },
	{ "__GFP_MEMALLOC", "MA" },
	{ "__GFP_HARDWALL", "HW" },
	{ "__GFP_THISNODE", "TN" },
	{ "__GFP_RECLAIMABLE", "RC" },
	{ "__GFP_MOVABLE", "M" },
	{ "__GFP_ACCOUNT", "AC" },
	{ "__GFP_WRITE", "WR" },
	{ "__GFP_RECLAIM", "R" },
	{ "__GFP_DIRECT_RECLAIM", "DR" },
	{ "__GFP_KSWAPD_RECLAIM", "KR" },
};

/* A newer flag goes by its name. */
static const char *brief_of(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(flags); i++)
		if (!strcmp(flags[i].name, name))
			return flags[i].brief;
	const char *bare = name + strspn(name, "_");

	return text__starts_with(bare, "GFP_") && bare[4] ? bare + 4 : name;
}

static char *make_brief(const char *text)
{
	char *words = xstrdup(text), *brief = xstrdup(""), *save = NULL;

	for (char *word = strtok_r(words, "|", &save); word; word = strtok_r(NULL, "|", &save)) {
		char *longer = xasprintf("%s%s%s", brief, *brief ? "|" : "", brief_of(word));

		free(brief);
		brief = longer;
	}
	free(words);
	return brief;
}

bool kmem_pages__wants_gfp(const struct kmem_pages *pages, u64 gfp)
{
	return pages->tables && !kmem_pages__gfp(pages, gfp);
}

void kmem_pages__name_gfp(struct kmem_pages *pages, u64 gfp, const char *text, size_t len)
{
	struct kmem_gfp *new;

	array__reserve(&pages->gfps, &pages->cap_gfps, pages->nr_gfps + 1, sizeof(*pages->gfps));
	new = &pages->gfps[pages->nr_gfps];
	new->flags = gfp;
	new->text = xasprintf("%.*s", (int)len, text);
	new->brief = make_brief(new->text);
	*u64map__at(&pages->by_flags, gfp) = pages->nr_gfps++;
}

const struct kmem_gfp *kmem_pages__gfp(const struct kmem_pages *pages, u64 gfp)
{
	u32 i = u64map__get(&pages->by_flags, gfp);

	return i == ID_NONE ? NULL : &pages->gfps[i];
}

static int compare_gfps(const void *a, const void *b)
{
	const struct kmem_gfp *x = a, *y = b;

	return x->flags < y->flags ? -1 : x->flags > y->flags;
}

void kmem_pages__sort_gfps(struct kmem_pages *pages)
{
	if (pages->nr_gfps)
		qsort(pages->gfps, pages->nr_gfps, sizeof(*pages->gfps), compare_gfps);
	for (u32 i = 0; i < pages->nr_gfps; i++)
		*u64map__at(&pages->by_flags, pages->gfps[i].flags) = i;
}

bool kmem_pages__is_allocator(const char *name)
{
	static const char *const beginnings[] = { "alloc_page",      "alloc_frozen_page",
		                                  "get_free_page",   "get_zeroed_page",
		                                  "folio_alloc",     "vma_alloc_folio",
		                                  "vma_alloc_anon_", "filemap_alloc_folio" };

	name += strspn(name, "_");
	for (size_t i = 0; i < ARRAY_SIZE(beginnings); i++)
		if (text__starts_with(name, beginnings[i]))
			return true;
	return false;
}

/* ---- order ---- */

struct order {
	const enum kmem_page_key *keys;
	u32 nr;
	enum kmem_page_ties ties;
};

static int compare_by(enum kmem_page_key key, const struct kmem_page_row *x,
                      const struct kmem_page_row *y)
{
	s64 m = 0, n = 0;

	switch (key) {
	case KMEM_PAGE_AT:
		return (x->at < y->at) - (x->at > y->at);
	case KMEM_PAGE_CALLER:
		return (x->caller < y->caller) - (x->caller > y->caller);
	case KMEM_PAGE_BYTES:
		return (x->bytes < y->bytes) - (x->bytes > y->bytes);
	case KMEM_PAGE_HITS:
		return (x->hits < y->hits) - (x->hits > y->hits);
	case KMEM_PAGE_GFP:
		return (x->gfp < y->gfp) - (x->gfp > y->gfp);
	case KMEM_PAGE_ORDER:
		m = x->order, n = y->order;
		break;
	case KMEM_PAGE_TYPE:
		m = x->type, n = y->type;
		break;
	}
	return (m < n) - (m > n);
}

static int compare(const void *a, const void *b, void *ctx)
{
	static const enum kmem_page_key kind[] = { KMEM_PAGE_ORDER, KMEM_PAGE_TYPE, KMEM_PAGE_GFP };
	const struct order *order = ctx;
	int ret = 0;

	for (u32 i = 0; i < order->nr && !ret; i++)
		if (order->keys[i] != KMEM_PAGE_AT || order->ties != KMEM_BY_CALLER)
			ret = compare_by(order->keys[i], a, b);
	if (ret)
		return ret;
	ret = compare_by(KMEM_PAGE_AT, a, b);
	if (ret)
		return order->ties == KMEM_BY_PAGE_DOWN ? ret : -ret;
	for (u32 i = 0; i < ARRAY_SIZE(kind) && !ret; i++)
		ret = -compare_by(kind[i], a, b);
	return ret;
}

/* What was looked up by hash is not found any more. */
void kmem_page_rows__sort(struct kmem_page_rows *rows, const enum kmem_page_key *keys, u32 nr,
                          enum kmem_page_ties ties)
{
	struct order order = { keys, nr, ties };

	if (rows->nr)
		qsort_r(rows->rows, rows->nr, sizeof(*rows->rows), compare, &order);
	u64map__exit(&rows->by_hash);
}

/* ---- end ---- */

static void rows__exit(struct kmem_page_rows *rows)
{
	free(rows->rows);
	u64map__exit(&rows->by_hash);
}

void kmem_pages__exit(struct kmem_pages *pages)
{
	rows__exit(&pages->live);
	rows__exit(&pages->pages);
	rows__exit(&pages->callers);
	for (u32 i = 0; i < pages->nr_gfps; i++) {
		free(pages->gfps[i].text);
		free(pages->gfps[i].brief);
	}
	free(pages->gfps);
	u64map__exit(&pages->by_flags);
}
