/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Variables of programs as arguments that the kernel fetches: looks a name up in the scopes around
 * an address, follows ->, . and [], and chooses the type.
 */
#ifndef PERF_UTIL_FETCH_FETCH_H
#define PERF_UTIL_FETCH_FETCH_H

#ifdef HAVE_LIBDW
#include "util/fetch/definition.h"
#include "util/fetch/location.h"
#include "util/fetch/units.h"
#include "util/lib/error.h"

struct nearest;
struct out;

/* An address, and what can be named there. */
struct fetch_place {
	struct location_place at;
	struct units *units;         /* where globals are looked for at last */
	const struct unit *unit;     /* the one with the address; NULL: none */
	Dwarf_Die scopes[DEPTH_MAX]; /* outermost first */
	u32 nr_scopes;
	bool is_return; /* where the function returns: only what outlives it can be fetched */
};

/*
 * Fill @place for @addr in @function_name, the name of a function or of one that was inlined (NULL:
 * the innermost that does not begin there). False: no function covers it.
 */
bool fetch_place__init(struct fetch_place *place, struct probe_target *target, struct units *units,
                       u64 addr, const char *function_name);

/* What is to be said of a value that was found. */
struct fetch_notes {
	const char *cut;   /* the name of a type that is larger than the kernel takes; NULL: none */
	const char *array; /* what is read of an array that probes do not fetch as a whole; or NULL
	                    */
	u64 text;          /* of a string that is an array: its bytes, which the kernel does not
	                      know */
	bool lost_sign;    /* a bit field of signed numbers, which the kernel takes for unsigned */
	bool stale; /* of a library, which may use another object's: see probe_target__is_stale() */
	bool early; /* a parameter in a frame that the function sets up only behind its entry */
};

/*
 * The text "VALUE:TYPE" that fetches @arg, malloc'ed, or NULL with @err: -ENOENT no such variable,
 * -ENODATA it was optimized out, -EOPNOTSUPP the kernel cannot fetch it, -EINVAL the chain or the
 * type does not fit it. @notes may be NULL.
 */
char *fetch__argument(const struct fetch_place *place, const struct probe_arg *arg,
                      struct fetch_notes *notes, struct error *err);

/*
 * $retval of the function there, with its type, malloc'ed. NULL with @err: -EOPNOTSUPP it is not in
 * the register that the kernel fetches. @notes->cut as above.
 */
char *fetch__retval(const struct fetch_place *place, struct fetch_notes *notes, struct error *err);

/* Is what the function there returns a reference of C++? */
bool fetch__returns_reference(const struct fetch_place *place);

/* The type of what the function there returns, as of fetch__type_name(). */
void fetch__retval_type(struct out *out, const struct fetch_place *place);

/* Can a variable be fetched there? For the search of a line where one can. */
bool fetch__is_there(const struct fetch_place *place, Dwarf_Die *variable);

/* Call @fn for the variables in scope, inner ones first; with @globals those of the unit, too. */
void fetch__each_variable(const struct fetch_place *place, bool globals,
                          void (*fn)(void *ctx, Dwarf_Die *die), void *ctx);

/* The type of a variable as C writes it, without qualifiers; arrays are pointers. */
void fetch__type_name(struct out *out, Dwarf_Die *variable);
#endif

#endif
