/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Variables outside of functions: which one a name means where a function names it. Namespaces,
 * classes, their bases and "using" count as they do for the compiler; of what is not in scope there
 * the only one of its name is taken, and several are refused.
 */
#ifndef PERF_UTIL_FETCH_GLOBALS_H
#define PERF_UTIL_FETCH_GLOBALS_H

#ifdef HAVE_LIBDW
#include "util/fetch/fetch.h"

/*
 * Find the variable @name ("gv", "n2::gv", "C::count", "::gv") as the innermost function of @place
 * means it. 1: @found is it; 0: there is none; -EINVAL with @err: there are several.
 */
int global__find(const struct fetch_place *place, const char *name, Dwarf_Die *found,
                 struct error *err);

/* The static member @member of the class @type. False: it is nowhere defined. */
bool global__of_member(const struct fetch_place *place, Dwarf_Die *type, Dwarf_Die *member,
                       Dwarf_Die *found);

/* What @die, a "using" of a block, stands for: a variable called @name? */
bool die__is_using(Dwarf_Die *die, const char *name, Dwarf_Die *variable);

/* "n2::C::count", with the scopes it is named by: malloc'ed. */
char *die__whole_name(Dwarf_Die *die);

/* What @die is a copy or the definition of, at last: the declaration in its namespace or class. */
Dwarf_Die die__origin(Dwarf_Die *die);

/*
 * Is the function of that name with namespaces, "n::(anonymous namespace)::f", globs, too? For
 * functions of one file, of which compilers do not tell the name that the linker has.
 */
bool function__is_in_scope(Dwarf_Die *die, const char *name);
#endif

#endif
