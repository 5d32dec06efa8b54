// SPDX-License-Identifier: GPL-2.0-or-later
#ifdef HAVE_LIBDW
#include "util/fetch/fetch.h"

#include <dwarf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/lib/out.h"
#include "util/options/nearest.h"

#define TYPES_MAX   32   /* typedefs of typedefs ... */
#define MEMBERS_MAX 8000 /* looked at for one name; of structs in structs too */

static const char gone[] = " any more: only what the function was called with is known";
static const char to_void[] = "'%s' points to void";
static const char no_target[] = "what '%s' points to is not described where it is used";
static const char no_members[] = "the type of '%s' is only declared where it is used";

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

static bool type_of(Dwarf_Die *die, Dwarf_Die *type)
{
	Dwarf_Attribute attr;
	Dwarf_Die whole;

	if (!dwarf_attr_integrate(die, DW_AT_type, &attr) || !dwarf_formref_die(&attr, type))
		return false;
	/* It may stand in a unit of its own (-fdebug-types-section). */
	if (dwarf_attr(type, DW_AT_signature, &attr) && dwarf_formref_die(&attr, &whole))
		*type = whole;
	return true;
}

static bool is_qualifier(int tag)
{
	return tag == DW_TAG_const_type || tag == DW_TAG_volatile_type ||
	       tag == DW_TAG_restrict_type || tag == DW_TAG_atomic_type;
}

/* What @die is without qualifiers and typedefs; false: void. */
static bool real_type(Dwarf_Die *die, Dwarf_Die *type)
{
	bool found = type_of(die, type);

	for (u32 i = 0; found && i < TYPES_MAX; i++) {
		int tag = dwarf_tag(type);

		if (tag != DW_TAG_typedef && !is_qualifier(tag))
			return true;
		Dwarf_Die outer = *type;

		found = type_of(&outer, type);
	}
	return found;
}

static bool is_pointer(int tag)
{
	return tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type ||
	       tag == DW_TAG_rvalue_reference_type;
}

static bool is_compound(int tag)
{
	return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

static void print_type(struct out *out, Dwarf_Die *die, u32 depth)
{
	Dwarf_Die type;
	bool found = type_of(die, &type);

	while (found && is_qualifier(dwarf_tag(&type))) {
		Dwarf_Die outer = type;

		found = type_of(&outer, &type);
	}
	if (!found || depth > TYPES_MAX) {
		out__str(out, "void");
		return;
	}
	int tag = dwarf_tag(&type);
	const char *name = die__name(&type);

	if (is_pointer(tag) || tag == DW_TAG_array_type) {
		print_type(out, &type, depth + 1);
		out__char(out, '*');
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
	const char *name = die__name(die);

	if (!name || strcmp(name, look->name) != 0 || dwarf_hasattr(die, DW_AT_declaration))
		return false;
	*look->found = *die;
	return true;
}

static bool is_located_global(void *ctx, Dwarf_Die *die)
{
	return (dwarf_hasattr(die, DW_AT_location) || dwarf_hasattr(die, DW_AT_const_value)) &&
	       is_it(ctx, die);
}

/* What the compiler left out in a copy of a function is still in the function itself. */
static bool in_origin(Dwarf_Die *scope, struct look_up *look)
{
	Dwarf_Attribute attr;
	Dwarf_Die origin;

	return dwarf_attr(scope, DW_AT_abstract_origin, &attr) &&
	       dwarf_formref_die(&attr, &origin) && each_in(&origin, is_it, look);
}

static bool find_variable(const struct fetch_place *place, const char *name, Dwarf_Die *found)
{
	struct look_up look = { name, found };

	for (u32 i = place->nr_scopes; i-- > 0;) {
		Dwarf_Die scope = place->scopes[i];

		if (each_in(&scope, is_it, &look) || in_origin(&scope, &look))
			return true;
	}
	if (unit__each_global(place->unit, is_located_global, &look))
		return true;
	for (u32 i = 0; i < place->units->nr; i++)
		if (unit__each_global(&place->units->units[i], is_located_global, &look))
			return true;
	if (unit__each_global(place->unit, is_it, &look))
		return true;
	for (u32 i = 0; i < place->units->nr; i++)
		if (unit__each_global(&place->units->units[i], is_it, &look))
			return dwarf_hasattr(found, DW_AT_external);
	return false;
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
	error__set(err, -ENOENT, "cannot find the variable", name, "it is not known there");
	nearest__text(&near, "", text, sizeof(text));
	return error__advise(err, "%s", *text ? text : "perf probe --vars lists those that are");
}

bool fetch__is_there(const struct fetch_place *place, Dwarf_Die *variable)
{
	struct location loc;

	location__of_variable(&loc, &place->at, variable);
	return loc.kind != LOCATION_NONE;
}

struct telling {
	void (*fn)(void *ctx, Dwarf_Die *die);
	void *ctx;
};

static bool tell(void *ctx, Dwarf_Die *die)
{
	struct telling *telling = ctx;

	if (die__name(die))
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

/* ---- chains ---- */

struct chain {
	const struct fetch_place *place;
	const struct probe_arg *arg;
	struct location loc;
	Dwarf_Die type; /* real, of what @loc is */
	Dwarf_Die of;   /* the variable or member: has the type attribute, and bits */
	const char *name;
	bool is_void, is_element;
	struct error *err;
};

static int wrong(const struct chain *chain, const char *fmt, const char *name)
{
	char cause[200];

	snprintf(cause, sizeof(cause), fmt, name);
	return error__set(chain->err, -EINVAL, "cannot fetch", chain->arg->text, "%s", cause);
}

static int follow(struct chain *chain)
{
	if (location__follow(&chain->loc, &chain->place->at, chain->arg->user))
		return 0;
	return wrong(chain, "'%s' is no address that the kernel could follow", chain->name);
}

/* What a pointer points to, or an array has as elements. */
static int take_target(struct chain *chain, u64 *size)
{
	Dwarf_Die target;
	Dwarf_Word bytes = 0;

	if (!real_type(&chain->type, &target))
		return wrong(chain, dwarf_hasattr(&chain->type, DW_AT_type) ? no_target : to_void,
		             chain->name);
	if (dwarf_aggregate_size(&target, &bytes))
		bytes = 0;
	chain->of = chain->type;
	chain->type = target;
	*size = bytes;
	return 0;
}

/* Rows of an array of arrays come as one type with several bounds: the size of one row. */
static u64 row_size(Dwarf_Die *array, u64 element, u32 dimension)
{
	Dwarf_Die die;
	u32 at = 0;

	if (!die__child(array, &die))
		return element;
	do {
		Dwarf_Attribute attr;
		Dwarf_Word bound;

		if (dwarf_tag(&die) != DW_TAG_subrange_type || at++ <= dimension)
			continue;
		if (dwarf_attr(&die, DW_AT_upper_bound, &attr) && !dwarf_formudata(&attr, &bound))
			element *= bound + 1;
		else if (dwarf_attr(&die, DW_AT_count, &attr) && !dwarf_formudata(&attr, &bound))
			element *= bound;
	} while (die__next(&die));
	return element;
}

static u32 nr_dimensions(Dwarf_Die *array)
{
	Dwarf_Die die;
	u32 nr = 0;

	if (!die__child(array, &die))
		return 1;
	do
		nr += dwarf_tag(&die) == DW_TAG_subrange_type;
	while (die__next(&die));
	return nr ? nr : 1;
}

/* [i], and the indexes behind it that belong to the same array. */
static int take_index(struct chain *chain, u32 *i)
{
	const struct probe_arg *arg = chain->arg;
	int tag = dwarf_tag(&chain->type), ret = 0;
	Dwarf_Die array = chain->type;
	u64 size;

	if (chain->is_void || (!is_pointer(tag) && tag != DW_TAG_array_type))
		return wrong(chain, "'%s' is no array or pointer", chain->name);
	if (is_pointer(tag))
		ret = follow(chain);
	else if (chain->loc.kind != LOCATION_MEMORY && chain->loc.kind != LOCATION_ADDRESS)
		return wrong(chain, "the array '%s' is not in memory there", chain->name);
	if (!ret)
		ret = take_target(chain, &size);
	u32 dimensions = tag == DW_TAG_array_type ? nr_dimensions(&array) : 1;

	for (u32 at = 0; !ret && at < dimensions && *i < arg->nr_fields && !arg->fields[*i].name;
	     at++, (*i)++)
		chain->loc.offset += (u64)arg->fields[*i].index * row_size(&array, size, at);
	chain->is_element = true;
	return ret;
}

/* The member @name of the compound @type, or of an unnamed one in it; *offset in bytes. */
static bool find_member(Dwarf_Die *type, const char *name, u32 *budget, Dwarf_Die *member,
                        s64 *offset)
{
	Dwarf_Die die;

	if (!die__child(type, &die))
		return false;
	do {
		int tag = dwarf_tag(&die);
		Dwarf_Attribute attr;
		Dwarf_Word at = 0;
		Dwarf_Die inner;
		const char *own = die__name(&die);

		if (!*budget)
			return false;
		--*budget;
		if (tag != DW_TAG_member && tag != DW_TAG_inheritance)
			continue;
		if (dwarf_attr(&die, DW_AT_data_member_location, &attr) &&
		    dwarf_formudata(&attr, &at))
			continue;
		if (own && tag == DW_TAG_member
		            ? !strcmp(own, name)
		            : real_type(&die, &inner) &&
		                      find_member(&inner, name, budget, member, offset)) {
			if (own && tag == DW_TAG_member)
				*member = die;
			*offset += at;
			return true;
		}
	} while (die__next(&die));
	return false;
}

static void offer_members(struct nearest *near, Dwarf_Die *type)
{
	Dwarf_Die die;

	if (!die__child(type, &die))
		return;
	do
		if (dwarf_tag(&die) == DW_TAG_member)
			offer(near, &die);
	while (die__next(&die));
}

static int no_member(const struct chain *chain, Dwarf_Die *type, const char *name)
{
	struct nearest near;
	char text[200];

	if (dwarf_hasattr(type, DW_AT_declaration))
		return wrong(chain, no_members, chain->name);
	nearest__init(&near, name);
	offer_members(&near, type);
	int ret = error__set(chain->err, -EINVAL, "cannot fetch", chain->arg->text,
	                     "'%s' (type %s) has no member '%s'", chain->name,
	                     die__name(type) ? die__name(type) : "without a name", name);
	if (*nearest__text(&near, "", text, sizeof(text)))
		error__advise(chain->err, "%s", text);
	return ret;
}

static int take_member(struct chain *chain, const struct probe_field *field)
{
	Dwarf_Die member, type = chain->type;
	u32 budget = MEMBERS_MAX;
	int tag = chain->is_void ? 0 : dwarf_tag(&type), ret = 0;

	if (is_pointer(tag)) {
		u64 size;
		bool by_dot = !field->by_pointer && tag == DW_TAG_pointer_type;

		if (by_dot)
			return wrong(chain, "a member of '%s', a pointer, is taken with ->",
			             chain->name);
		ret = follow(chain);
		if (!ret)
			ret = take_target(chain, &size);
		if (ret)
			return ret;
		type = chain->type;
		tag = dwarf_tag(&type);
	} else if (field->by_pointer) {
		return wrong(chain, "'%s' is no pointer", chain->name);
	}
	if (!is_compound(tag))
		return wrong(chain, "'%s' is no struct or union", chain->name);
	if (chain->loc.kind != LOCATION_MEMORY && chain->loc.kind != LOCATION_ADDRESS)
		return wrong(chain, "'%s' is not in memory there", chain->name);
	if (!find_member(&type, field->name, &budget, &member, &chain->loc.offset))
		return no_member(chain, &type, field->name);
	chain->of = member;
	chain->is_void = !real_type(&member, &chain->type);
	chain->name = field->name;
	chain->is_element = false;
	return 0;
}

/* ---- types of the kernel ---- */

static u64 size_of(Dwarf_Die *type)
{
	Dwarf_Word size;

	return dwarf_aggregate_size(type, &size) ? 0 : size;
}

/* 's', 'x', or 0 if it has no size of its own. */
static char signedness(Dwarf_Die *type)
{
	Dwarf_Attribute attr;
	Dwarf_Word encoding = 0;

	if (dwarf_tag(type) != DW_TAG_base_type || !dwarf_attr(type, DW_AT_encoding, &attr) ||
	    dwarf_formudata(&attr, &encoding))
		return 'x';
	return encoding == DW_ATE_signed || encoding == DW_ATE_signed_char ||
	                       encoding == DW_ATE_signed_fixed
	               ? 's'
	               : 'x';
}

static bool is_bool(Dwarf_Die *type)
{
	Dwarf_Attribute attr;
	Dwarf_Word encoding;

	return dwarf_attr(type, DW_AT_encoding, &attr) && !dwarf_formudata(&attr, &encoding) &&
	       encoding == DW_ATE_boolean;
}

/*
 * "b3@5/32" for a bit field: its width, first bit and container. DWARF 4 counts bits from the
 * member's address on, before it was from the container's highest bit.
 */
static char *bit_type(struct chain *chain)
{
	u64 width, first, size = size_of(&chain->type);

	if (!die__number(&chain->of, DW_AT_bit_size, &width) || !size || size > 8)
		return NULL;
	if (die__number(&chain->of, DW_AT_data_bit_offset, &first)) {
		u64 from = first / (8 * size) * size;

		chain->loc.offset += from;
		first -= 8 * from;
	} else if (die__number(&chain->of, DW_AT_bit_offset, &first)) {
		die__number(&chain->of, DW_AT_byte_size, &size);
		first = 8 * size - first - width;
	} else {
		first = 0;
	}
	if (first + width > 8 * size || size > 8 || !width)
		return NULL;
	return xasprintf(":b%llu@%llu/%llu", (unsigned long long)width, (unsigned long long)first,
	                 (unsigned long long)(8 * size));
}

/* The widest that the kernel has and the type fills. */
static u64 fetch_bits(u64 size)
{
	return size >= 8 ? 64 : size >= 4 ? 32 : size >= 2 ? 16 : 8;
}

static char *own_type(struct chain *chain, char sign, const char **cut)
{
	Dwarf_Die *type = &chain->type;
	int tag = chain->is_void ? 0 : dwarf_tag(type);

	/* Of an array its first bytes, as the kernel fetches them untold. */
	if (!tag || tag == DW_TAG_array_type || tag == DW_TAG_subroutine_type)
		return xstrdup("");
	if (is_pointer(tag) && !dwarf_hasattr(type, DW_AT_byte_size))
		return sign ? xasprintf(":%c64", sign) : xstrdup("");
	char *bits = sign ? NULL : bit_type(chain);
	u64 size = size_of(type);
	u32 mask = chain->loc.mask;

	/* (A _Bool's other bits are zero by the ABI.) */
	if (!bits && mask && mask < 8 * size && size <= 8 && !is_bool(type))
		bits = xasprintf(":b%u@0/%llu", mask, (unsigned long long)(8 * size));

	if (bits || !size)
		return bits ? bits : xstrdup("");
	if (size > 8 && cut)
		*cut = die__name(type) ? die__name(type) : "the type";
	return xasprintf(":%c%llu", sign ? sign : signedness(type),
	                 (unsigned long long)fetch_bits(size));
}

static bool is_text(const char *type)
{
	return !strcmp(type, "string") || !strcmp(type, "ustring");
}

static bool is_char(Dwarf_Die *type)
{
	return dwarf_tag(type) == DW_TAG_base_type && size_of(type) == 1;
}

/* Texts are fetched at an address: that of an array, or the value of a pointer. */
static int take_text(struct chain *chain)
{
	int tag = chain->is_void ? 0 : dwarf_tag(&chain->type);
	Dwarf_Die of;

	if (!is_pointer(tag) && tag != DW_TAG_array_type)
		return wrong(chain, "'%s' is no array of or pointer to characters", chain->name);
	if (real_type(&chain->type, &of) && !is_char(&of))
		return wrong(chain, "'%s' does not hold characters", chain->name);
	return is_pointer(tag) ? follow(chain) : 0;
}

static int choose_type(struct chain *chain, char **type, const char **cut)
{
	const char *wanted = chain->arg->type;
	int ret = 0;

	if (!wanted) {
		*type = own_type(chain, 0, cut);
	} else if (is_text(wanted)) {
		ret = take_text(chain);
		*type = ret ? NULL : xasprintf(":%s", wanted);
	} else if (*wanted && !wanted[1] && strchr("usx", *wanted)) {
		*type = own_type(chain, *wanted, cut);
	} else {
		*type = xasprintf(":%s", wanted);
	}
	return ret;
}

/* ---- all ---- */

static int refuse_location(const struct chain *chain)
{
	const char *function = die__name(chain->place->at.function);

	if (chain->loc.kind == LOCATION_NONE) {
		error__set(chain->err, -ENODATA, "cannot fetch", chain->arg->text,
		           "'%s' has no value at this address%s", chain->arg->variable,
		           chain->loc.only_entry ? gone : ": it was optimized out");
		if (chain->loc.only_entry && function)
			error__advise(chain->err, "fetch it where the function begins: '%s %s'",
			              function, chain->arg->text);
		return -ENODATA;
	}
	return error__set(chain->err, -EOPNOTSUPP, "cannot fetch", chain->arg->text, "%s",
	                  chain->loc.why);
}

char *fetch__argument(const struct fetch_place *place, const struct probe_arg *arg,
                      const char **cut, struct error *err)
{
	struct chain chain = { .place = place, .arg = arg, .name = arg->variable, .err = err };
	char *type = NULL, *value, *text;
	int ret = 0;

	if (!find_variable(place, arg->variable, &chain.of)) {
		no_such(place, arg->variable, err);
		return NULL;
	}
	location__of_variable(&chain.loc, &place->at, &chain.of);
	if (chain.loc.kind == LOCATION_NONE || chain.loc.kind == LOCATION_OTHER) {
		refuse_location(&chain);
		return NULL;
	}
	chain.is_void = !real_type(&chain.of, &chain.type);
	for (u32 i = 0; !ret && i < arg->nr_fields;) {
		if (arg->fields[i].name)
			ret = take_member(&chain, &arg->fields[i++]);
		else
			ret = take_index(&chain, &i);
	}
	if (!ret)
		ret = choose_type(&chain, &type, cut);
	/* By the ABI a _Bool is 0 or 1, whatever it is converted through. */
	if (!ret && (chain.loc.kind == LOCATION_SUM ||
	             (chain.loc.converted && (chain.is_void || !is_bool(&chain.type))))) {
		chain.loc.why = "it is the result of a computation";
		ret = refuse_location(&chain);
	}
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
