/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Demangles names of the D language: "_D1d5outerFmZ5innerMFmZm" is d.outer(ulong).inner(ulong), as
 * libiberty has it. D names have no form without parameters.
 */
#ifndef PERF_UTIL_SYMTAB_DEMANGLE_D_H
#define PERF_UTIL_SYMTAB_DEMANGLE_D_H

#include <stdbool.h>
#include <stddef.h>

/* A longer one stays as it is: libiberty's calls nest as deep as a name is long. */
#define DEMANGLE_D_MAX 2048

/*
 * The readable form of @name, malloc'ed, or NULL: it is no D name, is longer than DEMANGLE_D_MAX or
 * would be longer than @max, takes too much work, or perf was built without libiberty. A suffix of
 * the compiler (.part.0) is left out, or shown as "[clone .part.0]" (@clone). Stack: 1 MB at most.
 * Thread-safe.
 */
char *demangle_d(const char *name, bool clone, size_t max);

#endif
