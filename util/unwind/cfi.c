// SPDX-License-Identifier: GPL-2.0-or-later
/* The entries of .eh_frame and .debug_frame, and which one covers an address. */
#include "util/unwind/cfi.h"

#include <errno.h>
#include <stdlib.h>

#include "util/lib/alloc.h"
#include "util/lib/cursor.h"
#include "util/unwind/cfi_private.h"
#include "util/unwind/dwarf_codes.h"

#define OVERLAPS_MAX     8 /* entries before the nearest one that are looked at */
#define AUGMENTATION_MAX 16

static u64 pointer_value(struct cursor *c, u8 form, bool is64)
{
	switch (form) {
	case PE_ABSPTR:
		return is64 ? cursor__u64(c) : cursor__u32(c);
	case PE_ULEB128:
		return cursor__uleb(c);
	case PE_UDATA2:
		return cursor__u16(c);
	case PE_UDATA4:
		return cursor__u32(c);
	case PE_UDATA8:
	case PE_SDATA8:
		return cursor__u64(c);
	case PE_SLEB128:
		return cursor__sleb(c);
	case PE_SDATA2:
		return (s64)(s16)cursor__u16(c);
	case PE_SDATA4:
		return (s64)(s32)cursor__u32(c);
	}
	c->failed = true;
	return 0;
}

u64 cfi__pointer(const struct cfi_section *section, struct cursor *c, u8 encoding, bool is64)
{
	u64 at = section->addr + (c->pos - section->data);
	u64 value = pointer_value(c, encoding & PE_FORM, is64);
	u8 relative = encoding & PE_RELATIVE;

	/* Relative to text, data or function: no compiler writes these for code addresses. */
	if (encoding & PE_INDIRECT || (relative && relative != PE_PCREL))
		c->failed = true;
	if (relative == PE_PCREL)
		value += at;
	if (!is64)
		value = (u32)value;
	return c->failed ? UINT64_MAX : value;
}

/*
 * The record at c->pos; c goes to the next one. False at the end. A record without content (the
 * terminator of .eh_frame, which linkers may leave between others) has an empty body.
 */
static bool next_record(const struct cfi_section *section, struct cursor *c,
                        struct cfi_record *record)
{
	record->offset = c->pos - section->data;
	record->cie = CFI_IS_CIE;
	u64 len = cursor__u32(c);
	bool wide = len == 0xffffffff;

	if (wide)
		len = cursor__u64(c);
	const u8 *id_at = c->pos;
	const void *body = len <= SIZE_MAX ? cursor__bytes(c, len) : NULL;

	if (!body)
		return false;
	record->body = cursor__make(body, len, section->swap);
	if (!len)
		return true;
	u64 id = wide && !section->eh ? cursor__u64(&record->body) : cursor__u32(&record->body);

	if (section->eh) /* how far back from here; 0: a CIE */
		record->cie = id ? (u64)(id_at - section->data) - id : CFI_IS_CIE;
	else if (id != (wide ? UINT64_MAX : 0xffffffff))
		record->cie = id;
	return !record->body.failed;
}

/* The letters of an augmentation that begins with 'z' tell what its data hold. */
static bool read_augmentation(const struct cfi_section *section, struct cfi_common *common,
                              const char *letters, struct cursor *c)
{
	u64 len = cursor__uleb(c);
	const u8 *data = len <= cursor__left(c) ? cursor__bytes(c, len) : NULL;

	if (!data)
		return false;
	struct cursor in = cursor__make(data, len, section->swap);

	common->augmented = true;
	for (; *letters; letters++) {
		switch (*letters) {
		case 'R':
			common->encoding = cursor__u8(&in);
			break;
		case 'P': { /* the personality: passed over, it may be indirect */
			u8 encoding = cursor__u8(&in);

			pointer_value(&in, encoding & PE_FORM, common->is64);
			break;
		}
		case 'L':
			cursor__u8(&in);
			break;
		case 'S':
			common->signal = true;
			break;
		default: /* of no meaning here (arm64's B and G), or what follows is unknown */
			break;
		}
	}
	return !in.failed;
}

static bool read_common(const struct cfi_section *section, struct cursor c,
                        struct cfi_common *common)
{
	u8 version = cursor__u8(&c);
	const char *letters = (const char *)c.pos;
	size_t len = strnlen(letters, min_u64(cursor__left(&c), AUGMENTATION_MAX));

	*common = (struct cfi_common){ .is64 = section->is64 };
	if (version != 1 && version != 3 && version != 4)
		return false;
	cursor__str(&c, len + 1 <= cursor__left(&c) ? len + 1 : len);
	if (version == 4) {
		u8 size = cursor__u8(&c);

		common->is64 = size == 8;
		if ((size != 4 && size != 8) || cursor__u8(&c) /* segments */)
			return false;
	}
	common->code_align = cursor__uleb(&c);
	common->data_align = cursor__sleb(&c);
	u64 ra = version == 1 ? cursor__u8(&c) : cursor__uleb(&c);

	common->ra_reg = ra;
	if (ra >= CFI_NR_REGS || (*letters && *letters != 'z'))
		return false;
	if (*letters && !read_augmentation(section, common, letters + 1, &c))
		return false;
	common->program = c;
	return !c.failed;
}

/* The record at @offset, which must be a CIE. */
static bool find_common(const struct cfi_section *section, u64 offset, struct cfi_common *common)
{
	struct cfi_record record;

	if (offset >= section->size)
		return false;
	struct cursor c =
	        cursor__make(section->data + offset, section->size - offset, section->swap);

	return next_record(section, &c, &record) && record.cie == CFI_IS_CIE &&
	       cursor__left(&record.body) && read_common(section, record.body, common);
}

/* The range of an FDE; the cursor goes behind it. */
static bool read_range(const struct cfi_section *section, const struct cfi_common *common,
                       struct cursor *c, struct cfi_entry *entry)
{
	entry->start = cfi__pointer(section, c, common->encoding, common->is64);
	u64 len = pointer_value(c, common->encoding & PE_FORM, common->is64);

	if (!common->is64)
		len = (u32)len;
	entry->end = entry->start + len;
	/* Of functions that the linker dropped the address remains as 0. */
	return !c->failed && entry->start && entry->end > entry->start;
}

/* Behind the entries from @at on that ascend. */
static u32 run_end(const struct cfi_entry *entries, u32 at, u32 nr)
{
	while (at + 1 < nr && entries[at].start <= entries[at + 1].start)
		at++;
	return at < nr ? at + 1 : nr;
}

/*
 * By start, then as they lie in the section. Linkers leave few runs that ascend already, of many
 * entries each: these are merged two by two, until there is one.
 */
static void sort_entries(struct cfi *cfi)
{
	struct cfi_entry *from = cfi->entries, *to = NULL;
	u32 nr = cfi->nr;

	while (run_end(from, 0, nr) < nr) {
		struct cfi_entry *out = to ? to : xrealloc(NULL, nr, sizeof(*to));

		to = out;
		for (u32 first = 0, end; first < nr; first = end) {
			u32 i = first, middle = run_end(from, first, nr), j = middle;

			end = run_end(from, middle, nr);
			while (i < middle || j < end)
				*out++ = j == end || (i < middle && from[i].start <= from[j].start)
				                 ? from[i++]
				                 : from[j++];
		}
		out = from;
		from = to;
		to = out;
	}
	free(to);
	cfi->entries = from;
	cfi->cap = nr;
}

void cfi__init(struct cfi *cfi, const struct cfi_section *section)
{
	struct cursor c = cursor__make(section->data, section->size, section->swap);
	struct cfi_common common = { .is64 = false };
	u64 common_at = CFI_IS_CIE; /* none yet */
	struct cfi_record record;
	bool usable = false;

	*cfi = (struct cfi){ .section = *section };
	if (section->size > UINT32_MAX / 2)
		return; /* offsets are 31 bits */
	while (cursor__left(&c) >= 4 && next_record(section, &c, &record)) {
		struct cfi_entry entry = { .offset = record.offset };

		if (record.cie == CFI_IS_CIE)
			continue;
		if (record.cie != common_at) {
			common_at = record.cie;
			usable = find_common(section, common_at, &common);
		}
		if (!usable || !read_range(section, &common, &record.body, &entry))
			continue;
		array__reserve(&cfi->entries, &cfi->cap, cfi->nr + 1, sizeof(entry));
		cfi->entries[cfi->nr++] = entry;
	}
	sort_entries(cfi);
}

void cfi__exit(struct cfi *cfi)
{
	free(cfi->entries);
	*cfi = (struct cfi){ .nr = 0 };
}

const struct cfi_entry *cfi__entry(const struct cfi *cfi, u64 vaddr)
{
	u32 low = 0, high = cfi->nr; /* the first entry behind vaddr is in [low, high] */

	while (low < high) {
		u32 mid = low + (high - low) / 2;

		if (cfi->entries[mid].start <= vaddr)
			low = mid + 1;
		else
			high = mid;
	}
	for (u32 i = low; i > 0 && low - i < OVERLAPS_MAX; i--)
		if (vaddr < cfi->entries[i - 1].end)
			return &cfi->entries[i - 1];
	return NULL;
}

int cfi__row(const struct cfi *cfi, u64 vaddr, struct cfi_row *row, const struct cfi_entry **found)
{
	const struct cfi_section *section = &cfi->section;
	const struct cfi_entry *entry = cfi__entry(cfi, vaddr);
	struct cfi_common common;
	struct cfi_record record;
	struct cfi_entry again;

	if (!entry)
		return -ENOENT;
	if (found)
		*found = entry;
	struct cursor c = cursor__make(section->data + entry->offset, section->size - entry->offset,
	                               section->swap);

	if (!next_record(section, &c, &record) || !find_common(section, record.cie, &common) ||
	    !read_range(section, &common, &record.body, &again))
		return -EBADMSG;
	if (common.augmented) {
		u64 len = cursor__uleb(&record.body);

		if (len > cursor__left(&record.body))
			return -EBADMSG;
		cursor__bytes(&record.body, len);
	}
	if (record.body.failed)
		return -EBADMSG;
	return cfi_program__run(section, &common, &record.body, entry->start, vaddr, row);
}
