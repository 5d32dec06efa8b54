// SPDX-License-Identifier: GPL-2.0-or-later
/* Pages that were taken and given back: what rows there are, and in which order. */
#include "tests/unit/unit.h"

#include <stdio.h>

#include "util/analysis/kmem_pages.h"

static void take(struct kmem_pages *pages, u64 page, u32 order, u64 gfp, u64 caller)
{
	kmem_pages__take(pages, &(struct kmem_page_row){ .at = page,
	                                                 .caller = caller,
	                                                 .gfp = gfp,
	                                                 .order = order,
	                                                 .bytes = 4096ull << order });
}

/* "at:KB/hits", in order; valid until the next call. */
static const char *text(const struct kmem_page_rows *rows)
{
	static char buf[256];
	int len = 0;

	buf[0] = '\0';
	for (size_t i = 0; i < rows->nr; i++) {
		const struct kmem_page_row *row = &rows->rows[i];

		if (row->hits)
			len += snprintf(buf + len, sizeof(buf) - len, "%s%llu:%llu/%llu",
			                len ? " " : "", (unsigned long long)row->at,
			                (unsigned long long)row->bytes / 1024,
			                (unsigned long long)row->hits);
	}
	return buf;
}

TEST(kmem_pages_by_page_and_caller)
{
	static const enum kmem_page_key keys[] = { KMEM_PAGE_BYTES };
	struct kmem_pages pages = { .tables = true, .only_live = true };

	take(&pages, 10, 0, 1, 500);
	take(&pages, 20, 0, 1, 400);
	take(&pages, 30, 2, 1, 400);
	take(&pages, 10, 0, 1, 400); /* its end was not seen */
	take(&pages, 10, 0, 2, 500); /* of another kind */
	CHECK(!kmem_pages__give_back(&pages, 40, 0));
	CHECK(kmem_pages__give_back(&pages, 30, 0)); /* with another order */
	CHECK(!kmem_pages__give_back(&pages, 30, 2));
	kmem_page_rows__sort(&pages.pages, keys, 1, KMEM_BY_PAGE);
	CHECK_STR(text(&pages.pages), "30:16/1 10:8/2 10:4/1 20:4/1");
	kmem_page_rows__sort(&pages.callers, keys, 1, KMEM_BY_CALLER);
	CHECK_STR(text(&pages.callers), "400:8/2 500:4/1 500:4/1");
	kmem_page_rows__sort(&pages.live, keys, 0, KMEM_BY_PAGE_DOWN);
	CHECK_STR(text(&pages.live), "20:4/1 10:12/3");
	kmem_pages__exit(&pages);
}

TEST(kmem_pages_names_of_flags)
{
	struct kmem_pages pages = { .tables = true };

	CHECK(kmem_pages__wants_gfp(&pages, 0xdc0));
	kmem_pages__name_gfp(&pages, 0xdc0, "GFP_KERNEL|__GFP_ZERO page=", 21);
	kmem_pages__name_gfp(&pages, 7, "__GFP_NEW|GFP_|__GFP_NO_OBJ_EXT|0x80||", 37);
	kmem_pages__sort_gfps(&pages);
	CHECK(!kmem_pages__wants_gfp(&pages, 0xdc0) && !kmem_pages__gfp(&pages, 8));
	CHECK_EQ(pages.gfps[0].flags, 7);
	CHECK_STR(kmem_pages__gfp(&pages, 0xdc0)->brief, "K|Z");
	CHECK_STR(kmem_pages__gfp(&pages, 0xdc0)->text, "GFP_KERNEL|__GFP_ZERO");
	CHECK_STR(kmem_pages__gfp(&pages, 7)->brief, "NEW|GFP_|NO_OBJ_EXT|0x80");
	kmem_pages__exit(&pages);
}

TEST(kmem_pages_whose_functions_are_nobodys_callers)
{
	CHECK(kmem_pages__is_allocator("__alloc_frozen_pages_noprof"));
	CHECK(kmem_pages__is_allocator("alloc_pages_mpol"));
	CHECK(kmem_pages__is_allocator("get_zeroed_page_noprof"));
	CHECK(kmem_pages__is_allocator("__folio_alloc_noprof"));
	CHECK(!kmem_pages__is_allocator("pgd_alloc"));
	CHECK(!kmem_pages__is_allocator("allocate_slab"));
	CHECK(!kmem_pages__is_allocator(""));
}
