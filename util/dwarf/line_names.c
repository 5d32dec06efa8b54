// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/dwarf/line_names.h"

#include "util/lib/text.h"

#define CONTENT_PATH 1
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
	const struct line_names *names;
	struct cursor c; /* ends with the table */
	const char *last; /* what is looked for: a name without folders */
	bool is64;
	bool strange; /* there is something that is not understood */
};

static const Elf_Data *section_data(struct elf_file *elf, const char *name)
{
	struct elf_section *section = elf_file__section(elf, name);

	return section ? elf_file__data(elf, section) : NULL;
}

bool line_names__init(struct line_names *names, struct elf_file *elf)
{
	*names = (struct line_names){ .swap = elf->swap };
	if (elf->type == ET_REL) /* its numbers lack what relocations add */
		return false;
	names->lines = section_data(elf, ".debug_line");
	names->strings = section_data(elf, ".debug_str");
	names->line_strings = section_data(elf, ".debug_line_str");
	return names->lines;
}

/* "": there is none, or it does not end. */
static const char *next_string(struct cursor *c)
{
	size_t left = cursor__left(c);
	const u8 *end = left ? memchr(c->pos, 0, left) : NULL;

	return cursor__str(c, end ? (size_t)(end - c->pos) + 1 : left + 1);
}

static bool is_it(const struct table *table, const char *path)
{
	return !strcmp(text__basename(path), table->last);
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
		return string_at(table, table->names->line_strings);
	case FORM_STRP:
		return string_at(table, table->names->strings);
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

/* The folders or the files of DWARF 5: is it among them? */
static bool is_among(struct table *table)
{
	struct {
		u64 content, form;
	} formats[FORMATS_MAX];
	u32 nr = cursor__u8(&table->c);
	bool found = false;

	table->strange |= nr > FORMATS_MAX;
	for (u32 i = 0; i < nr && !table->strange; i++) {
		formats[i].content = cursor__uleb(&table->c);
		formats[i].form = cursor__uleb(&table->c);
	}
	for (u64 left = cursor__uleb(&table->c); left && nr; left--) {
		for (u32 i = 0; i < nr && !table->strange; i++) {
			const char *value = next_value(table, formats[i].form);

			found |= formats[i].content == CONTENT_PATH && is_it(table, value);
		}
		if (found || table->strange || table->c.failed)
			break;
	}
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

static bool is_among_old(struct table *table)
{
	struct cursor *c = &table->c;
	const char *text;

	while (*next_string(c)) /* folders */
		;
	while (*(text = next_string(c))) {
		if (is_it(table, text))
			return true;
		for (u32 i = 0; i < 3; i++) /* folder, time, size */
			cursor__uleb(c);
	}
	return c->failed || may_define_files(c);
}

/* Go into the table at @offset. Returns its version; 0: it is not understood. */
static u16 enter(struct table *table, u64 offset)
{
	const struct line_names *names = table->names;
	struct cursor *c = &table->c;

	if (offset >= names->lines->d_size)
		return 0;
	*c = cursor__make((const u8 *)names->lines->d_buf + offset, names->lines->d_size - offset,
	                  names->swap);
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

bool line_names__may_have(const struct line_names *names, u64 offset, const char *name)
{
	struct table table = { .names = names, .last = text__basename(name) };
	u16 version = enter(&table, offset);

	if (!version || !*table.last)
		return true;
	if (version < 5)
		return is_among_old(&table);
	is_among(&table); /* folders */
	return is_among(&table) || table.strange || table.c.failed;
}
