// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/json/annotate_json.h"

#include <string.h>

#include "util/lib/json.h"

/* Percentages with four decimals, as numbers. */
static void print_percent(struct out *out, u64 part, u64 whole)
{
	out__percent(out, part, whole, 4, 0);
}

static void print_events(struct out *out, const struct annotate_text *text,
                         const struct annotation *annotation)
{
	struct evsel *const *evsels = annotation->names->session->evlist->evsels;

	out__str(out, ", \"events\": [");
	for (u32 i = 0; i < annotation->nr_columns; i++) {
		const struct annotation_column *column = &annotation->columns[i];

		out__str(out, i ? ", {\"event\": " : "{\"event\": ");
		json__string(out, evsels[column->evsel]->name);
		out__printf(out, ", \"samples\": %llu, \"period\": %llu, \"percent\": ",
		            (unsigned long long)column->symbol.count,
		            (unsigned long long)column->symbol.period);
		print_percent(out, percent_type__part(&text->style.percent, &column->symbol),
		              percent_type__part(&text->style.percent, &column->event));
		out__char(out, '}');
	}
	out__char(out, ']');
}

static void print_function(struct out *out, const struct annotate_text *text,
                           const struct annotation *annotation)
{
	const struct session *session = annotation->names->session;
	const struct dso *dso = dsos__at(&session->dsos, annotation->sym->dso);

	out__str(out, "{\"symbol\": ");
	json__string(out, annotation->name);
	out__str(out, ", \"dso\": ");
	json__string(out, strtab__get(&session->strings, dso->name));
	out__str(out, ", \"build-id\": ");
	if (dso->build_id_size)
		out__char(out, '"');
	for (u32 i = 0; i < dso->build_id_size; i++)
		out__hex0(out, dso->build_id[i], 2);
	out__str(out, dso->build_id_size ? "\"" : "null");
	out__printf(out, ", \"start\": %llu, \"size\": %llu", (unsigned long long)annotation->start,
	            (unsigned long long)(annotation->end - annotation->start));
	print_events(out, text, annotation);
}

/* The counts of one kind for all events: an array. */
static void print_array(struct out *out, const char *key, const struct annotate_text *text,
                        const struct annotation *annotation, const struct annotation_line *line,
                        char kind)
{
	out__printf(out, ", \"%s\": [", key);
	for (u32 i = 0; i < annotation->nr_columns; i++) {
		const struct annotation_weight *weight = &line->weights[i];

		out__str(out, i ? ", " : "");
		if (kind == 'p')
			print_percent(
			        out, percent_type__part(&text->style.percent, weight),
			        percent_type__whole(&text->style.percent, &annotation->columns[i]));
		else
			out__dec(out, kind == 's' ? weight->count : weight->period, 0);
	}
	out__char(out, ']');
}

static void print_target(struct out *out, const struct annotate_text *text,
                         const struct annotation *annotation, const struct insn *insn)
{
	u64 offset = 0;

	if (insn->symbol) {
		out__str(out, ", \"target\": {\"address\": null, \"symbol\": ");
		json__string(out, insn->symbol);
		out__printf(out, ", \"offset\": %lld}", (long long)insn->symbol_offset);
		return;
	}
	if (!insn->names && !insn->refers)
		return;
	const char *name = code_names__nearest(text->code_names, text->files, annotation->sym->dso,
	                                       insn->target, &offset);

	out__printf(out, ", \"target\": {\"address\": %llu, \"symbol\": ",
	            (unsigned long long)insn->target);
	json__string(out, name);
	out__printf(out, ", \"offset\": %llu}", (unsigned long long)offset);
}

static void print_place(struct out *out, const struct annotate_text *text,
                        const struct annotation *annotation, const struct annotation_line *line)
{
	if (!line->nr_frames)
		return;
	if (line->frame.function != ID_NONE) {
		out__str(out, ", \"function\": ");
		json__string(out, code_names__readable(text->code_names, annotation->sym->dso,
		                                       debug_info__text(annotation->source,
		                                                        line->frame.function)));
	}
	if (line->frame.file != ID_NONE && line->frame.line) {
		out__str(out, ", \"file\": ");
		json__string(out, debug_info__text(annotation->source, line->frame.file));
		out__printf(out, ", \"line\": %u", line->frame.line);
	}
}

static void print_instruction(struct out *out, const struct annotate_text *text,
                              const struct annotation *annotation,
                              const struct annotation_line *line)
{
	out__printf(out, "   {\"address\": %llu, \"bytes\": \"",
	            (unsigned long long)line->insn.addr);
	for (u32 i = 0; i < line->insn.size; i++)
		out__hex0(out, line->bytes[i], 2);
	out__str(out, "\", \"text\": ");
	json__string(out, line->insn.text);
	print_target(out, text, annotation, &line->insn);
	print_array(out, "samples", text, annotation, line, 's');
	print_array(out, "period", text, annotation, line, 'n');
	print_array(out, "percent", text, annotation, line, 'p');
	print_place(out, text, annotation, line);
	out__char(out, '}');
}

void annotate_json__begin(struct out *out)
{
	out__str(out, "{\"functions\": [");
}

int annotate_json__print(struct annotate_text *text, struct annotation *annotation, u32 index,
                         struct error *err)
{
	struct out *out = text->out;
	struct annotation_line line;
	bool any = false;

	out__str(out, index ? ",\n " : "\n ");
	print_function(out, text, annotation);
	out__str(out, ",\n  \"instructions\": [");
	for (; !out->error && annotation__next(annotation, &line); any = true) {
		out__str(out, any ? ",\n" : "\n");
		print_instruction(out, text, annotation, &line);
	}
	out__str(out, any ? "\n  ]}" : "]}");
	return annotation__end(annotation, err);
}

void annotate_json__end(struct out *out)
{
	out__str(out, "\n]}\n");
}
