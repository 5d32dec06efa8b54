/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Linker names to source names: C++ and Rust, without parameters, as Linux's perf shows them.
 */
#ifndef PERF_UTIL_SYMBOL_DEMANGLE_H
#define PERF_UTIL_SYMBOL_DEMANGLE_H

/*
 * The readable form of @name, malloc'ed, or NULL when it is not a mangled name (or perf was built
 * without a demangler). A "@plt" at the end is kept. Thread-safe.
 */
char *demangle(const char *name);

#endif
