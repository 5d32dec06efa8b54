/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables and summaries of `perf kmem stat` as text, in the layout of Linux's perf 6.1. */
#ifndef PERF_UI_ANALYSIS_KMEM_TEXT_H
#define PERF_UI_ANALYSIS_KMEM_TEXT_H

#include "util/analysis/kmem.h"
#include "util/lib/out.h"

struct kmem_text {
	/* The text of a row's key in @buf of @size bytes: a caller or an address. */
	const char *(*name)(void *ctx, u64 key, char *buf, size_t size);
	void *ctx;
	const char *heading; /* "Callsite" */
	u32 max_rows;        /* 0: all */
};

/* As the rows are sorted. */
void kmem_text__print_rows(struct out *out, const struct kmem_rows *rows,
                           const struct kmem_text *text);

/* What the names of flags in the tables stand for. */
void kmem_text__print_gfps(struct out *out, const struct kmem_pages *pages);

/*
 * Rows of pages (@by_page) or of callers, as they are sorted; @text names callers, its heading does
 * not matter. @live: these are what was not given back.
 */
void kmem_text__print_page_rows(struct out *out, const struct kmem_pages *pages,
                                const struct kmem_page_rows *rows, const struct kmem_text *text,
                                bool by_page, bool live);
void kmem_text__print_slab(struct out *out, const struct kmem *kmem);
void kmem_text__print_pages(struct out *out, const struct kmem *kmem);

#endif
