// SPDX-License-Identifier: GPL-2.0-or-later
/* Sort keys of branches: rows are the branches that samples carry (report -b). */
#include <linux/perf_event.h>
#include <string.h>

#include "util/profile/key_local.h"

static u64 from_address(const struct key *key, const struct sample *sample, u8 *cpumode)
{
	(void)key;
	*cpumode = sample__mode_of_address(sample->branch.from);
	return sample->branch.from;
}

static u64 to_address(const struct key *key, const struct sample *sample, u8 *cpumode)
{
	(void)key;
	*cpumode = sample__mode_of_address(sample->branch.to);
	return sample->branch.to;
}

static u64 flags_of(const struct key *key, const struct sample *sample)
{
	(void)key;
	return sample->branch.flags;
}

static const struct key from_place = { .address = from_address },
                        to_place = { .address = to_address }, flags_word = { .extract = flags_of };

static u64 cycles_of(const struct key *key, const struct sample *sample)
{
	(void)key;
	return branch_entry__cycles(sample->branch.flags);
}

const struct key key_block_start = { .scope = KEY_OF_SAMPLE, .address = from_address },
                 key_block_cycles = { .scope = KEY_OF_SAMPLE, .extract = cycles_of };

/* ---- where from, where to: keys as those of a location ---- */

static u32 place_of(const struct key_data *data, const struct sort_key *by, u32 row)
{
	return key__part(data, by->slot, row);
}

static u64 symbol_value(const struct key_data *data, const struct sort_key *by, u32 row)
{
	return data->names->sym_of_loc[place_of(data, by, row)];
}

static int compare_symbols(const struct key_data *data, const struct key *key, u64 a, u64 b)
{
	(void)key;
	return sym__compare(data->names, &data->names->syms[a], &data->names->syms[b]);
}

static void symbol_cell(const struct key_data *data, const struct sort_key *by, u32 row,
                        struct out *text, struct cell *cell)
{
	const struct sym *sym = key__sym(data, place_of(data, by, row));

	key__print_level(text, sym->cpumode);
	key__print_symbol(data, text, sym);
	*cell = cell__text_or_number(out__take(text), !sym__named(sym));
}

static u32 symbol_width(const struct key_data *data, const struct sort_key *by, u32 row)
{
	const char *name = sym__name(data->names, key__sym(data, place_of(data, by, row)));

	return KEY_LEVEL_WIDTH + (name ? strlen(name) : KEY_ADDRESS_DIGITS + 2);
}

static u64 line_value(const struct key_data *data, const struct sort_key *by, u32 row)
{
	return data->source->line_of_loc[place_of(data, by, row)];
}

static int compare_lines(const struct key_data *data, const struct key *key, u64 a, u64 b)
{
	(void)key;
	return strcmp(strtab__get(&data->source->texts, a), strtab__get(&data->source->texts, b));
}

static void line_cell(const struct key_data *data, const struct sort_key *by, u32 row,
                      struct out *text, struct cell *cell)
{
	(void)text;
	*cell = cell__text(strtab__get(&data->source->texts, line_value(data, by, row)));
}

static int compare_places(const struct key_data *data, const struct key *key, u64 a, u64 b)
{
	const struct loc *x = &data->profile->locs[a], *y = &data->profile->locs[b];

	(void)key;
	if (x->dso != y->dso)
		return x->dso > y->dso ? 1 : -1;
	return x->addr > y->addr ? 1 : -1;
}

static void place_cell(const struct key_data *data, const struct sort_key *by, u32 row,
                       struct out *text, struct cell *cell)
{
	u32 loc = place_of(data, by, row);
	const struct sym *sym = key__sym(data, loc);
	u64 offset = names__offset(data->names, loc);

	key__print_level(text, data->profile->locs[loc].cpumode);
	key__print_symbol(data, text, sym);
	if (sym__named(sym) && offset)
		out__printf(text, "+0x%llx", (unsigned long long)offset);
	*cell = cell__text_or_number(out__take(text), !sym__named(sym));
}

#define BRANCH_KEY(name_, heading_, least_, part_)                                                 \
	.name = (name_), .heading = (heading_), .least = (least_), .kind = KEY_OF_BRANCHES,        \
	.scope = KEY_OF_SAMPLE, .parts = { &(part_) }, .sample_type = PERF_SAMPLE_BRANCH_STACK,    \
	.recorded = "-b (--branch-any)"
#define DSO_KEY(name, heading, part)                                                               \
	{                                                                                          \
		BRANCH_KEY(name, heading, 5, part), .value = key__dso_of_part,                     \
		                                    .compare = key__compare_dsos,                  \
		                                    .cell = key__dso_of_part_cell                  \
	}
#define SYMBOL_KEY(name, heading, part, needs_)                                                    \
	{                                                                                          \
		BRANCH_KEY(name, heading, 8, part), .needs = (needs_), .value = symbol_value,      \
		                                    .compare = compare_symbols,                    \
		                                    .cell = symbol_cell, .width = symbol_width     \
	}
#define LINE_KEY(name, heading, part)                                                              \
	{                                                                                          \
		BRANCH_KEY(name, heading, 8, part), .needs = KEY_NEEDS_SYMBOLS | KEY_NEEDS_SOURCE, \
		                                    .value = line_value, .compare = compare_lines, \
		                                    .cell = line_cell                              \
	}
#define PLACE_KEY(name, heading, part)                                                             \
	{                                                                                          \
		BRANCH_KEY(name, heading, 5, part), .needs = KEY_NEEDS_SYMBOLS, .ragged = true,    \
		                                    .compare = compare_places, .cell = place_cell  \
	}

static const struct key key_dso_from = DSO_KEY("dso_from", "Source Shared Object", from_place),
                        key_dso_to = DSO_KEY("dso_to", "Target Shared Object", to_place),
                        key_symbol_from = SYMBOL_KEY("symbol_from", "Source Symbol", from_place,
                                                     KEY_NEEDS_SYMBOLS),
                        key_symbol_to = SYMBOL_KEY("symbol_to", "Target Symbol", to_place,
                                                   KEY_NEEDS_SYMBOLS),
                        key_srcline_from = LINE_KEY("srcline_from", "From Source:Line", from_place),
                        key_srcline_to = LINE_KEY("srcline_to", "To Source:Line", to_place),
                        key_addr_from = PLACE_KEY("addr_from", "Source Address", from_place),
                        key_addr_to = PLACE_KEY("addr_to", "Target Address", to_place);

/* ---- flags ---- */

static u64 mispredict_value(const struct key_data *data, const struct sort_key *by, u32 row)
{
	return key__part(data, by->slot, row) & BRANCH_MISPREDICTED;
}

static void mispredict_cell(const struct key_data *data, const struct sort_key *by, u32 row,
                            struct out *text, struct cell *cell)
{
	(void)text;
	*cell = cell__text(mispredict_value(data, by, row) ? "Y" : "N");
}

static u64 abort_value(const struct key_data *data, const struct sort_key *by, u32 row)
{
	return key__part(data, by->slot, row) & BRANCH_ABORT;
}

static void abort_cell(const struct key_data *data, const struct sort_key *by, u32 row,
                       struct out *text, struct cell *cell)
{
	(void)text;
	*cell = cell__text(abort_value(data, by, row) ? "A" : ".");
}

static u64 in_tx_value(const struct key_data *data, const struct sort_key *by, u32 row)
{
	return key__part(data, by->slot, row) & BRANCH_IN_TX;
}

static void in_tx_cell(const struct key_data *data, const struct sort_key *by, u32 row,
                       struct out *text, struct cell *cell)
{
	(void)text;
	*cell = cell__text(in_tx_value(data, by, row) ? "T" : ".");
}

static u64 cycles_value(const struct key_data *data, const struct sort_key *by, u32 row)
{
	return branch_entry__cycles(key__part(data, by->slot, row));
}

static void cycles_cell(const struct key_data *data, const struct sort_key *by, u32 row,
                        struct out *text, struct cell *cell)
{
	u64 cycles = cycles_value(data, by, row);

	(void)text;
	*cell = cycles ? cell__number(cycles) : cell__mark("-");
}

#define FLAG_KEY(name, heading, compare_, value_, cell_)                                           \
	{                                                                                          \
		BRANCH_KEY(name, heading, 2, flags_word), .value = (value_),                       \
		                                          .compare = (compare_), .cell = (cell_)   \
	}

static const struct key key_mispredict = FLAG_KEY("mispredict", "Branch Mispredicted", NULL,
                                                  mispredict_value, mispredict_cell),
                        key_abort = FLAG_KEY("abort", "Transaction abort", NULL, abort_value,
                                             abort_cell),
                        key_in_tx = FLAG_KEY("in_tx", "Branch in transaction", key__descending,
                                             in_tx_value, in_tx_cell),
                        key_cycles = FLAG_KEY("cycles", "Basic Block Cycles", key__descending,
                                              cycles_value, cycles_cell);

const struct key *const branch_key_table[] = {
	&key_dso_from,
	&key_dso_to,
	&key_symbol_from,
	&key_symbol_to,
	&key_mispredict,
	&key_abort,
	&key_in_tx,
	&key_cycles,
	&key_srcline_from,
	&key_srcline_to,
	&key_addr_from,
	&key_addr_to,
	NULL,
};
