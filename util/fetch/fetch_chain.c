// SPDX-License-Identifier: GPL-2.0-or-later
/* Chains: ->, . and [] from a variable on, through its types. */
#ifdef HAVE_LIBDW
#include <dwarf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "util/fetch/fetch_private.h"
#include "util/options/nearest.h"

#define MEMBERS_MAX 8000 /* looked at for one name; of structs in structs too */

static const char gone[] = " any more: only what the function was called with is known";
static const char to_void[] = "'%s' points to void";
static const char no_target[] = "what '%s' points to is not described where it is used";
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
		            : die__real_type(&die, &inner) &&
		                      find_member(&inner, name, budget, member, offset)) {
			if (own && tag == DW_TAG_member)
				*member = die;
			*offset += at;
			return true;
		}
	} while (die__next(&die));
	return false;
}

static bool offer_name(void *ctx, Dwarf_Die *die)
{
	const char *name = die__name(die);

	if (name)
		nearest__offer(ctx, name);
	return false;
}

static void offer_members(struct nearest *near, Dwarf_Die *type)
{
	Dwarf_Die die;

	if (!die__child(type, &die))
		return;
	do
		if (dwarf_tag(&die) == DW_TAG_member)
			offer_name(near, &die);
	while (die__next(&die));
}

static int no_member(const struct chain *chain, Dwarf_Die *type, const char *name)
{
	struct nearest near;
	char text[200];

	if (dwarf_hasattr(type, DW_AT_declaration))
		return chain__wrong(chain, no_members, chain->name);
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
	bool by_reference = !chain->is_void && tag__is_reference(dwarf_tag(&chain->type));
	int ret = chain__take_referred(chain);
	int tag = chain->is_void ? 0 : dwarf_tag(&chain->type);
	Dwarf_Die member, type = chain->type;
	u32 budget = MEMBERS_MAX;
	s64 offset = 0;

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
	if (!find_member(&type, field->name, &budget, &member, &offset))
		return no_member(chain, &type, field->name);
	chain->of = member;
	chain->is_void = !die__real_type(&member, &chain->type);
	if (is_in_memory(chain) || chain->loc.kind == LOCATION_PIECES)
		chain->loc.offset += (u64)offset; /* wraps, as addresses do */
	else if (!location__take_part(&chain->loc, &chain->place->at, offset,
	                              type__size(&chain->type)))
		return chain__refuse(chain);
	chain->name = field->name;
	chain->row = 0;
	return 0;
}

int chain__take_fields(struct chain *chain)
{
	const struct probe_arg *arg = chain->arg;
	int ret = 0;

	for (u32 i = 0; !ret && i < arg->nr_fields;) {
		if (arg->fields[i].name)
			ret = take_member(chain, &arg->fields[i++]);
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
