// SPDX-License-Identifier: GPL-2.0-or-later
/* What to do about names of functions and source files that were not found: the nearest ones. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/fetch/place_text.h"
#include "util/lib/text.h"
#include "util/options/nearest.h"
#include "util/probe/finder_private.h"
#include "util/symtab/demangle.h"
#include "util/symtab/elf_symbols.h"

/* Names of functions that are near, as a definition takes them. */
struct near_functions {
	struct nearest nearest, outer;
	struct arena texts;
	bool readably; /* what was asked for is no plain name of C */
};

/* Cut the last part of @name off, and return it. */
static const char *cut_last(char *name)
{
	char *last = (char *)place_text__last(name);

	if (last > name)
		last[-2] = '\0';
	else
		last = name;
	return last;
}

/*
 * Is it the name that @wanted leaves some parts out of: "shop::Rect::area" for "Rect::area",
 * "shop::v2::f" for "shop::f", "r::f::<u32>" for "r::f"?
 */
static bool is_fuller(const char *wanted, const char *name)
{
	char *want = xstrdup(wanted), *have = xstrdup(name);
	const char *part = cut_last(want), *of = cut_last(have);
	bool more = true, fits;

	if (*of == '<' && of != have)
		of = cut_last(have);
	fits = place_text__fits(part, of);
	while (fits && part != want) {
		part = cut_last(want);
		do {
			more = of != have;
			of = more ? cut_last(have) : "";
		} while (more && !place_text__fits(part, of));
		fits = more;
	}
	free(want);
	free(have);
	return fits;
}

static void offer_text(struct near_functions *near, const char *name)
{
	char *text = place_text__of_name(name);
	struct nearest *outer = &near->outer;
	bool is_new = near->readably && outer->nr < NEAREST_MAX && is_fuller(outer->word, name);

	for (u32 i = 0; i < outer->nr; i++)
		is_new &= strcmp(outer->names[i], text) != 0;
	if (is_new)
		outer->names[outer->nr++] = arena__strndup(&near->texts, text, strlen(text));
	nearest__offer(&near->nearest, strcmp(text, name)
	                                       ? arena__strndup(&near->texts, text, strlen(text))
	                                       : name);
	free(text);
}

static void offer_symbol(struct near_functions *near, const char *name)
{
	char *readable = near->readably ? demangle(name) : NULL;

	if (readable)
		offer_text(near, arena__strndup(&near->texts, readable, strlen(readable)));
	else
		offer_text(near, name);
	free(readable);
}

#ifdef HAVE_LIBDW
static bool offer_function(void *ctx, Dwarf_Die *die)
{
	const char *name = die__name(die);

	if (name)
		offer_text(ctx, name);
	return false;
}

/* The end of @path with as many folders as @like has. */
static const char *alike(const char *path, const char *like)
{
	const char *end = path + strlen(path);
	u32 slashes = 0;

	for (; *like; like++)
		slashes += *like == '/';
	while (end > path && (end[-1] != '/' || slashes-- > 0))
		end--;
	return end;
}

/* Files that code comes from: headers that have none, too. */
static void offer_files(struct probe_finder *finder, struct nearest *near)
{
	for (u32 i = 0; finder->has_dwarf && i < finder->units.nr; i++) {
		Dwarf_Die die = finder->units.units[i].die;
		Dwarf_Files *files;
		size_t nr;

		if (dwarf_getsrcfiles(&die, &files, &nr))
			continue;
		for (size_t j = 0; j < nr; j++) {
			const char *path = dwarf_filesrc(files, j, NULL, NULL);

			if (path)
				nearest__offer(near, alike(path, near->word));
		}
	}
}

/* The file that a function of this name is in, or NULL. */
static const char *file_of(struct probe_finder *finder, const char *name)
{
	Dwarf_Die function;
	struct unit *unit;

	return finder->has_dwarf && finder__function(finder, name, NULL, &function, &unit)
	               ? die__decl_file(&function)
	               : NULL;
}
#endif

void finder__advise_function(struct probe_finder *finder, const char *name, const char *file,
                             struct error *err)
{
	char text[200];
	struct near_functions near = { .texts = ARENA_INIT,
		                       .readably = strstr(name, "::") || strpbrk(name, "<([") };
	u32 nr;
	const struct probe_symbol *symbols = probe_target__symbols(finder->target, &nr);

#ifdef HAVE_LIBDW
	const char *other = file ? file_of(finder, name) : NULL;

	if (other) {
		error__advise(err, "a function '%.100s' is in '%.150s'", name,
		              text__basename(other));
		return;
	}
#else
	(void)file;
#endif
	nearest__init(&near.nearest, name);
	nearest__init(&near.outer, name);
	for (u32 i = 0; i < nr; i++)
		if (symbols[i].is_code)
			offer_symbol(&near, symbols[i].name);
#ifdef HAVE_LIBDW
	for (u32 i = 0; finder->has_dwarf && i < finder->units.nr; i++)
		unit__each_function(&finder->units.units[i], offer_function, &near);
#endif
	nearest__text(near.outer.nr ? &near.outer : &near.nearest, "", text, sizeof(text));
	error__advise(err, "%s", *text ? text : "perf probe --funcs lists the functions");
	arena__exit(&near.texts);
}

void finder__advise_file(struct probe_finder *finder, const char *file, struct error *err)
{
	char text[200] = "";

#ifdef HAVE_LIBDW
	struct nearest near;

	nearest__init(&near, file);
	offer_files(finder, &near);
	nearest__text(&near, "", text, sizeof(text));
#else
	(void)finder, (void)file;
#endif
	error__advise(err, "%s",
	              *text ? text : "perf probe --line FUNCTION names a function's file");
}

/* Is the function of another object, called through the PLT? */
static bool is_in_plt(struct probe_finder *finder, const char *name)
{
	char *entry = xasprintf("%s@plt", name);
	struct symtab symtab = { .nr = 0 };
	bool found = false;

	if (!finder->target->is_kernel)
		elf_symbols__add_plt(&symtab, &finder->target->elf);
	for (u32 i = 0; i < symtab.nr && !found; i++)
		found = !strcmp(symtab.symbols[i].name, entry);
	symtab__exit(&symtab);
	free(entry);
	return found;
}

bool finder__is_other(struct probe_finder *finder, const char *name, const char *place,
                      struct error *err)
{
	u32 nr;
	const struct probe_symbol *symbols = probe_target__symbols(finder->target, &nr);

	if (is_in_plt(finder, name)) {
		error__set(err, -ENOENT, "Probe point not found:", place,
		           "it is a function of another object, which '%s' calls",
		           finder->target->path);
		error__advise(
		        err, "probe it there, in a library; or its calls from here: '%.100s\\@plt'",
		        name);
		return true;
	}
	for (u32 i = 0; i < nr; i++)
		if (!symbols[i].is_code && !strcmp(symbols[i].name, name)) {
			error__set(err, -ENOENT, "Probe point not found:", place,
			           "that is data, where no probe can stand");
			error__advise(err, "behind a place its value is fetched: 'FUNCTION %.100s'",
			              name);
			return true;
		}
	return false;
}
