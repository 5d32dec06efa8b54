// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/analysis/kmem_text.h"

#include <stdio.h>
#include <string.h>

#include "ui/text/table.h"

#define RULE_WIDTH 105

static void print_rule(struct out *out)
{
	out__fill(out, '-', RULE_WIDTH);
	out__char(out, '\n');
}

enum {
	NAME,
	BAR1,
	ALLOCATED,
	BAR2,
	REQUESTED,
	BAR3,
	HITS,
	BAR4,
	PING_PONG,
	BAR5,
	WASTE,
	NR_COLUMNS
};

static void set_columns(struct table_column columns[NR_COLUMNS], const char *name)
{
	const struct table_column all[NR_COLUMNS] = {
		[NAME] = { name, 34, 1, TABLE_LEFT },
		[BAR1] = { "|", 1, 1, TABLE_LEFT },
		[ALLOCATED] = { "Total_alloc/Per", 15, 1, TABLE_LEFT },
		[BAR2] = { "|", 1, 1, TABLE_LEFT },
		[REQUESTED] = { "Total_req/Per", 15, 1, TABLE_LEFT },
		[BAR3] = { "|", 1, 1, TABLE_LEFT },
		[HITS] = { "Hit", 8, 1, TABLE_LEFT },
		[BAR4] = { "|", 1, 1, TABLE_LEFT },
		[PING_PONG] = { "Ping-pong", 9, 1, TABLE_LEFT },
		[BAR5] = { "|", 1, 1, TABLE_LEFT },
		[WASTE] = { "Frag", 4, 1, TABLE_LEFT, .ragged = true },
	};

	memcpy(columns, all, sizeof(all));
}

static void print_row(const struct table *table, struct out *out, const struct kmem_row *row,
                      const char *name)
{
	char allocated[64], requested[64], waste[32];
	const struct cell bar = cell__text("|");
	u64 hits = row->hits ? row->hits : 1;

	snprintf(allocated, sizeof(allocated), "%9llu/%-5llu", (unsigned long long)row->allocated,
	         (unsigned long long)(row->allocated / hits));
	snprintf(requested, sizeof(requested), "%9llu/%-5llu", (unsigned long long)row->requested,
	         (unsigned long long)(row->requested / hits));
	snprintf(waste, sizeof(waste), "%6.3f%%", kmem__waste(row->requested, row->allocated));
	table__print_row(table, out,
	                 (const struct cell[NR_COLUMNS]){
	                         cell__text(name), bar, cell__text(allocated), bar,
	                         cell__text(requested), bar, cell__number(row->hits), bar,
	                         cell__number(row->ping_pong), bar, cell__text(waste) });
}

static void print_more(struct table *table, struct table_column *columns, struct out *out)
{
	const struct cell bar = cell__text("|"), dots = cell__text("...");

	columns[WASTE].width = 6;
	columns[WASTE].ragged = false;
	columns[HITS].align = columns[PING_PONG].align = TABLE_LEFT;
	table__print_row(table, out,
	                 (const struct cell[NR_COLUMNS]){ dots, bar, dots, bar, dots, bar, dots,
	                                                  bar, dots, bar, dots });
}

void kmem_text__print_rows(struct out *out, const struct kmem_rows *rows,
                           const struct kmem_text *text)
{
	struct table_column columns[NR_COLUMNS];
	struct table table = { .columns = columns, .nr = NR_COLUMNS };
	u64 nr = text->max_rows ? min_u64(text->max_rows, rows->nr) : rows->nr;
	char buf[512];

	set_columns(columns, text->heading);
	print_rule(out);
	table__print_heading(&table, out);
	print_rule(out);
	columns[HITS].align = columns[PING_PONG].align = TABLE_RIGHT;
	for (u64 i = 0; i < nr; i++)
		print_row(&table, out, &rows->rows[i],
		          text->name(text->ctx, rows->rows[i].key, buf, sizeof(buf)));
	if (nr < rows->nr)
		print_more(&table, columns, out);
	print_rule(out);
}

/* ---- pages ---- */

static int widest_brief(const struct kmem_pages *pages)
{
	size_t width = 0;

	for (u32 i = 0; i < pages->nr_gfps; i++)
		width = max_u64(width, strlen(pages->gfps[i].brief));
	return width;
}

void kmem_text__print_gfps(struct out *out, const struct kmem_pages *pages)
{
	int width = widest_brief(pages);

	out__str(out, "#\n# GFP flags\n# ---------\n");
	for (u32 i = 0; i < pages->nr_gfps; i++) {
		const struct kmem_gfp *gfp = &pages->gfps[i];

		out__printf(out, "# %08llx: ", (unsigned long long)gfp->flags);
		out__fill(out, ' ', width - (int)strlen(gfp->brief));
		out__name(out, gfp->brief);
		out__str(out, ": ");
		out__name(out, gfp->text);
		out__char(out, '\n');
	}
}

static const char *type_name(s32 type)
{
	static const char *const names[] = { "UNMOVABL", "RECLAIM",  "MOVABLE",
		                             "RESERVED", "CMA/ISLT", "UNKNOWN" };

	return names[type >= 0 && type < (s32)ARRAY_SIZE(names) ? (size_t)type
	                                                        : ARRAY_SIZE(names) - 1];
}

enum {
	PAGE,
	PAGE_BAR,
	PAGE_BYTES,
	PAGE_BAR1,
	PAGE_HITS,
	PAGE_BAR2,
	PAGE_ORDER,
	PAGE_BAR3,
	PAGE_TYPE,
	PAGE_BAR4,
	PAGE_GFP,
	PAGE_BAR5,
	PAGE_CALLER,
	NR_PAGE_COLUMNS
};

static void set_page_columns(struct table_column columns[NR_PAGE_COLUMNS], int gfp_width,
                             bool by_page, bool live)
{
	const struct table_column all[NR_PAGE_COLUMNS] = {
		[PAGE] = { "PFN", 16, 1, TABLE_LEFT, .hidden = !by_page },
		[PAGE_BYTES] = { live ? " Live alloc (KB)" : "Total alloc (KB)", 16, 1,
		                 TABLE_LEFT },
		[PAGE_HITS] = { "Hits", 9, 1, TABLE_LEFT },
		[PAGE_ORDER] = { "Order", 5, 1, TABLE_LEFT },
		[PAGE_TYPE] = { "Mig.type", 8, 1, TABLE_LEFT },
		[PAGE_GFP] = { "GFP flags", gfp_width, 1, TABLE_LEFT },
		[PAGE_CALLER] = { "Callsite", 8, 1, TABLE_LEFT, .ragged = true },
	};

	memcpy(columns, all, sizeof(all));
	for (u32 i = PAGE_BAR; i < NR_PAGE_COLUMNS; i += 2)
		columns[i] = (struct table_column){ "|", 1, 1, TABLE_LEFT,
			                            .hidden = i == PAGE_BAR && !by_page };
}

static void align_numbers(struct table_column columns[NR_PAGE_COLUMNS], enum table_align align)
{
	for (u32 i = PAGE; i <= PAGE_TYPE; i += 2)
		columns[i].align = align;
}

static void print_page_row(const struct table *table, struct out *out,
                           const struct kmem_pages *pages, const struct kmem_page_row *row,
                           const char *caller)
{
	const struct kmem_gfp *gfp = kmem_pages__gfp(pages, row->gfp);
	const struct cell bar = cell__text("|");

	table__print_row(table, out,
	                 (const struct cell[NR_PAGE_COLUMNS]){
	                         cell__number(row->at), bar, cell__number(row->bytes / 1024), bar,
	                         cell__number(row->hits), bar, cell__number(row->order), bar,
	                         cell__text(type_name(row->type)), bar,
	                         cell__text(gfp ? gfp->brief : "?"), bar, cell__text(caller) });
}

void kmem_text__print_page_rows(struct out *out, const struct kmem_pages *pages,
                                const struct kmem_page_rows *rows, const struct kmem_text *text,
                                bool by_page, bool live)
{
	struct table_column columns[NR_PAGE_COLUMNS];
	struct table table = { .columns = columns, .nr = NR_PAGE_COLUMNS };
	struct cell dots[NR_PAGE_COLUMNS];
	u64 nr = 0;
	char buf[512];

	set_page_columns(columns, widest_brief(pages), by_page, live);
	columns[PAGE_GFP].width = max_u64(columns[PAGE_GFP].width, strlen("GFP flags"));
	out__char(out, '\n');
	print_rule(out);
	table__print_heading(&table, out);
	print_rule(out);
	align_numbers(columns, TABLE_RIGHT);
	for (u64 i = 0; i < rows->nr; i++) {
		const struct kmem_page_row *row = &rows->rows[i];

		if (!row->hits)
			continue;
		if (text->max_rows && nr == text->max_rows) {
			for (u32 k = 0; k < NR_PAGE_COLUMNS; k++)
				dots[k] = cell__text(k % 2 ? "|" : "...");
			align_numbers(columns, TABLE_LEFT);
			table__print_row(&table, out, dots);
			break;
		}
		print_page_row(&table, out, pages, row,
		               text->name(text->ctx, row->caller, buf, sizeof(buf)));
		nr++;
	}
	print_rule(out);
}

static void print_title(struct out *out, const char *title)
{
	out__printf(out, "\nSUMMARY (%s)\n========================\n", title);
}

void kmem_text__print_slab(struct out *out, const struct kmem *kmem)
{
	print_title(out, "SLAB allocator");
	out__printf(out, "Total bytes requested: %llu\n", (unsigned long long)kmem->requested);
	out__printf(out, "Total bytes allocated: %llu\n", (unsigned long long)kmem->allocated);
	out__printf(out, "Total bytes freed:     %llu\n", (unsigned long long)kmem->freed);
	if (kmem->allocated > kmem->freed)
		out__printf(out, "Net total bytes allocated: %llu\n",
		            (unsigned long long)(kmem->allocated - kmem->freed));
	out__printf(out, "Total bytes wasted on internal fragmentation: %llu\n",
	            (unsigned long long)(kmem->allocated - kmem->requested));
	out__printf(out, "Internal fragmentation: %f%%\n",
	            kmem__waste(kmem->requested, kmem->allocated));
	out__printf(out, "Cross CPU allocations: %llu/%llu\n", (unsigned long long)kmem->nr_cross,
	            (unsigned long long)kmem->nr_allocs);
}

static void print_count(struct out *out, const char *what, u64 nr, u64 bytes)
{
	out__printf(out, "%-30s: %16llu   [ %16llu KB ]\n", what, (unsigned long long)nr,
	            (unsigned long long)(bytes / 1024));
}

static void print_orders(struct out *out, const struct kmem *kmem)
{
	static const char *const headings[] = { "Order",   "Unmovable", "Reclaimable",
		                                "Movable", "Reserved",  "CMA/Isolated" };
	struct table_column columns[ARRAY_SIZE(headings)];
	struct cell cells[ARRAY_SIZE(headings)];
	struct table table = { .columns = columns, .nr = ARRAY_SIZE(headings) };

	for (u32 i = 0; i < ARRAY_SIZE(headings); i++) {
		columns[i] =
		        (struct table_column){ headings[i], i ? 12 : 5, i ? 2 : 0, TABLE_RIGHT };
		cells[i] = cell__text(i ? "------------" : "-----");
	}
	table__print_heading(&table, out);
	table__print_row(&table, out, cells);
	for (u32 order = 0; order < KMEM_ORDERS; order++) {
		cells[0] = cell__number(order);
		for (u32 type = 0; type < KMEM_MIGRATE_TYPES; type++)
			cells[1 + type] = kmem->orders[order][type]
			                          ? cell__number(kmem->orders[order][type])
			                          : cell__text(".");
		table__print_row(&table, out, cells);
	}
}

void kmem_text__print_pages(struct out *out, const struct kmem *kmem)
{
	const struct kmem_count *allocs = &kmem->page_allocs, *frees = &kmem->page_frees;
	const struct kmem_count *matched = &kmem->matched;

	print_title(out, "page allocator");
	print_count(out, "Total allocation requests", allocs->nr, allocs->bytes);
	print_count(out, "Total free requests", frees->nr, frees->bytes);
	out__char(out, '\n');
	print_count(out, "Total alloc+freed requests", matched->nr, matched->bytes);
	print_count(out, "Total alloc-only requests", allocs->nr - matched->nr,
	            allocs->bytes - matched->bytes);
	print_count(out, "Total free-only requests", frees->nr - matched->nr,
	            frees->bytes - matched->bytes);
	out__char(out, '\n');
	print_count(out, "Total allocation failures", kmem->failed.nr, kmem->failed.bytes);
	out__char(out, '\n');
	print_orders(out, kmem);
}
