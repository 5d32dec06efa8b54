// SPDX-License-Identifier: GPL-2.0-or-later
#ifdef HAVE_LIBDW
#include "util/fetch/fetch.h"

#include <dwarf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/fetch/fetch_private.h"
#include "util/fetch/globals.h"
#include "util/fetch/target.h"
#include "util/lib/alloc.h"
#include "util/lib/out.h"
#include "util/options/nearest.h"

/* Is the inlined function called there, rather than that code in it would be meant? */
static bool is_call(Dwarf_Die *scope, u64 addr)
{
	u64 entry;

	return dwarf_tag(scope) == DW_TAG_inlined_subroutine && die__entry(scope, &entry) &&
	       entry == addr;
}

/* Leave the functions that @function calls out, if it is among the scopes. */
static void cut_scopes(struct fetch_place *place, const char *function)
{
	u32 from = 0;

	for (u32 i = 0; i < place->nr_scopes && function; i++) {
		const char *name = dwarf_tag(&place->scopes[i]) == DW_TAG_lexical_block
		                           ? NULL
		                           : die__name(&place->scopes[i]);

		if (name && !strcmp(name, function))
			from = i;
	}
	for (u32 i = from + 1; i < place->nr_scopes; i++)
		if (is_call(&place->scopes[i], place->at.addr))
			place->nr_scopes = i;
}

bool fetch_place__init(struct fetch_place *place, struct probe_target *target, struct units *units,
                       u64 addr, const char *function_name)
{
	const struct unit *unit = units__at(units, addr);
	Dwarf_Die function;

	*place = (struct fetch_place){ .at = { .target = target, .addr = addr },
		                       .units = units,
		                       .unit = unit };
	if (!unit || !unit__function_at(unit, addr, &function))
		return false;
	place->nr_scopes = function__scopes(&function, addr, place->scopes);
	place->at.function = &place->scopes[0];
	cut_scopes(place, function_name);
	die__entry(&function, &place->at.entry);
	return true;
}

/* ---- types ---- */

static void print_type(struct out *out, Dwarf_Die *die, u32 depth)
{
	Dwarf_Die type;
	bool found = die__type(die, &type);

	while (found && tag__is_qualifier(dwarf_tag(&type))) {
		Dwarf_Die outer = type;

		found = die__type(&outer, &type);
	}
	if (!found || depth > TYPES_MAX) {
		out__str(out, die__lacks_type(die) ? "(unknown_type)" : "void");
		return;
	}
	int tag = dwarf_tag(&type);
	const char *name = die__name(&type);

	if (tag__is_pointer(tag) || tag == DW_TAG_array_type) {
		print_type(out, &type, depth + 1);
		out__str(out, tag == DW_TAG_reference_type          ? "&"
		              : tag == DW_TAG_rvalue_reference_type ? "&&"
		                                                    : "*");
		return;
	}
	if (tag == DW_TAG_subroutine_type) {
		out__str(out, "(function_type)");
		return;
	}
	if (tag == DW_TAG_structure_type || tag == DW_TAG_class_type)
		out__str(out, "struct ");
	else if (tag == DW_TAG_union_type)
		out__str(out, "union ");
	else if (tag == DW_TAG_enumeration_type)
		out__str(out, "enum ");
	out__name(out, name ? name : "{...}");
}

void fetch__type_name(struct out *out, Dwarf_Die *variable)
{
	print_type(out, variable, 0);
}

void fetch__retval_type(struct out *out, const struct fetch_place *place)
{
	print_type(out, place->at.function, 0);
}

/* ---- variables ---- */

static bool is_variable(Dwarf_Die *die)
{
	int tag = dwarf_tag(die);

	return tag == DW_TAG_variable || tag == DW_TAG_formal_parameter;
}

/* The variables of one scope and of the blocks in it that lost their code. */
static bool each_in(Dwarf_Die *scope, bool (*fn)(void *ctx, Dwarf_Die *die), void *ctx)
{
	Dwarf_Die die;

	if (!die__child(scope, &die))
		return false;
	do {
		if (is_variable(&die) && die__name(&die) && fn(ctx, &die))
			return true;
	} while (die__next(&die));
	return false;
}

struct look_up {
	const char *name;
	Dwarf_Die *found;
};

static bool is_it(void *ctx, Dwarf_Die *die)
{
	struct look_up *look = ctx;

	if (!die__has_name(die, look->name) || dwarf_hasattr(die, DW_AT_declaration))
		return false;
	*look->found = *die;
	return true;
}

static bool is_declared(void *name, Dwarf_Die *die)
{
	return die__has_name(die, name) && dwarf_hasattr(die, DW_AT_declaration);
}

/* What the compiler left out in a copy of a function is still in the function itself. */
static bool in_origin(Dwarf_Die *scope, bool (*fn)(void *ctx, Dwarf_Die *die), void *ctx)
{
	Dwarf_Attribute attr;
	Dwarf_Die origin;

	return dwarf_attr(scope, DW_AT_abstract_origin, &attr) &&
	       dwarf_formref_die(&attr, &origin) && each_in(&origin, fn, ctx);
}

/* "using n::gv;" in a block. */
static bool find_using(Dwarf_Die *scope, const char *name, Dwarf_Die *found)
{
	Dwarf_Die die;

	if (!die__child(scope, &die))
		return false;
	do
		if (die__is_using(&die, name, found))
			return true;
	while (die__next(&die));
	return false;
}

/*
 * 1, 0 or an error: see global__find(). *steps: of what was found, a pointer, the member of that
 * name is meant, behind so many members "this"; else -1.
 */
static int find_variable(const struct fetch_place *place, const char *name, Dwarf_Die *found,
                         s32 *steps, struct error *err)
{
	u32 behind;
	int ret;

	struct look_up look = { name, found };

	*steps = -1;
	for (u32 i = place->nr_scopes; i-- > 0;) {
		Dwarf_Die scope = place->scopes[i];

		if (each_in(&scope, is_it, &look) || in_origin(&scope, is_it, &look))
			return 1;
		if ((ret = scope__check_block(&scope, name, err)))
			return ret;
		if (!find_using(&scope, name, found))
			continue;
		char *whole = die__whole_name(found), *text = xasprintf("::%s", whole);

		ret = global__find(place, text, found, err);
		free(text);
		free(whole);
		return ret;
	}
	ret = scope__find_member(place, name, found, &behind, err);
	if (ret > 0)
		*steps = (s32)behind;
	return ret ? ret : global__find(place, name, found, err);
}

/* From the object to its member of the variable's name. */
static int take_own_member(struct chain *chain, u32 steps)
{
	static char this[] = "this";
	struct probe_field field = { .name = this, .by_pointer = true };
	int ret = steps ? chain__take_member(chain, &field) : 0;

	field.name = chain->arg->variable;
	return ret ? ret : chain__take_member(chain, &field);
}

static bool offer(void *ctx, Dwarf_Die *die)
{
	const char *name = die__name(die);

	if (name)
		nearest__offer(ctx, name);
	return false;
}

static int no_such(const struct fetch_place *place, const char *name, struct error *err)
{
	struct nearest near;
	char text[200];

	nearest__init(&near, name);
	for (u32 i = place->nr_scopes; i-- > 0;) {
		Dwarf_Die scope = place->scopes[i];

		each_in(&scope, offer, &near);
	}
	unit__each_global(place->unit, offer, &near);
	if (unit__each_global(place->unit, is_declared, (void *)name))
		return error__set(err, -ENOENT, "cannot find the variable", name,
		                  "it is only declared there: another object has it");
	error__set(err, -ENOENT, "cannot find the variable", name, "it is not known there");
	nearest__text(&near, "", text, sizeof(text));
	return error__advise(err, "%s", *text ? text : "perf probe --vars lists those that are");
}

static bool is_same(void *ctx, Dwarf_Die *die)
{
	return die->addr == ((Dwarf_Die *)ctx)->addr;
}

/* Is @variable, which is at @loc, gone when the function returns? Static ones are not. */
static bool is_gone(const struct fetch_place *place, const struct location *loc,
                    Dwarf_Die *variable)
{
	Dwarf_Attribute attr;
	Dwarf_Block block;
	bool local = false;

	/* Of a list of places an address is one of several. */
	bool stays = loc->kind == LOCATION_ADDRESS &&
	             (!dwarf_attr_integrate(variable, DW_AT_location, &attr) ||
	              !dwarf_formblock(&attr, &block));

	for (u32 i = 0; i < place->nr_scopes && place->is_return && !stays; i++) {
		Dwarf_Die scope = place->scopes[i];

		local |= each_in(&scope, is_same, variable) || in_origin(&scope, is_same, variable);
	}
	return local;
}

bool fetch__is_there(const struct fetch_place *place, Dwarf_Die *variable)
{
	struct location loc;

	location__of_variable(&loc, &place->at, variable);
	return loc.kind != LOCATION_NONE && !is_gone(place, &loc, variable);
}

struct telling {
	void (*fn)(void *ctx, Dwarf_Die *die);
	void *ctx;
};

static bool tell(void *ctx, Dwarf_Die *die)
{
	struct telling *telling = ctx;

	if (is_variable(die) && die__name(die))
		telling->fn(telling->ctx, die);
	return false;
}

void fetch__each_variable(const struct fetch_place *place, bool globals,
                          void (*fn)(void *ctx, Dwarf_Die *die), void *ctx)
{
	struct telling telling = { fn, ctx };

	for (u32 i = place->nr_scopes; i-- > 0;) {
		Dwarf_Die scope = place->scopes[i];

		each_in(&scope, tell, &telling);
		/* Behind an inlined function begins what it cannot name. */
		if (dwarf_tag(&scope) == DW_TAG_inlined_subroutine)
			break;
	}
	if (globals)
		unit__each_global(place->unit, tell, &telling);
}

/* ---- all ---- */

/* The variable that the argument begins with. */
static int take_variable(struct chain *chain, struct fetch_notes *notes)
{
	const struct fetch_place *place = chain->place;
	const struct probe_arg *arg = chain->arg;
	s32 steps;
	int ret = find_variable(place, arg->variable, &chain->of, &steps, chain->err);

	if (ret <= 0)
		return ret ? ret : no_such(place, arg->variable, chain->err);
	chain->variable = chain->of;
	location__of_variable(&chain->loc, &place->at, &chain->of);
	if (is_gone(place, &chain->loc, &chain->of)) {
		error__set(chain->err, -EINVAL, "cannot fetch", arg->text,
		           "variables are gone when a function returns");
		error__advise(chain->err, "take $retval, or probe its entry, too");
		return -EINVAL;
	}
	if (chain->loc.kind == LOCATION_NONE || chain->loc.kind == LOCATION_OTHER)
		return chain__refuse(chain);
	notes->stale = chain->loc.kind == LOCATION_ADDRESS &&
	               probe_target__is_stale(place->at.target, chain->loc.offset);
	notes->early = location__is_early(&chain->loc, &place->at, &chain->of);
	chain->is_void = !die__real_type(&chain->of, &chain->type);
	return steps < 0 ? 0 : take_own_member(chain, (u32)steps);
}

char *fetch__argument(const struct fetch_place *place, const struct probe_arg *arg,
                      struct fetch_notes *notes, struct error *err)
{
	struct fetch_notes unasked;
	struct chain chain = { .place = place, .arg = arg, .name = arg->variable, .err = err };
	char *type = NULL, *value, *text;
	int ret;

	notes = notes ? notes : &unasked;
	*notes = (struct fetch_notes){ 0 };
	ret = *arg->variable == '$' ? chain__take_retval(&chain) : take_variable(&chain, notes);
	if (!ret)
		ret = chain__take_fields(&chain);
	if (!ret)
		ret = chain__choose_type(&chain, &type, notes);
	if (ret) {
		free(type);
		return NULL;
	}
	value = location__text(&chain.loc, &place->at, arg->user);
	text = xasprintf("%s%s", value, type);
	free(value);
	free(type);
	return text;
}
#else
extern int no_fetch;
#endif
