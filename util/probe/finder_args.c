// SPDX-License-Identifier: GPL-2.0-or-later
/* Values of a definition's arguments at its spots. */
#ifdef HAVE_LIBDW
#include <dwarf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/fetch/fetch.h"
#include "util/fetch/place_text.h"
#include "util/probe/finder_private.h"

/* What stands for a variable that one of several places lacks; Linux's perf writes it without 0x.
 */
#define MISSING 0xdeade12d

#define ARRAYS_MAX 2048 /* bytes: an event of the kernel has one page */
#define NAME_CUT   30
#define NAMED_MAX  4 /* functions that a message names */

/* The arguments at one place, with $vars and $params replaced. */
struct arg_list {
	struct probe_arg *args;
	u32 *of; /* by argument: the one of the definition that it came from */
	u32 nr;
	size_t cap, cap_of;
	const struct fetch_place *place;
	u32 current;     /* of the definition */
	u32 *have;       /* see struct fetching */
	u64 array_bytes; /* that $vars and $params fetch */
	bool params_only;
};

static void add_arg(struct arg_list *list, const struct probe_arg *arg)
{
	array__reserve(&list->args, &list->cap, list->nr + 1, sizeof(*list->args));
	array__reserve(&list->of, &list->cap_of, list->nr + 1, sizeof(*list->of));
	list->of[list->nr] = list->current;
	list->args[list->nr++] = *arg;
}

/* How many bytes an array takes in the event, by its type ":s32[4]"; 0: it is none. */
static u32 array_bytes(const char *value)
{
	const char *type = strrchr(value, ':');
	u32 bits, nr;

	return type && sscanf(type, ":%*c%u[%u]", &bits, &nr) == 2 ? bits / 8 * nr : 0;
}

static void add_variable(void *ctx, Dwarf_Die *die)
{
	struct arg_list *list = ctx;
	char *name = (char *)die__name(die);
	const struct probe_arg arg = { .variable = name, .text = name };
	char *value;

	if (list->params_only && dwarf_tag(die) != DW_TAG_formal_parameter)
		return;
	for (u32 i = 0; i < list->nr; i++) { /* an inner one hides it, or it was named already */
		if (!list->args[i].variable || strcmp(list->args[i].variable, name) != 0)
			continue;
		list->have[list->current] += list->of[i] != list->current;
		return;
	}
	value = fetch__argument(list->place, &arg, NULL, NULL);
	if (value && (list->array_bytes += array_bytes(value)) <= ARRAYS_MAX)
		add_arg(list, &arg);
	free(value);
}

/* Which of $vars and $params it is, or neither. */
static bool is_set(const struct probe_arg *arg, bool *params_only)
{
	*params_only = !strcmp(arg->text, "$params");
	return *params_only || !strcmp(arg->text, "$vars");
}

static void expand(struct arg_list *list, const struct probe_definition *def,
                   const struct fetch_place *place)
{
	list->place = place;
	list->nr = list->array_bytes = 0;
	for (list->current = 0; list->current < def->nr_args; list->current++) {
		const struct probe_arg *arg = &def->args[list->current];

		if (is_set(arg, &list->params_only))
			fetch__each_variable(place, false, add_variable, list);
		else
			add_arg(list, arg);
	}
}

/* The kernel wants each name once. */
static void make_unique(char **names, u32 nr)
{
	for (u32 i = 0; i < nr; i++) {
		u32 number = 1;

		for (u32 j = 0; names[i] && j < i; j++) {
			if (!names[j] || strcmp(names[i], names[j]) != 0)
				continue;
			char *other = NULL;
			bool taken = true;

			while (taken) {
				free(other);
				other = xasprintf("%s_%u", names[j], ++number);
				taken = false;
				for (u32 k = 0; k < nr; k++)
					taken |= names[k] && !strcmp(names[k], other);
			}
			free(names[i]);
			names[i] = other;
			break;
		}
	}
}

struct nearest_line {
	const struct fetch_place *place;
	struct units *units;
	const struct probe_arg *arg;
	Dwarf_Die variable;
	u32 wanted, best, base;
	bool found;
};

static void look_at_line(void *ctx, const struct line_at *line)
{
	struct nearest_line *near = ctx;
	struct fetch_place at;
	u32 away, best;

	if (!line->is_statement || line->is_end || line->line < near->base ||
	    line->line == near->wanted || dwarf_haspc(near->place->at.function, line->addr) != 1)
		return;
	away = line->line > near->wanted ? line->line - near->wanted : near->wanted - line->line;
	best = near->best > near->wanted ? near->best - near->wanted : near->wanted - near->best;
	if ((near->found && away >= best) ||
	    !fetch_place__init(&at, near->place->at.target, near->units, line->addr, NULL))
		return;
	struct location loc;

	location__of_variable(&loc, &at.at, &near->variable);
	if (loc.kind == LOCATION_NONE || loc.kind == LOCATION_OTHER)
		return;
	if (loc.kind == LOCATION_PIECES) { /* is that there which is asked for? */
		char *text = fetch__argument(&at, near->arg, NULL, NULL);

		free(text);
		if (!text)
			return;
	}
	near->best = line->line;
	near->found = true;
}

struct by_name {
	const char *name;
	Dwarf_Die die;
	bool found;
};

static void compare_name(void *ctx, Dwarf_Die *die)
{
	struct by_name *by = ctx;

	if (!by->found && !strcmp(die__name(die), by->name)) {
		by->found = true;
		by->die = *die;
	}
}

/* Say where the variable has a value. */
static void advise_line(struct units *units, const struct fetch_place *place,
                        const struct probe_arg *arg, struct error *err)
{
	struct by_name by = { .name = arg->variable };
	struct line_at line;
	Dwarf_Die *function = place->at.function;

	error__advise(err, "perf probe --vars with --range shows where '%s' has a value",
	              arg->variable);
	fetch__each_variable(place, false, compare_name, &by);
	if (!by.found || !unit__line_at(place->unit, place->at.addr, &line))
		return;
	struct nearest_line near = { .place = place,
		                     .units = units,
		                     .arg = arg,
		                     .variable = by.die,
		                     .wanted = line.line,
		                     .base = die__decl_line(function) };

	unit__each_line(place->unit, look_at_line, &near);
	if (near.found) {
		char *name = place_text__of_name(die__name(function));

		error__advise(err, "it has a value at '%s:%u', the nearest line", name,
		              near.best - near.base);
		free(name);
	}
}

static int no_function(struct probe_finder *finder, u64 addr, const struct probe_arg *arg,
                       struct error *err)
{
	int ret = error__set(err, -ENOENT, "cannot fetch", arg->text,
	                     "the debug information knows no function at this address");

	if (units__unread_at(&finder->units, addr))
		finder__blame_unread(finder, addr, err);
	return ret;
}

/*
 * Where the function has put its parameters into its frame, "f:2": behind the prologue, by the line
 * table. malloc'ed.
 */
static char *place_behind_prologue(const struct fetch_place *place)
{
	Dwarf_Die *function = place->at.function;
	u64 entry = place->at.entry;
	Dwarf_Addr *places = NULL;
	struct line_at line, other;
	u64 addr = dwarf_entry_breakpoints(function, &places) > 0 ? places[0] : entry;
	char *name, *text;

	free(places);
	if (!die__name(function) || addr <= entry)
		return xstrdup("one of its lines");
	name = place_text__of_name(die__name(function));
	if (unit__line_at(place->unit, addr, &line) && line.line > die__decl_line(function) &&
	    !line__is_of_other(place->unit, &line, &other))
		text = xasprintf("'%s:%u'", name, line.line - die__decl_line(function));
	else
		text = xasprintf("'%s+%llu'", name, (unsigned long long)(addr - entry));
	free(name);
	return text;
}

static void warn_of_value(const struct fetch_place *place, const struct probe_arg *arg,
                          const struct fetch_notes *notes, struct probe_spots *spots)
{
	const char *function = die__name(place->at.function);

	if (notes->lost_sign)
		spots__warn(spots, xasprintf("'%s' is a bit field of signed numbers, which probes "
		                             "fetch without their sign",
		                             arg->text));
	if (notes->array)
		spots__warn(spots, xasprintf("'%s' %s", arg->text, notes->array));
	if (notes->text)
		spots__warn(spots,
		            xasprintf("'%s' is an array of %llu characters: if none of them is "
		                      "zero, what lies behind it is read, too",
		                      arg->text, (unsigned long long)notes->text));
	if (notes->stale)
		spots__warn(
		        spots,
		        xasprintf("'%s' is read in the library's own memory: if the program names "
		                  "'%s' or another library has one, all use theirs and not "
		                  "this one",
		                  arg->text, arg->variable));
	if (notes->early) {
		char *later = place_behind_prologue(place);
		const char *format =
		        place->at.addr == place->at.entry
		                ? "'%s' is in the frame of '%s', which is not there yet where that "
		                  "begins, and has another value: probe %s"
		                : "'%s' is in the frame of '%s', which may not have put it there "
		                  "yet, and then has another value: probe %s";

		spots__warn(spots, xasprintf(format, arg->text,
		                             function ? function : "the function", later));
		free(later);
	}
}

/* "$retval:string": the register is an address. Of a reference it is that of the pointer. */
static int refuse_text(const struct fetch_place *place, const struct probe_arg *arg,
                       struct error *err)
{
	error__set(err, -EINVAL, "cannot fetch", arg->text,
	           "it is no memory, where a text could be");
	return error__advise(err, "the text that it points to is '%s%s'",
	                     fetch__returns_reference(place) ? "+0(+0($retval))" : "+0($retval)",
	                     arg->text + 7);
}

static int fetch_one(struct probe_finder *finder, const struct fetch_place *place,
                     const struct probe_arg *arg, struct probe_spots *spots, char **value,
                     struct error *err)
{
	struct fetch_notes notes;
	struct error cause = ERROR_INIT;

	if (!arg->variable) {
		bool text = !strcmp(arg->text, "$retval:string") ||
		            !strcmp(arg->text, "$retval:ustring");

		if (text && place->is_return && place->at.function)
			return refuse_text(place, arg, err);
		bool typed =
		        place->is_return && place->at.function && !strcmp(arg->text, "$retval");

		*value = typed ? fetch__retval(place, &notes, err) : xstrdup(arg->text);
		if (typed && *value && notes.cut && !spots->cut)
			spots->cut = xstrdup(notes.cut);
		if (place->is_return && place->at.function && !strncmp(arg->text, "$retval:", 8) &&
		    fetch__returns_reference(place))
			spots__warn(spots, xasprintf("'%s' is of the address that the function "
			                             "returns: of the reference's value it is "
			                             "'+0($retval)%s'",
			                             arg->text, arg->text + 7));
		return *value ? 0 : -EOPNOTSUPP;
	}
	if (!place->unit)
		return no_function(finder, place->at.addr, arg, err);
	*value = fetch__argument(place, arg, &notes, &cause);
	if (!*value) {
		if (cause.code == -ENODATA && !*cause.advice)
			advise_line(&finder->units, place, arg, &cause);
		if (err)
			*err = cause;
		return cause.code;
	}
	if (notes.cut && !spots->cut)
		spots->cut = xstrdup(notes.cut);
	warn_of_value(place, arg, &notes, spots);
	return 0;
}

/* All arguments of a definition at all places. */
struct fetching {
	struct probe_finder *finder;
	const struct probe_definition *def;
	struct probe_spots *spots;
	struct arg_list list;
	u32 **of;           /* by place and argument: see arg_list */
	u32 *have;          /* by argument of the definition: at how many places it has a value */
	struct error *lack; /* why it has none at the first that lacks it */
};

static int hand_on(struct error *err, const struct error *cause)
{
	if (err)
		*err = *cause;
	return cause->code;
}

/* Another place may have it. */
static bool may_be_elsewhere(int code)
{
	return code == -ENOENT || code == -ENODATA || code == -EOPNOTSUPP;
}

/* Code of an inlined function cannot name what is its caller's. */
static void leave_callers(struct fetch_place *place, const char *function, Dwarf_Die *outer)
{
	u32 from = 0;

	for (u32 i = 1; i < place->nr_scopes && function; i++)
		if (dwarf_tag(&place->scopes[i]) == DW_TAG_inlined_subroutine &&
		    die__name(&place->scopes[i]) && !strcmp(die__name(&place->scopes[i]), function))
			from = i;
	if (!from)
		return;
	*outer = place->scopes[0];
	place->at.function = outer;
	place->nr_scopes -= from;
	memmove(place->scopes, place->scopes + from, place->nr_scopes * sizeof(*place->scopes));
}

/* A variable's long name is cut, with room for a number, as the kernel takes 32 characters. */
static char *name_of(const struct probe_arg *arg)
{
	char *name = probe_arg__name(arg);

	if (name && !arg->name && strlen(name) > NAME_CUT + 2)
		name[NAME_CUT] = '\0';
	return name;
}

static int fetch_spot(struct fetching *f, u32 i, struct fetch_place *place, struct error *err)
{
	struct probe_spot *spot = &f->spots->spots[i];
	struct arg_list *list = &f->list;
	Dwarf_Die outer;

	fetch_place__init(place, f->finder->target, &f->finder->units, spot->addr, spot->function);
	leave_callers(place, spot->function, &outer);
	place->is_return = f->def->place.is_return;
	expand(list, f->def, place);
	spot->names = xcalloc(list->nr + 1, sizeof(*spot->names));
	spot->values = xcalloc(list->nr + 1, sizeof(*spot->values));
	f->of[i] = xcalloc(list->nr + 1, sizeof(**f->of));
	for (u32 j = 0; j < list->nr; j++)
		f->of[i][j] = list->of[j];
	for (; spot->nr_args < list->nr; spot->nr_args++) {
		u32 j = spot->nr_args, arg = list->of[j];
		struct error cause = ERROR_INIT;
		int ret = fetch_one(f->finder, place, &list->args[j], f->spots, &spot->values[j],
		                    &cause);

		spot->names[j] = name_of(&list->args[j]);
		f->have[arg] += !ret;
		if (ret && !may_be_elsewhere(ret)) {
			spot->nr_args++;
			return hand_on(err, &cause);
		}
		if (ret && !f->lack[arg].code)
			f->lack[arg] = cause;
	}
	make_unique(spot->names, spot->nr_args);
	return 0;
}

/* Each argument has a value somewhere. */
static int check_all(const struct fetching *f, struct error *err)
{
	for (u32 arg = 0; arg < f->def->nr_args; arg++) {
		bool params_only;

		if (f->have[arg])
			continue;
		if (is_set(&f->def->args[arg], &params_only))
			return error__set(err, -ENOENT, "cannot expand", f->def->args[arg].text,
			                  "no variable can be fetched there");
		return hand_on(err, &f->lack[arg]);
	}
	return 0;
}

/* The type that the argument has where it has a value, ":s32", or "". */
static const char *type_of(const struct fetching *f, u32 arg)
{
	for (u32 i = 0; i < f->spots->nr; i++) {
		const struct probe_spot *spot = &f->spots->spots[i];

		for (u32 j = 0; j < spot->nr_args; j++) {
			const char *type = f->of[i][j] == arg && spot->values[j]
			                           ? strrchr(spot->values[j], ':')
			                           : NULL;

			if (type)
				return type;
		}
	}
	return "";
}

static bool has_name(const char **names, u32 nr, const char *name)
{
	for (u32 i = 0; i < nr; i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

/*
 * What MISSING is as a value of @type (":s16", ":b3@2/8", ""), as the kernel prints it: malloc'ed.
 * *stands_out: no value of a program is likely to be that.
 */
static char *missing_value(const char *type, bool *stands_out)
{
	u32 width = 64, first = 0;
	u64 value = MISSING;
	char kind = 'x';

	*stands_out = true;
	if (strstr(type, "string"))
		return xstrdup("(fault)"); /* nothing is at that address */
	if (strchr(type, '[')) {           /* what cannot be read */
		*stands_out = false;
		return xstrdup("zeros");
	}
	if (sscanf(type, ":b%u@%u", &width, &first) > 0)
		kind = 'u';
	else if (!strcmp(type, ":char"))
		kind = 'c', width = 8;
	else
		sscanf(type, ":%c%u", &kind, &width);
	if (first < 64)
		value >>= first;
	if (width < 64)
		value &= (1ull << width) - 1;
	*stands_out = width >= 32;
	if (kind == 'c')
		return xasprintf("'%c'", (int)value);
	if (kind == 's' && width == 32)
		return xasprintf("%d", (s32)value);
	if (kind == 's' && width < 32)
		return xasprintf("%d", width == 16 ? (short)value : (signed char)value);
	return xasprintf(kind == 'x' ? "%#llx" : "%llu", (unsigned long long)value);
}

/* Put the number that stands out where the argument lacks, and say so. */
static void fill_missing(struct fetching *f, u32 arg)
{
	struct probe_spots *spots = f->spots;
	char *type = xstrdup(type_of(f, arg)), *value;
	const char *names[NAMED_MAX];
	u32 nr_names = 0, nr = 0;
	bool stands_out;
	struct out out;

	for (u32 i = 0; i < spots->nr; i++) {
		struct probe_spot *spot = &spots->spots[i];

		for (u32 j = 0; j < spot->nr_args; j++) {
			if (f->of[i][j] != arg || spot->values[j])
				continue;
			/* The kernel takes no constants for arrays: read some at that address. */
			spot->values[j] = xasprintf(strchr(type, '[') ? "+0(\\%#x)%s" : "\\%#x%s",
			                            MISSING, type);
			nr++;
			if (spot->function && nr_names < NAMED_MAX &&
			    !has_name(names, nr_names, spot->function))
				names[nr_names++] = spot->function;
		}
	}
	value = nr ? missing_value(type, &stands_out) : NULL;
	free(type);
	if (!nr)
		return;
	out__init(&out, -1);
	out__printf(&out, "'%s' %s in %u of %u places", f->def->args[arg].text,
	            f->lack[arg].code == -ENOENT ? "is not known" : "has no value", nr, spots->nr);
	for (u32 i = 0; i < nr_names; i++)
		out__printf(&out, "%s%s", i ? ", " : " (", names[i]);
	out__printf(&out, "%s: there it reads as %s%s",
	            !nr_names              ? ""
	            : nr_names < NAMED_MAX ? ")"
	                                   : ", ...)",
	            value, stands_out ? "" : ", as a value may, too");
	free(value);
	spots__warn(spots, xstrdup(out__take(&out)));
	out__exit(&out);
}

static int fetch_all(struct fetching *f, struct error *err)
{
	struct fetch_place *place = xmalloc(sizeof(*place));
	int ret = 0;

	for (u32 i = 0; i < f->spots->nr && !ret; i++)
		ret = fetch_spot(f, i, place, err);
	free(place);
	if (!ret)
		ret = check_all(f, err);
	for (u32 arg = 0; !ret && arg < f->def->nr_args; arg++)
		fill_missing(f, arg);
	return ret;
}

int finder__fetch(struct probe_finder *finder, const struct probe_definition *def,
                  struct probe_spots *spots, struct error *err)
{
	struct fetching f = { .finder = finder, .def = def, .spots = spots };
	bool params_only;

	for (u32 arg = 0; def->place.is_return && arg < def->nr_args; arg++)
		if (is_set(&def->args[arg], &params_only))
			return error__set(err, -EINVAL, "cannot understand the probe", def->text,
			                  "variables are gone when a function returns");
	f.of = xcalloc(spots->nr + 1, sizeof(*f.of));
	f.have = xcalloc(def->nr_args + 1, sizeof(*f.have));
	f.lack = xcalloc(def->nr_args + 1, sizeof(*f.lack));
	f.list.have = f.have;
	int ret = fetch_all(&f, err);

	for (u32 i = 0; i < spots->nr; i++)
		free(f.of[i]);
	free(f.of);
	free(f.have);
	free(f.lack);
	free(f.list.args);
	free(f.list.of);
	return ret;
}
#else
extern int no_finder_args;
#endif
