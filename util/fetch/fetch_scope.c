// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Names that C++ looks up in the classes and functions around a function before it comes to the
 * variables outside: members of the object, enumerators, variables of the function around a lambda.
 * What cannot be read so is refused, since a variable outside of that name is another one.
 */
#ifdef HAVE_LIBDW
#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/fetch/fetch_private.h"
#include "util/fetch/globals.h"

#define AROUND_MAX 8 /* functions around classes in functions around ... */

/* The object there: "this", of the innermost function, inlined or not. */
static bool find_this(const struct fetch_place *place, Dwarf_Die *this)
{
	for (u32 i = place->nr_scopes; i-- > 0;) {
		Dwarf_Die scope = place->scopes[i];

		if (die__child(&scope, this))
			do {
				int tag = dwarf_tag(this);

				if ((tag == DW_TAG_formal_parameter || tag == DW_TAG_variable) &&
				    die__has_name(this, "this"))
					return true;
			} while (die__next(this));
		if (dwarf_tag(&scope) == DW_TAG_inlined_subroutine)
			break;
	}
	return false;
}

/* The class that a pointer points to. */
static bool class_of(Dwarf_Die *pointer, Dwarf_Die *class)
{
	Dwarf_Die type;

	return die__real_type(pointer, &type) && tag__is_pointer(dwarf_tag(&type)) &&
	       die__real_type(&type, class) && tag__is_compound(dwarf_tag(class));
}

/* An enumerator that is named without its type there. */
static bool has_enumerator(Dwarf_Die *scope, const char *name, Dwarf_Die *found)
{
	Dwarf_Die die;

	if (!die__child(scope, &die))
		return false;
	do {
		if (dwarf_tag(&die) != DW_TAG_enumeration_type ||
		    dwarf_hasattr_integrate(&die, DW_AT_enum_class) || !die__child(&die, found))
			continue;
		do
			if (dwarf_tag(found) == DW_TAG_enumerator && die__has_name(found, name))
				return true;
		while (die__next(found));
	} while (die__next(&die));
	return false;
}

static bool has_variable(Dwarf_Die *scope, const char *name)
{
	Dwarf_Die die;

	if (!die__child(scope, &die))
		return false;
	do {
		int tag = dwarf_tag(&die);

		if ((tag == DW_TAG_variable || tag == DW_TAG_formal_parameter) &&
		    die__has_name(&die, name))
			return true;
	} while (die__next(&die));
	return false;
}

static int refuse(const char *name, struct error *err, const char *what, Dwarf_Die *of)
{
	const char *owner = of ? die__name(of) : NULL;
	int ret = error__set(err, -EINVAL, "cannot fetch", name, "there that is %s%s%s%s", what,
	                     owner ? " '" : "", owner ? owner : "", owner ? "'" : "");

	error__advise(err, "a variable outside of all is named '::%s'", name);
	return ret;
}

static int refuse_enumerator(const char *name, struct error *err, Dwarf_Die *enumerator)
{
	Dwarf_Attribute attr;
	Dwarf_Sword value;
	int ret = refuse(name, err, "an enumerator, which has no place", NULL);

	if (dwarf_attr(enumerator, DW_AT_const_value, &attr) && !dwarf_formsdata(&attr, &value))
		error__advise(err, "its value is always %lld", (long long)value);
	return ret;
}

/* 1: it is a variable of that scope, static members included. 0: not found there. */
static int look_at(Dwarf_Die *scope, const char *name, struct error *err)
{
	bool is_static;
	Dwarf_Die enumerator;
	int tag = dwarf_tag(scope);

	if (has_enumerator(scope, name, &enumerator))
		return refuse_enumerator(name, err, &enumerator);
	if (tag__is_compound(tag)) {
		if (!type__has_member(scope, name, &is_static))
			return 0;
		return is_static ? 1
		                 : refuse(name, err, "a member, and no object is known of", scope);
	}
	if (!has_variable(scope, name))
		return 0;
	return tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block
	               ? refuse(name, err, "a variable of the function around", scope)
	               : 1;
}

/* The scopes around the function, also those around a function that it is in. */
static int look_around(Dwarf_Die *function, const char *name, struct error *err, u32 depth)
{
	Dwarf_Die parents[DEPTH_MAX];
	Dwarf_Die origin = die__origin(function);
	int ret = 0;

	for (u32 i = die__parents(&origin, parents); i-- > 0 && !ret;) {
		ret = look_at(&parents[i], name, err);
		if (!ret && dwarf_tag(&parents[i]) == DW_TAG_subprogram && depth < AROUND_MAX)
			return look_around(&parents[i], name, err, depth + 1);
	}
	return ret;
}

int scope__find_member(const struct fetch_place *place, const char *name, Dwarf_Die *this,
                       u32 *steps, struct error *err)
{
	Dwarf_Die class, inner, member, function = place__function(place);
	bool is_static = false;
	int ret;

	if (strstr(name, "::") || !place->nr_scopes)
		return 0;
	*steps = 0;
	if (find_this(place, this) && class_of(this, &class)) {
		if (dwarf_hasattr(&class, DW_AT_declaration))
			return refuse(name, err,
			              "maybe a member of what is only declared there:", &class);
		if (type__has_member(&class, name, &is_static))
			return !is_static;
		/* clang's lambdas: the object around is a member of theirs. */
		if (type__member(&class, "this", &member) && class_of(&member, &inner) &&
		    type__has_member(&inner, name, &is_static)) {
			*steps = 1;
			return !is_static;
		}
	}
	ret = look_around(&function, name, err, 0);
	return ret < 0 ? ret : 0;
}

int scope__check_block(Dwarf_Die *scope, const char *name, struct error *err)
{
	Dwarf_Die enumerator, origin = die__origin(scope);

	if (has_enumerator(scope, name, &enumerator) || has_enumerator(&origin, name, &enumerator))
		return refuse_enumerator(name, err, &enumerator);
	return 0;
}
#else
extern int no_fetch_scope;
#endif
