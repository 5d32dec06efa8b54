/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of functions inside of a definition. Those of C++ and Rust hold what has a meaning there,
 * too: "sum<int, 3>", "(anonymous namespace)::f", "ns::C::over(int)", "operator+", "f[abi:cxx11]".
 * What is between brackets that match, and the signs of an operator, belong to the name.
 */
#ifndef PERF_UTIL_FETCH_PLACE_TEXT_H
#define PERF_UTIL_FETCH_PLACE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#define PLACE_SPECIAL ";:+@%"

/*
 * The first of @set in @s that has its meaning: it follows no backslash and is in no name. "::" of
 * C++ is no colon. Or the end. (A backslash in @set means what it is: of names as they are.)
 */
const char *place_text__special(const char *s, const char *set);

/* How long the place is that @s, a definition, begins with: a blank ends it. */
size_t place_text__length(const char *s);

/* Take the backslashes out, in place: not those between brackets, which belong to the name. */
void place_text__unescape(char *text);

/* The name as a definition takes it, with backslashes where it wants some: malloc'ed. */
char *place_text__of_name(const char *name);

/* The function's own name in @name, behind namespaces and classes. */
const char *place_text__last(const char *name);

/* Is it a glob of names? The brackets and stars of operators make none. */
bool place_text__is_glob(const char *name);

/* Are they the same name but for blanks? "sum<int,3>" and "sum<int, 3>". */
bool place_text__same(const char *a, const char *b);

/* Are they the same name, or does the glob fit? */
bool place_text__fits(const char *wanted, const char *name);

/*
 * Does the readable form of the symbol @mangled fit @wanted? With namespaces and arguments of
 * templates; with the parameters of a function, too, if @wanted has parentheses.
 */
bool place_text__fits_symbol(const char *wanted, const char *mangled);

#endif
