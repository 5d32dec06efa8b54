/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What util/fetch/fetch*.c share; nobody else includes this. */
#ifndef PERF_UTIL_FETCH_FETCH_PRIVATE_H
#define PERF_UTIL_FETCH_FETCH_PRIVATE_H

#ifdef HAVE_LIBDW
#include "util/fetch/fetch.h"

#define TYPES_MAX 32 /* typedefs of typedefs ... */

/* From a variable on the way to what an argument means. */
struct chain {
	const struct fetch_place *place;
	const struct probe_arg *arg;
	Dwarf_Die variable;
	struct location loc;
	Dwarf_Die type; /* real, of what @loc is */
	Dwarf_Die of;   /* the variable or member: has the type attribute, and bits */
	const char *name;
	u64 row; /* @type is what a row of an array of so many bytes holds; 0: it is no row */
	bool is_void;
	struct error *err;
};

/* ---- fetch_chain.c */

/* The type that @die refers to. False: void. */
bool die__type(Dwarf_Die *die, Dwarf_Die *type);

/* The same without qualifiers and typedefs. */
bool die__real_type(Dwarf_Die *die, Dwarf_Die *type);

/* Has it a type, which cannot be read: dwz's common file is missing? Then the two tell nothing. */
bool die__lacks_type(Dwarf_Die *die);

bool tag__is_qualifier(int tag);
bool tag__is_reference(int tag);
bool tag__is_pointer(int tag); /* or a reference */
bool tag__is_compound(int tag);

/* In bytes; 0: not known. */
u64 type__size(Dwarf_Die *type);

/* An error if the type is one that cannot be read. */
int chain__check_type(const struct chain *chain, Dwarf_Die *of);

/* Take all steps of the argument: ->name, .name and [index]. */
int chain__take_fields(struct chain *chain);

/* ->@name or .@name, one step. */
int chain__take_member(struct chain *chain, const struct probe_field *field);

/* Has the class, or a base class, or what has no name in it, such a member? */
bool type__has_member(Dwarf_Die *type, const char *name, bool *is_static);
bool type__member(Dwarf_Die *type, const char *name, Dwarf_Die *member);

/* What lies in pieces: go to the one with the @size bytes there (0: not known). */
int chain__resolve(struct chain *chain, u64 size);

/* Go to what the pointer there points to. */
int chain__follow(struct chain *chain);

/* A reference (C++) is what it refers to: go there. That to a function stays an address. */
int chain__take_referred(struct chain *chain);

/* An error about the argument: @fmt has one %s, for @name. */
int chain__wrong(const struct chain *chain, const char *fmt, const char *name);

/* The error that ->loc tells of. */
int chain__refuse(const struct chain *chain);

/* ---- fetch_scope.c */

/*
 * Is @name, which is no variable of the function's own, a member of the object there? 1: that of
 * @this, the variable, by -> (*steps 0), or of the pointer "this" in it (1). 0: no. -EINVAL: it is
 * something there that is no variable, or of which no object is known.
 */
int scope__find_member(const struct fetch_place *place, const char *name, Dwarf_Die *this,
                       u32 *steps, struct error *err);

/* -EINVAL: it is an enumerator of that block. */
int scope__check_block(Dwarf_Die *scope, const char *name, struct error *err);

/* ---- globals.c */

/* The DIEs around @die, outermost first, without that of its unit: their number, to DEPTH_MAX. */
u32 die__parents(Dwarf_Die *die, Dwarf_Die *parents);

/* The innermost function there, inlined or not: its declaration. */
Dwarf_Die place__function(const struct fetch_place *place);

/* ---- fetch_type.c */

/* The type in the kernel's words, malloc'ed: ":s32", or "". Fills what @notes has of it. */
int chain__choose_type(struct chain *chain, char **type, struct fetch_notes *notes);

/* Begin at what the function returned: parts of it follow. */
int chain__take_retval(struct chain *chain);
#endif

#endif
