// SPDX-License-Identifier: GPL-2.0-or-later
/* Chains: ->, . and [] from a variable on, through its types. */
#ifdef HAVE_LIBDW
#include <dwarf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "util/fetch/fetch_private.h"
#include "util/fetch/globals.h"
#include "util/options/nearest.h"

#define MEMBERS_MAX 8000 /* looked at for one name; of structs in structs too */
#define BASES_DEPTH 16   /* of base classes */

static const char gone[] = " any more: only what the function was called with is known";
static const char unread_type[] = "the type of '%s' is in debug information that cannot be read";
static const char to_void[] = "'%s' points to void";
static const char no_target[] = "what '%s' points to is not described where it is used";
static const char in_virtual_base[] =
        "'%s' is in a virtual base class, whose place is known only while the program runs";
static const char no_members[] = "the type of '%s' is only declared where it is used";

/* ---- types ---- */

bool die__type(Dwarf_Die *die, Dwarf_Die *type)
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

bool tag__is_qualifier(int tag)
{
	return tag == DW_TAG_const_type || tag == DW_TAG_volatile_type ||
	       tag == DW_TAG_restrict_type || tag == DW_TAG_atomic_type;
}

/* What @die is without qualifiers and typedefs; false: void. */
bool die__real_type(Dwarf_Die *die, Dwarf_Die *type)
{
	bool found = die__type(die, type);

	for (u32 i = 0; found && i < TYPES_MAX; i++) {
		int tag = dwarf_tag(type);

		if (tag != DW_TAG_typedef && !tag__is_qualifier(tag))
			return true;
		Dwarf_Die outer = *type;

		found = die__type(&outer, type);
	}
	return found;
}

bool die__lacks_type(Dwarf_Die *die)
{
	Dwarf_Die at = *die, type;

	for (u32 i = 0; i < TYPES_MAX; i++, at = type) {
		if (!die__type(&at, &type))
			return dwarf_hasattr_integrate(&at, DW_AT_type);
		if (dwarf_tag(&type) != DW_TAG_typedef && !tag__is_qualifier(dwarf_tag(&type)))
			return false;
	}
	return false;
}

bool tag__is_reference(int tag)
{
	return tag == DW_TAG_reference_type || tag == DW_TAG_rvalue_reference_type;
}

bool tag__is_pointer(int tag)
{
	return tag == DW_TAG_pointer_type || tag__is_reference(tag);
}

bool tag__is_compound(int tag)
{
	return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

u64 type__size(Dwarf_Die *type)
{
	Dwarf_Word size;

	return dwarf_aggregate_size(type, &size) ? 0 : size;
}

/* ---- chains ---- */

int chain__wrong(const struct chain *chain, const char *fmt, const char *name)
{
	char cause[200];

	snprintf(cause, sizeof(cause), fmt, name);
	return error__set(chain->err, -EINVAL, "cannot fetch", chain->arg->text, "%s", cause);
}

int chain__check_type(const struct chain *chain, Dwarf_Die *of)
{
	return die__lacks_type(of) ? chain__wrong(chain, unread_type, chain->name) : 0;
}

int chain__resolve(struct chain *chain, u64 size)
{
	if (chain->loc.kind == LOCATION_PIECES)
		location__of_part(&chain->loc, &chain->place->at, &chain->variable,
		                  chain->loc.offset, size);
	return chain->loc.kind == LOCATION_NONE || chain->loc.kind == LOCATION_OTHER
	               ? chain__refuse(chain)
	               : 0;
}

int chain__follow(struct chain *chain)
{
	int ret = chain__resolve(chain, type__size(&chain->type));

	if (ret)
		return ret;
	if (!chain->loc.shift && location__follow(&chain->loc, &chain->place->at, chain->arg->user))
		return 0;
	return chain__wrong(chain, "'%s' is no address that the kernel could follow", chain->name);
}

/* What a pointer points to, or an array has as elements. */
static int take_target(struct chain *chain, u64 *size)
{
	Dwarf_Die target;
	Dwarf_Word bytes = 0;

	if (die__lacks_type(&chain->type))
		return chain__wrong(chain, unread_type, chain->name);
	if (!die__real_type(&chain->type, &target))
		return chain__wrong(chain,
		                    dwarf_hasattr(&chain->type, DW_AT_type) ? no_target : to_void,
		                    chain->name);
	if (dwarf_aggregate_size(&target, &bytes))
		bytes = 0;
	chain->of = chain->type;
	chain->type = target;
	*size = bytes;
	return 0;
}

int chain__take_referred(struct chain *chain)
{
	int tag = chain->is_void ? 0 : dwarf_tag(&chain->type), ret;
	Dwarf_Die target;
	u64 size;

	if (!tag__is_reference(tag) ||
	    (die__real_type(&chain->type, &target) && dwarf_tag(&target) == DW_TAG_subroutine_type))
		return 0;
	ret = chain__follow(chain);
	return ret ? ret : take_target(chain, &size);
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

static bool is_in_memory(const struct chain *chain)
{
	return chain->loc.kind == LOCATION_MEMORY || chain->loc.kind == LOCATION_ADDRESS;
}

/* [i], and the indexes behind it that belong to the same array. */
static int take_index(struct chain *chain, u32 *i)
{
	const struct probe_arg *arg = chain->arg;
	int ret = chain__take_referred(chain), tag = dwarf_tag(&chain->type);
	Dwarf_Die array = chain->type;
	u64 size;

	if (ret)
		return ret;
	if (chain->is_void || (!tag__is_pointer(tag) && tag != DW_TAG_array_type))
		return chain__wrong(chain, "'%s' is no array or pointer", chain->name);
	if (tag__is_pointer(tag))
		ret = chain__follow(chain);
	else
		ret = chain__resolve(chain, type__size(&chain->type));
	if (!ret && !is_in_memory(chain))
		return chain__wrong(chain, "the array '%s' is not in memory there", chain->name);
	if (!ret)
		ret = take_target(chain, &size);
	u32 dimensions = tag == DW_TAG_array_type ? nr_dimensions(&array) : 1, at = 0;

	for (; !ret && at < dimensions && *i < arg->nr_fields && !arg->fields[*i].name;
	     at++, (*i)++)
		chain->loc.offset += (u64)arg->fields[*i].index * row_size(&array, size, at);
	chain->row = !ret && at < dimensions ? row_size(&array, size, at - 1) : 0;
	return ret;
}

struct members {
	const char *name;
	u32 budget;
	u32 nr; /* that were found: the first of them is ... */
	Dwarf_Die die, class;
	s64 offset; /* in bytes */
	bool is_virtual;
};

static void find_at_depth(struct members *found, Dwarf_Die *type, s64 offset, bool is_virtual,
                          u32 depth);

/* Where the member, or the part of a base class, begins. False: that is not constant. */
static bool member_offset(Dwarf_Die *die, s64 *offset)
{
	Dwarf_Attribute attr;
	Dwarf_Word at;
	Dwarf_Op *ops;
	size_t nr;

	if (!dwarf_attr(die, DW_AT_data_member_location, &attr))
		return true;
	if (!dwarf_formudata(&attr, &at)) {
		*offset += at;
		return true;
	}
	/* DWARF 2 */
	if (dwarf_getlocation(&attr, &ops, &nr) || nr != 1 || ops[0].atom != DW_OP_plus_uconst)
		return false;
	*offset += ops[0].number;
	return true;
}

static bool is_static_member(Dwarf_Die *die)
{
	return dwarf_tag(die) == DW_TAG_variable || dwarf_hasattr(die, DW_AT_external);
}

static void find_in_part(struct members *found, Dwarf_Die *class, Dwarf_Die *die, s64 offset,
                         bool is_virtual, u32 depth)
{
	int tag = dwarf_tag(die);
	const char *own = die__name(die);
	bool is_base = tag == DW_TAG_inheritance;
	Dwarf_Die inner;

	if ((tag != DW_TAG_member && tag != DW_TAG_variable && !is_base) || (is_base && !depth) ||
	    (own && !is_base && (depth || strcmp(own, found->name) != 0)))
		return;
	is_virtual |= is_base && dwarf_hasattr(die, DW_AT_virtuality);
	if (!member_offset(die, &offset) && !is_virtual)
		return;
	if (is_base || !own) {
		if (die__real_type(die, &inner))
			find_at_depth(found, &inner, offset, is_virtual, depth - is_base);
		return;
	}
	/* Of a virtual base there is one. */
	if (found->nr && found->die.addr == die->addr && is_virtual && found->is_virtual)
		return;
	if (!found->nr++) {
		found->die = *die;
		found->class = *class;
		found->offset = offset;
		found->is_virtual = is_virtual;
	}
}

/* In the base classes so deep down, and in what has no name in them. */
static void find_at_depth(struct members *found, Dwarf_Die *type, s64 offset, bool is_virtual,
                          u32 depth)
{
	Dwarf_Die die;

	if (!die__child(type, &die))
		return;
	do {
		if (!found->budget)
			return;
		found->budget--;
		find_in_part(found, type, &die, offset, is_virtual, depth);
	} while (die__next(&die));
}

/* A member hides those of base classes. */
static bool find_member(Dwarf_Die *type, const char *name, struct members *found)
{
	*found = (struct members){ .name = name, .budget = MEMBERS_MAX };
	for (u32 depth = 0; depth <= BASES_DEPTH && !found->nr; depth++)
		find_at_depth(found, type, 0, false, depth);
	return found->nr;
}

bool type__has_member(Dwarf_Die *type, const char *name, bool *is_static)
{
	struct members found;

	if (!find_member(type, name, &found))
		return false;
	*is_static = is_static_member(&found.die);
	return true;
}

bool type__member(Dwarf_Die *type, const char *name, Dwarf_Die *member)
{
	struct members found;

	if (!find_member(type, name, &found))
		return false;
	*member = found.die;
	return true;
}

static bool offer_name(void *ctx, Dwarf_Die *die)
{
	const char *name = die__name(die);

	if (name)
		nearest__offer(ctx, name);
	return false;
}

static void offer_members(struct nearest *near, Dwarf_Die *type, u32 depth)
{
	Dwarf_Die die, base;

	if (!die__child(type, &die))
		return;
	do {
		int tag = dwarf_tag(&die);

		if (tag == DW_TAG_member || tag == DW_TAG_variable)
			offer_name(near, &die);
		else if (tag == DW_TAG_inheritance && depth < BASES_DEPTH &&
		         die__real_type(&die, &base))
			offer_members(near, &base, depth + 1);
	} while (die__next(&die));
}

static int no_member(const struct chain *chain, Dwarf_Die *type, const char *name)
{
	struct nearest near;
	char text[200];

	if (dwarf_hasattr(type, DW_AT_declaration))
		return chain__wrong(chain, no_members, chain->name);
	nearest__init(&near, name);
	offer_members(&near, type, 0);
	int ret = error__set(chain->err, -EINVAL, "cannot fetch", chain->arg->text,
	                     "'%s' (type %s) has no member '%s'", chain->name,
	                     die__name(type) ? die__name(type) : "without a name", name);
	if (*nearest__text(&near, "", text, sizeof(text)))
		error__advise(chain->err, "%s", text);
	return ret;
}

/* A static member of a class: a variable of its own. */
static int take_static(struct chain *chain, struct members *member)
{
	Dwarf_Die variable;

	if (!global__of_member(chain->place, &member->class, &member->die, &variable))
		return chain__wrong(chain, "the static member '%s' is defined elsewhere",
		                    chain->name);
	chain->variable = chain->of = variable;
	location__of_variable(&chain->loc, &chain->place->at, &variable);
	chain->is_void = !die__real_type(&variable, &chain->type);
	return chain->loc.kind == LOCATION_NONE || chain->loc.kind == LOCATION_OTHER
	               ? chain__refuse(chain)
	               : 0;
}

int chain__take_member(struct chain *chain, const struct probe_field *field)
{
	bool by_reference = !chain->is_void && tag__is_reference(dwarf_tag(&chain->type));
	int ret = chain__take_referred(chain);
	int tag = chain->is_void ? 0 : dwarf_tag(&chain->type);
	Dwarf_Die type = chain->type;
	struct members member;

	if (ret)
		return ret;
	if (tag__is_pointer(tag)) {
		u64 size;

		if (!field->by_pointer)
			return chain__wrong(chain, "a member of '%s', a pointer, is taken with ->",
			                    chain->name);
		ret = chain__follow(chain);
		if (!ret)
			ret = take_target(chain, &size);
		if (ret)
			return ret;
		type = chain->type;
		tag = dwarf_tag(&type);
	} else if (field->by_pointer && !by_reference) {
		return chain__wrong(chain, "'%s' is no pointer", chain->name);
	}
	if (!tag__is_compound(tag))
		return chain__wrong(chain, "'%s' is no struct or union", chain->name);
	if (!find_member(&type, field->name, &member))
		return no_member(chain, &type, field->name);
	chain->name = field->name;
	chain->row = 0;
	if (member.nr > 1)
		return chain__wrong(chain, "several base classes have a member '%s'", field->name);
	if (is_static_member(&member.die))
		return take_static(chain, &member);
	if (member.is_virtual)
		return chain__wrong(chain, in_virtual_base, field->name);
	chain->of = member.die;
	chain->is_void = !die__real_type(&member.die, &chain->type);
	if (is_in_memory(chain) || chain->loc.kind == LOCATION_PIECES)
		chain->loc.offset += (u64)member.offset; /* wraps, as addresses do */
	else if (!location__take_part(&chain->loc, &chain->place->at, member.offset,
	                              type__size(&chain->type)))
		return chain__refuse(chain);
	return 0;
}

int chain__take_fields(struct chain *chain)
{
	const struct probe_arg *arg = chain->arg;
	int ret = 0;

	for (u32 i = 0; !ret && i < arg->nr_fields;) {
		if (chain->is_void && die__lacks_type(&chain->of))
			ret = chain__wrong(chain, unread_type, chain->name);
		else if (arg->fields[i].name)
			ret = chain__take_member(chain, &arg->fields[i++]);
		else
			ret = take_index(chain, &i);
	}
	return ret;
}

int chain__refuse(const struct chain *chain)
{
	const char *function = die__name(chain->place->at.function);

	if (chain->loc.kind == LOCATION_NONE) {
		error__set(chain->err, -ENODATA, "cannot fetch", chain->arg->text,
		           "'%s' has no value at this address%s", chain->name,
		           chain->loc.only_entry ? gone : ": it was optimized out");
		if (chain->loc.only_entry && function)
			error__advise(chain->err, "fetch it where the function begins: '%s %s'",
			              function, chain->arg->text);
		return -ENODATA;
	}
	return error__set(chain->err, -EOPNOTSUPP, "cannot fetch", chain->arg->text, "%s",
	                  chain->loc.why);
}

#else
extern int no_fetch_chain;
#endif
