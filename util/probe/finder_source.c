// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The lines of --line. Those are marked that a definition takes, by the rules of finder_lines.c:
 * the statements that no other line of the file stands for, wherever inlining put them, and the
 * rows of inlined copies. Of a function only lines that are its own: what stands behind its last is
 * another function's.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/dwarf/source_text.h"
#include "util/probe/finder_private.h"

void probe_source__exit(struct probe_source *source)
{
	free(source->path);
	free(source->function);
	free(source->marks);
}

#ifdef HAVE_LIBDW
#include <dwarf.h>

#define LINES_BEHIND 3 /* shown behind the last line of a function */

struct marking {
	struct probe_finder *finder;
	struct probe_source *source;
	struct source_file file;
	const struct unit *unit;
	Dwarf_Die *function;
	u32 own; /* the last line that has code in the function itself */
	u32 end; /* the last one that is the function's */
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

static bool is_marked(const struct probe_source *source, u32 line)
{
	return line - source->first < source->nr_marks && source->marks[line - source->first];
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

static bool is_in_range(const struct marking *marking, u32 line)
{
	return line >= marking->source->first && line <= marking->source->last &&
	       line <= marking->end;
}

static void mark(void *ctx, const struct line_at *line, Dwarf_Die *in)
{
	struct marking *marking = ctx;
	struct line_at other;

	(void)in;
	if (is_in_range(marking, line->line) && !is_marked(marking->source, line->line) &&
	    source_file__is(&marking->file, marking->unit, line->file) &&
	    !line__is_of_other(marking->unit, line, &other))
		set_mark(marking, line->line);
}

/* ---- of a function ---- */

/* The function, and each that is the same in another unit, as a header's are. */
struct namesake {
	const struct unit *unit;
	Dwarf_Die die;
};

struct namesakes {
	struct marking *marking;
	struct namesake *all;
	u32 nr;
	size_t cap;
};

static bool is_declared_in(const struct source_file *file, Dwarf_Die *die)
{
	struct source_file own;
	char *path = die__decl_path(die);

	if (!path)
		return false;
	source_file__init(&own, path);
	bool is = !strcmp(own.place, file->place);

	source_file__exit(&own);
	return is;
}

static bool add_namesake(void *ctx, Dwarf_Die *die)
{
	struct namesakes *namesakes = ctx;
	const struct marking *marking = namesakes->marking;
	const struct probe_source *source = marking->source;

	if (die__decl_line(die) != source->base || dwarf_hasattr(die, DW_AT_declaration) ||
	    !function__is_called(die, source->function) || !is_declared_in(&marking->file, die))
		return false;
	array__reserve(&namesakes->all, &namesakes->cap, namesakes->nr + 1,
	               sizeof(*namesakes->all));
	namesakes->all[namesakes->nr++] = (struct namesake){ marking->unit, *die };
	return false;
}

/* @unit is that of the function. */
static void find_namesakes(struct namesakes *namesakes, const struct unit *unit)
{
	struct marking *marking = namesakes->marking;
	struct units *units = &marking->finder->units;
	bool only = units__stand_alone(units) && path__is_source(marking->source->path);
	u8 *with = only ? NULL : units__with_name(units, marking->source->function);

	for (u32 i = 0; i < units->nr; i++) {
		marking->unit = &units->units[i];
		if (marking->unit->has_code && (only ? marking->unit == unit : !with || with[i]))
			unit__each_function(marking->unit, add_namesake, namesakes);
	}
	free(with);
}

static void take_row(void *ctx, const struct line_at *line)
{
	struct marking *marking = ctx;

	if (is_in_range(marking, line->line) &&
	    source_file__is(&marking->file, marking->unit, line->file))
		set_mark(marking, line->line);
}

/* The first line stands for the entry. */
static void take_entry(struct marking *marking, Dwarf_Die *die)
{
	u64 entry;

	if (die__entry(die, &entry) && entry && is_in_range(marking, marking->source->base))
		set_mark(marking, marking->source->base);
}

static void take_copy(void *ctx, Dwarf_Die *copy)
{
	struct marking *marking = ctx;

	take_entry(marking, copy);
	copy__each_row(marking->unit, copy, take_row, marking);
}

/* Call @fn for each inlined copy of the function. */
static void each_copy(struct marking *marking, struct namesake *namesake,
                      void (*fn)(void *ctx, Dwarf_Die *die))
{
	struct units *units = &marking->finder->units;

	for (u32 i = 0; i < units->nr && function__may_be_inlined(&namesake->die); i++) {
		marking->unit = &units->units[i];
		if (marking->unit == namesake->unit || !units__stand_alone(units))
			unit__each_copy(marking->unit, &namesake->die, fn, marking);
	}
	marking->unit = namesake->unit;
}

/*
 * The last line of the function itself. What else begins before it, as the functions without names
 * of C++, stands inside of it.
 */
static void look_for_last(void *ctx, const struct line_at *line, Dwarf_Die *in)
{
	struct marking *marking = ctx;
	struct line_at other;

	if (line->line <= marking->own ||
	    !source_file__is(&marking->file, marking->unit, line->file) ||
	    dwarf_haspc(marking->function, line->addr) != 1 ||
	    (!in && is_of_inlined(marking->function, line->addr)))
		return;
	if (!unit__line_at(marking->unit, line->addr, &other) || other.line == line->line)
		marking->own = line->line;
}

static void look_into_copy(void *ctx, Dwarf_Die *die)
{
	struct marking *marking = ctx;

	marking->function = die;
	unit__each_place(marking->unit, die, look_for_last, marking);
}

/* Where the next function of the file begins, this one ends. */
static bool look_for_end(void *ctx, Dwarf_Die *die)
{
	struct marking *marking = ctx;
	u32 line = die__decl_line(die);

	if (line > marking->own && line <= marking->end && !dwarf_hasattr(die, DW_AT_declaration) &&
	    is_declared_in(&marking->file, die))
		marking->end = line - 1;
	return false;
}

static void find_end(struct namesakes *namesakes)
{
	struct marking *marking = namesakes->marking;
	const struct unit *last = NULL;

	marking->own = marking->source->base;
	for (u32 i = 0; i < namesakes->nr; i++) {
		struct namesake *namesake = &namesakes->all[i];
		Dwarf_Die unit = namesake->unit->code;

		marking->unit = namesake->unit;
		if (dwarf_files__is_c(&unit)) /* nothing stands inside of functions */
			continue;
		if (die__has_code(&namesake->die))
			look_into_copy(marking, &namesake->die);
		else
			each_copy(marking, namesake, look_into_copy);
	}
	for (u32 i = 0; i < namesakes->nr; i++) {
		marking->unit = namesakes->all[i].unit;
		if (marking->unit != last)
			unit__each_function(marking->unit, look_for_end, marking);
		last = marking->unit;
	}
}

static void mark_function(struct marking *marking, const struct unit *unit)
{
	struct namesakes namesakes = { .marking = marking };
	const struct unit *last = NULL;

	find_namesakes(&namesakes, unit);
	find_end(&namesakes);
	for (u32 i = 0; i < namesakes.nr; i++) {
		struct namesake *namesake = &namesakes.all[i];

		marking->unit = namesake->unit;
		take_entry(marking, &namesake->die);
		each_copy(marking, namesake, take_copy);
		if (marking->unit != last)
			unit__each_place(marking->unit, NULL, mark, marking);
		last = marking->unit;
	}
	free(namesakes.all);
}

u32 finder__last_line(struct probe_finder *finder, const struct unit *unit, Dwarf_Die *function,
                      const char *name)
{
	struct probe_source source = { .base = die__decl_line(function),
		                       .function = (char *)name,
		                       .path = die__decl_path(function) };
	struct marking marking = { .finder = finder, .source = &source, .end = UINT32_MAX };
	struct namesakes namesakes = { .marking = &marking };

	if (!source.path)
		return UINT32_MAX;
	source_file__init(&marking.file, source.path);
	find_namesakes(&namesakes, unit);
	find_end(&namesakes);
	source_file__exit(&marking.file);
	free(namesakes.all);
	return marking.end;
}

/* The function may have another name than was asked for: malloc is __libc_malloc. */
static int find_function(struct probe_finder *finder, const struct probe_lines *lines,
                         Dwarf_Die *function, struct unit **unit, struct error *err)
{
	if (finder__function(finder, lines->function, lines->file, function, unit))
		return 0;
	const struct probe_symbol *symbol = probe_target__symbol(finder->target, lines->function);

	*unit = symbol ? units__at(&finder->units, symbol->addr) : NULL;
	bool found = *unit && unit__function_at(*unit, symbol->addr, function);

	if (found && die__decl_file(function) &&
	    (!lines->file || path__ends_with(die__decl_file(function), lines->file)))
		return 0;
	if (found && !lines->file) {
		error__set(err, -ENOENT, "Specified source line is not found:", lines->function,
		           "the debug information does not tell where its source is");
		return strstr(lines->function, "{lambda")
		               ? error__advise(err, "the lines of the function around it have it")
		               : -ENOENT;
	}
	error__set(err, -ENOENT, "Specified source line is not found:", lines->function,
	           lines->file ? "no function of this name is in such a file"
	                       : "no function has this name");
	finder__advise_function(finder, lines->function, lines->file, err);
	return finder__blame_unread(finder, symbol ? symbol->addr : 0, err);
}

static int lines_of_function(struct probe_finder *finder, const struct probe_lines *lines,
                             struct probe_source *source, struct error *err)
{
	struct marking marking = { .finder = finder, .source = source, .end = UINT32_MAX };
	Dwarf_Die function;
	struct unit *unit;
	int ret = find_function(finder, lines, &function, &unit, err);

	if (ret)
		return ret;
	const char *name = function__is_called(&function, lines->function) ? lines->function
	                                                                   : die__name(&function);

	source->path = die__decl_path(&function);
	source->function = xstrdup(name ? name : lines->function);
	source->base = die__decl_line(&function);
	source->first = source->base + lines->start;
	source->last = lines->end == UINT32_MAX ? UINT32_MAX : source->base + lines->end;
	source_file__init(&marking.file, xstrdup(source->path));
	source->has_sum = unit__source_sum(&finder->units, unit, &marking.file, source->sum);
	mark_function(&marking, unit);
	source_file__exit(&marking.file);
	free(source->function);
	source->function = xstrdup(lines->function);
	if (source->last == UINT32_MAX && source->nr_marks)
		source->last = source->first + source->nr_marks - 1 + LINES_BEHIND;
	return 0;
}

/* ---- of a file ---- */

static int lines_of_file(struct probe_finder *finder, const struct probe_lines *lines,
                         struct probe_source *source, struct error *err)
{
	struct marking marking = { .source = source, .end = UINT32_MAX };
	u8 *with = units__with_file(&finder->units, lines->file);

	source->first = lines->start ? lines->start : 1;
	source->last = lines->end;
	for (u32 i = 0; i < finder->units.nr; i++) {
		Dwarf_Die die = finder->units.units[i].die;
		Dwarf_Files *files;
		size_t nr;

		marking.unit = &finder->units.units[i];
		if (!marking.unit->has_code || (with && !with[i]) ||
		    dwarf_getsrcfiles(&die, &files, &nr))
			continue;
		for (size_t j = 0; j < nr; j++) {
			const char *path = dwarf_filesrc(files, j, NULL, NULL);

			if (!path || !path__ends_with(path, lines->file))
				continue;
			if (!source->path) {
				source->path = unit__full_path(marking.unit, path);
				source_file__init(&marking.file, xstrdup(source->path));
				source->has_sum = unit__source_sum(&finder->units, marking.unit,
				                                   &marking.file, source->sum);
			}
			if (!source_file__is(&marking.file, marking.unit, path))
				continue;
			unit__each_place(marking.unit, NULL, mark, &marking);
			break;
		}
	}
	free(with);
	source_file__exit(&marking.file);
	if (source->path)
		return 0;
	error__set(err, -ENOENT, "Specified source line is not found:", lines->file,
	           "no source file has this name");
	finder__advise_file(finder, lines->file, err);
	return finder__blame_unread(finder, 0, err);
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
