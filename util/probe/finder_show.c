// SPDX-License-Identifier: GPL-2.0-or-later
/* What is shown of code: the source of a probe, the lines of --line, the variables of --vars. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/dwarf/source_text.h"
#include "util/lib/text.h"
#include "util/options/nearest.h"
#include "util/probe/finder_private.h"

#ifdef HAVE_LIBDW
#include <dwarf.h>

#include "util/fetch/fetch.h"

#define LINES_BEHIND 3 /* shown behind the last line of a function */

/* ---- the source of a probe ---- */

static char *place_in_dwarf(struct probe_finder *finder, u64 addr, bool is_return)
{
	const struct unit *unit = units__at(&finder->units, addr);
	Dwarf_Die function;
	struct line_at line;
	u64 entry = 0;

	if (!unit || !unit__inner_function(unit, addr, &function) || !die__name(&function))
		return NULL;
	die__entry(&function, &entry);
	const char *name = die__name(&function);

	if (is_return)
		return xasprintf("%s%%return@%s", name, die__decl_file(&function));
	if (entry == addr)
		return xasprintf("%s@%s", name, die__decl_file(&function));
	if (unit__line_at(unit, addr, &line) && line.line >= die__decl_line(&function))
		return xasprintf("%s:%u@%s", name, line.line - die__decl_line(&function),
		                 line.file);
	return xasprintf("%s+%llu@%s", name, (unsigned long long)(addr - entry),
	                 die__decl_file(&function));
}
#endif

char *probe_finder__place(struct probe_finder *finder, u64 addr, bool is_return)
{
	const struct probe_symbol *best = NULL;
	u32 nr;
	const struct probe_symbol *symbols = probe_target__symbols(finder->target, &nr);

#ifdef HAVE_LIBDW
	char *found = finder->has_dwarf ? place_in_dwarf(finder, addr, is_return) : NULL;

	if (found)
		return found;
#endif
	for (u32 i = 0; i < nr; i++)
		if (symbols[i].is_code && symbols[i].addr <= addr &&
		    (addr == symbols[i].addr || addr - symbols[i].addr < symbols[i].size) &&
		    (!best || symbols[i].addr > best->addr))
			best = &symbols[i];
	if (!best)
		return NULL;
	if (is_return)
		return xasprintf("%s%%return", best->name);
	return addr == best->addr
	               ? xstrdup(best->name)
	               : xasprintf("%s+%llu", best->name, (unsigned long long)(addr - best->addr));
}

/* ---- --line ---- */

void probe_source__exit(struct probe_source *source)
{
	free(source->path);
	free(source->function);
	free(source->marks);
}

#ifdef HAVE_LIBDW
struct marking {
	struct probe_finder *finder;
	struct probe_source *source;
	const struct unit *unit;
	Dwarf_Die *function; /* NULL: all of the file */
	Dwarf_Die *origin;   /* of copies */
	size_t cap;
};

/* Is the code at @addr that of a function which was inlined into @function? */
static bool is_of_inlined(Dwarf_Die *function, u64 addr)
{
	Dwarf_Die scopes[DEPTH_MAX];
	u32 nr = function__scopes(function, addr, scopes);

	for (u32 i = 1; i < nr; i++)
		if (dwarf_tag(&scopes[i]) == DW_TAG_inlined_subroutine)
			return true;
	return false;
}

static void set_mark(struct marking *marking, u32 line)
{
	struct probe_source *source = marking->source;
	u32 at = line - source->first;

	if (at >= source->nr_marks) {
		array__reserve(&source->marks, &marking->cap, at + 1, 1);
		memset(source->marks + source->nr_marks, 0, at + 1 - source->nr_marks);
		source->nr_marks = at + 1;
	}
	source->marks[at] = 1;
}

static bool is_in_range(const struct probe_source *source, const struct line_at *line)
{
	return line->line >= source->first && line->line <= source->last;
}

static void mark(void *ctx, const struct line_at *line, Dwarf_Die *in)
{
	struct marking *marking = ctx;
	struct line_at best;

	if (!is_in_range(marking->source, line) || strcmp(line->file, marking->source->path) ||
	    (marking->function && dwarf_haspc(marking->function, line->addr) != 1))
		return;
	/* Lines of inlined functions are theirs, also where those stand in the same file. */
	if (marking->function && !in && is_of_inlined(marking->function, line->addr))
		return;
	if (!unit__line_at(marking->unit, line->addr, &best) || best.line == line->line)
		set_mark(marking, line->line);
}

/* Inlined functions have their lines in each of their copies. */
static void mark_copy(void *ctx, Dwarf_Die *die)
{
	struct marking *marking = ctx;

	marking->function = die;
	unit__each_place(marking->unit, marking->function, mark, marking);
}

/* A function that was inlined may have code of its own, too. */
static bool mark_own(void *ctx, Dwarf_Die *die)
{
	struct marking *marking = ctx;

	if (die__has_code(die) && die__is_copy_of(die, marking->origin))
		mark_copy(marking, die);
	return false;
}

static void mark_function(struct probe_finder *finder, struct marking *marking, Dwarf_Die *function)
{
	if (die__has_code(function)) {
		marking->function = function;
		unit__each_place(marking->unit, marking->function, mark, marking);
		return;
	}
	const struct unit *own = marking->unit;

	marking->origin = function;
	for (u32 i = 0; i < finder->units.nr; i++) {
		marking->unit = &finder->units.units[i];
		if (marking->unit != own && units__stand_alone(&finder->units))
			continue;
		unit__each_copy(marking->unit, function, mark_copy, marking);
		unit__each_function(marking->unit, mark_own, marking);
	}
}

static void mark_row(void *ctx, const struct line_at *line)
{
	struct marking *marking = ctx;

	if (is_in_range(marking->source, line) &&
	    path__ends_with(line->file, marking->source->path))
		set_mark(marking, line->line);
}

/* See copy__each_row(). The first line stands for the entry. */
static void mark_rows(void *ctx, Dwarf_Die *copy)
{
	struct marking *marking = ctx;
	struct probe_source *source = marking->source;
	u64 entry;

	if (die__entry(copy, &entry) && entry && source->first == source->base)
		set_mark(marking, source->base);
	copy__each_row(marking->unit, copy, mark_row, marking);
}

/* The same function in another unit, as each has it that includes its header. */
static bool mark_namesake(void *ctx, Dwarf_Die *die)
{
	struct marking *marking = ctx;
	struct probe_source *source = marking->source;

	if (!function__is_called(die, source->function) || !function__may_be_inlined(die) ||
	    die__decl_line(die) != source->base || !die__decl_file(die) ||
	    !path__ends_with(die__decl_file(die), text__basename(source->path)))
		return false;
	char *path = source->path;

	/* It may have come there by another folder. */
	source->path = (char *)die__decl_file(die);
	for (u32 i = 0; i < marking->finder->units.nr; i++) {
		marking->unit = &marking->finder->units.units[i];
		unit__each_copy(marking->unit, die, mark_rows, marking);
	}
	source->path = path;
	return false;
}

/* While lines are compared it is as in the line table. */
static void use_full_path(struct probe_source *source, const struct unit *unit)
{
	char *full = unit__full_path(unit, source->path);

	free(source->path);
	source->path = full;
}

static int lines_of_function(struct probe_finder *finder, const struct probe_lines *lines,
                             struct probe_source *source, struct error *err)
{
	struct marking marking = { .finder = finder, .source = source };
	Dwarf_Die function;
	struct unit *unit;

	if (!finder__function(finder, lines->function, lines->file, &function, &unit)) {
		const struct probe_symbol *symbol =
		        probe_target__symbol(finder->target, lines->function);

		unit = symbol ? units__at(&finder->units, symbol->addr) : NULL;
		if (!unit || !unit__function_at(unit, symbol->addr, &function) ||
		    !die__decl_file(&function) ||
		    (lines->file && !path__ends_with(die__decl_file(&function), lines->file))) {
			error__set(err, -ENOENT,
			           "Specified source line is not found:", lines->function,
			           lines->file ? "no function of this name is in such a file"
			                       : "no function has this name");
			finder__advise_function(finder, lines->function, lines->file, err);
			return finder__blame_unread(finder, symbol ? symbol->addr : 0, err);
		}
	}
	source->path = xstrdup(die__decl_file(&function));
	source->function = xstrdup(lines->function);
	source->base = die__decl_line(&function);
	source->first = source->base + lines->start;
	source->last = lines->end == UINT32_MAX ? UINT32_MAX : source->base + lines->end;
	marking.unit = unit;
	mark_function(finder, &marking, &function);
	for (u32 i = 0; i < finder->units.nr && !source->nr_marks; i++)
		unit__each_function(&finder->units.units[i], mark_namesake, &marking);
	use_full_path(source, unit);
	if (source->last == UINT32_MAX && source->nr_marks)
		source->last = source->first + source->nr_marks - 1 + LINES_BEHIND;
	return 0;
}

static int lines_of_file(struct probe_finder *finder, const struct probe_lines *lines,
                         struct probe_source *source, struct error *err)
{
	struct marking marking = { .source = source };

	source->first = lines->start ? lines->start : 1;
	source->last = lines->end;
	for (u32 i = 0; i < finder->units.nr; i++) {
		Dwarf_Die die = finder->units.units[i].die;
		Dwarf_Files *files;
		size_t nr;

		if (!finder->units.units[i].has_code || dwarf_getsrcfiles(&die, &files, &nr))
			continue;
		for (size_t j = 0; j < nr; j++) {
			const char *path = dwarf_filesrc(files, j, NULL, NULL);

			if (!path || (source->path ? strcmp(path, source->path)
			                           : !path__ends_with(path, lines->file)))
				continue;
			if (!source->path)
				source->path = xstrdup(path);
			marking.unit = &finder->units.units[i];
			unit__each_place(marking.unit, NULL, mark, &marking);
			break;
		}
	}
	if (!source->path) {
		error__set(err, -ENOENT, "Specified source line is not found:", lines->file,
		           "no source file has this name");
		finder__advise_file(finder, lines->file, err);
		return finder__blame_unread(finder, 0, err);
	}
	use_full_path(source, marking.unit);
	return 0;
}
#endif

int probe_finder__lines(struct probe_finder *finder, const struct probe_lines *lines,
                        struct probe_source *source, struct error *err)
{
	*source = (struct probe_source){ .base = 0 };
#ifdef HAVE_LIBDW
	if (finder->has_dwarf) {
		finder__look_for_unread(finder, lines->function, lines->file);
		int ret = lines->function ? lines_of_function(finder, lines, source, err)
		                          : lines_of_file(finder, lines, source, err);

		if (!ret && !source->nr_marks)
			ret = error__set(err, -ENOENT, "Specified source line is not found:",
			                 source->function ? source->function : source->path,
			                 "none of these lines has code");
		return ret;
	}
#endif
	(void)lines;
	return finder__no_dwarf(finder, err);
}

/* ---- --vars ---- */

#ifdef HAVE_LIBDW
struct showing {
	const struct probe_vars_options *options;
	const struct fetch_place *place;
	char **lines;
	u32 nr;
	size_t cap;
};

/* "@<f+[0-12,12-144]>": where the variable has a value. */
static void print_ranges(struct out *out, const struct showing *showing, Dwarf_Die *die)
{
	const struct location_place *at = &showing->place->at;
	Dwarf_Attribute attr;
	Dwarf_Addr base, start, end;
	Dwarf_Op *ops;
	size_t nr;
	bool any = false;

	if (!dwarf_attr_integrate(die, DW_AT_location, &attr))
		return;
	out__printf(out, "\t@<%s+[", die__name(at->function));
	for (ptrdiff_t i = 0;
	     (i = dwarf_getlocations(&attr, i, &base, &start, &end, &ops, &nr)) > 0;) {
		Dwarf_Addr high;

		if (end == (Dwarf_Addr)-1 && start == 0) { /* everywhere */
			start = at->entry;
			end = dwarf_highpc(at->function, &high) ? start : high;
		}
		out__printf(out, "%s%lld-%lld", any ? "," : "", (long long)(start - at->entry),
		            (long long)(end - at->entry));
		any = true;
	}
	out__str(out, "]>");
}

static void show_variable(void *ctx, Dwarf_Die *die)
{
	struct showing *showing = ctx;
	const struct probe_vars_options *options = showing->options;
	bool there = fetch__is_there(showing->place, die);
	struct out out;

	if ((!there && !options->range) ||
	    (options->wanted && !options->wanted(options->ctx, die__name(die))))
		return;
	out__init(&out, -1);
	out__str(&out, options->range ? there ? "[VAL]\t" : "[INV]\t" : "");
	fetch__type_name(&out, die);
	out__char(&out, '\t');
	out__name(&out, die__name(die));
	if (options->range)
		print_ranges(&out, showing, die);
	array__reserve(&showing->lines, &showing->cap, showing->nr + 1, sizeof(*showing->lines));
	showing->lines[showing->nr++] = xstrdup(out__take(&out));
	out__exit(&out);
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* "@<main+7>"; "@<0x401007>" where no function is known, as in assembly. */
static void show_where(struct out *out, const struct fetch_place *place,
                       const struct probe_spot *spot)
{
	const char *name = place->nr_scopes ? die__name(place->at.function) : spot->function;
	u64 entry = place->nr_scopes ? place->at.entry : spot->entry;

	out__str(out, "\t@<");
	out__name(out, name ? name : "");
	out__printf(out, name ? "+%llu>\n" : "0x%llx>\n",
	            (unsigned long long)(name ? spot->addr - entry : spot->addr));
}

static void show_place(struct probe_finder *finder, const struct probe_spot *spot,
                       const struct probe_vars_options *options, struct out *out)
{
	struct fetch_place *place = xmalloc(sizeof(*place));
	struct showing showing = { .options = options, .place = place };

	if (fetch_place__init(place, finder->target, &finder->units, spot->addr, spot->function))
		fetch__each_variable(place, options->externs, show_variable, &showing);
	show_where(out, place, spot);
	if (showing.nr)
		qsort(showing.lines, showing.nr, sizeof(*showing.lines), compare);
	else
		out__str(out, "\t\t(No matched variables)\n");
	for (u32 i = 0; i < showing.nr; i++) {
		if (!i || strcmp(showing.lines[i], showing.lines[i - 1]) != 0)
			out__printf(out, "\t\t%s\n", showing.lines[i]);
	}
	for (u32 i = 0; i < showing.nr; i++)
		free(showing.lines[i]);
	free(showing.lines);
	free(place);
}
#endif

int probe_finder__vars(struct probe_finder *finder, const struct probe_definition *def,
                       const struct probe_vars_options *options, struct out *out, struct error *err)
{
	if (!finder->has_dwarf)
		return finder__no_dwarf(finder, err);
#ifdef HAVE_LIBDW
	const struct probe_search search = { options->max, options->no_inlines };
	struct probe_spots spots;
	int ret = probe_finder__find(finder, def, &search, &spots, err);

	for (u32 i = 0; i < spots.nr && !ret; i++) {
		if (!units__unread_at(&finder->units, spots.spots[i].addr))
			continue;
		ret = error__set(err, -ENOENT, "cannot show the variables at", def->text, NULL);
		finder__blame_unread(finder, spots.spots[i].addr, err);
	}
	if (!ret) {
		char *text = probe_place__text(&def->place);

		out__str(out, "Available variables at ");
		out__name(out, text);
		out__char(out, '\n');
		free(text);
		for (u32 i = 0; i < spots.nr; i++)
			show_place(finder, &spots.spots[i], options, out);
	}
	probe_spots__exit(&spots);
	return ret;
#else
	(void)def;
	(void)options;
	(void)out;
	return 0;
#endif
}
