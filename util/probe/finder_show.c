// SPDX-License-Identifier: GPL-2.0-or-later
/* What is shown of code: the source of a probe, and the variables of --vars. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/dwarf/source_text.h"
#include "util/lib/text.h"
#include "util/options/nearest.h"
#include "util/probe/finder_private.h"

static char *by_symbol(const struct probe_symbol *symbol, u64 addr)
{
	return addr == symbol->addr ? xstrdup(symbol->name)
	                            : xasprintf("%s+%llu", symbol->name,
	                                        (unsigned long long)(addr - symbol->addr));
}

#ifdef HAVE_LIBDW
#include <dwarf.h>

#include "util/fetch/fetch.h"
#include "util/fetch/place_text.h"
#include "util/symtab/demangle.h"

/* ---- the source of a probe ---- */

/*
 * The function's name with namespaces, as a definition takes it: that which the linker has, made
 * readable, also of a function of one file, of which only the symbol tells it. malloc'ed.
 */
static char *whole_name(struct probe_finder *finder, Dwarf_Die *function)
{
	const char *own = die__name(function), *linkage = die__linkage_name(function);
	const struct probe_symbol *symbol = NULL;
	u64 entry;

	if (!linkage && dwarf_tag(function) == DW_TAG_subprogram && die__entry(function, &entry))
		symbol = probe_target__code_at(finder->target, entry);
	if (symbol && symbol->addr == entry && text__starts_with(symbol->name, "_Z"))
		linkage = symbol->name;
	char *readable = linkage ? demangle(linkage) : NULL;
	char *name = place_text__of_name(readable ? readable : own);

	free(readable);
	return name;
}

/* "NAME" or "NAME@FILE"; of lambdas gcc tells no file. @name is taken. */
static char *in_file(char *name, const char *file)
{
	char *text = file ? xasprintf("%s@%s", name, file) : xstrdup(name);

	free(name);
	return text;
}

/* By its line in the function, or @in_bytes from its entry, which line 0 is. @name is taken. */
static char *text_of(const struct unit *unit, Dwarf_Die *function, u64 addr, bool in_bytes,
                     char *name)
{
	const char *file = die__decl_file(function);
	struct line_at line;
	u64 entry = 0;
	char *text = name;

	die__entry(function, &entry);
	if (entry == addr)
		return in_file(name, file);
	if (!in_bytes && unit__line_at(unit, addr, &line) && line.line > die__decl_line(function) &&
	    die__decl_line(function)) {
		text = xasprintf("%s:%u", name, line.line - die__decl_line(function));
		file = line.file;
	} else {
		text = xasprintf("%s+%llu", name, (unsigned long long)(addr - entry));
	}
	free(name);
	return in_file(text, file);
}

/* Does a probe that is so defined stand there? */
static bool means(struct probe_finder *finder, const char *text, u64 addr)
{
	const struct probe_search search = { .max = PROBE_SPOTS_MAX };
	struct probe_definition def;
	struct probe_spots spots;
	bool found = false;

	finder->in_unit = units__at(&finder->units, addr);
	if (!probe_definition__parse(&def, text, NULL)) {
		int ret = probe_finder__find(finder, &def, &search, &spots, NULL);

		for (u32 i = 0; i < spots.nr && !ret; i++)
			found |= spots.spots[i].addr == addr;
		probe_spots__exit(&spots);
	}
	probe_definition__exit(&def);
	finder->in_unit = NULL;
	return found;
}

/* The innermost function of which a copy begins there, as a definition; NULL: none. malloc'ed. */
static char *copy_at(struct probe_finder *finder, Dwarf_Die *outer, u64 addr)
{
	Dwarf_Die scopes[DEPTH_MAX];

	for (u32 nr = function__scopes(outer, addr, scopes); nr > 1; nr--) {
		Dwarf_Die *function = &scopes[nr - 1];

		if (dwarf_tag(function) != DW_TAG_inlined_subroutine || !die__name(function))
			continue;
		char *text = in_file(whole_name(finder, function), die__decl_file(function));

		if (means(finder, text, addr))
			return text;
		free(text);
	}
	return NULL;
}

/*
 * The symbol's own name, as of "f.part.0+24"; the address if that means another place. Inside of an
 * instruction, which a file that was written has there now, nothing does: @text then. It is taken.
 */
static char *place_by_symbol(struct probe_finder *finder, u64 addr, char *text)
{
	const struct probe_symbol *symbol = probe_target__code_at(finder->target, addr);
	char *number = xasprintf("0x%llx", (unsigned long long)addr);
	char *name = symbol ? by_symbol(symbol, addr) : NULL, *best = text;

	if (name && means(finder, name, addr))
		best = name;
	else if (means(finder, number, addr))
		best = number;
	if (best != text)
		free(text);
	if (best != name)
		free(name);
	if (best != number)
		free(number);
	return best;
}

/*
 * In an inlined copy the line may be the caller's, and bytes count from no entry; those from that
 * of a function that has copies count in each, and the name of one that was split does not mean
 * the part. Then it is a place of the function that the copy is in, or the copy that begins there:
 * what a definition means.
 */
static char *place_in_dwarf(struct probe_finder *finder, u64 addr, bool is_return)
{
	const struct unit *unit = units__at(&finder->units, addr);
	Dwarf_Die function, outer;

	if (!unit || !unit__inner_function(unit, addr, &function) || !die__name(&function))
		return NULL;
	char *name = whole_name(finder, &function);
	bool is_c = !strcmp(name, die__name(&function));

	if (is_return) {
		char *text = xasprintf("%s%%return", name);

		free(name);
		return in_file(text, die__decl_file(&function));
	}
	char *text = text_of(unit, &function, addr, false, name);
	bool is_sure = dwarf_tag(&function) != DW_TAG_inlined_subroutine && is_c &&
	               !strchr(text, '+') && !finder__is_part(finder, addr);

	if (is_sure || !unit__function_at(unit, addr, &outer) || !die__name(&outer) ||
	    means(finder, text, addr))
		return text;
	for (u32 in_bytes = 0; in_bytes < 2; in_bytes++) {
		free(text);
		text = text_of(unit, &outer, addr, in_bytes, whole_name(finder, &outer));
		if (means(finder, text, addr))
			return text;
	}
	char *copy = copy_at(finder, &outer, addr);

	if (copy)
		free(text);
	/* Of the kernel an address is another thing at each start. */
	return copy ? copy : finder->target->is_kernel ? text : place_by_symbol(finder, addr, text);
}
#endif

char *probe_finder__place(struct probe_finder *finder, u64 addr, bool is_return)
{
#ifdef HAVE_LIBDW
	char *found = finder->has_dwarf ? place_in_dwarf(finder, addr, is_return) : NULL;

	if (found)
		return found;
#endif
	const struct probe_symbol *symbol = probe_target__code_at(finder->target, addr);

	if (!symbol)
		return NULL;
	return is_return ? xasprintf("%s%%return", symbol->name) : by_symbol(symbol, addr);
}

/* ---- --vars ---- */

#ifdef HAVE_LIBDW
struct showing {
	const struct probe_vars_options *options;
	const struct fetch_place *place;
	char **lines;
	u32 nr;
	size_t cap;
	Dwarf_Off *locals; /* the dies of the function's variables */
	u32 nr_locals;
	size_t cap_locals;
	bool globals; /* others are shown now */
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

static void add_line(struct showing *showing, struct out *line)
{
	array__reserve(&showing->lines, &showing->cap, showing->nr + 1, sizeof(*showing->lines));
	showing->lines[showing->nr++] = xstrdup(out__take(line));
	out__exit(line);
}

/* Is it for the first time that the walk comes to the die? */
static bool is_new(struct showing *showing, Dwarf_Die *die)
{
	Dwarf_Off offset = dwarf_dieoffset(die);

	for (u32 i = 0; i < showing->nr_locals && showing->globals; i++)
		if (showing->locals[i] == offset)
			return false;
	if (!showing->globals) {
		array__reserve(&showing->locals, &showing->cap_locals, showing->nr_locals + 1,
		               sizeof(*showing->locals));
		showing->locals[showing->nr_locals++] = offset;
	}
	return true;
}

static void show_variable(void *ctx, Dwarf_Die *die)
{
	struct showing *showing = ctx;
	const struct probe_vars_options *options = showing->options;
	bool there = fetch__is_there(showing->place, die);
	bool everywhere = there && showing->globals; /* no range of the function's */
	struct out out;

	if (!is_new(showing, die) || (!there && (!options->range || showing->place->is_return)) ||
	    (options->wanted && !options->wanted(options->ctx, die__name(die))))
		return;
	out__init(&out, -1);
	if (options->range)
		out__str(&out, everywhere ? "[EXT]\t" : there ? "[VAL]\t" : "[INV]\t");
	fetch__type_name(&out, die);
	out__char(&out, '\t');
	out__name(&out, die__name(die));
	if (options->range && !everywhere)
		print_ranges(&out, showing, die);
	add_line(showing, &out);
}

/* What the function returns, if probes can fetch it. */
static void show_retval(struct showing *showing)
{
	static const char name[] = "$retval";
	const struct probe_vars_options *options = showing->options;
	struct fetch_notes notes;
	char *value = fetch__retval(showing->place, &notes, NULL);
	struct out out;

	if (value && (!options->wanted || options->wanted(options->ctx, name))) {
		out__init(&out, -1);
		out__str(&out, options->range ? "[VAL]\t" : "");
		fetch__retval_type(&out, showing->place);
		out__printf(&out, "\t%s", name);
		add_line(showing, &out);
	}
	free(value);
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

static void show_place(struct probe_finder *finder, const struct probe_spot *spot, bool is_return,
                       const struct probe_vars_options *options, struct out *out)
{
	struct fetch_place *place = xmalloc(sizeof(*place));
	struct showing showing = { .options = options, .place = place };

	if (fetch_place__init(place, finder->target, &finder->units, spot->addr, spot->function)) {
		place->is_return = is_return;
		if (is_return)
			show_retval(&showing);
		fetch__each_variable(place, false, show_variable, &showing);
		showing.globals = true;
		if (options->externs)
			fetch__each_variable(place, true, show_variable, &showing);
	}
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
	free(showing.locals);
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
			show_place(finder, &spots.spots[i], def->place.is_return, options, out);
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
