// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Line numbers of a JIT compiler as DWARF 4: a line table, one compile unit that refers to it,
 * and the abbreviation for that.
 */
#include <stdlib.h>
#include <string.h>

#include "util/jit/jit_elf.h"
#include "util/lib/alloc.h"

#define DWARF_VERSION 4

enum { STANDARD_OPCODES = 12 };
enum { COPY = 1, ADVANCE_PC = 2, ADVANCE_LINE = 3, SET_FILE = 4 };
enum { END_SEQUENCE = 1, SET_ADDRESS = 2 };

static void put_u16(struct out *out, u16 value)
{
	out__mem(out, &value, sizeof(value));
}

static void put_u32(struct out *out, u32 value)
{
	out__mem(out, &value, sizeof(value));
}

static void put_u64(struct out *out, u64 value)
{
	out__mem(out, &value, sizeof(value));
}

static void put_uleb(struct out *out, u64 value)
{
	for (; value >= 0x80; value >>= 7)
		out__char(out, (char)(value | 0x80));
	out__char(out, (char)value);
}

static void put_sleb(struct out *out, s64 value)
{
	while (value < -64 || value > 63) {
		out__char(out, (char)(value | 0x80));
		value >>= 7;
	}
	out__char(out, value & 0x7f);
}

/* Room for a 4-byte length; end_length() puts in what came behind it. */
static size_t begin_length(struct out *out)
{
	put_u32(out, 0);
	return out->len;
}

static void end_length(struct out *out, size_t begin)
{
	u32 length = out->len - begin;

	memcpy(out->buf + begin - sizeof(length), &length, sizeof(length));
}

/* A line of the function, in order of addresses; one of equal ones that come behind. */
struct row {
	u64 offset; /* in the code */
	u32 line, file;
	u32 order;
};

static int compare_rows(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

/* Rows of the lines inside of the code, and the names of their files into the table. */
static u32 make_rows(struct out *out, const struct jitdump_code *code, struct row *rows)
{
	const char *last = NULL;
	u32 nr = 0, nr_files = 0;

	for (u32 i = 0; i < code->nr_lines; i++) {
		const struct jitdump_line *line = &code->lines[i];

		if (line->addr < code->addr || line->addr - code->addr >= code->size)
			continue;
		if (!last || strcmp(last, line->file)) {
			out__mem(out, line->file, strlen(line->file) + 1);
			out__mem(out, "\0\0", 3); /* folder, time, size: not told */
			last = line->file;
			nr_files++;
		}
		rows[nr] = (struct row){ line->addr - code->addr, line->line, nr_files, nr };
		nr++;
	}
	out__char(out, 0);
	qsort(rows, nr, sizeof(*rows), compare_rows);
	return nr;
}

static void put_program(struct out *out, const struct jitdump_code *code, const struct row *rows,
                        u32 nr)
{
	u64 at = 0;
	u32 line = 1, file = 1;

	out__char(out, 0);
	put_uleb(out, 9);
	out__char(out, SET_ADDRESS);
	put_u64(out, JIT_ELF_TEXT);
	for (u32 i = 0; i < nr; i++) {
		if (rows[i].file != file) {
			out__char(out, SET_FILE);
			put_uleb(out, rows[i].file);
		}
		out__char(out, ADVANCE_PC);
		put_uleb(out, rows[i].offset - at);
		out__char(out, ADVANCE_LINE);
		put_sleb(out, (s64)rows[i].line - line);
		out__char(out, COPY);
		at = rows[i].offset;
		line = rows[i].line;
		file = rows[i].file;
	}
	out__char(out, ADVANCE_PC);
	put_uleb(out, code->size - at);
	out__char(out, 0);
	put_uleb(out, 1);
	out__char(out, END_SEQUENCE);
}

static u32 make_line(struct out *out, const struct jitdump_code *code)
{
	static const char arguments[STANDARD_OPCODES] = { 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1 };
	struct row *rows = xcalloc(code->nr_lines, sizeof(*rows));
	size_t unit = begin_length(out);

	put_u16(out, DWARF_VERSION);
	size_t header = begin_length(out);

	out__char(out, 1);  /* bytes of an instruction, at least */
	out__char(out, 1);  /* operations of one */
	out__char(out, 1);  /* each row begins a statement */
	out__char(out, -5); /* special opcodes are not used */
	out__char(out, 14);
	out__char(out, STANDARD_OPCODES + 1);
	out__mem(out, arguments, sizeof(arguments));
	out__char(out, 0); /* no folders */
	u32 nr = make_rows(out, code, rows);

	end_length(out, header);
	put_program(out, code, rows, nr);
	end_length(out, unit);
	free(rows);
	return nr;
}

static void make_info(struct jit_debug *debug, const struct jitdump_code *code)
{
	enum { TAG_COMPILE_UNIT = 0x11, STMT_LIST = 0x10, LOW_PC = 0x11, HIGH_PC = 0x12 };
	enum { NAME = 0x03, FORM_SEC_OFFSET = 0x17, FORM_ADDR = 0x01, FORM_DATA8 = 0x07 };
	enum { FORM_STRING = 0x08 };
	static const char abbrev[] = { 1,
		                       TAG_COMPILE_UNIT,
		                       0,
		                       STMT_LIST,
		                       FORM_SEC_OFFSET,
		                       LOW_PC,
		                       FORM_ADDR,
		                       HIGH_PC,
		                       FORM_DATA8,
		                       NAME,
		                       FORM_STRING,
		                       0,
		                       0,
		                       0 };
	struct out *out = &debug->info;
	size_t unit = begin_length(out);

	out__mem(&debug->abbrev, abbrev, sizeof(abbrev));
	put_u16(out, DWARF_VERSION);
	put_u32(out, 0);   /* the abbreviations */
	out__char(out, 8); /* bytes of an address */
	put_uleb(out, 1);
	put_u32(out, 0); /* the line table */
	put_u64(out, JIT_ELF_TEXT);
	put_u64(out, code->size);
	out__mem(out, code->name, strlen(code->name) + 1);
	end_length(out, unit);
}

void jit_debug__make(struct jit_debug *debug, const struct jitdump_code *code)
{
	out__init(&debug->line, -1);
	out__init(&debug->info, -1);
	out__init(&debug->abbrev, -1);
	if (!code->nr_lines)
		return;
	if (make_line(&debug->line, code))
		make_info(debug, code);
	else
		debug->line.len = 0;
}

void jit_debug__exit(struct jit_debug *debug)
{
	out__exit(&debug->line);
	out__exit(&debug->info);
	out__exit(&debug->abbrev);
}
