/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Demangles names of C++, Rust, D and OCaml, into the forms that Linux's perf shows. (Linux's perf
 * leaves D names as they are; libiberty always gives them parameters.)
 */
#ifndef PERF_UTIL_SYMTAB_DEMANGLE_H
#define PERF_UTIL_SYMTAB_DEMANGLE_H

#include <stdbool.h>

/* Is it a mangled name of C++ or Rust? */
static inline bool demangle__is_cxx_or_rust(const char *name)
{
	return name[0] == '_' && (name[1] == 'Z' || name[1] == 'R');
}

/*
 * The readable form of @name, malloc'ed, or NULL when it is not a mangled name (or perf was built
 * without a demangler). A "@plt" at the end is kept. Thread-safe.
 */
char *demangle(const char *name);

/*
 * The same with the parameters of C++ functions and the compiler's suffixes: "f(int) [clone
 * .isra.0]". Linux's perf shows names so with -v.
 */
char *demangle_signature(const char *name);

/*
 * Replace template arguments of a readable C++ or Rust name by "<...>", in place:
 * std::map<...>::operator[]. Operators (operator<, operator->) and brackets that hold no arguments
 * ("<T as Trait>::f" keeps its beginning) stay. A name whose brackets do not match stays whole.
 */
void demangle__shorten(char *name);

/*
 * Make of Rust's "<module::Type>::method" what stands in the source: without the brackets. False:
 * it stays, as what implements a trait, "<Type as Trait>::method", has no such name.
 */
bool demangle__drop_brackets(char *name);

#endif
