// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Format files have a line for each field:
 *
 *	field:TYPE NAME[LENGTH];	offset:N;	size:N;	signed:N;
 *
 * and an empty line behind the fields that all events have. "__data_loc TYPE[] NAME" and
 * "__rel_loc TYPE[] NAME" are dynamic ones. Lines that make no sense are passed over.
 */
#include "util/trace/trace_format.h"

#include <ctype.h>
#include <stdlib.h>

#include "util/event/declaration.h"
#include "util/lib/alloc.h"
#include "util/lib/hash.h"
#include "util/reader/features.h"
#include "util/reader/reader.h"
#include "util/trace/trace_blob.h"

struct trace_formats {
	struct arena arena; /* names, types, fields */
	struct trace_event *events;
	size_t nr, cap;
	struct u64map by_id;
	unsigned long_size;
	bool swap;
};

static bool next_line(const char **at, const char *end, struct text_part *line)
{
	if (*at >= end)
		return false;
	const char *newline = memchr(*at, '\n', end - *at);

	line->text = *at;
	line->len = (newline ? newline : end) - *at;
	*at += line->len + 1;
	return true;
}

static bool starts(const struct text_part *line, const char *word)
{
	return line->len > strlen(word) && !memcmp(line->text, word, strlen(word));
}

static bool is_word(char c)
{
	return isalnum((u8)c) || c == '_';
}

/* The decimal number at the beginning of a text. False: there is none, or none below 65536. */
static bool take_number(const char *at, const char *end, u32 *value)
{
	const char *start = at;
	u32 number = 0;

	for (; at < end && isdigit((u8)*at); at++) {
		number = number * 10 + (*at - '0');
		if (number > UINT16_MAX)
			return false;
	}
	*value = number;
	return at > start;
}

/* The number behind "KEY:" in a line. */
static bool number_of(const struct text_part *line, const char *key, u32 *value)
{
	const char *at = memmem(line->text, line->len, key, strlen(key));

	return at && take_number(at + strlen(key), line->text + line->len, value);
}

static bool has_word(const char *type, const char *word)
{
	size_t len = strlen(word);

	for (const char *at = type; (at = strstr(at, word)); at++)
		if ((at == type || !is_word(at[-1])) && !is_word(at[len]))
			return true;
	return false;
}

u16 trace_type__size(const char *type, unsigned long_size)
{
	static const struct {
		const char *word;
		u8 size;
	} sizes[] = { { "char", 1 },     { "bool", 1 },    { "u8", 1 },     { "s8", 1 },
		      { "__u8", 1 },     { "uint8_t", 1 }, { "short", 2 },  { "u16", 2 },
		      { "s16", 2 },      { "__u16", 2 },   { "__be16", 2 }, { "uint16_t", 2 },
		      { "u64", 8 },      { "s64", 8 },     { "__u64", 8 },  { "__be64", 8 },
		      { "uint64_t", 8 }, { "u32", 4 },     { "s32", 4 },    { "__u32", 4 },
		      { "__be32", 4 },   { "uint32_t", 4 } };

	if (strchr(type, '*'))
		return long_size;
	if (strstr(type, "long long"))
		return 8;
	for (unsigned i = 0; i < ARRAY_SIZE(sizes); i++)
		if (has_word(type, sizes[i].word))
			return sizes[i].size;
	if (has_word(type, "long"))
		return long_size;
	return has_word(type, "int") || has_word(type, "unsigned") ? 4 : 0;
}

static void set_shape(const struct trace_formats *formats, const struct declaration *d,
                      struct trace_field *field)
{
	u32 length = 0;

	field->element = field->size;
	if (!strncmp(field->type, "__data_loc ", 11))
		field->flags |= TRACE_FIELD_DYNAMIC;
	else if (!strncmp(field->type, "__rel_loc ", 10))
		field->flags |= TRACE_FIELD_DYNAMIC | TRACE_FIELD_RELATIVE;
	else if (d->is_array) /* "s16 v[]", too */
		field->flags |= TRACE_FIELD_ARRAY;
	else if (strchr(field->type, '*'))
		field->flags |= TRACE_FIELD_POINTER;
	if (!(field->flags & (TRACE_FIELD_ARRAY | TRACE_FIELD_DYNAMIC)))
		return;
	if (has_word(field->type, "char") && !strchr(field->type, '*'))
		field->flags |= TRACE_FIELD_STRING;
	if (field->flags & TRACE_FIELD_ARRAY &&
	    take_number(d->length.text, d->length.text + d->length.len, &length) && length &&
	    !(field->size % length))
		field->element = field->size / length;
	else
		field->element = trace_type__size(field->type, formats->long_size);
}

static bool take_field(struct trace_formats *formats, const struct text_part *line,
                       const char *word, struct trace_field *field)
{
	const char *start = line->text + strlen(word);
	const char *end = memchr(start, ';', line->text + line->len - start);
	u32 offset, size, is_signed = 0;
	struct declaration d;

	if (!end || !declaration__split(&d, start, end) || !number_of(line, "\toffset:", &offset) ||
	    !number_of(line, "\tsize:", &size) || offset + size > UINT16_MAX)
		return false;
	number_of(line, "\tsigned:", &is_signed);
	*field = (struct trace_field){
		.name = arena__strndup(&formats->arena, d.name.text, d.name.len),
		.type = arena__strndup(&formats->arena, d.type.text, d.type.len),
		.offset = offset,
		.size = size,
		.flags = (is_signed ? TRACE_FIELD_SIGNED : 0) |
		         (formats->swap ? TRACE_FIELD_SWAP : 0),
	};
	set_shape(formats, &d, field);
	return true;
}

static const char *word_of_field(const struct text_part *line)
{
	static const char plain[] = "\tfield:", special[] = "\tfield special:";

	return starts(line, plain) ? plain : starts(line, special) ? special : NULL;
}

/* Each string of a probe is known to be read or not by the one behind it. */
static void link_strings(struct trace_event *event)
{
	u16 next = UINT16_MAX;

	if (!trace_event__field(event, "__probe_ip") && !trace_event__field(event, "__probe_func"))
		return;
	for (u32 i = event->nr_fields; i > event->nr_common; i--) {
		struct trace_field *field = &event->fields[i - 1];

		if (!(field->flags & TRACE_FIELD_DYNAMIC) || field->size < sizeof(u32))
			continue;
		field->next = next;
		next = field->offset;
	}
}

static void take_fields(struct trace_formats *formats, struct trace_event *event)
{
	const char *end = event->text + event->text_size;
	bool common = true;
	struct text_part line;
	size_t room = 0;

	for (const char *at = event->text; next_line(&at, end, &line);)
		room += word_of_field(&line) != NULL;
	event->fields = arena__alloc(&formats->arena, room * sizeof(*event->fields));
	for (const char *at = event->text; next_line(&at, end, &line);) {
		struct trace_field *field = &event->fields[event->nr_fields];
		const char *word = word_of_field(&line);

		common = common && (line.len || !event->nr_fields);
		if (!word || !take_field(formats, &line, word, field))
			continue;
		if (common) {
			field->flags |= TRACE_FIELD_COMMON;
			event->nr_common++;
		}
		if (event->min_size < (u32)field->offset + field->size)
			event->min_size = field->offset + field->size;
		event->nr_fields++;
	}
	link_strings(event);
}

/* What follows "WORD" and blanks at the beginning of a line. */
static struct text_part value_of(const char *text, size_t size, const char *word)
{
	struct text_part line;

	for (const char *at = text; next_line(&at, text + size, &line);) {
		if (!starts(&line, word))
			continue;
		line.text += strlen(word);
		line.len -= strlen(word);
		while (line.len && *line.text == ' ') {
			line.text++;
			line.len--;
		}
		return line;
	}
	return (struct text_part){ text, 0 };
}

static void take_event(void *ctx, const char *system, const char *text, size_t size)
{
	struct text_part id_text = value_of(text, size, "ID:"),
	                 name = value_of(text, size, "name:");
	struct trace_formats *formats = ctx;
	u32 id;

	if (!take_number(id_text.text, id_text.text + id_text.len, &id))
		return;
	u32 *slot = u64map__at(&formats->by_id, id);

	if (*slot != ID_NONE)
		return;
	*slot = formats->nr;
	array__reserve(&formats->events, &formats->cap, formats->nr + 1, sizeof(*formats->events));
	struct trace_event *event = &formats->events[formats->nr++];

	*event = (struct trace_event){
		.system = arena__strndup(&formats->arena, system, strlen(system)),
		.name = arena__strndup(&formats->arena, name.text, name.len),
		.id = id,
		.text = text,
		.text_size = size,
	};
	take_fields(formats, event);
}

static void set_machine(void *ctx, bool big_endian, unsigned long_size, u32 page_size)
{
	struct trace_formats *formats = ctx;

	(void)page_size;
	formats->swap = big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	formats->long_size = long_size;
}

struct trace_formats *trace_formats__new(const void *blob, size_t size)
{
	struct trace_formats *formats = xcalloc(1, sizeof(*formats));
	struct trace_blob_reader reader = { set_machine, take_event, NULL, formats };

	trace_blob__read(blob, size, &reader);
	return formats;
}

struct trace_formats *trace_formats__of_file(const struct perf_data *data)
{
	size_t size = 0;
	const void *blob = perf_data__feature(data, FEATURE_TRACING_DATA, &size);

	return trace_formats__new(blob ? blob : "", blob ? size : 0);
}

void trace_formats__delete(struct trace_formats *formats)
{
	if (!formats)
		return;
	u64map__exit(&formats->by_id);
	arena__exit(&formats->arena);
	free(formats->events);
	free(formats);
}

const struct trace_event *trace_formats__event(const struct trace_formats *formats, u64 id)
{
	u32 at = u64map__get(&formats->by_id, id);

	return at == ID_NONE ? NULL : &formats->events[at];
}

const struct trace_event *trace_formats__find(const struct trace_formats *formats,
                                              const char *system, const char *name)
{
	for (size_t i = 0; i < formats->nr; i++)
		if (!strcmp(formats->events[i].name, name) &&
		    !strcmp(formats->events[i].system, system))
			return &formats->events[i];
	return NULL;
}

const struct trace_field *trace_event__field(const struct trace_event *event, const char *name)
{
	for (u32 i = 0; i < event->nr_fields; i++)
		if (!strcmp(event->fields[i].name, name))
			return &event->fields[i];
	return NULL;
}

void trace_event__names(const struct trace_event *event, struct out *out)
{
	for (u32 i = event->nr_common; i < event->nr_fields; i++) {
		if (i > event->nr_common)
			out__char(out, ',');
		out__str(out, event->fields[i].name);
	}
}

/* Where the bytes of a string lie, and how many they are, in one; 0: outside of the record. */
static u32 place_of(const u8 *raw, u32 size, u32 at, bool swap)
{
	return at <= size && size - at >= sizeof(u32) ? load_u32(raw + at, swap) : 0;
}

/* An element: does it lie behind those before, as the kernel stores them? */
static bool goes_on(const u8 *raw, u32 size, const struct trace_string *string, bool swap)
{
	u32 behind = place_of(raw, size, string->first, swap) & 0xffff, word = 0;

	for (u32 at = string->first; at <= string->place; at += sizeof(u32)) {
		word = place_of(raw, size, at, swap);
		if ((word & 0xffff) != behind)
			return false;
		behind += word >> 16;
	}
	return word >> 16 && behind <= size && !raw[behind - 1];
}

bool trace__is_fault(const u8 *raw, u32 size, const struct trace_string *string, bool swap)
{
	if (!string->next || string->place > size || size - string->place < sizeof(u32))
		return false;
	if (!(load_u32(raw + string->place, swap) >> 16))
		return true;
	/* What was read ends where the next begins: it has a NUL at least. */
	if (string->next <= size && size - string->next >= sizeof(u32) &&
	    (load_u32(raw + string->next, swap) & 0xffff) ==
	            (place_of(raw, size, string->first, swap) & 0xffff))
		return true;
	return string->place != string->first && !goes_on(raw, size, string, swap);
}

const void *trace__bytes(const struct trace_field *field, const void *raw, u32 size, u32 *len)
{
	u32 offset = field->offset;

	*len = 0;
	if (!trace__has(field, size))
		return NULL;
	u32 bytes = field->size;

	if (field->flags & TRACE_FIELD_DYNAMIC) {
		if (field->size != sizeof(u32))
			return NULL;
		const struct trace_string string = { offset, offset, field->next };

		if (unlikely(field->next) &&
		    trace__is_fault(raw, size, &string, field->flags & TRACE_FIELD_SWAP)) {
			*len = strlen(TRACE_FAULT);
			return TRACE_FAULT;
		}
		u32 place = load_u32((const u8 *)raw + offset, field->flags & TRACE_FIELD_SWAP);

		offset = (place & 0xffff) +
		         (field->flags & TRACE_FIELD_RELATIVE ? offset + field->size : 0);
		bytes = place >> 16;
		if (offset > size || bytes > size - offset)
			return NULL;
	}
	*len = bytes;
	return (const u8 *)raw + offset;
}

const char *trace__str(const struct trace_field *field, const void *raw, u32 size, u32 *len)
{
	const char *text = trace__bytes(field, raw, size, len);

	if (text)
		*len = strnlen(text, *len);
	return text;
}
