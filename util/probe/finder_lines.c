// SPDX-License-Identifier: GPL-2.0-or-later
/* Lines: where they begin in the code, and which line stands for an address. */
#ifdef HAVE_LIBDW
#include <ctype.h>
#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/dwarf/source_text.h"
#include "util/fetch/place_text.h"
#include "util/lib/text.h"
#include "util/probe/finder_private.h"

/* ---- places ---- */

struct places {
	const struct unit *unit;
	void (*fn)(void *ctx, const struct line_at *line, Dwarf_Die *function);
	void *ctx;
	Dwarf_Die *function;
	Dwarf_Off last; /* how far the walk over calls has come */
	u32 nr_inlined; /* of how many inlined functions it is inside */
};

static void tell_calls(struct places *places, Dwarf_Die *parent, u32 depth)
{
	Dwarf_Die die;
	u64 entry;

	if (depth > DEPTH_MAX || !die__child(parent, &die))
		return;
	do {
		int tag = dwarf_tag(&die);

		if (dwarf_dieoffset(&die) <= places->last)
			break;
		places->last = dwarf_dieoffset(&die);
		if (tag == DW_TAG_inlined_subroutine && die__entry(&die, &entry) && entry) {
			struct line_at line = { .addr = entry,
				                .file = die__call_file(&die),
				                .line = die__call_line(&die),
				                .is_statement = true };

			if (line.file)
				places->fn(places->ctx, &line,
				           places->nr_inlined ? NULL : places->function);
		}
		places->nr_inlined += tag == DW_TAG_inlined_subroutine;
		if (tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block)
			tell_calls(places, &die, depth + 1);
		places->nr_inlined -= tag == DW_TAG_inlined_subroutine;
	} while (die__next(&die));
}

static bool tell_function(void *ctx, Dwarf_Die *die)
{
	struct places *places = ctx;
	u64 entry;

	if (!die__has_code(die) || !die__entry(die, &entry) || !entry)
		return false;
	struct line_at line = { .addr = entry,
		                .file = die__decl_file(die),
		                .line = die__decl_line(die),
		                .is_statement = true };

	places->function = die;
	if (line.file)
		places->fn(places->ctx, &line, die);
	tell_calls(places, die, 0);
	return false;
}

static void tell_row(void *ctx, const struct line_at *line)
{
	struct places *places = ctx;

	if (line->is_statement && !line->is_end)
		places->fn(places->ctx, line, NULL);
}

void unit__each_place(const struct unit *unit, Dwarf_Die *only,
                      void (*fn)(void *ctx, const struct line_at *line, Dwarf_Die *function),
                      void *ctx)
{
	struct places places = { .unit = unit, .fn = fn, .ctx = ctx };

	unit__each_line(unit, tell_row, &places);
	if (only && die__has_code(only))
		tell_function(&places, only);
	else
		unit__each_function(unit, tell_function, &places);
}

/* ---- rows of inlined copies ---- */

struct copy_rows {
	Dwarf_Die *copy;
	void (*fn)(void *ctx, const struct line_at *line);
	void *ctx;
};

static void tell_own_row(void *ctx, const struct line_at *line)
{
	struct copy_rows *rows = ctx;
	Dwarf_Die scopes[DEPTH_MAX];

	if (line->is_end || dwarf_haspc(rows->copy, line->addr) != 1)
		return;
	for (u32 i = function__scopes(rows->copy, line->addr, scopes); i > 1; i--)
		if (dwarf_tag(&scopes[i - 1]) == DW_TAG_inlined_subroutine)
			return;
	rows->fn(rows->ctx, line);
}

void copy__each_row(const struct unit *unit, Dwarf_Die *copy,
                    void (*fn)(void *ctx, const struct line_at *line), void *ctx)
{
	struct copy_rows rows = { copy, fn, ctx };

	unit__each_line(unit, tell_own_row, &rows);
}

/* ---- which line, and which function ---- */

static bool is_same_file(const char *a, const char *b)
{
	a += strncmp(a, "./", 2) ? 0 : 2;
	b += strncmp(b, "./", 2) ? 0 : 2;
	return path__ends_with(a, b) || path__ends_with(b, a);
}

/* Does @other declare what was inlined at its address, and does @line belong to that? */
static bool is_declaration(const struct unit *unit, const struct line_at *other,
                           const struct line_at *line)
{
	Dwarf_Die scopes[DEPTH_MAX], function;
	u32 closest = 0;
	bool is = false;
	u32 nr = unit__function_at(unit, line->addr, &function)
	                 ? function__scopes(&function, line->addr, scopes)
	                 : 0;

	for (u32 i = 0; i < nr; i++) {
		const char *file = die__decl_file(&scopes[i]);
		u32 decl = die__decl_line(&scopes[i]);
		u64 entry;

		if (dwarf_tag(&scopes[i]) == DW_TAG_lexical_block || !file ||
		    !is_same_file(file, line->file) || decl > line->line || decl < closest)
			continue;
		closest = decl;
		is = i && decl == other->line && die__entry(&scopes[i], &entry) &&
		     entry == line->addr;
	}
	return is;
}

bool line__is_of_other(const struct unit *unit, const struct line_at *line, struct line_at *other)
{
	return unit__line_at(unit, line->addr, other) && other->line != line->line &&
	       is_same_file(other->file, line->file) && !is_declaration(unit, other, line);
}

/*
 * The function that @line belongs to. At the first address of what was inlined that is the one
 * whose declaration is the closest above the line; of a copy without code its caller.
 */
static bool line__function(const struct unit *unit, const struct line_at *line, Dwarf_Die *function)
{
	Dwarf_Die scopes[DEPTH_MAX], outer;
	u32 closest = 0;

	if (!unit__inner_function(unit, line->addr, function) ||
	    !unit__function_at(unit, line->addr, &outer))
		return false;
	u32 nr = function__scopes(&outer, line->addr, scopes);

	for (u32 i = 0; i < nr; i++) {
		const char *file = die__decl_file(&scopes[i]);
		u32 decl = die__decl_line(&scopes[i]);
		u64 entry;

		if (i && (dwarf_tag(&scopes[i]) != DW_TAG_inlined_subroutine ||
		          dwarf_haspc(&scopes[i], line->addr) != 1))
			continue;
		if (!file || !is_same_file(file, line->file) || decl > line->line || decl < closest)
			continue;
		closest = decl;
		if (i && die__entry(&scopes[i], &entry) && entry == line->addr)
			*function = scopes[i];
	}
	return true;
}

/* ---- definitions with a line or a pattern ---- */

struct line_search {
	struct probe_spots *spots;
	const struct unit *unit;
	Dwarf_Die *function; /* a pattern's: the code must be in it; else NULL */
	struct source_file file;
	const char *path; /* of it, as a unit writes it; NULL: there is none */
	u32 line;         /* the wanted one, or 0: ... */
	const u8 *wanted; /* ... those that are marked here, by line */
	u32 nr_wanted;
	/* What was found there instead. */
	u32 other_line;
	char *other_file;
};

static void look_at(void *ctx, const struct line_at *line, Dwarf_Die *in)
{
	struct line_search *search = ctx;
	struct line_at best;
	Dwarf_Die function;
	u64 entry = 0;

	(void)in;
	if (search->line ? line->line != search->line
	                 : line->line >= search->nr_wanted || !search->wanted[line->line])
		return;
	if (!source_file__is(&search->file, search->unit, line->file) ||
	    (search->function && dwarf_haspc(search->function, line->addr) != 1))
		return;
	/* A pattern means statements, several of which may begin at one address. */
	if (search->line && line__is_of_other(search->unit, line, &best)) {
		if (best.line && !search->other_line) { /* 0: the compiler's own code */
			search->other_line = best.line;
			search->other_file = xstrdup(best.file);
		}
		return;
	}
	bool found = line__function(search->unit, line, &function);

	if (found)
		die__entry(&function, &entry);
	spots__add(search->spots, line->addr, found ? die__name(&function) : NULL, entry);
}

/* Read the file and mark its lines that match. */
static int mark_lazy(struct probe_finder *finder, struct line_search *search, const char *path,
                     const char *pattern, struct probe_spots *spots, struct error *err)
{
	struct source_text text;
	struct source_file file;
	u8 sum[MD5_SIZE];

	char *full = unit__full_path(search->unit, path);

	source_file__init(&file, xstrdup(full));
	bool has_sum = unit__source_sum(&finder->units, search->unit, &file, sum);
	int ret = source_text__open(&text, full, finder->target->source, err);

	free(full);
	source_file__exit(&file);
	if (ret)
		return ret;
	char *doubt = source_text__doubt(&text, has_sum ? sum : NULL, finder->target->file,
	                                 finder->target->path);

	if (doubt)
		spots__warn(spots, doubt);
	u8 *wanted = xcalloc(text.nr + 1, 1);

	for (u32 line = 1; line <= text.nr; line++)
		wanted[line] = source_text__matches(&text, line, pattern);
	search->wanted = wanted;
	search->nr_wanted = text.nr + 1;
	source_text__close(&text);
	return 0;
}

struct line_functions {
	struct probe_finder *finder;
	const struct probe_definition *def;
	struct probe_spots *spots;
	struct line_search search;
	struct error *err;
	int ret;
	u32 base, end;  /* of the function: its line, and the last that is its own */
	bool is_behind; /* the wanted line is none of its own */
};

/* @full: malloc'ed. */
static void set_file(struct line_search *search, const char *path, char *full)
{
	source_file__exit(&search->file);
	source_file__init(&search->file, full);
	search->path = path;
}

static void search_unit(struct line_functions *functions, const struct unit *unit)
{
	functions->search.unit = unit;
	functions->search.spots = functions->spots;
	unit__each_place(unit, functions->search.function, look_at, &functions->search);
}

/* An inlined copy of the function with a pattern. */
static void search_copy(void *ctx, Dwarf_Die *die)
{
	struct line_functions *functions = ctx;

	functions->search.function = die;
	search_unit(functions, functions->search.unit);
}

/* Go to the wanted line of the function. False: that is another's. */
static bool take_line(struct line_functions *functions, Dwarf_Die *die)
{
	const struct probe_place *place = &functions->def->place;

	functions->base = die__decl_line(die);
	functions->search.line = functions->base + place->line;
	functions->end =
	        finder__last_line(functions->finder, functions->search.unit, die, place->function);
	functions->is_behind = functions->search.line > functions->end;
	return !functions->is_behind;
}

static bool search_function(void *ctx, Dwarf_Die *die)
{
	struct line_functions *functions = ctx;
	const struct probe_place *place = &functions->def->place;

	/* Files of declarations would cost the line tables of all units that call it. */
	if (!finder__means(functions->finder, die, place->function) ||
	    dwarf_hasattr(die, DW_AT_declaration))
		return false;
	const char *file = die__decl_file(die);

	if (!file || (place->file && !path__ends_with(file, place->file)))
		return false;
	functions->base = die__decl_line(die);
	set_file(&functions->search, file, die__decl_path(die));
	if (!place->lazy) {
		if (!take_line(functions, die))
			return false;
	} else {
		if (!die__has_code(die) && !function__may_be_inlined(die))
			return false;
		functions->search.function = die;
		free((void *)functions->search.wanted);
		functions->search.wanted = NULL;
		functions->ret = mark_lazy(functions->finder, &functions->search, file, place->lazy,
		                           functions->spots, functions->err);
	}
	if (functions->ret)
		return true;
	if (place->lazy && !die__has_code(die))
		unit__each_copy(functions->search.unit, die, search_copy, functions);
	else
		search_unit(functions, functions->search.unit);
	return false;
}

/* The first code of the line in a copy of the function. */
struct copy_line {
	struct line_functions *functions;
	const struct unit *unit;
	u64 addr; /* 0: none yet */
};

static void look_at_row(void *ctx, const struct line_at *line)
{
	struct copy_line *at = ctx;
	struct line_search *search = &at->functions->search;

	if (line->line == search->line && source_file__is(&search->file, at->unit, line->file) &&
	    (!at->addr || line->addr < at->addr))
		at->addr = line->addr;
}

static void search_rows(void *ctx, Dwarf_Die *copy)
{
	struct copy_line *at = ctx;
	u64 entry = 0;

	at->addr = 0;
	copy__each_row(at->unit, copy, look_at_row, at);
	die__entry(copy, &entry);
	if (at->addr)
		spots__add(at->functions->spots, at->addr, die__name(copy), entry);
}

/* Of an inlined function none of the line's statements could be taken: take other code of it. */
static bool search_copies(void *ctx, Dwarf_Die *die)
{
	struct line_functions *functions = ctx;
	const struct probe_place *place = &functions->def->place;
	struct copy_line at = { .functions = functions };
	const char *file = die__decl_file(die);

	if (!finder__means(functions->finder, die, place->function) ||
	    !function__may_be_inlined(die) || !file || !path__ends_with(file, place->file))
		return false;
	set_file(&functions->search, file, die__decl_path(die));
	if (!take_line(functions, die))
		return false;
	for (u32 i = 0; i < functions->finder->units.nr; i++) {
		at.unit = &functions->finder->units.units[i];
		if (at.unit == functions->search.unit ||
		    !units__stand_alone(&functions->finder->units))
			unit__each_copy(at.unit, die, search_rows, &at);
	}
	return false;
}

/* Is the unit named after the file? Most lines have code in that one only. */
static bool is_of_file(const struct unit *unit, const char *name)
{
	Dwarf_Die die = unit->die;
	const char *own = die__name(&die);

	return own && path__ends_with(own, name);
}

static void search_file(struct line_functions *functions, const struct unit *unit)
{
	const struct probe_place *place = &functions->def->place;
	const char *path = dwarf_files__source_of_unit(&unit->die, place->file);

	if (!path)
		return;
	functions->search.unit = unit;
	set_file(&functions->search, path, unit__full_path(unit, path));
	functions->search.line = place->line;
	if (place->lazy && !functions->search.wanted)
		functions->ret = mark_lazy(functions->finder, &functions->search, path, place->lazy,
		                           functions->spots, functions->err);
	if (!functions->ret)
		search_unit(functions, unit);
}

static int shared_address(const struct line_functions *functions, struct error *err)
{
	const struct line_search *search = &functions->search;
	const char *function = functions->def->place.function;
	int ret = error__set(err, -ENOENT, "cannot probe", functions->def->text,
	                     "This line is sharing the address with other lines");

	if (function && search->other_line >= functions->base)
		error__advise(err, "Please try to probe at %s:%u instead", function,
		              search->other_line - functions->base);
	else
		error__advise(err, "Please try to probe at %s:%u instead", search->other_file,
		              search->other_line);
	return ret;
}

struct nearest_code {
	const struct unit *unit;
	struct source_file *file;
	u32 first, last; /* of the lines that may be offered */
	u32 wanted, best;
};

static void look_near(void *ctx, const struct line_at *line, Dwarf_Die *in)
{
	struct nearest_code *near = ctx;
	u32 away =
	        line->line > near->wanted ? line->line - near->wanted : near->wanted - line->line;
	u32 best =
	        near->best > near->wanted ? near->best - near->wanted : near->wanted - near->best;

	struct line_at other;

	(void)in;
	if (line->line && line->line >= near->first && line->line <= near->last &&
	    (!near->best || away < best) && source_file__is(near->file, near->unit, line->file) &&
	    !line__is_of_other(near->unit, line, &other))
		near->best = line->line;
}

/* A line without code: offer the nearest one with code. */
static int no_code(struct line_functions *functions, struct error *err)
{
	const struct probe_place *place = &functions->def->place;
	struct line_search *search = &functions->search;
	char *text = probe_place__text(place);
	struct nearest_code near = { .file = &search->file,
		                     .first = functions->base,
		                     .last = place->function ? functions->end : UINT32_MAX,
		                     .wanted = search->line };
	const struct units *units = &functions->finder->units;
	const char *last = text__basename(search->path);
	u8 *with = units__with_file(units, last);

	for (u32 i = 0; near.wanted && i < units->nr; i++) {
		near.unit = &units->units[i];
		if ((!with || with[i]) && dwarf_files__source_of_unit(&near.unit->die, last))
			unit__each_place(near.unit, NULL, look_near, &near);
	}
	free(with);
	int ret = error__set(err, -ENOENT, "Probe point not found:", text,
	                     place->lazy            ? "no line with code matches the pattern"
	                     : functions->is_behind ? "the function ends before this line"
	                                            : "this line has no code");

	if (near.best == near.wanted) /* what was found there is another's, too */
		near.best = 0;
	if (near.best) {
		char *of = place_text__of_name(place->function ? place->function : place->file);

		error__advise(err, "the nearest line with code is %s:%u", of,
		              near.best - functions->base);
		free(of);
	}
	free(text);
	return ret;
}

/* By the symbols: is each function of this name in a unit that was read, and in no header? */
static bool is_whole(struct probe_finder *finder, const char *name)
{
	u32 nr, nr_found = 0;
	const struct probe_symbol *symbols = probe_target__symbols(finder->target, &nr);

	for (u32 i = 0; i < nr; i++) {
		Dwarf_Die die;

		if (!symbols[i].is_code || strcmp(symbols[i].name, name) != 0)
			continue;
		const struct unit *unit = units__at(&finder->units, symbols[i].addr);

		if (!unit || !unit__function_at(unit, symbols[i].addr, &die) ||
		    !die__decl_file(&die) || !path__is_source(die__decl_file(&die)))
			return false;
		nr_found++;
	}
	return nr_found;
}

void finder__look_for_unread(struct probe_finder *finder, const char *function, const char *file)
{
	u32 i = 0;
	struct unit *unit = units__next_unread(&finder->units, &i);

	if (!unit || (function && is_whole(finder, function)))
		return;
	for (; unit && !finder->left_out; unit = units__next_unread(&finder->units, &i))
		finder->left_out = !file || dwarf_files__source_of_unit(&unit->die, file);
}

int finder__find_lines(struct probe_finder *finder, const struct probe_definition *def,
                       struct probe_spots *spots, struct error *err)
{
	struct line_functions functions = {
		.finder = finder, .def = def, .spots = spots, .err = err
	};
	u8 *with = finder__units_with(finder, def->place.function, def->place.file);

	/* The entry is where the function begins, inlined copies included. */
	for (u32 i = 0; i < finder->units.nr && !functions.ret; i++) {
		const struct unit *unit = &finder->units.units[i];

		functions.search.unit = unit;
		if (!unit->has_code || (with && !with[i]))
			continue;
		if (def->place.function)
			finder__each_function(finder, unit, search_function, &functions);
		else if (is_of_file(unit, def->place.file))
			search_file(&functions, unit);
	}
	for (u32 i = 0; i < finder->units.nr && !functions.ret && !def->place.function; i++) {
		const struct unit *unit = &finder->units.units[i];

		if (spots->nr && path__is_source(def->place.file)) /* no header */
			break;
		if (unit->has_code && (!with || with[i]) && !is_of_file(unit, def->place.file))
			search_file(&functions, unit);
	}
	int ret = functions.ret;

	bool copies = !ret && !spots->nr && def->place.function && !def->place.lazy;

	for (u32 i = 0; copies && i < finder->units.nr; i++) {
		functions.search.unit = &finder->units.units[i];
		if (!with || with[i])
			unit__each_function(functions.search.unit, search_copies, &functions);
	}
	free(with);
	if (!ret && !spots->nr && functions.search.path)
		ret = functions.search.other_line ? shared_address(&functions, err)
		                                  : no_code(&functions, err);
	free((void *)functions.search.wanted);
	source_file__exit(&functions.search.file);
	free(functions.search.other_file);
	return ret;
}

/* ---- a function by name ---- */

struct by_name {
	const char *name, *file;
	Dwarf_Die *found;
};

static bool is_it(void *ctx, Dwarf_Die *die)
{
	struct by_name *by = ctx;

	if (!function__is_called(die, by->name) ||
	    (!die__has_code(die) && !function__may_be_inlined(die)) || !die__decl_file(die) ||
	    !path__ends_with(die__decl_file(die), by->file))
		return false;
	*by->found = *die;
	return true;
}

bool finder__function(struct probe_finder *finder, const char *name, const char *file,
                      Dwarf_Die *function, struct unit **unit)
{
	struct by_name by = { name, file, function };
	u8 *with = units__with_name(&finder->units, name);
	bool found = false;

	for (u32 i = 0; i < finder->units.nr && !found; i++) {
		*unit = &finder->units.units[i];
		found = (!with || with[i]) && unit__each_function(*unit, is_it, &by);
	}
	free(with);
	return found;
}
#else
extern int no_finder_lines;
#endif
