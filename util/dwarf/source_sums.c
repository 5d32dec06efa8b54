// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/dwarf/source_sums.h"

#include "util/lib/cursor.h"

#define CONTENT_MD5 5
#define FORMATS_MAX 255 /* their number is one byte */

enum form {
	FORM_BLOCK2 = 0x03,
	FORM_BLOCK4 = 0x04,
	FORM_DATA2 = 0x05,
	FORM_DATA4 = 0x06,
	FORM_DATA8 = 0x07,
	FORM_STRING = 0x08,
	FORM_BLOCK = 0x09,
	FORM_BLOCK1 = 0x0a,
	FORM_DATA1 = 0x0b,
	FORM_STRP = 0x0e,
	FORM_UDATA = 0x0f,
	FORM_SEC_OFFSET = 0x17,
	FORM_STRX = 0x1a,
	FORM_STRP_SUP = 0x1d,
	FORM_DATA16 = 0x1e,
	FORM_LINE_STRP = 0x1f,
	FORM_STRX1 = 0x25,
	FORM_STRX2 = 0x26,
	FORM_STRX3 = 0x27,
	FORM_STRX4 = 0x28,
};

struct header {
	struct cursor c;
	u32 offset_size;
};

struct entry_format {
	u64 content[FORMATS_MAX], form[FORMATS_MAX];
	u32 nr;
};

static u64 next_number(struct cursor *c)
{
	u64 value = 0;

	for (u32 shift = 0; shift < 64; shift += 7) {
		u8 byte = cursor__u8(c);

		value |= (u64)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return value;
	}
	c->failed = true;
	return 0;
}

static u64 next_offset(struct header *header)
{
	return header->offset_size == 8 ? cursor__u64(&header->c) : cursor__u32(&header->c);
}

static u64 size_of(struct header *header, u64 form)
{
	struct cursor *c = &header->c;
	const u8 *end;

	switch (form) {
	case FORM_DATA1:
	case FORM_STRX1:
		return 1;
	case FORM_DATA2:
	case FORM_STRX2:
		return 2;
	case FORM_STRX3:
		return 3;
	case FORM_DATA4:
	case FORM_STRX4:
		return 4;
	case FORM_DATA8:
		return 8;
	case FORM_DATA16:
		return 16;
	case FORM_STRP:
	case FORM_LINE_STRP:
	case FORM_STRP_SUP:
	case FORM_SEC_OFFSET:
		return header->offset_size;
	case FORM_UDATA:
	case FORM_STRX:
		next_number(c);
		return 0;
	case FORM_BLOCK:
		return next_number(c);
	case FORM_BLOCK1:
		return cursor__u8(c);
	case FORM_BLOCK2:
		return cursor__u16(c);
	case FORM_BLOCK4:
		return cursor__u32(c);
	case FORM_STRING:
		end = memchr(c->pos, 0, cursor__left(c));
		c->failed |= !end;
		return end ? end + 1 - c->pos : 0;
	default:
		c->failed = true;
		return 0;
	}
}

static void read_format(struct header *header, struct entry_format *format)
{
	format->nr = cursor__u8(&header->c);
	for (u32 i = 0; i < format->nr; i++) {
		format->content[i] = next_number(&header->c);
		format->form[i] = next_number(&header->c);
	}
}

/* Go over one entry; its sum is copied. */
static bool read_entry(struct header *header, const struct entry_format *format, u8 *sum)
{
	bool found = false;

	for (u32 i = 0; i < format->nr && !header->c.failed; i++) {
		const void *bytes = cursor__bytes(&header->c, size_of(header, format->form[i]));

		if (!bytes || format->content[i] != CONTENT_MD5 || format->form[i] != FORM_DATA16)
			continue;
		memcpy(sum, bytes, MD5_SIZE);
		found = true;
	}
	return found && !header->c.failed;
}

/* From the unit's length up to the number of folders. */
static bool read_header(struct header *header)
{
	struct cursor *c = &header->c;
	u64 length = cursor__u32(c);

	header->offset_size = length == 0xffffffff ? 8 : 4;
	if (header->offset_size == 8)
		length = cursor__u64(c);
	if (length < cursor__left(c))
		c->end = c->pos + length;
	if (cursor__u16(c) != 5)
		return false;
	cursor__bytes(c, 2); /* sizes of addresses and segments */
	next_offset(header);
	cursor__bytes(c, 5); /* of instructions, is_stmt, the special opcodes */
	u8 opcodes = cursor__u8(c);

	cursor__bytes(c, opcodes ? opcodes - 1 : 0);
	return !c->failed;
}

bool source_sums__find(const void *table, size_t size, bool swap, u64 index, u8 sum[MD5_SIZE])
{
	struct header header = { .c = cursor__make(table, size, swap) };
	struct entry_format format;
	bool found = false;

	if (!read_header(&header))
		return false;
	for (u32 files = 0; files < 2; files++) { /* before them the folders */
		read_format(&header, &format);
		u64 nr = next_number(&header.c);

		if (!format.nr) /* entries of no bytes */
			nr = 0;
		for (u64 i = 0; i < nr && !header.c.failed && (!files || i <= index); i++)
			found = read_entry(&header, &format, sum) && files && i == index;
	}
	return found;
}
