// SPDX-License-Identifier: GPL-2.0-or-later
/* Values of a definition's arguments at its spots. */
#ifdef HAVE_LIBDW
#include <dwarf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/probe/fetch.h"
#include "util/probe/finder_private.h"

/* What Linux's perf writes for a variable that one of several places lacks. */
#define MISSING "\\deade12d"

/* The arguments with $vars and $params replaced. */
struct arg_list {
	struct probe_arg *args;
	u32 nr;
	size_t cap;
	bool *optional; /* by argument: left out where it has no value */
	size_t cap_optional;
	const struct fetch_place *place;
	bool params_only;
};

static void add_arg(struct arg_list *list, const struct probe_arg *arg, bool optional)
{
	array__reserve(&list->args, &list->cap, list->nr + 1, sizeof(*list->args));
	array__reserve(&list->optional, &list->cap_optional, list->nr + 1, sizeof(*list->optional));
	list->optional[list->nr] = optional;
	list->args[list->nr++] = *arg;
}

static void add_variable(void *ctx, Dwarf_Die *die)
{
	struct arg_list *list = ctx;
	char *name = (char *)die__name(die);
	const struct probe_arg arg = { .variable = name, .text = name };
	char *value;

	if (list->params_only && dwarf_tag(die) != DW_TAG_formal_parameter)
		return;
	for (u32 i = 0; i < list->nr; i++) /* an inner one hides it */
		if (list->args[i].variable && !strcmp(list->args[i].variable, name))
			return;
	value = fetch__argument(list->place, &arg, NULL, NULL);
	if (value)
		add_arg(list, &arg, true);
	free(value);
}

static int expand(struct arg_list *list, const struct probe_definition *def,
                  const struct fetch_place *place, struct error *err)
{
	list->place = place;
	for (u32 i = 0; i < def->nr_args; i++) {
		bool vars = !strcmp(def->args[i].text, "$vars");
		bool params = !strcmp(def->args[i].text, "$params");

		if (!vars && !params) {
			add_arg(list, &def->args[i], false);
			continue;
		}
		if (def->place.is_return)
			return error__set(err, -EINVAL, "cannot understand the probe", def->text,
			                  "variables are gone when a function returns");
		u32 before = list->nr;

		list->params_only = params;
		fetch__each_variable(place, false, add_variable, list);
		if (list->nr == before)
			return error__set(err, -ENOENT, "cannot expand", def->args[i].text,
			                  "no variable can be fetched there");
	}
	return 0;
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
	    dwarf_haspc(near->place->at.function, line->addr) != 1)
		return;
	away = line->line > near->wanted ? line->line - near->wanted : near->wanted - line->line;
	best = near->best > near->wanted ? near->best - near->wanted : near->wanted - near->best;
	if ((near->found && away >= best) ||
	    !fetch_place__init(&at, near->place->at.target, near->units, line->addr))
		return;
	struct location loc;

	location__of_variable(&loc, &at.at, &near->variable);
	if (loc.kind == LOCATION_NONE || loc.kind == LOCATION_OTHER)
		return;
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
		                     .variable = by.die,
		                     .wanted = line.line,
		                     .base = die__decl_line(function) };

	unit__each_line(place->unit, look_at_line, &near);
	if (near.found)
		error__advise(err, "it has a value at '%s:%u', the nearest line",
		              die__name(function), near.best - near.base);
}

static int fetch_one(struct units *units, const struct fetch_place *place,
                     const struct probe_arg *arg, struct probe_spots *spots, char **value,
                     struct error *err)
{
	const char *cut = NULL;
	struct error cause = ERROR_INIT;

	if (!arg->variable) {
		*value = xstrdup(arg->text);
		return 0;
	}
	if (!place->unit)
		return error__set(err, -ENOENT, "cannot fetch", arg->text,
		                  "the debug information knows no function at this address");
	*value = fetch__argument(place, arg, &cut, &cause);
	if (!*value) {
		if (cause.code == -ENODATA)
			advise_line(units, place, arg, &cause);
		if (err)
			*err = cause;
		return cause.code;
	}
	if (cut && !spots->cut)
		spots->cut = xstrdup(cut);
	return 0;
}

/* A variable that one of several places has not: a number that stands out, of the same type. */
static void fill_missing(struct probe_spots *spots, u32 j)
{
	const char *type = NULL;

	for (u32 i = 0; i < spots->nr; i++)
		if (spots->spots[i].values[j] && !type)
			type = strrchr(spots->spots[i].values[j], ':');
	for (u32 i = 0; i < spots->nr; i++)
		if (!spots->spots[i].values[j])
			spots->spots[i].values[j] = xasprintf(MISSING "%s", type ? type : "");
}

static int fetch_all(struct probe_finder *finder, const struct arg_list *list,
                     struct probe_spots *spots, struct error *err)
{
	struct fetch_place *place = xmalloc(sizeof(*place));
	u32 *have = xcalloc(list->nr + 1, sizeof(*have));
	int ret = 0;

	for (u32 i = 0; i < spots->nr && !ret; i++) {
		struct probe_spot *spot = &spots->spots[i];

		fetch_place__init(place, finder->target, &finder->units, spot->addr);
		for (u32 j = 0; j < list->nr && !ret; j++) {
			struct error cause = ERROR_INIT;
			int code = fetch_one(&finder->units, place, &list->args[j], spots,
			                     &spot->values[j], &cause);

			have[j] += !code;
			if (!code || ((code == -ENODATA || code == -EOPNOTSUPP) &&
			              (spots->nr > 1 && (have[j] || i + 1 < spots->nr))))
				continue;
			if (err)
				*err = cause;
			ret = code;
		}
	}
	for (u32 j = 0; !ret && j < list->nr; j++)
		fill_missing(spots, j);
	free(have);
	free(place);
	return ret;
}

int finder__fetch(struct probe_finder *finder, const struct probe_definition *def,
                  struct probe_spots *spots, struct error *err)
{
	struct fetch_place *place = xmalloc(sizeof(*place));
	struct arg_list list = { .nr = 0 };
	u64 first = spots->spots[0].addr;
	int ret;

	fetch_place__init(place, finder->target, &finder->units, first);
	ret = expand(&list, def, place, err);
	spots->nr_args = ret ? 0 : list.nr;
	spots->names = xcalloc(list.nr + 1, sizeof(*spots->names));
	for (u32 j = 0; j < spots->nr_args; j++)
		spots->names[j] = probe_arg__name(&list.args[j]);
	make_unique(spots->names, spots->nr_args);
	for (u32 i = 0; i < spots->nr; i++)
		spots->spots[i].values = xcalloc(list.nr + 1, sizeof(char *));
	if (!ret)
		ret = fetch_all(finder, &list, spots, err);
	free(list.args);
	free(list.optional);
	free(place);
	return ret;
}
#else
extern int no_finder_args;
#endif
