/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Demangles names of the D language: "_D1d5outerFmZ5innerMFmZm" is d.outer.inner. Their grammar is
 * in the language's specification, "Application Binary Interface", under "Name Mangling".
 */
#ifndef PERF_UTIL_SYMTAB_DEMANGLE_D_H
#define PERF_UTIL_SYMTAB_DEMANGLE_D_H

#include <stdbool.h>

/*
 * The readable form of @name, malloc'ed, or NULL: it is no D name, or would be longer than @max.
 * @signature: functions with their parameters. Time is bounded, whatever the back references are.
 * Thread-safe.
 */
char *demangle_d(const char *name, bool signature, unsigned long max);

#endif
