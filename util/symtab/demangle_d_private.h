/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What util/symtab/demangle_d*.c share; nobody else includes this. */
#ifndef PERF_UTIL_SYMTAB_DEMANGLE_D_PRIVATE_H
#define PERF_UTIL_SYMTAB_DEMANGLE_D_PRIVATE_H

#include "util/lib/types.h"

/* Limit of types and symbols read; the target of a back reference is read again each time. */
#define D_MAX_STEPS 50000u

struct d_parser {
	const char *start, *end, *at;
	char *out; /* malloc'ed */
	size_t len, cap, max;
	unsigned depth, steps;
	unsigned mute; /* above 0: read without writing */
	bool failed, signature;
};

/* ---- reading; what cannot be read sets p->failed ---- */

char d__peek(const struct d_parser *p); /* 0 at the end */
char d__next(struct d_parser *p);
bool d__starts(const struct d_parser *p, const char *text);
bool d__take(struct d_parser *p, const char *text);

/* Skip digits: their number; 0 with p->failed where there are none. */
size_t d__skip_digits(struct d_parser *p);
size_t d__number(struct d_parser *p);

/*
 * Read a back reference, "Qb": the distance in letters, the last a small one. NULL: it leads
 * nowhere.
 */
const char *d__back(struct d_parser *p);

/* The character that the back reference at p->at leads to; 0: none. */
char d__peek_back(const struct d_parser *p);

/* Go one level deeper, if that is allowed; ended by p->depth--. */
bool d__enter(struct d_parser *p);

/* ---- writing ---- */

void d__put_mem(struct d_parser *p, const char *text, size_t len);
void d__put(struct d_parser *p, const char *text);

/* Move what was written from @middle on in front of what was written from @first on. */
void d__swap_parts(struct d_parser *p, size_t first, size_t middle);

/* ---- reading and writing at once ---- */

void d__type(struct d_parser *p);
void d__qualified(struct d_parser *p);

/* Attributes and modifiers are written with a blank in front of each. */
void d__attributes(struct d_parser *p);
void d__modifiers(struct d_parser *p);
void d__parameters(struct d_parser *p); /* "iAaZ" is (int, char[]) */

/*
 * The linkage that @c, the start of a function type, stands for: "extern(C) ", often empty. NULL:
 * none.
 */
const char *d__linkage(char c);

#endif
