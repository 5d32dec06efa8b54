// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A line is "\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;". What counts as text are
 * the rules of the kernel, which knows types by their spelling, too (Documentation/trace/events.rst
 * of the kernel, section 5): an array of char, dynamic or not, and a plain pointer to char.
 */
#include "util/event/event_fields.h"

#include <stdlib.h>
#include <string.h>

#include "util/event/declaration.h"

/* Is the type from @type on, @len bytes, text? The bounds of an array stand behind its name. */
static bool is_text(const char *type, size_t len, bool is_array)
{
	char *copy = xasprintf("%.*s", (int)min_u64(len, 4096), type);
	bool dynamic = strstr(copy, "__data_loc") || strstr(copy, "__rel_loc");
	bool text = strstr(copy, "char") != NULL && (dynamic || is_array);

	text |= !strcmp(copy, "char *") || !strcmp(copy, "const char *");
	free(copy);
	return text;
}

/* An array of 1, 2, 4 or 8 bytes is compared as one number, one of another size equals none. */
static u32 odd_size(const char *rest)
{
	const char *mark = strstr(rest, "size:");
	unsigned long size =
	        mark && mark < rest + strcspn(rest, "\n") ? strtoul(mark + 5, NULL, 10) : 0;

	return size <= 2 || size == 4 || size == 8 || size > INT32_MAX ? 0 : size;
}

static void add_field(struct event_fields *fields, const char *type, const char *end,
                      bool is_signed)
{
	struct declaration d;

	if (!declaration__split(&d, type, end) || !d.type.len)
		return;
	array__reserve(&fields->fields, &fields->cap, fields->nr + 1, sizeof(*fields->fields));
	bool text = is_text(d.type.text, d.type.len, d.is_array);

	fields->fields[fields->nr++] = (struct event_field){
		.name = arena__strndup(&fields->arena, d.name.text, d.name.len),
		.is_text = text,
		.odd_size = d.is_array && !text ? odd_size(end) : 0,
		.is_signed = is_signed,
		.is_common = !strncmp(d.name.text, "common_", strlen("common_")),
	};
}

/* By what stands behind the name, up to the end of the line. */
static bool is_signed(const char *rest)
{
	const char *mark = strstr(rest, "signed:1"), *end = rest + strcspn(rest, "\n");

	return mark && mark < end;
}

void event_fields__parse(struct event_fields *fields, const char *format)
{
	for (const char *line = format; line; line = strchr(line, '\n')) {
		const char *type, *end;

		line += *line == '\n';
		type = line + strspn(line, "\t ");
		if (strncmp(type, "field:", strlen("field:")) != 0)
			continue;
		type += strlen("field:");
		end = type + strcspn(type, ";\n");
		if (*end == ';')
			add_field(fields, type, end, is_signed(end));
	}
}

int event_fields__read(struct event_fields *fields, struct tracefs *tracefs, const char *tracepoint,
                       struct error *err)
{
	char *path = xasprintf("events/%s/format", tracepoint);
	struct error own = ERROR_INIT;
	size_t size;
	char *format = tracefs__read(tracefs, path, &size, err ? err : &own);

	free(path);
	if (!format)
		return err ? err->code : own.code;
	event_fields__parse(fields, format);
	free(format);
	return 0;
}

void event_fields__exit(struct event_fields *fields)
{
	free(fields->fields);
	arena__exit(&fields->arena);
	*fields = (struct event_fields){ .nr = 0 };
}

const struct event_field *event_fields__find(const struct event_fields *fields, const char *name,
                                             size_t len)
{
	for (u32 i = 0; i < fields->nr; i++)
		if (!strncmp(fields->fields[i].name, name, len) && !fields->fields[i].name[len])
			return &fields->fields[i];
	return NULL;
}
