// SPDX-License-Identifier: GPL-2.0-or-later
/* Sort keys about memory accesses (report --mem-mode): addresses of data, and data sources. */
#include <linux/perf_event.h>
#include <string.h>

#include "util/format/data_src.h"
#include "util/profile/key_local.h"

/* ---- addresses ---- */

static u64 data_address(const struct key *key, const struct sample *sample, u8 *cpumode)
{
	(void)key;
	*cpumode = sample->cpumode;
	return sample->addr;
}

static u64 data_address_number(const struct key *key, const struct sample *sample)
{
	(void)key;
	return sample->addr;
}

static u64 code_address(const struct key *key, const struct sample *sample, u8 *cpumode)
{
	(void)key;
	*cpumode = sample->cpumode;
	return sample->ip;
}

/* Values that keys are made of. */
static const struct key daddr_number = { .extract = data_address_number },
                        daddr_place = { .address = data_address, .of_data = true },
                        iaddr_number = { .extract = key__ip },
                        iaddr_place = { .address = code_address };

/*
 * "[.] variable+0x10", "[.] function", "[k] 0x00007fff12340000": @number is the address as it was
 * sampled.
 */
static void print_place(const struct key_data *data, struct out *text, u32 loc, u64 number,
                        bool offset)
{
	const struct sym *sym = key__sym(data, loc);

	key__print_level(text, data->profile->locs[loc].cpumode);
	if (sym__named(sym) && !offset)
		key__print_symbol(data, text, sym);
	else if (sym__named(sym))
		out__printf(text, "%s+0x%llx", sym__name(data->names, sym),
		            (unsigned long long)names__offset(data->names, loc));
	else
		out__printf(text, "%#.*llx", KEY_ADDRESS_DIGITS, (unsigned long long)number);
}

static bool is_named(const struct key_data *data, const struct sort_key *by, u32 row)
{
	return sym__named(key__sym(data, key__part(data, by->slot2, row)));
}

static void daddr_cell(const struct key_data *data, const struct sort_key *by, u32 row,
                       struct out *text, struct cell *cell)
{
	print_place(data, text, key__part(data, by->slot2, row), key__part(data, by->slot, row),
	            true);
	*cell = cell__text_or_number(out__take(text), !is_named(data, by, row));
}

/* Room for the name with any offset behind it, as Linux's perf keeps. */
static u32 place_width(const struct key_data *data, const struct sort_key *by, u32 row)
{
	const char *name = sym__name(data->names, key__sym(data, key__part(data, by->slot2, row)));

	return (name ? strlen(name) : 0) + KEY_LEVEL_WIDTH + KEY_ADDRESS_DIGITS + 2;
}

static const struct key key_symbol_daddr = {
	.name = "symbol_daddr",
	.heading = "Data Symbol",
	.least = 7,
	.kind = KEY_OF_MEMORY,
	.scope = KEY_OF_SAMPLE,
	.needs = KEY_NEEDS_SYMBOLS,
	.parts = { &daddr_number, &daddr_place },
	.compare = key__signed,
	.cell = daddr_cell,
	.width = place_width,
	.sample_type = PERF_SAMPLE_ADDR,
	.recorded = "-d (--data)",
};

static void iaddr_cell(const struct key_data *data, const struct sort_key *by, u32 row,
                       struct out *text, struct cell *cell)
{
	print_place(data, text, key__part(data, by->slot2, row), key__part(data, by->slot, row),
	            false);
	*cell = cell__text_or_number(out__take(text), !is_named(data, by, row));
}

static const struct key key_symbol_iaddr = {
	.name = "symbol_iaddr",
	.heading = "Code Symbol",
	.least = 8,
	.kind = KEY_OF_MEMORY,
	.scope = KEY_OF_SAMPLE,
	.needs = KEY_NEEDS_SYMBOLS,
	.parts = { &iaddr_number, &iaddr_place },
	.compare = key__signed,
	.cell = iaddr_cell,
	.width = place_width,
};

static u32 dso_daddr_width(const struct key_data *data, const struct sort_key *by, u32 row)
{
	u32 length = strlen(names__dso(data->names, key__dso_of_part(data, by, row)));

	return length > KEY_ADDRESS_DIGITS ? length : KEY_ADDRESS_DIGITS;
}

static const struct key key_dso_daddr = {
	.name = "dso_daddr",
	.heading = "Data Object",
	.least = 5,
	.kind = KEY_OF_MEMORY,
	.scope = KEY_OF_SAMPLE,
	.parts = { &daddr_place },
	.value = key__dso_of_part,
	.compare = key__compare_dsos,
	.cell = key__dso_of_part_cell,
	.width = dso_daddr_width,
	.sample_type = PERF_SAMPLE_ADDR,
	.recorded = "-d (--data)",
};

/* ---- cache lines: of 64 bytes, as those of nearly all machines ---- */

#define LINE_BYTES 64

static u64 line_value(const struct key_data *data, const struct sort_key *by, u32 row)
{
	return key__part(data, by->slot, row) & ~(LINE_BYTES - 1ull);
}

/* The line begins before its variable, perhaps: then there is a minus. */
static void line_cell(const struct key_data *data, const struct sort_key *by, u32 row,
                      struct out *text, struct cell *cell)
{
	u32 loc = key__part(data, by->slot2, row);
	const struct sym *sym = key__sym(data, loc);
	u64 number = key__part(data, by->slot, row);
	s64 offset = (s64)(names__offset(data->names, loc) - number % LINE_BYTES);

	key__print_level(text, data->profile->locs[loc].cpumode);
	if (sym__named(sym))
		out__printf(text, "%s%c0x%llx", sym__name(data->names, sym), offset < 0 ? '-' : '+',
		            (unsigned long long)(offset < 0 ? -offset : offset));
	else
		out__printf(text, "%#.*llx", KEY_ADDRESS_DIGITS,
		            (unsigned long long)(number - number % LINE_BYTES));
	*cell = cell__text(out__take(text));
}

static u32 line_width(const struct key_data *data, const struct sort_key *by, u32 row)
{
	return place_width(data, by, row) + 1;
}

static const struct key key_dcacheline = {
	.name = "dcacheline",
	.heading = "Data Cacheline",
	.least = 2,
	.kind = KEY_OF_MEMORY,
	.scope = KEY_OF_SAMPLE,
	.needs = KEY_NEEDS_SYMBOLS,
	.parts = { &daddr_number, &daddr_place },
	.value = line_value,
	.cell = line_cell,
	.width = line_width,
	.sample_type = PERF_SAMPLE_ADDR,
	.recorded = "-d (--data)",
};

/* ---- physical addresses, sizes of pages ---- */

static u64 phys_of(const struct key *key, const struct sample *sample)
{
	(void)key;
	return sample->phys_addr;
}

static u64 mode_of(const struct key *key, const struct sample *sample)
{
	(void)key;
	return sample->cpumode;
}

static const struct key phys_number = { .extract = phys_of }, mode_number = { .extract = mode_of };

static void phys_cell(const struct key_data *data, const struct sort_key *by, u32 row,
                      struct out *text, struct cell *cell)
{
	key__print_level(text, key__part(data, by->slot2, row));
	out__printf(text, "%#.*llx", KEY_ADDRESS_DIGITS,
	            (unsigned long long)key__part(data, by->slot, row));
	*cell = cell__text(out__take(text));
}

static const struct key key_phys_daddr = {
	.name = "phys_daddr",
	.heading = "Data Physical Address ",
	.least = 2,
	.kind = KEY_OF_MEMORY,
	.scope = KEY_OF_SAMPLE,
	.parts = { &phys_number, &mode_number },
	.cell = phys_cell,
	.sample_type = PERF_SAMPLE_PHYS_ADDR,
	.recorded = "--phys-data",
};

static u64 data_page_size_of(const struct key *key, const struct sample *sample)
{
	(void)key;
	return sample->data_page_size;
}

static const struct key key_data_page_size = {
	.name = "data_page_size",
	.heading = "Data Page Size        ",
	.least = 2,
	.kind = KEY_OF_MEMORY,
	.scope = KEY_OF_SAMPLE,
	.extract = data_page_size_of,
	.cell = key__page_size_cell,
	.sample_type = PERF_SAMPLE_DATA_PAGE_SIZE,
	.recorded = "--data-page-size",
};

/* ---- data sources: the fields of union perf_mem_data_src, each a key ---- */

#define FIELD_BITS(field, bits) ((bits) << PERF_MEM_##field##_SHIFT)
#define LEVEL_BITS                                                                                 \
	(FIELD_BITS(LVL, 0x3fffull) | FIELD_BITS(LVLNUM, 15ull) | FIELD_BITS(REMOTE, 1ull) |       \
	 FIELD_BITS(HOPS, 7ull))
#define SNOOP_BITS (FIELD_BITS(SNOOP, 0x1full) | FIELD_BITS(SNOOPX, 3ull))

static u64 source_of(const struct key *key, const struct sample *sample)
{
	(void)key;
	return sample->data_src;
}

static const struct key source_number = { .extract = source_of };

/* By the level or the kind of snoop; then by what stands beside it, in the upper bits. */
static int compare_sources(const struct key_data *data, const struct key *key, u64 a, u64 b)
{
	union perf_mem_data_src x = { .val = a }, y = { .val = b };

	(void)data;
	(void)key;
	if (x.mem_lvl != y.mem_lvl)
		return x.mem_lvl > y.mem_lvl ? 1 : -1;
	if (x.mem_snoop != y.mem_snoop)
		return x.mem_snoop > y.mem_snoop ? 1 : -1;
	return a > b ? 1 : -1;
}

/* What one part of the source says, kept in the value by its bits alone. */
#define SOURCE_PART(part, bits)                                                                    \
	static u64 part##_value(const struct key_data *data, const struct sort_key *by, u32 row)   \
	{                                                                                          \
		return key__part(data, by->slot, row) & (bits);                                    \
	}                                                                                          \
	static void part##_cell(const struct key_data *data, const struct sort_key *by, u32 row,   \
	                        struct out *text, struct cell *cell)                               \
	{                                                                                          \
		data_src__##part(text, part##_value(data, by, row));                               \
		*cell = cell__text(out__take(text));                                               \
	}

SOURCE_PART(level, LEVEL_BITS)
SOURCE_PART(snoop, SNOOP_BITS)
SOURCE_PART(tlb, FIELD_BITS(TLB, 0x7full))
SOURCE_PART(lock, FIELD_BITS(LOCK, 3ull))
SOURCE_PART(blocked, FIELD_BITS(BLK, 7ull))

/* Widths are fixed: longer cells push what follows to the right, as in Linux's perf. */
#define SOURCE_KEY(name_, least_, heading_, ragged_, value_, cell_)                                \
	{                                                                                          \
		.name = (name_), .least = (least_), .heading = (heading_), .fixed = true,          \
		.ragged = (ragged_), .kind = KEY_OF_MEMORY, .scope = KEY_OF_SAMPLE,                \
		.parts = { &source_number }, .value = (value_), .compare = compare_sources,        \
		.cell = (cell_), .sample_type = PERF_SAMPLE_DATA_SRC, .recorded = "-d (--data)"    \
	}

static const struct key key_mem = SOURCE_KEY("mem", 1, "Memory access           ", false,
                                             level_value, level_cell),
                        key_snoop = SOURCE_KEY("snoop", 2, "Snoop       ", false, snoop_value,
                                               snoop_cell),
                        key_tlb = SOURCE_KEY("tlb", 2, "TLB access            ", false, tlb_value,
                                             tlb_cell),
                        key_locked = SOURCE_KEY("locked", 4, "Locked", true, lock_value, lock_cell),
                        key_blocked = SOURCE_KEY("blocked", 1, "Blocked   ", true, blocked_value,
                                                 blocked_cell);

const struct key *const memory_key_table[] = {
	&key_symbol_daddr, &key_dso_daddr,      &key_locked,     &key_tlb,
	&key_mem,          &key_snoop,          &key_dcacheline, &key_symbol_iaddr,
	&key_phys_daddr,   &key_data_page_size, &key_blocked,    NULL,
};
