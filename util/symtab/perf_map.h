/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The names of code made at run time: /tmp/perf-PID.map, lines "START SIZE NAME" in hexadecimal,
 * which the process writes.
 */
#ifndef PERF_UTIL_SYMTAB_PERF_MAP_H
#define PERF_UTIL_SYMTAB_PERF_MAP_H

#include "util/symtab/perf_map.h"
#include "util/symtab/symtab.h"

/* Fill an empty table. 0 or a negative errno with symtab->error filled; it is then empty. */
int symtab__load_perf_map(struct symtab *symtab, const char *path);

#endif
