// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Scopes are compared as texts ("n2::C"): a namespace may be in many places, and each unit has a
 * class again. What has no name of its own there, as (anonymous namespace) and inline namespaces,
 * is left out, as it is where such variables are named.
 */
#ifdef HAVE_LIBDW
#include "util/fetch/globals.h"

#include <dwarf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/fetch/fetch_private.h"
#include "util/fetch/place_text.h"
#include "util/fetch/target.h"
#include "util/lib/alloc.h"
#include "util/lib/out.h"

#define ORIGINS_MAX 8
#define BASES_MAX   64 /* of a class, theirs included */
#define NAMED_MAX   3  /* variables that a message names */

/* ---- scopes ---- */

Dwarf_Die die__origin(Dwarf_Die *die)
{
	Dwarf_Die at = *die, next;
	Dwarf_Attribute attr;

	for (u32 i = 0; i < ORIGINS_MAX; i++, at = next)
		if ((!dwarf_attr(&at, DW_AT_specification, &attr) &&
		     !dwarf_attr(&at, DW_AT_abstract_origin, &attr)) ||
		    !dwarf_formref_die(&attr, &next))
			break;
	return at;
}

u32 die__parents(Dwarf_Die *die, Dwarf_Die *parents)
{
	const Dwarf_Off wanted = dwarf_dieoffset(die);
	Dwarf_Die at, child, last;
	u32 nr = 0;

	if (!dwarf_cu_die(die->cu, &at, NULL, NULL, NULL, NULL, NULL, NULL))
		return 0;
	while (nr < DEPTH_MAX && die__child(&at, &child)) {
		if (dwarf_dieoffset(&child) > wanted)
			return 0;
		do
			last = child;
		while (die__next(&child) && dwarf_dieoffset(&child) <= wanted);
		if (dwarf_dieoffset(&last) == wanted)
			return nr;
		parents[nr++] = at = last;
	}
	return 0;
}

static bool is_class(Dwarf_Die *die)
{
	return tag__is_compound(dwarf_tag(die));
}

/*
 * The name that what is in @die is called by; NULL: it has none, or needs none. @whole: as the
 * linker's names have it.
 */
static const char *name_of_scope(Dwarf_Die *die, bool whole)
{
	bool space = dwarf_tag(die) == DW_TAG_namespace;

	if (!is_class(die) && !space && dwarf_tag(die) != DW_TAG_module)
		return NULL;
	if (whole)
		return die__name(die) ?: space ? "(anonymous namespace)" : NULL;
	return dwarf_hasattr(die, DW_AT_export_symbols) ? NULL : die__name(die);
}

static char *join(const char *scope, const char *name)
{
	return xasprintf("%s%s%s", scope, *scope && *name ? "::" : "", name);
}

/* That of the first @nr of the parents. */
static char *scope_text(Dwarf_Die *parents, u32 nr, bool whole)
{
	char *text = xstrdup("");

	for (u32 i = 0; i < nr; i++) {
		const char *name = name_of_scope(&parents[i], whole);
		char *longer = name ? join(text, name) : NULL;

		if (!longer)
			continue;
		free(text);
		text = longer;
	}
	return text;
}

/* "n2::C" for what is in that class, "" for what is in none. */
static char *scope_of(Dwarf_Die *die)
{
	Dwarf_Die origin = die__origin(die), parents[DEPTH_MAX];

	return scope_text(parents, die__parents(&origin, parents), false);
}

bool function__is_in_scope(Dwarf_Die *die, const char *name)
{
	Dwarf_Die origin = die__origin(die), parents[DEPTH_MAX];
	const char *own = die__name(die);

	if (!own || !place_text__fits(place_text__last(name), own))
		return false;
	char *scope = scope_text(parents, die__parents(&origin, parents), true),
	     *whole = join(scope, own);
	bool fits = place_text__fits(name, whole);

	free(whole);
	free(scope);
	return fits;
}

char *die__whole_name(Dwarf_Die *die)
{
	char *scope = scope_of(die), *text = join(scope, die__name(die) ? die__name(die) : "");

	free(scope);
	return text;
}

/* ---- where a name is looked for ---- */

struct searched {
	char **texts; /* the nearest first */
	u32 nr;
	size_t cap;
	const char *qualifier; /* "n2::C" of "n2::C::count", or "" */
	bool is_global;        /* "::gv" */
	u32 nr_bases;
};

/* @scope is taken. */
static void look_in(struct searched *searched, char *scope)
{
	array__reserve(&searched->texts, &searched->cap, searched->nr + 1,
	               sizeof(*searched->texts));
	searched->texts[searched->nr++] = join(scope, searched->qualifier);
	free(scope);
}

static void look_in_bases(struct searched *searched, Dwarf_Die *class)
{
	Dwarf_Die die, base;

	if (!die__child(class, &die))
		return;
	do {
		if (dwarf_tag(&die) != DW_TAG_inheritance || !die__real_type(&die, &base) ||
		    searched->nr_bases++ >= BASES_MAX)
			continue;
		look_in(searched, die__whole_name(&base));
		look_in_bases(searched, &base);
	} while (die__next(&die));
}

/* "using namespace n;" in @scope. */
static void look_in_used(struct searched *searched, Dwarf_Die *scope)
{
	Dwarf_Die die, of;
	Dwarf_Attribute attr;

	if (!die__child(scope, &die))
		return;
	do
		if (dwarf_tag(&die) == DW_TAG_imported_module &&
		    dwarf_attr(&die, DW_AT_import, &attr) && dwarf_formref_die(&attr, &of) &&
		    dwarf_tag(&of) == DW_TAG_namespace && die__name(&of))
			look_in(searched, die__whole_name(&of));
	while (die__next(&die));
}

/*
 * "using namespace n;" in blocks of the function. What is there counts as if it were around the
 * function: all of its own scopes come before.
 */
static void look_in_blocks(struct searched *searched, const struct fetch_place *place)
{
	for (u32 i = searched->is_global ? 0 : place->nr_scopes; i-- > 0;) {
		Dwarf_Die scope = place->scopes[i], origin = die__origin(&scope);

		look_in_used(searched, &scope);
		if (origin.addr != scope.addr)
			look_in_used(searched, &origin);
		if (dwarf_tag(&scope) == DW_TAG_inlined_subroutine)
			break;
	}
}

/* All scopes of the function. */
static void look_from(struct searched *searched, const struct fetch_place *place,
                      Dwarf_Die *function)
{
	Dwarf_Die parents[DEPTH_MAX], unit;
	u32 nr = searched->is_global ? 0 : die__parents(function, parents);

	for (u32 i = nr; i > 0; i--) {
		look_in(searched, scope_text(parents, i, false));
		if (is_class(&parents[i - 1]))
			look_in_bases(searched, &parents[i - 1]);
		look_in_used(searched, &parents[i - 1]);
	}
	look_in_blocks(searched, place);
	look_in(searched, xstrdup(""));
	if (dwarf_cu_die(function->cu, &unit, NULL, NULL, NULL, NULL, NULL, NULL) &&
	    !searched->is_global && !dwarf_files__is_c(&unit))
		look_in_used(searched, &unit);
}

/* UINT32_MAX: it is not in scope. "C::count" is "n::C::count", too, if there is no better one. */
static u32 rank_of(const struct searched *searched, const char *scope)
{
	size_t len = strlen(scope), of = strlen(searched->qualifier);

	for (u32 i = 0; i < searched->nr; i++)
		if (place_text__same(searched->texts[i], scope))
			return i;
	if (of && !searched->is_global && len > of + 2 &&
	    !strcmp(scope + len - of, searched->qualifier) && scope[len - of - 1] == ':')
		return searched->nr;
	return UINT32_MAX;
}

/* ---- candidates ---- */

struct candidate {
	Dwarf_Die die;
	char *scope; /* where it is */
	u32 rank;    /* of where it can be named */
	bool is_own, is_located, is_defined, is_external;
};

struct candidates {
	const struct fetch_place *place;
	const char *name; /* without scopes */
	Dwarf_Die function;
	struct searched searched;
	const struct unit *unit;
	struct candidate *list;
	u32 nr;
	size_t cap;
};

static bool add_candidate(void *ctx, Dwarf_Die *die)
{
	struct candidates *all = ctx;

	if (!die__has_name(die, all->name))
		return false;
	Dwarf_Die origin = die__origin(die);
	struct candidate *new;

	array__reserve(&all->list, &all->cap, all->nr + 1, sizeof(*all->list));
	new = &all->list[all->nr++];
	*new = (struct candidate){
		.die = *die,
		.scope = scope_of(die),
		.is_own = origin.cu == all->function.cu ||
		          (all->unit == all->place->unit && origin.cu == die->cu),
		.is_located =
		        dwarf_hasattr(die, DW_AT_location) || dwarf_hasattr(die, DW_AT_const_value),
		.is_external = dwarf_hasattr_integrate(die, DW_AT_external),
	};
	new->is_defined = new->is_located || !dwarf_hasattr(die, DW_AT_declaration);
	new->rank = rank_of(&all->searched, new->scope);
	if (new->rank == UINT32_MAX) { /* an inline namespace may be named */
		Dwarf_Die parents[DEPTH_MAX];
		char *whole = scope_text(parents, die__parents(&origin, parents), true);

		new->rank = rank_of(&all->searched, whole);
		free(whole);
	}
	return false;
}

bool die__is_using(Dwarf_Die *die, const char *name, Dwarf_Die *variable)
{
	Dwarf_Attribute attr;
	int tag;

	if (dwarf_tag(die) != DW_TAG_imported_declaration ||
	    !dwarf_attr(die, DW_AT_import, &attr) || !dwarf_formref_die(&attr, variable))
		return false;
	tag = dwarf_tag(variable);
	return (tag == DW_TAG_variable || tag == DW_TAG_member) && die__has_name(variable, name);
}

/* "using n::gv;": it is named in another scope, too. */
static bool add_used(void *ctx, Dwarf_Die *die)
{
	struct candidates *all = ctx;
	Dwarf_Die variable;
	u32 nr = all->nr;

	if (!die__is_using(die, all->name, &variable))
		return false;
	add_candidate(all, &variable);
	char *scope = scope_of(die);

	all->list[nr].rank = rank_of(&all->searched, scope);
	all->list[nr].is_own = true;
	free(scope);
	return false;
}

static bool is_own_unit(const struct candidates *all, u32 i)
{
	const struct unit *unit = &all->place->units->units[i];

	return unit == all->place->unit || (unit->has_code && unit->code.cu == all->function.cu);
}

static void gather(struct candidates *all, bool own)
{
	struct units *units = all->place->units;
	u8 *with = own ? NULL : units__with_name(units, all->name);

	for (u32 i = 0; i < units->nr; i++) {
		if (is_own_unit(all, i) != own || (with && !with[i]))
			continue;
		all->unit = &units->units[i];
		unit__each_global(all->unit, add_candidate, all);
		if (own)
			unit__each_using(all->unit, add_used, all);
	}
	free(with);
}

/* The nearest of the names that are in scope; UINT32_MAX: none is. */
static u32 best_rank(const struct candidates *all, bool own)
{
	u32 best = UINT32_MAX;

	for (u32 i = 0; i < all->nr; i++)
		if (all->list[i].is_own == own && all->list[i].rank < best)
			best = all->list[i].rank;
	return best;
}

/* ---- the choice ---- */

enum wanted { LOCATED = 1, DEFINED = 2, EXTERNAL = 4, INTERNAL = 8, OWN = 16, OTHER = 32 };

static const struct candidate *pick(const struct candidates *all, const char *scope, u32 wanted)
{
	for (u32 i = 0; i < all->nr; i++) {
		const struct candidate *at = &all->list[i];

		if (strcmp(at->scope, scope) != 0 || (wanted & LOCATED && !at->is_located) ||
		    (wanted & DEFINED && !at->is_defined) ||
		    (wanted & EXTERNAL && !at->is_external) ||
		    (wanted & INTERNAL && at->is_external) || (wanted & OWN && !at->is_own) ||
		    (wanted & OTHER && at->is_own))
			continue;
		return at;
	}
	return NULL;
}

/*
 * Of those in @scope: what has a place. One that the compiler left out has none, and then no other
 * file's is it; but link-time optimization and declarations have it elsewhere.
 */
static const struct candidate *pick_best(const struct candidates *all, const char *scope)
{
	static const u32 order[] = {
		OWN | LOCATED, OWN | DEFINED | INTERNAL,   OTHER | LOCATED | EXTERNAL,
		OWN | DEFINED, OTHER | DEFINED | EXTERNAL, OWN
	};
	const struct candidate *best = NULL;

	for (u32 i = 0; i < ARRAY_SIZE(order) && !best; i++)
		best = pick(all, scope, order[i]);
	return best;
}

static int say_several(const struct candidates *all, u32 rank, const char *name, struct error *err)
{
	char *seen[NAMED_MAX];
	u32 nr = 0;
	struct out out;

	out__init(&out, -1);
	for (u32 i = 0; i < all->nr && nr < NAMED_MAX; i++) {
		char *text = join(all->list[i].scope, all->name);
		bool is_new = all->list[i].rank == rank && all->list[i].is_defined;

		for (u32 j = 0; j < nr; j++)
			is_new &= strcmp(seen[j], text) != 0;
		if (!is_new) {
			free(text);
			continue;
		}
		out__printf(&out, "%s'%s'", nr ? ", " : "", text);
		seen[nr++] = text;
	}
	if (*all->searched.qualifier || all->searched.is_global)
		error__set(err, -ENOENT, "cannot find the variable", name,
		           "none of this name is where it says");
	else
		error__set(err, -EINVAL, "cannot choose a variable", name,
		           "several have this name, and none of them is the function's own");
	if (nr > 1 || (nr && err && err->code == -ENOENT))
		error__advise(err, "there is %s", out__take(&out));
	out__exit(&out);
	while (nr)
		free(seen[--nr]);
	return err ? err->code : -EINVAL;
}

/* Of another file, or not in scope: the only one of its name. */
static int pick_only(const struct candidates *all, u32 rank, const char *name,
                     const struct candidate **best, struct error *err)
{
	bool qualified = *all->searched.qualifier || all->searched.is_global;

	*best = NULL;
	if (qualified && rank == UINT32_MAX)
		return all->nr ? say_several(all, rank, name, err) : 0;
	for (u32 i = 0; i < all->nr; i++) {
		const struct candidate *at = &all->list[i];

		if (at->rank != rank || !at->is_defined || (!at->is_located && !at->is_external))
			continue;
		if (!*best) {
			*best = at;
			continue;
		}
		bool same = !strcmp(at->scope, (*best)->scope);

		/* In a file that has none of its own the one for all files is meant. */
		if (same && at->is_external && (!(*best)->is_external || !(*best)->is_located))
			*best = at->is_located || !(*best)->is_external ? at : *best;
		else if (!same || (!at->is_external && !(*best)->is_external))
			return say_several(all, rank, name, err);
	}
	return *best ? 1 : 0;
}

static bool has_symbol(const struct fetch_place *place, Dwarf_Die *die)
{
	const char *name = die__linkage_name(die);

	return probe_target__data_symbol(place->at.target, name ? name : die__name(die));
}

static int choose(struct candidates *all, const char *name, Dwarf_Die *found, struct error *err)
{
	const struct candidate *best = NULL;
	u32 rank;
	int ret = 1;

	gather(all, true);
	rank = best_rank(all, true);
	for (u32 i = 0; i < all->nr && !best && rank != UINT32_MAX; i++) {
		if (!all->list[i].is_own || all->list[i].rank != rank)
			continue;
		best = pick_best(all, all->list[i].scope);
		if (!best->is_located && (best->is_external || !best->is_defined)) {
			gather(all, false);
			best = pick_best(all, all->list[i].scope);
		}
	}
	if (!best) {
		gather(all, false);
		ret = pick_only(all, best_rank(all, false), name, &best, err);
	}
	if (ret <= 0)
		return ret;
	*found = best->die;
	return best->is_defined || has_symbol(all->place, found);
}

static void free_all(struct candidates *all)
{
	for (u32 i = 0; i < all->nr; i++)
		free(all->list[i].scope);
	for (u32 i = 0; i < all->searched.nr; i++)
		free(all->searched.texts[i]);
	free(all->searched.texts);
	free(all->list);
}

Dwarf_Die place__function(const struct fetch_place *place)
{
	Dwarf_Die at = place->scopes[0];

	for (u32 i = 1; i < place->nr_scopes; i++) {
		Dwarf_Die scope = place->scopes[i];

		if (dwarf_tag(&scope) == DW_TAG_inlined_subroutine)
			at = scope;
	}
	return die__origin(&at);
}

struct alias {
	const char *text; /* "al", or "al::C" */
	char *whole;      /* what it stands for; NULL: it is no alias */
};

static bool take_alias(void *ctx, Dwarf_Die *die)
{
	struct alias *alias = ctx;
	const char *own = die__name(die);
	size_t len = own ? strlen(own) : 0;
	Dwarf_Attribute attr;
	Dwarf_Die of;

	if (!len || strncmp(alias->text, own, len) != 0 ||
	    (alias->text[len] && strncmp(alias->text + len, "::", 2) != 0) ||
	    !dwarf_attr(die, DW_AT_import, &attr) || !dwarf_formref_die(&attr, &of) ||
	    dwarf_tag(&of) != DW_TAG_namespace || die__has_name(&of, own))
		return false;
	char *space = die__whole_name(&of);

	alias->whole = xasprintf("%s%s", space, alias->text + len);
	free(space);
	return true;
}

/* "namespace al = n::m;": in the function's unit. @qualifier is taken, what it stands for returned.
 */
static char *without_alias(const struct fetch_place *place, char *qualifier)
{
	struct alias alias = { .text = qualifier };

	if (!*qualifier || !place->unit || !unit__each_using(place->unit, take_alias, &alias))
		return qualifier;
	free(qualifier);
	return alias.whole;
}

int global__find(const struct fetch_place *place, const char *name, Dwarf_Die *found,
                 struct error *err)
{
	bool is_global = !strncmp(name, "::", 2);
	const char *whole = is_global ? name + 2 : name, *last = place_text__last(whole);
	char *qualifier = xasprintf("%.*s", last > whole ? (int)(last - whole) - 2 : 0, whole);
	struct candidates all = { .place = place,
		                  .name = last,
		                  .function = place__function(place),
		                  .searched = { .qualifier = qualifier, .is_global = is_global } };
	int ret;

	all.searched.qualifier = qualifier = without_alias(place, qualifier);
	look_from(&all.searched, place, &all.function);
	ret = choose(&all, name, found, err);
	free_all(&all);
	free(qualifier);
	return ret;
}

bool global__of_member(const struct fetch_place *place, Dwarf_Die *type, Dwarf_Die *member,
                       Dwarf_Die *found)
{
	struct candidates all = { .place = place,
		                  .name = die__name(member),
		                  .function = place__function(place),
		                  .searched = { .qualifier = "" } };
	char *scope = die__whole_name(type);
	const struct candidate *best = NULL;

	if (dwarf_hasattr(member, DW_AT_const_value)) {
		*found = *member;
		free(scope);
		return true;
	}
	for (u32 own = 1; own != UINT32_MAX && !best; own--) {
		gather(&all, own);
		best = pick(&all, scope, LOCATED);
	}
	*found = best ? best->die : *member;
	free_all(&all);
	free(scope);
	return best || has_symbol(place, found);
}
#else
extern int no_globals;
#endif
