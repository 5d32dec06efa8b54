/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Linker names to source names: C++, Rust, D and OCaml, in the forms that Linux's perf shows (which
 * leaves those of D as they are).
 */
#ifndef PERF_UTIL_SYMTAB_DEMANGLE_H
#define PERF_UTIL_SYMTAB_DEMANGLE_H

/*
 * The readable form of @name, malloc'ed, or NULL when it is not a mangled name (or perf was built
 * without a demangler). A "@plt" at the end is kept. Thread-safe.
 */
char *demangle(const char *name);

/* The same with the parameters of C++ functions, and with what the compiler did: "f(int) [clone
   .isra.0]". Linux's perf shows names so with -v. */
char *demangle_signature(const char *name);

/*
 * Template arguments of a readable C++ or Rust name made "<...>", in place:
 * std::map<...>::operator[]. Operators (operator<, operator->) and what is not a list of arguments
 * ("<T as Trait>::f" keeps its beginning) stay. A name whose brackets do not fit stays whole.
 */
void demangle__shorten(char *name);

#endif
