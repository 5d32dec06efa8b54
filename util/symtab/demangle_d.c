// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * libiberty's demangler of D would take any amount of time and memory for a name made for that: 150
 * bytes that are read in 2^30 ways, or stand for gigabytes. It allocates by xmalloc() and
 * xrealloc(), which are here, and whatever it does without end it does with those. When too much
 * was asked for, the name that it reads, a copy, is wiped out: then it is at its end wherever it
 * looks, returns from all its levels, and frees what it has.
 *
 * As in demangle.c, libiberty.h clashes with util/lib/alloc.h.
 */
#include "util/symtab/demangle_d.h"

#ifdef HAVE_DEMANGLE
#include <libiberty/demangle.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A name of 2048 bytes whose arguments are all functions asks for 8194 pieces. */
#define MAX_PIECES 20000
#define MAX_BYTES  (16u << 20)

static _Thread_local struct {
	char *name; /* NULL: nothing is demangled */
	size_t pieces, bytes;
	bool too_much;
} work;

static void charge(size_t size)
{
	if (!work.name)
		return;
	work.bytes += size;
	if (++work.pieces <= MAX_PIECES && work.bytes <= MAX_BYTES)
		return;
	work.too_much = true;
	memset(work.name, 0, strlen(work.name));
}

/* For libiberty only: ours have other names for the linker, see util/lib/alloc.h. */
void *xmalloc(size_t size)
{
	void *piece = malloc(size ? size : 1);

	charge(size);
	if (!piece)
		abort();
	return piece;
}

void *xrealloc(void *old, size_t size)
{
	void *piece = realloc(old, size ? size : 1);

	charge(size);
	if (!piece)
		abort();
	return piece;
}

/* @name without what the compiler appended to it. */
static char *demangle_bounded(const char *name, size_t len, size_t max)
{
	char *copy = strndup(name, len), *text;

	if (!copy)
		return NULL;
	work.name = copy;
	work.pieces = work.bytes = 0;
	work.too_much = false;
	text = dlang_demangle(copy, DMGL_PARAMS | DMGL_ANSI);
	work.name = NULL;
	free(copy);
	if (text && (work.too_much || strlen(text) > max)) {
		free(text);
		return NULL;
	}
	return text;
}

char *demangle_d(const char *name, bool clone, size_t max)
{
	size_t len = strcspn(name, ".");
	char *text, *whole = NULL;

	if (strlen(name) > DEMANGLE_D_MAX)
		return NULL;
	text = demangle_bounded(name, len, max);
	if (!text || !clone || !name[len])
		return text;
	if (asprintf(&whole, "%s [clone %s]", text, name + len) < 0)
		whole = NULL;
	free(text);
	return whole;
}
#else
char *demangle_d(const char *name, bool clone, size_t max)
{
	(void)name, (void)clone, (void)max;
	return NULL;
}
#endif
