/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Translates where DWARF says that a variable is into what the kernel can fetch: a register (%di),
 * memory beside one (+8(%sp)), memory at an address of the object (@...), or a constant (\5). What
 * the kernel cannot compute (sums of registers, values that are spread over several pieces) is
 * refused by name.
 */
#ifndef PERF_UTIL_FETCH_LOCATION_H
#define PERF_UTIL_FETCH_LOCATION_H

#ifdef HAVE_LIBDW
#include <elfutils/libdw.h>

#include "util/lib/types.h"

struct probe_target;

enum location_kind {
	LOCATION_NONE,     /* nothing is left of it at that address */
	LOCATION_OTHER,    /* there is a value, but the kernel cannot fetch it: @why */
	LOCATION_REGISTER, /* base is "%di" */
	LOCATION_MEMORY,   /* at offset from what base fetches */
	LOCATION_ADDRESS,  /* at this address of the object */
	LOCATION_CONSTANT,
	LOCATION_PIECES, /* in several places: see location__of_part() */
	LOCATION_SUM, /* no memory: base and offset added, or (base empty) an address of the object
	               */
};

#define LOCATION_MAX 400

struct location {
	enum location_kind kind;
	char base[LOCATION_MAX];
	s64 offset;      /* or the address, or the constant; in pieces: of the part that is meant */
	u32 shift;       /* of a register: that many bits lie in front of it */
	u32 mask;        /* only so many bits of the value count; 0: all */
	bool converted;  /* its value was another type's between: of that only ... */
	u32 kept;        /* ... so many of its lowest bits are sure to be left */
	bool only_entry; /* of none: what the function was called with is known, at its entry */
	const char *why;
};

/* What locations depend on besides the variable. */
struct location_place {
	struct probe_target *target;
	u64 addr;
	u64 entry;           /* of the function, inlined or not */
	Dwarf_Die *function; /* whose frame base counts */
};

/* Find the variable or parameter @die. */
void location__of_variable(struct location *loc, const struct location_place *at, Dwarf_Die *die);

/*
 * Is @loc, of @die at the address, in a frame that the function sets up only behind its entry? A
 * compiler that optimizes may give a parameter one place for all of the function nevertheless.
 */
bool location__is_early(const struct location *loc, const struct location_place *at,
                        Dwarf_Die *die);

/*
 * Find the @size bytes at @offset of a variable that is LOCATION_PIECES: one piece must have them
 * all.
 */
void location__of_part(struct location *loc, const struct location_place *at, Dwarf_Die *die,
                       u64 offset, u64 size);

/* Go on to the @size bytes at @offset of what is there. False: that cannot be, @loc tells why. */
bool location__take_part(struct location *loc, const struct location_place *at, u64 offset,
                         u64 size);

/* The name of a register by its DWARF number, or NULL. */
const char *location__register(const struct probe_target *target, u32 number);

/* Go to what the pointer at @loc points to. False: it is too deep. */
bool location__follow(struct location *loc, const struct location_place *at, bool user);

/* The text that fetches what is at @loc: malloc'ed. */
char *location__text(const struct location *loc, const struct location_place *at, bool user);
#endif

#endif
