// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/dwarf/string_places.h"

#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"

/*
 * Strings that end in the text, in each of which a linker may have merged it. So many are looked
 * for one by one; of more each number of .debug_info is looked up among them.
 */
#define FEW 24

/* So much comes into a processor's cache once for all that is looked for in it. */
#define BLOCK (128u << 10)

#define SAMPLE (1u << 16) /* of .debug_info: which of four bytes is rare */

/* ---- abbreviations ---- */

#define TAG_COMPILE_UNIT 0x11
#define TAG_PARTIAL_UNIT 0x3c
#define AT_DWO_NAME      0x76
#define AT_GNU_DWO_NAME  0x2130

enum form {
	FORM_REF_ADDR = 0x10,
	FORM_INDIRECT = 0x16,
	FORM_STRX = 0x1a,
	FORM_REF_SUP4 = 0x1c,
	FORM_STRP_SUP = 0x1d,
	FORM_LINE_STRP = 0x1f,
	FORM_REF_SIG8 = 0x20,
	FORM_IMPLICIT_CONST = 0x21,
	FORM_REF_SUP8 = 0x24,
	FORM_STRX1 = 0x25,
	FORM_STRX4 = 0x28,
	FORM_MAX = 0x2c,
};

static inline bool stays_in_unit(u64 form, u64 tag)
{
	switch (form) {
	case FORM_REF_ADDR:
	case FORM_INDIRECT:
	case FORM_STRX:
	case FORM_REF_SUP4:
	case FORM_STRP_SUP:
	case FORM_REF_SIG8:
	case FORM_REF_SUP8:
		return false;
	case FORM_LINE_STRP:
		return tag == TAG_COMPILE_UNIT || tag == TAG_PARTIAL_UNIT;
	default: /* behind the last: GNU's, of split units and of dwz */
		return form <= FORM_MAX && (form < FORM_STRX1 || form > FORM_STRX4);
	}
}

/* One abbreviation; a code of 0 ends a table, behind which is the next. */
static bool abbreviation_stays_in_unit(struct cursor *c)
{
	if (!cursor__uleb(c))
		return !c->failed;
	u64 tag = cursor__uleb(c);

	cursor__u8(c); /* has it children? */
	while (!c->failed) {
		u64 attribute, form;

		if (cursor__left(c) >= 2 && !((c->pos[0] | c->pos[1]) & 0x80)) { /* nearly always */
			attribute = c->pos[0];
			form = c->pos[1];
			c->pos += 2;
		} else {
			attribute = cursor__uleb(c);
			form = cursor__uleb(c);
		}

		if (!attribute && !form)
			return !c->failed;
		if (!stays_in_unit(form, tag) || attribute == AT_DWO_NAME ||
		    attribute == AT_GNU_DWO_NAME)
			return false;
		if (form == FORM_IMPLICIT_CONST)
			cursor__uleb(c);
	}
	return false;
}

static const Elf_Data *section_data(struct elf_file *elf, const char *name)
{
	struct elf_section *section = elf_file__section(elf, name);

	return section ? elf_file__data(elf, section) : NULL;
}

bool units_stand_alone(struct elf_file *elf)
{
	const Elf_Data *data = section_data(elf, ".debug_abbrev");

	if (!data || elf->swap || elf_file__section(elf, ".debug_str_offsets") ||
	    elf_file__section(elf, ".gnu_debugaltlink"))
		return false;
	struct cursor c = cursor__make(data->d_buf, data->d_size, elf->swap);

	while (cursor__left(&c))
		if (!abbreviation_stays_in_unit(&c))
			return false;
	return true;
}

/* ---- places ---- */

struct search {
	const Elf_Data *info;
	u32 counts[256]; /* of bytes in a sample */
	const u64 *starts;
	u32 nr;
	u8 *marks;
};

static void take_sample(struct search *search)
{
	const u8 *bytes = search->info->d_buf;
	size_t step = search->info->d_size / SAMPLE + 1;

	for (size_t i = 0; i < search->info->d_size; i += step)
		search->counts[bytes[i]]++;
}

/* Mark the last unit that begins at or before the place. */
static void mark_unit(const struct search *search, u64 offset)
{
	u32 from = 0, to = search->nr;

	while (from < to) { /* the first behind it */
		u32 middle = from + (to - from) / 2;

		if (search->starts[middle] <= offset)
			from = middle + 1;
		else
			to = middle;
	}
	if (from)
		search->marks[from - 1] = 1;
}

struct needle {
	const u8 *bytes;
	size_t len, rare; /* rare: the index of its rarest byte */
};

static struct needle make_needle(const struct search *search, const void *bytes, size_t len)
{
	struct needle needle = { .bytes = bytes, .len = len };

	for (size_t i = 1; i < len; i++)
		if (search->counts[needle.bytes[i]] < search->counts[needle.bytes[needle.rare]])
			needle.rare = i;
	return needle;
}

/*
 * Places whose rarest byte is in the block from @from to @to: memchr() goes over many bytes at a
 * time, which memmem() does not for short needles.
 */
static void mark_places(const struct search *search, const struct needle *needle, size_t from,
                        size_t to)
{
	const u8 *start = search->info->d_buf, *end = start + search->info->d_size;
	size_t rare = needle->rare, behind = needle->len - rare;

	for (const u8 *at = start + from; (at = memchr(at, needle->bytes[rare], start + to - at));
	     at++)
		if ((size_t)(at - start) >= rare && (size_t)(end - at) >= behind &&
		    !memcmp(at - rare, needle->bytes, needle->len))
			mark_unit(search, at - rare - start);
}

/* Where .debug_str has the text or a longer one that ends in it, ascending. */
struct offsets {
	u32 *all;
	u32 nr;
	size_t cap;
};

/* False: too far behind for numbers of four bytes. */
static bool find_offsets(struct offsets *offsets, const Elf_Data *strings, const char *text)
{
	const char *start = strings ? strings->d_buf : "";
	const char *end = start + (strings ? strings->d_size : 0), *at = start;
	size_t len = strlen(text) + 1;

	for (; (at = memmem(at, end - at, text, len)); at++) {
		if (at - start > UINT32_MAX)
			return false;
		array__reserve(&offsets->all, &offsets->cap, offsets->nr + 1,
		               sizeof(*offsets->all));
		offsets->all[offsets->nr++] = at - start;
	}
	return true;
}

static bool has_offset(const struct offsets *offsets, u32 offset)
{
	u32 from = 0, to = offsets->nr;

	while (from < to) {
		u32 middle = from + (to - from) / 2;

		if (offsets->all[middle] == offset)
			return true;
		if (offsets->all[middle] < offset)
			from = middle + 1;
		else
			to = middle;
	}
	return false;
}

/* Most numbers differ from all of them in their lower half already. */
static void mark_numbers(const struct search *search, const struct offsets *offsets)
{
	const u8 *start = search->info->d_buf, *at = start;
	const u8 *behind = start + search->info->d_size - min_u64(search->info->d_size, 3);
	bool *lower = xcalloc(1u << 16, sizeof(*lower));
	u32 whole;

	for (u32 i = 0; i < offsets->nr; i++)
		lower[(u16)offsets->all[i]] = true;
	for (;; at++) {
		while (at < behind && !lower[load_u16(at, false)])
			at++;
		if (at >= behind)
			break;
		whole = load_u32(at, false);
		if (has_offset(offsets, whole))
			mark_unit(search, at - start);
	}
	free(lower);
}

static void mark_few(const struct search *search, const struct needle *needles, u32 nr)
{
	for (size_t from = 0; from < search->info->d_size; from += BLOCK)
		for (u32 i = 0; i < nr; i++)
			mark_places(search, &needles[i], from,
			            min_u64(from + BLOCK, search->info->d_size));
}

bool string_places__mark_units(struct elf_file *elf, const char *text, const u64 *starts, u32 nr,
                               u8 *marks)
{
	struct search search = {
		.info = section_data(elf, ".debug_info"), .starts = starts, .nr = nr, .marks = marks
	};
	struct needle needles[FEW + 1];
	struct offsets offsets = { .nr = 0 };
	bool found = search.info && find_offsets(&offsets, section_data(elf, ".debug_str"), text);

	if (found) {
		bool few = offsets.nr <= FEW;
		u32 nr_needles = 0;

		take_sample(&search);
		needles[nr_needles++] = make_needle(&search, text, strlen(text) + 1);
		for (u32 i = 0; few && i < offsets.nr; i++)
			needles[nr_needles++] =
			        make_needle(&search, &offsets.all[i], sizeof(offsets.all[i]));
		mark_few(&search, needles, nr_needles);
		if (!few)
			mark_numbers(&search, &offsets);
	}
	free(offsets.all);
	return found;
}
