// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/dwarf/line_headers.h"

#include <string.h>

#include "util/lib/text.h"

#define CONTENT_PATH 1
#define CONTENT_MD5  5
#define FORMATS_MAX  8 /* what a table tells of each file; five are defined */

#define EXTENDED_DEFINE_FILE 3
#define DEFINE_FILE_MIN      6 /* bytes */

enum form {
	FORM_DATA2 = 0x05,
	FORM_DATA4 = 0x06,
	FORM_DATA8 = 0x07,
	FORM_STRING = 0x08,
	FORM_BLOCK = 0x09,
	FORM_DATA1 = 0x0b,
	FORM_STRP = 0x0e,
	FORM_UDATA = 0x0f,
	FORM_DATA16 = 0x1e,
	FORM_LINE_STRP = 0x1f,
};

struct table {
	const struct line_headers *headers;
	struct cursor c; /* ends with the table */
	bool is64;
	bool strange; /* there is something that is not understood */
};

static const Elf_Data *section_data(struct elf_file *elf, const char *name)
{
	struct elf_section *section = elf_file__section(elf, name);

	return section ? elf_file__data(elf, section) : NULL;
}

bool line_headers__init(struct line_headers *headers, struct elf_file *elf)
{
	*headers = (struct line_headers){ .swap = elf->swap };
	if (elf->type == ET_REL) /* its numbers lack what relocations add */
		return false;
	headers->lines = section_data(elf, ".debug_line");
	headers->strings = section_data(elf, ".debug_str");
	headers->line_strings = section_data(elf, ".debug_line_str");
	return headers->lines;
}

/* "": there is none, or it does not end. */
static const char *next_string(struct cursor *c)
{
	size_t left = cursor__left(c);
	const u8 *end = left ? memchr(c->pos, 0, left) : NULL;

	return cursor__str(c, end ? (size_t)(end - c->pos) + 1 : left + 1);
}

static u64 next_offset(struct table *table)
{
	return table->is64 ? cursor__u64(&table->c) : cursor__u32(&table->c);
}

static const char *string_at(struct table *table, const Elf_Data *strings)
{
	u64 offset = next_offset(table);

	if (!strings || offset >= strings->d_size ||
	    !memchr((const char *)strings->d_buf + offset, 0, strings->d_size - offset)) {
		table->strange = true;
		return "";
	}
	return (const char *)strings->d_buf + offset;
}

/* The value, if it is a text; else "". */
static const char *next_value(struct table *table, u64 form)
{
	struct cursor *c = &table->c;

	switch (form) {
	case FORM_STRING:
		return next_string(c);
	case FORM_LINE_STRP:
		return string_at(table, table->headers->line_strings);
	case FORM_STRP:
		return string_at(table, table->headers->strings);
	case FORM_UDATA:
		cursor__uleb(c);
		return "";
	case FORM_BLOCK:
		cursor__bytes(c, cursor__uleb(c));
		return "";
	case FORM_DATA1:
	case FORM_DATA2:
	case FORM_DATA4:
	case FORM_DATA8:
		cursor__bytes(c, form == FORM_DATA1 ? 1 : 1u << (form - FORM_DATA2 + 1));
		return "";
	case FORM_DATA16:
		cursor__bytes(c, 16);
		return "";
	default:
		table->strange = true;
		return "";
	}
}

/* The folders or the files of DWARF 5. */
struct entries {
	struct {
		u64 content, form;
	} formats[FORMATS_MAX];
	u32 nr_formats;
	u64 nr_left;
};

static void begin_entries(struct table *table, struct entries *entries)
{
	entries->nr_formats = cursor__u8(&table->c);
	table->strange |= entries->nr_formats > FORMATS_MAX;
	for (u32 i = 0; i < entries->nr_formats && !table->strange; i++) {
		entries->formats[i].content = cursor__uleb(&table->c);
		entries->formats[i].form = cursor__uleb(&table->c);
	}
	entries->nr_left = cursor__uleb(&table->c);
	if (!entries->nr_formats) /* entries of no bytes */
		entries->nr_left = 0;
}

struct entry {
	const char *path; /* "": not known */
	const u8 *sum;    /* NULL: there is none */
};

/* False: there are no more, or it is not understood. */
static bool next_entry(struct table *table, struct entries *entries, struct entry *entry)
{
	if (!entries->nr_left || table->strange || table->c.failed)
		return false;
	entries->nr_left--;
	*entry = (struct entry){ .path = "" };
	for (u32 i = 0; i < entries->nr_formats && !table->strange; i++) {
		u64 content = entries->formats[i].content, form = entries->formats[i].form;
		const u8 *at = table->c.pos;
		const char *text = next_value(table, form);

		if (content == CONTENT_PATH)
			entry->path = text;
		else if (content == CONTENT_MD5 && form == FORM_DATA16)
			entry->sum = at;
	}
	return !table->strange && !table->c.failed;
}

static bool is_among(struct table *table, const char *name)
{
	struct entries entries;
	struct entry entry;
	bool found = false;

	begin_entries(table, &entries);
	while (!found && next_entry(table, &entries, &entry))
		found = !strcmp(text__basename(entry.path), name);
	return found;
}

/* Before DWARF 5 the program itself could define files. (What looks like that may be a number.) */
static bool may_define_files(struct cursor *c)
{
	const u8 *at = c->pos;

	while (c->end - at > 2 && (at = memchr(at, 0, c->end - at - 2))) {
		if (at[1] >= DEFINE_FILE_MIN && at[2] == EXTENDED_DEFINE_FILE)
			return true;
		at++;
	}
	return false;
}

static bool is_among_old(struct table *table, const char *name)
{
	struct cursor *c = &table->c;
	const char *text;

	while (*next_string(c)) /* folders */
		;
	while (*(text = next_string(c))) {
		if (!strcmp(text__basename(text), name))
			return true;
		for (u32 i = 0; i < 3; i++) /* folder, time, size */
			cursor__uleb(c);
	}
	return c->failed || may_define_files(c);
}

/* Go into the table at @offset. Returns its version; 0: it is not understood. */
static u16 enter(struct table *table, u64 offset)
{
	const Elf_Data *lines = table->headers->lines;
	struct cursor *c = &table->c;

	if (offset >= lines->d_size)
		return 0;
	*c = cursor__make((const u8 *)lines->d_buf + offset, lines->d_size - offset,
	                  table->headers->swap);
	u64 size = cursor__u32(c);

	table->is64 = size == UINT32_MAX;
	if (table->is64)
		size = cursor__u64(c);
	if (c->failed || size > cursor__left(c))
		return 0;
	c->end = c->pos + size;
	u16 version = cursor__u16(c);

	if (version < 2 || version > 5)
		return 0;
	cursor__bytes(c, version == 5 ? 2 : 0); /* sizes of addresses and segments */
	next_offset(table);                     /* size of the header */
	cursor__bytes(c, version >= 4 ? 5 : 4); /* how the program is to be read */
	u8 nr_opcodes = cursor__u8(c);

	cursor__bytes(c, nr_opcodes ? nr_opcodes - 1 : 0);
	return c->failed ? 0 : version;
}

bool line_headers__may_name(const struct line_headers *headers, u64 offset, const char *name)
{
	struct table table = { .headers = headers };
	const char *last = text__basename(name);
	u16 version = enter(&table, offset);

	if (!version || !*last)
		return true;
	if (version < 5)
		return is_among_old(&table, last);
	is_among(&table, last); /* folders */
	return is_among(&table, last) || table.strange || table.c.failed;
}

bool line_headers__sum(const struct line_headers *headers, u64 offset, u64 index, u8 sum[MD5_SIZE])
{
	struct table table = { .headers = headers };
	struct entries entries;
	struct entry entry;

	if (enter(&table, offset) < 5)
		return false;
	begin_entries(&table, &entries); /* folders */
	while (next_entry(&table, &entries, &entry))
		;
	begin_entries(&table, &entries);
	for (u64 i = 0; next_entry(&table, &entries, &entry); i++) {
		if (i != index)
			continue;
		if (entry.sum)
			memcpy(sum, entry.sum, MD5_SIZE);
		return entry.sum;
	}
	return false;
}
