// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/text/report_columns.h"

#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>

#include "ui/term/color.h"

#define PERCENT_WIDTH    8  /* " 100.00%" */
#define NUMBER_WIDTH     12 /* samples and periods */
#define TID_WIDTH        7
#define HEX_WIDTH        (2 + 16)
#define LEVEL_WIDTH      4  /* "[k] " */
#define SYM_ORIGIN_WIDTH 21 /* with -v: address, blank, letter, blank */

static void add_column(struct columns *columns, enum column_kind kind, enum sort_key key, int width)
{
	columns->list[columns->nr++] = (struct column){ kind, key, width };
}

bool columns__elides(const struct hists *hists, enum sort_key key)
{
	const struct hist_options *options = &hists->options;

	return (key == KEY_COMM && options->comms.nr == 1) ||
	       (key == KEY_DSO && options->dsos.nr == 1) ||
	       (key == KEY_SYM && options->symbols.nr == 1);
}

void columns__init(struct columns *columns, const struct hists *hists,
                   const struct report_style *style)
{
	*columns = (struct columns){ .hists = hists, .style = style };
	out__init(&columns->line, -1);
	if (hists->options.children) {
		add_column(columns, COLUMN_CHILDREN, 0, PERCENT_WIDTH);
		add_column(columns, COLUMN_SELF, 0, PERCENT_WIDTH);
	} else {
		add_column(columns, COLUMN_OVERHEAD, 0, PERCENT_WIDTH);
	}
	if (style->show_samples)
		add_column(columns, COLUMN_SAMPLES, 0, NUMBER_WIDTH);
	if (style->show_period)
		add_column(columns, COLUMN_PERIOD, 0, NUMBER_WIDTH);
	for (u32 i = 0; i < hists->options.keys.nr; i++)
		if (!columns__elides(hists, hists->options.keys.keys[i]))
			add_column(columns, COLUMN_KEY, hists->options.keys.keys[i], 0);
}

void columns__exit(struct columns *columns)
{
	out__exit(&columns->line);
}

static const char *heading_of(const struct column *column)
{
	switch (column->kind) {
	case COLUMN_OVERHEAD:
		return "Overhead";
	case COLUMN_CHILDREN:
		return "Children";
	case COLUMN_SELF:
		return "    Self";
	case COLUMN_SAMPLES:
		return "     Samples";
	case COLUMN_PERIOD:
		return "      Period";
	default:
		return sort_key__heading(column->key);
	}
}

/* ---- what a cell says ---- */

static const char *comm_of(const struct hists *hists, u32 comm)
{
	return strtab__get(&hists->names->session->strings, comm);
}

/* The name that a thread had last. */
static const char *last_comm_of(const struct hists *hists, u32 thread)
{
	const struct moment end = { UINT64_MAX, UINT64_MAX };

	return comm_of(hists, machine__comm_at(hists->names->session->host, thread, end));
}

static const char *dso_text(const struct columns *columns, const struct hist_entry *entry)
{
	const struct hists *hists = columns->hists;

	if (!columns->style->verbose || !hists->options.keys.has[KEY_SYM])
		return hist_entry__dso(hists, entry);
	const struct session *session = hists->names->session;
	const struct sym *sym = hist_entry__sym(hists, entry);

	return sym->dso == ID_NONE
	               ? hist_entry__dso(hists, entry)
	               : strtab__get(&session->strings, dsos__at(&session->dsos, sym->dso)->name);
}

static char level_of(u8 cpumode)
{
	switch (cpumode) {
	case PERF_RECORD_MISC_KERNEL:
		return 'k';
	case PERF_RECORD_MISC_HYPERVISOR:
		return 'H';
	case PERF_RECORD_MISC_GUEST_KERNEL:
		return 'g';
	case PERF_RECORD_MISC_GUEST_USER:
		return 'u';
	default:
		return '.';
	}
}

/* Where the name came from, for -v. */
static char origin_of(const struct names *names, const struct sym *sym)
{
	static const char letters[] = {
		[SYMTAB_NONE] = '!',      [SYMTAB_DEBUG_FILE] = 'b', [SYMTAB_ELF] = 'd',
		[SYMTAB_MINIDEBUG] = 'm', [SYMTAB_DYNSYM] = 'd',     [SYMTAB_KALLSYMS] = 'k',
		[SYMTAB_VMLINUX] = 'v',   [SYMTAB_PERF_MAP] = 'j',
	};

	return sym->dso == ID_NONE
	               ? '!'
	               : letters[session_symbols__table(names->symbols, sym->dso)->source];
}

/* Its name, else its address at 16 hex digits. */
static void print_sym(struct out *out, const struct names *names, const struct sym *sym)
{
	const char *name = sym__name(names, sym);

	if (name) {
		out__name(out, name);
		out__str(out, sym__inlined(sym) ? INLINED_MARK : "");
		return;
	}
	if (sym->addr) /* printf's %#x leaves the 0x out for zero, and so does Linux's perf */
		out__str(out, "0x");
	out__hex0(out, sym->addr, 16);
}

static int cell_length(const struct columns *columns, const struct column *column,
                       const struct hist_entry *entry)
{
	const struct hists *hists = columns->hists;
	const struct hist_context *context = hist_entry__context(hists, entry);
	const char *name;

	switch (column->key) {
	case KEY_COMM:
		return strlen(comm_of(hists, context->comm));
	case KEY_PID:
	case KEY_TID:
		return TID_WIDTH + 1 + strlen(last_comm_of(hists, context->thread));
	case KEY_CPU:
		return 3;
	case KEY_DSO:
		return strlen(dso_text(columns, entry));
	case KEY_SRCLINE:
	case KEY_SRCFILE:
		return strlen(hist_entry__source(hists, entry, column->key));
	default:
		name = sym__name(hists->names, hist_entry__sym(hists, entry));
		return LEVEL_WIDTH + (columns->style->verbose ? SYM_ORIGIN_WIDTH : 0) +
		       (name ? (int)strlen(name) : HEX_WIDTH);
	}
}

void columns__measure(struct columns *columns, const struct hist_event *event)
{
	const struct hists *hists = columns->hists;

	columns->total = columns->style->relative ? event->shown_period : event->period;
	for (u32 i = 0; i < columns->nr; i++) {
		struct column *column = &columns->list[i];

		if (column->kind != COLUMN_KEY)
			continue;
		column->width = strlen(heading_of(column));
		for (u32 e = 0; e < event->nr_entries; e++) {
			const struct hist_entry *entry = &hists->entries[event->first_entry + e];
			int length = entry->hidden ? 0 : cell_length(columns, column, entry);

			if (length > column->width)
				column->width = length;
		}
	}
}

/* ---- printing ---- */

static void print_symbol(const struct columns *columns, struct out *out,
                         const struct hist_entry *entry)
{
	const struct names *names = columns->hists->names;
	const struct sym *sym = hist_entry__sym(columns->hists, entry);

	if (columns->style->verbose)
		out__printf(out, "%#-18llx %c ", (unsigned long long)sym->addr,
		            origin_of(names, sym));
	out__char(out, '[');
	out__char(out, level_of(sym->cpumode));
	out__str(out, "] ");
	print_sym(out, names, sym);
}

/* A cell's text without padding. */
static void print_key(const struct columns *columns, struct out *out, const struct column *column,
                      const struct hist_entry *entry)
{
	const struct hists *hists = columns->hists;
	const struct hist_context *context = hist_entry__context(hists, entry);

	switch (column->key) {
	case KEY_COMM:
		out__name(out, comm_of(hists, context->comm));
		break;
	case KEY_PID:
	case KEY_TID:
		out__printf(out, "%*d:", TID_WIDTH,
		            machine__thread(hists->names->session->host, context->thread)->tid);
		out__name(out, last_comm_of(hists, context->thread));
		break;
	case KEY_CPU:
		if (context->cpu == UINT16_MAX) /* not recorded */
			out__str(out, "-001");
		else
			out__dec0(out, context->cpu, 3);
		break;
	case KEY_DSO:
		out__name(out, dso_text(columns, entry));
		break;
	case KEY_SRCLINE:
	case KEY_SRCFILE:
		out__name(out, hist_entry__source(hists, entry, column->key));
		break;
	default:
		print_symbol(columns, out, entry);
	}
}

/* With a separator numbers stand left in their cells, after one blank. */
static void print_number(const struct columns *columns, struct out *out,
                         const struct column *column, const struct hist_entry *entry)
{
	bool separated = columns->style->separator;
	int width = separated ? 0 : column->width;

	if (separated)
		out__char(out, ' ');
	switch (column->kind) {
	case COLUMN_SAMPLES:
		out__dec(out, entry->count, width);
		return;
	case COLUMN_PERIOD:
		out__dec(out, entry->period, width);
		return;
	default:
		color__percent(out, columns->style->colored,
		               column->kind == COLUMN_CHILDREN ? entry->total_period
		                                               : entry->period,
		               columns->total, width);
	}
}

/* The separator must not occur inside a cell: it becomes a dot there. */
static void replace_separator(struct out *out, size_t from, const char *separator)
{
	for (size_t i = from; separator && !separator[1] && i < out->len; i++)
		if (out->buf[i] == *separator)
			out->buf[i] = '.';
}

void columns__print_entry(struct columns *columns, struct out *out, const struct hist_entry *entry)
{
	const char *separator = columns->style->separator;
	struct out *line = &columns->line;

	line->len = 0;
	for (u32 i = 0; i < columns->nr; i++) {
		const struct column *column = &columns->list[i];

		if (separator)
			out__str(line, i ? separator : "");
		else
			out__str(line, "  ");
		size_t from = line->len;

		if (column->kind == COLUMN_KEY)
			print_key(columns, line, column, entry);
		else
			print_number(columns, line, column, entry);
		replace_separator(line, from, separator);
		/* Symbols are long: a last column of them is not padded. */
		if (i + 1 < columns->nr || column->kind != COLUMN_KEY || column->key != KEY_SYM)
			out__fill(line, ' ', column->width - (int)(line->len - from));
	}
	out__char(line, '\n');
	out__mem(out, line->buf, line->len);
}

void columns__print_heading(const struct columns *columns, struct out *out)
{
	const char *separator = columns->style->separator;

	out__str(out, "# ");
	for (u32 i = 0; i < columns->nr; i++) {
		if (i)
			out__str(out, separator ? separator : "  ");
		out__left(out, heading_of(&columns->list[i]), columns->list[i].width);
	}
	out__char(out, '\n');
	if (separator)
		return;
	out__str(out, "# ");
	for (u32 i = 0; i < columns->nr; i++) {
		out__str(out, i ? "  " : "");
		out__fill(out, '.', columns->list[i].width);
	}
	out__str(out, "\n#\n");
}

/* With children only what entries have themselves can be added up. */
void columns__print_rest(struct columns *columns, struct out *out, u32 nr, u64 period)
{
	bool children = columns->list[0].kind == COLUMN_CHILDREN;

	out__fill(out, ' ', children ? 2 + PERCENT_WIDTH : 0);
	out__printf(out, "  %7.2f%%  [%u more below %.1f %%: --percent-limit 0 shows them]\n",
	            columns->total ? period * 100.0 / columns->total : 0, nr, NOISE_PERCENT);
}

int columns__width_of(const struct columns *columns, enum sort_key key)
{
	for (u32 i = 0; i < columns->nr; i++)
		if (columns->list[i].kind == COLUMN_KEY && columns->list[i].key == key)
			return columns->list[i].width;
	return 0;
}
