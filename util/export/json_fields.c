// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/export/json_fields.h"

#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"
#include "util/lib/json.h"
#include "util/lib/text.h"

/* Up to a NUL; NULL: it is not there. */
static void write_text(struct out *out, const char *text, u32 len)
{
	char *copy = text ? xasprintf("%.*s", (int)len, text) : NULL;

	json__string(out, copy);
	free(copy);
}

static void write_number(struct out *out, const struct trace_field *field, const u8 *at, u32 size)
{
	u64 value = trace__load(at, size, field->flags & TRACE_FIELD_SIGNED,
	                        field->flags & TRACE_FIELD_SWAP);

	if (field->flags & TRACE_FIELD_POINTER || text__starts_with(field->name, "__probe_")) {
		out__str(out, "\"0x");
		out__hex(out, value, 0);
		out__char(out, '"');
	} else if (field->flags & TRACE_FIELD_SIGNED) {
		out__sdec(out, (s64)value);
	} else {
		out__dec(out, value, 0);
	}
}

static void write_numbers(struct out *out, const struct trace_field *field, const u8 *raw, u32 size)
{
	u32 len, element = field->element ? field->element : 1;
	const u8 *bytes = trace__bytes(field, raw, size, &len);

	out__char(out, '[');
	for (u32 at = 0; bytes && at + element <= len; at += element) {
		if (at)
			out__str(out, ", ");
		write_number(out, field, bytes + at, element);
	}
	out__char(out, ']');
}

/* A probe's array of strings: as many u32s as there are. */
static void write_texts(struct out *out, const struct trace_field *field, const u8 *raw, u32 size)
{
	struct trace_field one = *field;
	struct trace_string string = { .first = field->offset, .next = field->next };
	u32 len;

	one.size = sizeof(u32);
	one.next = 0; /* is told by the array */
	out__char(out, '[');
	for (u32 at = 0; at + sizeof(u32) <= field->size; at += sizeof(u32)) {
		if (at)
			out__str(out, ", ");
		string.place = one.offset = field->offset + at;
		bool fault = trace__is_fault(raw, size, &string, field->flags & TRACE_FIELD_SWAP);
		const char *text = fault ? NULL : trace__str(&one, raw, size, &len);

		write_text(out, text, text ? len : 0);
	}
	out__char(out, ']');
}

static void write_field(struct out *out, const struct trace_field *field, const u8 *raw, u32 size)
{
	u32 len;

	if (field->flags & TRACE_FIELD_STRING) {
		if (field->flags & TRACE_FIELD_DYNAMIC &&
		    (field->size > sizeof(u32) || strstr(field->type, "[1]"))) {
			write_texts(out, field, raw, size);
			return;
		}
		const char *text = trace__str(field, raw, size, &len);

		/* (fault) that stands nowhere in the record is what was said of it. */
		if (text && ((const u8 *)text < raw || (const u8 *)text > raw + size))
			text = NULL;
		write_text(out, text, text ? len : 0);
	} else if (field->flags & (TRACE_FIELD_ARRAY | TRACE_FIELD_DYNAMIC)) {
		write_numbers(out, field, raw, size);
	} else {
		write_number(out, field, raw + field->offset, field->size);
	}
}

void json_fields__write(struct out *out, const struct trace_event *event, const u8 *raw, u32 size)
{
	bool any = false;

	out__char(out, '{');
	for (u32 i = event->nr_common; i < event->nr_fields; i++) {
		const struct trace_field *field = &event->fields[i];

		if (!trace__has(field, size))
			continue;
		if (any)
			out__str(out, ", ");
		any = true;
		json__string(out, field->name);
		out__str(out, ": ");
		write_field(out, field, raw, size);
	}
	out__char(out, '}');
}
