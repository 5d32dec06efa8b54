/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Symbols of code made at run time, from /tmp/perf-PID.map, which the process writes. Its lines are
 * "START SIZE NAME", with hexadecimal numbers.
 */
#ifndef PERF_UTIL_SYMTAB_PERF_MAP_H
#define PERF_UTIL_SYMTAB_PERF_MAP_H

#include "util/symtab/symtab.h"

/* Fill an empty table. 0 or a negative errno with symtab->error filled; the table is empty then. */
int symtab__load_perf_map(struct symtab *symtab, const char *path);

#endif
