/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files that define sort keys (key.c, key_sample.c, key_memory.c, key_branch.c) share with
 * each other and with key_parse.c, which finds them.
 */
#ifndef PERF_UTIL_PROFILE_KEY_LOCAL_H
#define PERF_UTIL_PROFILE_KEY_LOCAL_H

#include "util/profile/key.h"

/* By file, in the order in which beginnings of names are looked for; NULL behind the last. */
extern const struct key *const plain_key_table[],
        *const sample_key_table[], *const branch_key_table[], *const memory_key_table[];

static inline const struct row *key__row(const struct key_data *data, u32 row)
{
	return &data->profile->rows[row];
}

static inline const struct sym *key__sym(const struct key_data *data, u32 loc)
{
	return &data->names->syms[data->names->sym_of_loc[loc]];
}

/* The value, or the second part of it, that row @row has of a key of samples. */
static inline u64 key__part(const struct key_data *data, u32 slot, u32 row)
{
	return profile__sample_value(data->profile, row, slot);
}

/* "[k] ", "[.] ": the level of code that ran as @cpumode. */
void key__print_level(struct out *out, u8 cpumode);

/* Its name, else its address at 16 hex digits. */
void key__print_symbol(const struct key_data *data, struct out *out, const struct sym *sym);

/* A cell() of a page's size: "4K"; "N/A" for 0. */
void key__page_size_cell(const struct key_data *data, const struct sort_key *by, u32 row,
                         struct out *text, struct cell *cell);

/* An extract(): the address of the code. */
u64 key__ip(const struct key *key, const struct sample *sample);

/* A compare() of names of dsos (names.h). */
int key__compare_dsos(const struct key_data *data, const struct key *key, u64 a, u64 b);

/* A value() and a cell() of a key of samples whose (first) part is a location: its dso. */
u64 key__dso_of_part(const struct key_data *data, const struct sort_key *by, u32 row);
void key__dso_of_part_cell(const struct key_data *data, const struct sort_key *by, u32 row,
                           struct out *text, struct cell *cell);

/* A compare(): the larger stands above; as numbers with a sign: the kernel's addresses first. */
int key__descending(const struct key_data *data, const struct key *key, u64 a, u64 b);
int key__signed(const struct key_data *data, const struct key *key, u64 a, u64 b);

#define KEY_ADDRESS_DIGITS 16
#define KEY_LEVEL_WIDTH    4 /* "[k] " */

#endif
