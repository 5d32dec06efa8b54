/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which function of a unit covers an address, for who asks about each row of a line table: a walk
 * over all functions for each row would cost the square of the unit's size. What it answers is what
 * such a walk finds first.
 */
#ifndef PERF_UTIL_FETCH_FUNCTION_TABLE_H
#define PERF_UTIL_FETCH_FUNCTION_TABLE_H

#ifdef HAVE_LIBDW
#include <elfutils/libdw.h>

#include "util/lib/types.h"

struct function_table;

struct function_table *function_table__new(void);
void function_table__delete(struct function_table *table);

/*
 * Add a function with code, in the order of the debug information. False: it has more ranges than
 * the table takes, which is of no use then.
 */
bool function_table__add(struct function_table *table, Dwarf_Die *die);

/* All functions are added. */
void function_table__sort(struct function_table *table);

/* The first of the functions that cover @addr. */
bool function_table__at(const struct function_table *table, u64 addr, Dwarf_Die *function);
#endif

#endif
