// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/annotate/annotation.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/disasm/objdump.h"
#include "util/elf/relocatable.h"
#include "util/lib/alloc.h"

/* ---- weights ---- */

static int compare_addresses(const void *left, const void *right)
{
	const struct annotation_address *a = left, *b = right;

	return (a->addr > b->addr) - (a->addr < b->addr);
}

static void join_equal(struct annotation_column *column)
{
	u32 nr = 0;

	for (u32 i = 0; i < column->nr; i++) {
		struct annotation_address *here = &column->addresses[i];

		if (nr && column->addresses[nr - 1].addr == here->addr) {
			column->addresses[nr - 1].weight.count += here->weight.count;
			column->addresses[nr - 1].weight.period += here->weight.period;
		} else {
			column->addresses[nr++] = *here;
		}
	}
	column->nr = nr;
}

/* The samples of hists->entries[..] in @entry, by address. */
static void fill_column(struct annotation *annotation, struct annotation_column *column,
                        const struct hists *hists, const struct hist_entry *entry)
{
	const struct profile *profile = hists->profile;

	if (!entry)
		return;
	column->addresses = xcalloc(entry->nr_rows, sizeof(*column->addresses));
	for (u32 i = 0; i < entry->nr_rows; i++) {
		const struct row *row = &profile->rows[hists->rows[entry->first_row + i]];

		column->addresses[column->nr++] = (struct annotation_address){
			annotation->start + names__offset(hists->names, row->leaf_loc),
			{ row->count, row->period },
		};
		column->symbol.count += row->count;
		column->symbol.period += row->period;
	}
	qsort(column->addresses, column->nr, sizeof(*column->addresses), compare_addresses);
	join_equal(column);
}

static const struct hist_entry *entry_of(const struct hists *hists, u32 evsel, u32 key)
{
	const struct hist_event *event = &hists->events[evsel];

	for (u32 i = 0; i < event->nr_entries; i++) {
		if (hists->entries[event->first_entry + i].key == key)
			return &hists->entries[event->first_entry + i];
	}
	return NULL;
}

static void fill_columns(struct annotation *annotation, const struct hists *hists,
                         const struct hist_entry *entry, const u32 *evsels, u32 nr_evsels)
{
	annotation->nr_columns = nr_evsels;
	annotation->columns = xcalloc(nr_evsels, sizeof(*annotation->columns));
	for (u32 i = 0; i < nr_evsels; i++) {
		struct annotation_column *column = &annotation->columns[i];
		const struct hist_event *event = &hists->events[evsels[i]];

		column->evsel = evsels[i];
		column->event = (struct annotation_weight){ event->count, event->period };
		fill_column(annotation, column, hists,
		            hists->groups[entry->group].evsel == evsels[i]
		                    ? entry
		                    : entry_of(hists, evsels[i], entry->key));
	}
}

/* ---- instructions ---- */

int annotation__end(struct annotation *annotation, struct error *err)
{
	int ret = objdump__end(annotation->objdump, err);

	annotation->objdump = NULL;
	return ret;
}

int annotation__rewind(struct annotation *annotation, struct error *err)
{
	annotation->at = 0;
	annotation->nr_unknown = 0;
	for (u32 i = 0; i < annotation->nr_columns; i++)
		annotation->columns[i].next = 0;
	if (!annotation->style.objdump)
		return 0;
	annotation__end(annotation, NULL);
	annotation->objdump =
	        objdump__start(annotation->style.objdump, annotation->code.fd, annotation->start,
	                       annotation->start + annotation->code.size,
	                       annotation->style.disassembler_style, err);
	return annotation->objdump ? 0 : err->code;
}

static int start_disassembler(struct annotation *annotation, struct error *err)
{
	struct disasm_options options = annotation->code.machine;

	options.intel = annotation->style.intel;
	if (!annotation->style.objdump) {
		annotation->disasm = disasm__new(&options, err);
		return annotation->disasm ? 0 : err->code;
	}
	if (annotation->code.fd < 0)
		return error__set(err, -EOPNOTSUPP, "--objdump", annotation->style.objdump,
		                  "the code of %s is in no file that it could read",
		                  annotation->name);
	return annotation__rewind(annotation, err);
}

int annotation__init(struct annotation *annotation, const struct hists *hists,
                     const struct hist_entry *entry, const u32 *evsels, u32 nr_evsels,
                     struct code_files *files, const struct annotation_style *style,
                     struct error *err)
{
	const struct sym *sym = hist_entry__sym(hists, entry);
	struct session_symbols *symbols = hists->names->symbols;

	*annotation = (struct annotation){ .names = hists->names, .style = *style };
	if (!sym || !sym__named(sym))
		return error__set(err, -ENOENT, "no function at this address", NULL,
		                  "no symbol covers it");
	const struct symbol *symbol = session_symbols__symbol(symbols, sym->dso, sym->index);

	annotation->sym = sym;
	annotation->hidden = entry->hidden;
	annotation->start = symbol->start;
	annotation->end = symbol->end;
	annotation->name = sym__name(hists->names, sym);
	if (symbol->end <= symbol->start)
		return error__set(err, -ENODATA, "cannot annotate", annotation->name,
		                  "the symbol has no size");
	int ret = code_files__read(files, sym->dso, symbol->start, symbol->end, &annotation->code,
	                           err);

	if (ret)
		return ret;
	fill_columns(annotation, hists, entry, evsels, nr_evsels);
	annotation->weights = xcalloc(nr_evsels, sizeof(*annotation->weights));
	annotation->source = session_symbols__source(symbols, sym->dso);
	ret = start_disassembler(annotation, err);
	if (ret)
		annotation__exit(annotation);
	return ret;
}

void annotation__exit(struct annotation *annotation)
{
	disasm__delete(annotation->disasm);
	annotation__end(annotation, NULL);
	for (u32 i = 0; i < annotation->nr_columns; i++)
		free(annotation->columns[i].addresses);
	free(annotation->columns);
	free(annotation->weights);
	code__exit(&annotation->code);
}

/* The samples from where the last instruction ended up to @end. */
static void weigh(struct annotation *annotation, u64 end)
{
	for (u32 i = 0; i < annotation->nr_columns; i++) {
		struct annotation_column *column = &annotation->columns[i];

		annotation->weights[i] = (struct annotation_weight){ .count = 0 };
		for (; column->next < column->nr && column->addresses[column->next].addr < end;
		     column->next++) {
			annotation->weights[i].count +=
			        column->addresses[column->next].weight.count;
			annotation->weights[i].period +=
			        column->addresses[column->next].weight.period;
		}
	}
}

/* In a kernel module: "call   printk", where the bytes lead nowhere yet. */
static void name_relocated(struct relocated_code *code, struct insn *insn)
{
	insn->symbol = relocated_code__name(code, insn->addr, insn->size, &insn->symbol_offset);
	if (!insn->symbol || !insn->names)
		return;
	size_t keep = strlen(insn->text); /* without its last word, the address */

	while (keep && !strchr(" \t", insn->text[keep - 1]))
		keep--;
	insn->target = 0;
	snprintf(insn->text + keep, sizeof(insn->text) - keep, "%s", insn->symbol);
	if (!insn->symbol_offset)
		return;
	keep = strlen(insn->text);
	snprintf(insn->text + keep, sizeof(insn->text) - keep, "%s0x%llx",
	         insn->symbol_offset < 0 ? "-" : "+",
	         (unsigned long long)llabs(insn->symbol_offset));
}

bool annotation__next(struct annotation *annotation, struct annotation_line *line)
{
	const struct code *code = &annotation->code;

	if (annotation->at >= code->size)
		return false;
	if (annotation->objdump) {
		if (!objdump__next(annotation->objdump, &line->insn))
			return false;
		annotation->at = line->insn.addr - code->start;
		line->insn.size = (u8)min_u64(line->insn.size, code->size - annotation->at);
	} else {
		disasm__next(annotation->disasm, code->bytes + annotation->at,
		             code->size - annotation->at, code->start + annotation->at,
		             &line->insn);
	}
	if (code->relocated)
		name_relocated(code->relocated, &line->insn);
	line->bytes = code->bytes + annotation->at;
	annotation->at += line->insn.size;
	annotation->nr_unknown += !line->insn.known;
	weigh(annotation, line->insn.addr + line->insn.size);
	line->weights = annotation->weights;
	line->nr_frames = debug_info__frames(annotation->source, line->insn.addr, &line->frame, 1);
	return true;
}
