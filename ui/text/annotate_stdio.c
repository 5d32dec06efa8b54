// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The text of Linux's perf 6.1 is that of `objdump -l -d -S` with columns in front, and a number in
 * front of each line that is no instruction: the line of the source that objdump named last,
 * counted on. Here the same lines are made from the debug information.
 */
#include "ui/text/annotate_stdio.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/term/color.h"
#include "util/lib/alloc.h"
#include "util/lib/text.h"

#define CONTEXT_LINES 5    /* shown of the source above the first line */
#define TEXT_MAX      4096 /* of a line of source */
#define JUMPS_WIDTH   4    /* of the number of jumps to a label */
#define LINE_PERCENT  0.5  /* lines of instructions below are not named */

struct printer {
	struct annotate_text *text;
	struct out *out;
	struct annotation *annotation;
	u32 line_nr;
	int number_width;     /* as wide as an address of the function */
	const char *function; /* the last one that was named */
	u32 line;             /* the last one */
	/* With labels: */
	u64 *targets; /* of jumps within the function; ascending */
	u32 nr_targets;
	size_t cap_targets;
	int mnemonic_width;
	struct function_cycles cycles;
	int cycles_width; /* 0: they are not shown */
	u32 nr_insns;     /* so far */
};

u64 percent_type__part(const struct percent_type *type, const struct annotation_weight *weight)
{
	return type->hits ? weight->count : weight->period;
}

u64 percent_type__whole(const struct percent_type *type, const struct annotation_column *column)
{
	return percent_type__part(type, type->global ? &column->event : &column->symbol);
}

/* ---- the heading ---- */

void annotate_text__events(struct out *out, const struct hists *hists,
                           const struct annotation_column *columns, u32 nr)
{
	struct evsel *const *evsels = hists->names->session->evlist->evsels;
	const struct evsel *leader = evsels[columns[0].evsel];
	bool group = leader->nr_members > 1 && nr == leader->nr_members;

	if (group) {
		out__name(out, leader->group_name ? leader->group_name : "anon group");
		out__str(out, " { ");
	}
	for (u32 i = 0; i < nr; i++) {
		out__str(out, i ? ", " : "");
		out__name(out, evsels[columns[i].evsel]->name);
	}
	if (group)
		out__str(out, " }");
}

static int column_width(const struct annotate_style *style)
{
	return style->show_period ? 12 : style->labels ? 7 : 8;
}

static void print_heading(struct printer *p)
{
	const struct annotate_style *style = &p->text->style;
	const struct annotation *annotation = p->annotation;
	const struct dso *dso = dsos__at(&annotation->names->session->dsos, annotation->sym->dso);
	const struct strtab *strings = &annotation->names->session->strings;
	int width = column_width(style) * (int)annotation->nr_columns;
	const char *what = style->show_period    ? " Period"
	                   : style->show_samples ? " Samples"
	                                         : " Percent";
	struct out heading;

	out__init(&heading, -1);
	out__str(&heading, "Source code & Disassembly of ");
	out__name(&heading, strtab__get(strings, style->full_paths ? dso->name : dso->short_name));
	out__str(&heading, " for ");
	annotate_text__events(&heading, p->text->hists, annotation->columns,
	                      annotation->nr_columns);
	out__printf(&heading, " (%llu samples, percent: %s %s)",
	            (unsigned long long)annotation->columns[0].symbol.count,
	            style->percent.global ? "global" : "local",
	            style->percent.hits ? "hits" : "period");
	out__left(p->out, what, width);
	out__str(p->out, " |\t");
	out__mem(p->out, heading.buf, heading.len);
	out__char(p->out, '\n');
	out__fill(p->out, '-', width + 8 + (int)heading.len);
	out__char(p->out, '\n');
	out__exit(&heading);
}

static void print_addresses(struct printer *p)
{
	const struct annotation_column *column = &p->annotation->columns[0];

	for (u32 i = 0; i < column->nr; i++) {
		out__hex(p->out, column->addresses[i].addr, 32);
		out__printf(p->out, ": %llu\n",
		            (unsigned long long)column->addresses[i].weight.count);
	}
	out__printf(p->out, "%32s: %llu\n", "h->nr_samples",
	            (unsigned long long)column->symbol.count);
}

/* ---- labels ---- */

static int compare_u64(const void *left, const void *right)
{
	u64 a = *(const u64 *)left, b = *(const u64 *)right;

	return (a > b) - (a < b);
}

static bool is_inside(const struct annotation *annotation, u64 addr)
{
	return addr >= annotation->start && addr < annotation->end;
}

/* Where jumps lead, and how wide mnemonics are: the whole function must be looked at before. */
static int find_targets(struct printer *p, struct error *err)
{
	struct annotation_line line;

	while (annotation__next(p->annotation, &line)) {
		const struct insn *insn = &line.insn;
		int width = (int)strcspn(insn->text, " \t");

		p->mnemonic_width = width > p->mnemonic_width ? width : p->mnemonic_width;
		if (insn->kind != INSN_JUMP || !insn->names ||
		    !is_inside(p->annotation, insn->target))
			continue;
		array__reserve(&p->targets, &p->cap_targets, (size_t)p->nr_targets + 1,
		               sizeof(*p->targets));
		p->targets[p->nr_targets++] = insn->target;
	}
	if (p->nr_targets)
		qsort(p->targets, p->nr_targets, sizeof(*p->targets), compare_u64);
	return annotation__rewind(p->annotation, err);
}

static u32 nr_jumps_to(const struct printer *p, u64 addr)
{
	u32 first = 0, nr = 0;

	for (u32 left = p->nr_targets; left;) {
		u32 half = left / 2;

		if (p->targets[first + half] < addr) {
			first += half + 1;
			left -= half + 1;
		} else {
			left = half;
		}
	}
	while (first + nr < p->nr_targets && p->targets[first + nr] == addr)
		nr++;
	return nr;
}

static int label_width(const struct printer *p)
{
	const struct annotation *annotation = p->annotation;
	u64 largest =
	        p->text->style.addresses ? annotation->end : annotation->end - annotation->start;

	return snprintf(NULL, 0, "%llx", (unsigned long long)largest) + 2;
}

/* The offset of the instruction, or its address; NULL: the line is none. */
static void print_label(struct printer *p, const struct insn *insn)
{
	const struct annotate_style *style = &p->text->style;
	u32 nr_jumps = insn ? nr_jumps_to(p, insn->addr) : 0;
	bool calls = insn && insn->kind == INSN_CALL && style->label >= LABEL_CALLS;
	int width = label_width(p);

	if (style->nr_jumps && nr_jumps)
		out__dec(p->out, nr_jumps, JUMPS_WIDTH);
	else if (style->nr_jumps)
		out__fill(p->out, ' ', JUMPS_WIDTH);
	if (nr_jumps || calls || (insn && style->label == LABEL_ALL)) {
		out__hex(p->out, insn->addr - (style->addresses ? 0 : p->annotation->start),
		         width - 1);
		out__char(p->out, ':');
	} else {
		out__fill(p->out, ' ', width);
	}
}

static const char *arrow_of(const struct annotation *annotation, const struct insn *insn)
{
	switch (insn->kind) {
	case INSN_CALL:
		return "\u2192 ";
	case INSN_RETURN:
		return "\u2190 ";
	case INSN_JUMP:
		if (!insn->names || !is_inside(annotation, insn->target))
			return insn->names ? "\u2192 " : "  ";
		return insn->target > insn->addr ? "\u2193 " : "\u2191 ";
	default:
		return "  ";
	}
}

/* "Samples: 1K of event 'cycles', 4000 Hz, Event count (approx.): 12345, [percent: local period]"
 */
static void print_labels_heading(struct printer *p)
{
	const struct annotation *annotation = p->annotation;
	const struct session *session = annotation->names->session;
	const struct evsel *evsel = session->evlist->evsels[annotation->columns[0].evsel];
	const struct percent_type *type = &p->text->style.percent;
	const struct hist_event *events = p->text->hists->events,
	                        *first = &events[annotation->columns[0].evsel];
	u64 samples = 0;

	for (u32 i = 0; i < annotation->nr_columns; i++) {
		const struct hist_event *event = &events[annotation->columns[i].evsel];

		samples += annotation->hidden ? event->count : event->shown_count;
	}
	out__printf(p->out, "Samples: %llu of event%s '", (unsigned long long)samples,
	            annotation->nr_columns > 1 ? "s" : "");
	annotate_text__events(p->out, p->text->hists, annotation->columns, annotation->nr_columns);
	out__char(p->out, '\'');
	if (evsel->attr.freq)
		out__printf(p->out, ", %llu Hz", (unsigned long long)evsel->attr.sample_freq);
	out__printf(p->out, ", Event count (approx.): %llu, [percent: %s %s]\n",
	            (unsigned long long)(annotation->hidden ? first->period : first->shown_period),
	            type->global ? "global" : "local", type->hits ? "hits" : "period");
	out__name(p->out, annotation->name);
	out__str(p->out, "() ");
	out__name(p->out, strtab__get(&session->strings,
	                              dsos__at(&session->dsos, annotation->sym->dso)->name));
	const char *what = p->text->style.show_period    ? "Period"
	                   : p->text->style.show_samples ? "Samples"
	                                                 : "Percent";

	out__char(p->out, '\n');
	if (p->cycles_width) {
		out__left(p->out, what,
		          column_width(&p->text->style) * (int)annotation->nr_columns);
		annotate_cycles__heading(p->out, &p->cycles, p->text->style.cycles);
	} else {
		out__str(p->out, what);
	}
	out__char(p->out, '\n');
}

/* ---- lines without samples ---- */

/* Blanks as in Linux's perf: none in front, and tabs as blanks. */
static void print_expanded(struct out *out, const char *text)
{
	char clean[TEXT_MAX], *at;
	int column = 0;

	text += strspn(text, " \t\v\f\r");
	text__printable(clean, sizeof(clean), text);
	/* Tabs count as control characters: so in @text. */
	for (at = clean; *at; at++, text++) {
		if (*text != '\t') {
			out__char(out, *at);
			column++;
			continue;
		}
		int blanks = 8 - column % 8;

		out__fill(out, ' ', blanks);
		column += blanks;
	}
}

static void print_other(struct printer *p, const char *text)
{
	if (p->text->style.labels) {
		text += strspn(text, " \t\v\f\r");
		if (*text) {
			out__fill(p->out, ' ',
			          column_width(&p->text->style) * (int)p->annotation->nr_columns +
			                  p->cycles_width);
			print_label(p, NULL);
			out__char(p->out, ' ');
			print_expanded(p->out, text);
		}
		out__char(p->out, '\n');
		return;
	}
	out__fill(p->out, ' ', column_width(&p->text->style) * (int)p->annotation->nr_columns);
	out__str(p->out, " :");
	text += strspn(text, " \t\v\f\r");
	if (*text) {
		out__printf(p->out, " %-*u ", p->number_width, p->line_nr);
		print_expanded(p->out, text);
	}
	out__char(p->out, '\n');
	p->line_nr++;
}

static void print_beginning(struct printer *p)
{
	const struct annotation *annotation = p->annotation;
	u64 offset;
	const char *name = code_names__find(p->text->code_names, annotation->sym->dso,
	                                    annotation->start, &offset);
	char *line;

	for (int i = p->text->style.labels; i < 3; i++)
		print_other(p, "");
	line = xasprintf("Disassembly of section %s:", annotation->code.section);
	print_other(p, line);
	free(line);
	print_other(p, "");
	line = xasprintf("%0*llx <%s>:", annotation->code.machine.is64 ? 16 : 8,
	                 (unsigned long long)annotation->start,
	                 name && !offset ? name : annotation->name);
	print_other(p, line);
	free(line);
}

/* ---- source ---- */

static void print_source_line(struct printer *p, const char *text, u32 number)
{
	char *numbered;

	if (!p->text->style.line_numbers) {
		print_other(p, text);
		return;
	}
	numbered = xasprintf("%-5u %s", number, text);
	print_other(p, numbered);
	free(numbered);
}

static void print_source_lines(struct printer *p, const char *path, u32 line)
{
	struct source_file *file = source_files__at(p->text->sources, path);
	u32 from = line > CONTEXT_LINES ? line - CONTEXT_LINES : 1;

	if (!source_file__line(file, line) && !file->text.nr)
		return;
	if (line == file->last_line)
		return;
	if (file->max_printed >= from)
		from = file->max_printed < line ? file->max_printed + 1 : line;
	for (; from <= line && from <= file->text.nr; from++)
		print_source_line(p, source_file__line(file, from), from);
	if (file->max_printed < line)
		file->max_printed = line;
	file->last_line = line;
}

/* The innermost function. */
static const char *function_at(struct printer *p, const struct annotation_line *line)
{
	const struct annotation *annotation = p->annotation;
	u32 dso = annotation->sym->dso;
	u64 offset;

	if (line->nr_frames && line->frame.function != ID_NONE)
		return code_names__readable(
		        p->text->code_names, dso,
		        debug_info__text(annotation->source, line->frame.function));
	const char *name = code_names__find(p->text->code_names, dso, annotation->start, &offset);

	return name ? name : annotation->name;
}

/* What objdump -l -S prints in front of an instruction. */
static void print_source(struct printer *p, const struct annotation_line *line)
{
	struct debug_info *source = p->annotation->source;
	bool known = line->nr_frames && line->frame.file != ID_NONE;
	u32 number = known ? line->frame.line : 0;
	const char *function = function_at(p, line);
	char *text;

	if (!p->function || strcmp(function, p->function) != 0) {
		text = xasprintf(strchr(function, '(') ? "%s:" : "%s():", function);
		print_other(p, text);
		free(text);
		p->line = 0;
	}
	p->function = function;
	if (number) {
		const char *path = debug_info__text(source, line->frame.file);

		if (number != p->line && *path == '/' && !p->text->style.places) {
			p->line_nr = number;
		} else if (number != p->line) {
			text = xasprintf("%s:%u", path, number);
			print_other(p, text);
			free(text);
		}
		if (p->text->style.source)
			print_source_lines(p, path, number);
	}
	p->line = number;
}

/* ---- instructions ---- */

static void print_weights(struct printer *p, const struct annotation_line *line)
{
	const struct annotate_style *style = &p->text->style;
	bool any = !style->labels;

	for (u32 i = 0; i < p->annotation->nr_columns; i++)
		any |= line->weights[i].count;
	for (u32 i = 0; i < p->annotation->nr_columns; i++) {
		const struct annotation_weight *weight = &line->weights[i];
		u64 part = percent_type__part(&style->percent, weight);
		u64 whole = percent_type__whole(&style->percent, &p->annotation->columns[i]);
		const char *color = NULL;

		if (style->colored && whole && part * 100.0 >= 5.0 * whole)
			color = COLOR_RED;
		else if (style->colored && whole && part * 100.0 >= 0.5 * whole)
			color = COLOR_GREEN;
		if (!any) {
			out__fill(p->out, ' ', column_width(style));
			continue;
		}
		out__str(p->out, color ? color : "");
		if (style->labels && !style->show_period && !style->show_samples) {
			out__percent(p->out, part, whole, 2, column_width(style) - 1);
			out__char(p->out, ' ');
		} else if (style->show_period)
			out__dec(p->out, weight->period, column_width(style));
		else if (style->show_samples)
			out__dec(p->out, weight->count, column_width(style));
		else
			out__percent(p->out, part, whole, 2, column_width(style));
		out__str(p->out, color ? COLOR_RESET : "");
	}
}

/* "t.c:12", malloc'ed; without debug information "symbol+16". */
static char *source_place(struct printer *p, const struct annotation_line *line)
{
	const struct annotation *annotation = p->annotation;

	if (!line->nr_frames || line->frame.file == ID_NONE || !line->frame.line)
		return xasprintf("%s+%llu", annotation->name,
		                 (unsigned long long)(line->insn.addr - annotation->start));
	const char *path = debug_info__text(annotation->source, line->frame.file);
	char clean[TEXT_MAX];

	text__printable(clean, sizeof(clean),
	                p->text->style.full_paths ? path : text__basename(path));
	return xasprintf("%s:%u", clean, line->frame.line);
}

/* -l: which line the instruction is of, if it is hot and the last that was named is another. */
static void print_place(struct printer *p, const struct annotation_line *line)
{
	const struct percent_type *type = &p->text->style.percent;
	bool hot = false;

	for (u32 i = 0; i < p->annotation->nr_columns; i++) {
		u64 whole = percent_type__whole(type, &p->annotation->columns[i]);

		hot |= whole &&
		       100.0 * percent_type__part(type, &line->weights[i]) > LINE_PERCENT * whole;
	}
	if (!hot)
		return;
	char *place = source_place(p, line);

	if (p->text->last_line && !strcmp(p->text->last_line, place)) {
		free(place);
		return;
	}
	out__str(p->out, " // ");
	out__str(p->out, place);
	free(p->text->last_line);
	p->text->last_line = place;
}

static void add_target(struct printer *p, struct out *text, const struct insn *insn)
{
	u64 offset;
	const char *name;

	if (insn->symbol && !insn->names) {
		out__str(text, "        # <");
		out__name(text, insn->symbol);
		if (insn->symbol_offset)
			out__printf(text, "%s0x%llx", insn->symbol_offset < 0 ? "-" : "+",
			            (unsigned long long)llabs(insn->symbol_offset));
		out__char(text, '>');
	}
	if (insn->symbol || (!insn->names && !insn->refers))
		return;
	name = code_names__nearest(p->text->code_names, p->text->files, p->annotation->sym->dso,
	                           insn->target, &offset);
	/* Where there is no table, as in a recording from another machine. */
	if (!name && insn->target >= p->annotation->start && insn->target < p->annotation->end) {
		name = p->annotation->name;
		offset = insn->target - p->annotation->start;
	}
	if (insn->refers)
		out__printf(text, "        # %llx", (unsigned long long)insn->target);
	if (name) {
		out__str(text, " <");
		out__str(text, name);
		if (offset)
			out__printf(text, "+0x%llx", (unsigned long long)offset);
		out__char(text, '>');
	}
	out__str(text, insn->note ? insn->note : "");
}

/* The bytes as objdump has them: seven (x86) or one word to a line. */
static u32 add_bytes(const struct printer *p, struct out *text, const struct annotation_line *line,
                     u32 from)
{
	const struct disasm_options *machine = &p->annotation->code.machine;
	bool words = machine->machine == EM_AARCH64 && line->insn.size == 4;
	size_t start = text->len;
	u32 i = from;

	if (words)
		out__printf(text, "%02x%02x%02x%02x ", line->bytes[3], line->bytes[2],
		            line->bytes[1], line->bytes[0]);
	for (i = words ? 4 : from; i < line->insn.size && i < from + 7; i++)
		out__printf(text, "%02x ", line->bytes[i]);
	if (!words)
		out__fill(text, ' ', 21 - (int)(text->len - start));
	return i;
}

static void print_instruction(struct printer *p, const struct annotation_line *line)
{
	struct out text;
	u32 shown = line->insn.size;

	out__init(&text, -1);
	out__printf(&text, "%llx:\t", (unsigned long long)line->insn.addr);
	if (p->text->style.raw) {
		shown = add_bytes(p, &text, line, 0);
		out__char(&text, '\t');
	}
	out__str(&text, line->insn.text);
	add_target(p, &text, &line->insn);
	print_weights(p, line);
	out__str(p->out, " :   ");
	print_expanded(p->out, out__take(&text));
	if (p->text->style.print_line)
		print_place(p, line);
	out__char(p->out, '\n');
	p->line_nr++;
	while (shown < line->insn.size) { /* the rest of long ones */
		static struct annotation_weight none[64];
		struct annotation_line rest = *line;

		rest.weights = p->annotation->nr_columns <= ARRAY_SIZE(none) ? none : line->weights;
		text.len = 0;
		out__printf(&text, "%llx:\t", (unsigned long long)line->insn.addr + shown);
		shown = add_bytes(p, &text, line, shown);
		while (text.len && text.buf[text.len - 1] == ' ')
			text.len--;
		print_weights(p, &rest);
		out__str(p->out, " :   ");
		print_expanded(p->out, out__take(&text));
		out__char(p->out, '\n');
		p->line_nr++;
	}
	out__exit(&text);
}

/* The name of what an instruction leads to; NULL: none. */
static const char *target_name(struct printer *p, const struct insn *insn, u64 *offset)
{
	*offset = insn->symbol ? (u64)insn->symbol_offset : 0;
	if (insn->symbol)
		return insn->symbol;
	return insn->names || insn->refers
	               ? code_names__nearest(p->text->code_names, p->text->files,
	                                     p->annotation->sym->dso, insn->target, offset)
	               : NULL;
}

static void print_cycles(struct printer *p)
{
	static const struct insn_cycles none;

	/* Another program may disassemble in another way when asked again. */
	if (p->cycles_width)
		annotate_cycles__insn(
		        p->out, p->nr_insns < p->cycles.nr ? &p->cycles.insns[p->nr_insns] : &none,
		        p->text->style.cycles);
	p->nr_insns++;
}

/* With labels: jumps say the label, calls the function, operands relative to the pc the variable.
 */
static void print_labelled(struct printer *p, const struct annotation_line *line)
{
	const struct insn *insn = &line->insn;
	int len = (int)strcspn(insn->text, " \t");
	const char *operands = insn->text + len + strspn(insn->text + len, " \t");
	const char *pc = insn->refers ? strstr(operands, "(%rip)") : NULL, *from = pc;
	u64 offset;
	const char *name = target_name(p, insn, &offset);

	print_weights(p, line);
	print_cycles(p);
	print_label(p, insn);
	out__char(p->out, ' ');
	out__str(p->out, arrow_of(p->annotation, insn));
	bool nop = !strncmp(insn->text, "nop", 3) || !strncmp(insn->text, "cs nop", 6);

	out__printf(p->out, "%.*s", nop ? 3 : len, nop ? "nop" : insn->text);
	if (nop || !*operands) {
		out__char(p->out, '\n');
		return;
	}
	out__fill(p->out, ' ', p->mnemonic_width - len + 1);
	while (from && from > operands && !strchr(",*:", from[-1]))
		from--;
	if (insn->names && insn->kind == INSN_JUMP && is_inside(p->annotation, insn->target)) {
		out__hex(p->out,
		         insn->target - (p->text->style.addresses ? 0 : p->annotation->start), 0);
	} else if (name && (insn->names || pc)) {
		out__mem(p->out, operands, from ? (size_t)(from - operands) : 0);
		out__str(p->out, name);
		if (offset)
			out__printf(p->out, "+0x%llx", (unsigned long long)offset);
		out__str(p->out, pc ? pc + strlen("(%rip)") : "");
	} else {
		print_expanded(p->out, operands);
	}
	out__char(p->out, '\n');
}

/* ---- -l: the summary ---- */

struct line_sum {
	char *place;
	struct annotation_weight *weights; /* by column */
	double percent;                    /* the largest of the columns */
};

struct line_sums {
	struct line_sum *sums;
	u32 nr;
	size_t cap;
};

static struct line_sum *sum_of(struct line_sums *sums, char *place, u32 nr_columns)
{
	for (u32 i = 0; i < sums->nr; i++) {
		if (strcmp(sums->sums[i].place, place) != 0)
			continue;
		free(place);
		return &sums->sums[i];
	}
	array__reserve(&sums->sums, &sums->cap, (size_t)sums->nr + 1, sizeof(*sums->sums));
	struct line_sum *sum = &sums->sums[sums->nr++];

	*sum = (struct line_sum){ .place = place };
	sum->weights = xcalloc(nr_columns, sizeof(*sum->weights));
	return sum;
}

static int compare_sums(const void *left, const void *right)
{
	const struct line_sum *a = left, *b = right;

	if (a->percent != b->percent)
		return a->percent < b->percent ? 1 : -1;
	return strcmp(b->place, a->place);
}

static void add_up(struct printer *p, struct line_sums *sums)
{
	const struct percent_type *type = &p->text->style.percent;
	u32 nr_columns = p->annotation->nr_columns;
	struct annotation_line line;

	while (annotation__next(p->annotation, &line)) {
		bool any = false;

		for (u32 i = 0; i < nr_columns; i++)
			any |= line.weights[i].count;
		if (!any)
			continue;
		struct line_sum *sum = sum_of(sums, source_place(p, &line), nr_columns);

		sum->percent = 0;
		for (u32 i = 0; i < nr_columns; i++) {
			u64 whole = percent_type__whole(type, &p->annotation->columns[i]);

			sum->weights[i].count += line.weights[i].count;
			sum->weights[i].period += line.weights[i].period;
			double percent =
			        whole ? 100.0 * percent_type__part(type, &sum->weights[i]) / whole
			              : 0;

			sum->percent = percent > sum->percent ? percent : sum->percent;
		}
	}
}

static void print_sum(struct printer *p, const struct line_sum *sum)
{
	const struct percent_type *type = &p->text->style.percent;

	for (u32 i = 0; i < p->annotation->nr_columns; i++)
		out__percent(p->out, percent_type__part(type, &sum->weights[i]),
		             percent_type__whole(type, &p->annotation->columns[i]), 2, 8);
	out__char(p->out, ' ');
	out__str(p->out, sum->place);
	out__char(p->out, '\n');
}

static void print_summary(struct printer *p)
{
	const struct names *names = p->annotation->names;
	struct line_sums sums = { .nr = 0 };
	u32 nr_shown = 0;

	add_up(p, &sums);
	if (sums.nr)
		qsort(sums.sums, sums.nr, sizeof(*sums.sums), compare_sums);
	out__str(p->out, "\nSorted summary for file ");
	out__name(p->out,
	          strtab__get(&names->session->strings,
	                      dsos__at(&names->session->dsos, p->annotation->sym->dso)->name));
	out__str(p->out, "\n----------------------------------------------\n\n");
	for (u32 i = 0; i < sums.nr; i++) {
		if (sums.sums[i].percent > LINE_PERCENT) {
			print_sum(p, &sums.sums[i]);
			nr_shown++;
		}
		free(sums.sums[i].place);
		free(sums.sums[i].weights);
	}
	if (!nr_shown)
		out__printf(p->out, " Nothing higher than %1.1f%%\n", LINE_PERCENT);
	free(sums.sums);
}

/* ---- marks ---- */

void annotate_marks__exit(struct annotate_marks *marks)
{
	for (u32 i = 0; i < marks->nr; i++)
		free(marks->list[i].callee);
	free(marks->list);
	free(marks->note);
	*marks = (struct annotate_marks){ .nr = 0 };
}

/* A return, or a jump to a known place that is always taken. */
static bool leads_away(const struct insn *insn)
{
	bool always = !strncmp(insn->text, "jmp", 3) || !strncmp(insn->text, "b\t", 2);

	return insn->kind == INSN_RETURN || (insn->kind == INSN_JUMP && insn->names && always);
}

static void mark_line(struct printer *p, const struct annotation_line *line)
{
	struct annotate_marks *marks = p->text->marks;
	const struct insn *insn = &line->insn;
	struct annotate_mark mark = {
		.at = p->out->len, .kind = insn->kind, .addr = insn->addr, .ends = leads_away(insn)
	};
	bool inside = is_inside(p->annotation, insn->target);
	u64 offset;

	for (u32 i = 0; i < p->annotation->nr_columns; i++) {
		const struct annotation_column *column = &p->annotation->columns[i];
		u64 whole = percent_type__whole(&p->text->style.percent, column);
		u64 part = percent_type__part(&p->text->style.percent, &line->weights[i]);
		double percent = whole ? 100.0 * part / whole : 0;

		mark.percent = percent > mark.percent ? percent : mark.percent;
	}
	if (insn->names && insn->kind == INSN_JUMP && inside) {
		mark.target = insn->target;
	} else if (insn->names && (insn->kind == INSN_JUMP || insn->kind == INSN_CALL)) {
		const char *name = target_name(p, insn, &offset);

		mark.callee = name && !offset ? xstrdup(name) : NULL;
	}
	array__reserve(&marks->list, &marks->cap, (size_t)marks->nr + 1, sizeof(*marks->list));
	marks->list[marks->nr++] = mark;
}

static int find_cycles(struct printer *p, struct error *err)
{
	int ret = function_cycles__init(&p->cycles, p->text->cycles, p->annotation, err);

	p->cycles_width = annotate_cycles__width(&p->cycles, p->text->style.cycles);
	if (p->text->marks)
		p->text->marks->cycles_width = p->cycles_width;
	return ret;
}

static int end(struct printer *p, int ret)
{
	free(p->targets);
	function_cycles__exit(&p->cycles);
	return ret;
}

int annotate_stdio__print(struct annotate_text *text, struct annotation *annotation,
                          struct error *err)
{
	struct printer p = { .text = text, .out = text->out, .annotation = annotation };
	struct annotation_line line;
	int ret = 0;

	if (text->style.print_line || text->style.verbose) {
		print_summary(&p);
		ret = annotation__rewind(annotation, err);
		if (ret)
			return ret;
	}
	p.number_width = snprintf(NULL, 0, "%llx", (unsigned long long)annotation->end);
	if (text->style.labels)
		ret = find_targets(&p, err);
	if (!ret && text->style.labels && text->cycles)
		ret = find_cycles(&p, err);
	if (ret)
		return end(&p, ret);
	if (text->style.labels)
		print_labels_heading(&p);
	else
		print_heading(&p);
	if (text->style.verbose)
		print_addresses(&p);
	source_files__begin(text->sources);
	print_beginning(&p);
	while (!p.out->error && annotation__next(annotation, &line)) {
		print_source(&p, &line);
		if (text->marks)
			mark_line(&p, &line);
		if (text->style.labels)
			print_labelled(&p, &line);
		else
			print_instruction(&p, &line);
	}
	return end(&p, annotation__end(annotation, err));
}
