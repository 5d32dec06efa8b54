// SPDX-License-Identifier: GPL-2.0-or-later
/* Types of the debug information as those that the kernel fetches. */
#ifdef HAVE_LIBDW
#include <dwarf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/fetch/fetch_private.h"
#include "util/fetch/target.h"
#include "util/lib/alloc.h"

#define ELEMENTS_MAX 64 /* of an array: the kernel's MAX_ARRAY_LEN */

static const char not_in_memory[] = "the array '%s' is not in memory there";

/* 's' or 'x'. Of an enumeration as its numbers are, which it or their type tells. */
static char signedness(Dwarf_Die *type)
{
	Dwarf_Die of = *type, numbers;
	Dwarf_Attribute attr;
	Dwarf_Word encoding = 0;

	if (dwarf_tag(&of) == DW_TAG_enumeration_type && !dwarf_hasattr(&of, DW_AT_encoding) &&
	    die__real_type(&of, &numbers))
		of = numbers;
	if ((dwarf_tag(&of) != DW_TAG_base_type && dwarf_tag(&of) != DW_TAG_enumeration_type) ||
	    !dwarf_attr(&of, DW_AT_encoding, &attr) || dwarf_formudata(&attr, &encoding))
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

struct bit_field {
	u64 width, first, size; /* in bits, in bits of the container, in bytes of that */
};

/* Is all of it in its container, which probes can fetch? */
static bool is_inside(const struct bit_field *field)
{
	return field->size && field->size <= 8 && field->width && field->width <= 64 &&
	       field->first <= 8 * field->size - field->width && field->width <= 8 * field->size;
}

/*
 * Put the container where the field is, as near to what the compiler would read as can be: packed
 * ones begin in one and end in the next. Returns how many bytes it went on.
 */
static u64 place_container(const struct chain *chain, struct bit_field *field)
{
	u64 from = 0;

	if (field->size && field->size <= 8) {
		from = field->first / (8 * field->size) * field->size;
		field->first -= 8 * from;
	}
	if (!is_inside(field) && !chain->place->at.target->elf.swap) {
		from += field->first / 8;
		field->first %= 8;
		field->size = 1;
		while (field->size < 8 && !is_inside(field))
			field->size *= 2;
	}
	return from;
}

/*
 * Is it a bit field? Then the chain goes to its container: 1. Else 0, or an error. DWARF 4 counts
 * bits from the member's address on, before it was from the container's highest bit.
 */
static int take_bit_field(struct chain *chain, struct bit_field *field)
{
	u64 from;

	if (chain->is_void || dwarf_tag(&chain->of) != DW_TAG_member ||
	    !die__number(&chain->of, DW_AT_bit_size, &field->width))
		return 0;
	field->size = type__size(&chain->type);
	if (die__number(&chain->of, DW_AT_data_bit_offset, &field->first)) {
		/* as it is */
	} else if (die__number(&chain->of, DW_AT_bit_offset, &field->first)) {
		die__number(&chain->of, DW_AT_byte_size, &field->size);
		field->first = 8 * field->size - field->first - field->width;
	} else {
		field->first = 0;
	}
	from = place_container(chain, field);
	if (!is_inside(field))
		return chain__wrong(chain,
		                    "'%s' is a bit field in more bytes than probes fetch at once",
		                    chain->name);
	if (chain->loc.kind == LOCATION_REGISTER || chain->loc.kind == LOCATION_CONSTANT)
		location__take_part(&chain->loc, &chain->place->at, from, field->size);
	else
		chain->loc.offset += from;
	return 1;
}

/* "b3@5/32": width, first bit, container. What is shifted in a register has that as its container.
 */
static char *bit_type(const struct chain *chain, const struct bit_field *field)
{
	u32 shift = chain->loc.shift, word = chain->place->at.target->elf.is64 ? 64 : 32;

	return xasprintf(":b%llu@%llu/%llu", (unsigned long long)field->width,
	                 (unsigned long long)field->first + shift,
	                 shift ? word : 8 * (unsigned long long)field->size);
}

/* The widest that the kernel has and the type fills. */
static u64 fetch_bits(u64 size)
{
	return size >= 8 ? 64 : size >= 4 ? 32 : size >= 2 ? 16 : 8;
}

/*
 * An array of @bytes in memory, or a row of one, as ":s16[4]": up to ELEMENTS_MAX of its numbers,
 * also if it has rows. @type: its own, or of what the row holds. NULL: it holds no numbers, or how
 * many is not known.
 */
static char *array_type(Dwarf_Die *type, u64 bytes, char sign, struct fetch_notes *notes)
{
	Dwarf_Die element = *type;
	bool found = true;
	u64 size, nr;

	for (u32 i = 0; found && i < TYPES_MAX && dwarf_tag(&element) == DW_TAG_array_type; i++) {
		Dwarf_Die row = element;

		found = die__real_type(&row, &element);
	}
	if (!found || tag__is_compound(dwarf_tag(&element)) ||
	    dwarf_tag(&element) == DW_TAG_array_type)
		return NULL;
	size = type__size(&element);
	nr = size ? bytes / size : 0;
	if (!nr || size > 8 || (size & (size - 1)))
		return NULL;
	if (nr > ELEMENTS_MAX)
		notes->array = "has more elements than probes fetch: the first 64 are read";
	return xasprintf(":%c%llu[%llu]", sign ? sign : signedness(&element),
	                 (unsigned long long)fetch_bits(size),
	                 (unsigned long long)min_u64(nr, ELEMENTS_MAX));
}

/* A row of an array is one, too. */
static bool is_array(const struct chain *chain)
{
	Dwarf_Die type = chain->type;

	return chain->row || (!chain->is_void && dwarf_tag(&type) == DW_TAG_array_type);
}

static u64 array_size(struct chain *chain)
{
	return chain->row ? chain->row : type__size(&chain->type);
}

static char *own_type(struct chain *chain, char sign, struct fetch_notes *notes)
{
	Dwarf_Die *type = &chain->type;
	int tag = chain->is_void ? 0 : dwarf_tag(type);

	if (is_array(chain)) { /* of another one its first bytes */
		char *numbers = array_type(type, array_size(chain), sign, notes);

		if (!numbers)
			notes->array =
			        array_size(chain)
			                ? "is no array of numbers: its first 8 bytes are read"
			                : "is an array of an unknown length: 8 bytes are read";
		return numbers ? numbers : xstrdup("");
	}
	if (!tag || tag == DW_TAG_subroutine_type)
		return xstrdup("");
	if (tag__is_pointer(tag) && !dwarf_hasattr(type, DW_AT_byte_size))
		return sign ? xasprintf(":%c64", sign) : xstrdup("");
	u64 size = type__size(type);
	u32 mask = chain->loc.mask;

	/* (A _Bool's other bits are zero by the ABI.) */
	if (mask && mask < 8 * size && size <= 8 && !is_bool(type))
		return xasprintf(":b%u@0/%llu", mask, (unsigned long long)(8 * size));
	if (!size)
		return xstrdup("");
	if (size > 8)
		notes->cut = die__name(type) ? die__name(type) : "the type";
	return xasprintf(":%c%llu", sign ? sign : signedness(type),
	                 (unsigned long long)fetch_bits(size));
}

static bool is_text(const char *type)
{
	return !strcmp(type, "string") || !strcmp(type, "ustring");
}

static bool is_char(Dwarf_Die *type)
{
	return dwarf_tag(type) == DW_TAG_base_type && type__size(type) == 1;
}

static bool is_in_memory(const struct chain *chain)
{
	return chain->loc.kind != LOCATION_REGISTER && chain->loc.kind != LOCATION_CONSTANT;
}

/* Texts are fetched at an address: that of an array, or the value of a pointer. */
static int take_text(struct chain *chain, struct fetch_notes *notes)
{
	int tag = chain->is_void ? 0 : dwarf_tag(&chain->type), ret;
	bool array = is_array(chain);
	Dwarf_Die of = chain->type;

	if (!array && !tag__is_pointer(tag))
		return chain__wrong(chain, "'%s' is no array of or pointer to characters",
		                    chain->name);
	if ((chain->row || die__real_type(&chain->type, &of)) && !is_char(&of))
		return chain__wrong(chain, "'%s' does not hold characters", chain->name);
	if (!array)
		return chain__follow(chain);
	notes->text = array_size(chain);
	ret = chain__resolve(chain, type__size(&chain->type));
	return ret || is_in_memory(chain) ? ret : chain__wrong(chain, not_in_memory, chain->name);
}

/* Of a variable in pieces one of them is taken: a struct is mostly in several. */
static int resolve(struct chain *chain, u64 size)
{
	bool pieces = chain->loc.kind == LOCATION_PIECES;
	int ret = chain__resolve(chain, size);

	if (ret == -EOPNOTSUPP && pieces && !chain->is_void &&
	    tag__is_compound(dwarf_tag(&chain->type)))
		error__advise(chain->err, "take a member of it: '%s.NAME'", chain->arg->text);
	return ret;
}

/*
 * What is not at a register's beginning is fetched as bits of it, which the kernel takes for
 * unsigned.
 */
static int shifted_type(struct chain *chain, const char *wanted, char **type)
{
	struct bit_field field = { .size = type__size(&chain->type) };
	char *end, sign = wanted ? *wanted : signedness(&chain->type);

	field.width = fetch_bits(field.size);
	if (wanted && wanted[1]) {
		field.width = strtoul(wanted + 1, &end, 10);
		if (*end || field.width > 8 * field.size || !strchr("usx", *wanted))
			return chain__wrong(chain,
			                    "'%s' is in the middle of a register, of which "
			                    "probes fetch plain numbers only",
			                    chain->name);
	}
	if (sign == 's')
		return chain__wrong(chain,
		                    "'%s' is in the middle of a register, from where probes fetch "
		                    "no sign: give it the type 'u'",
		                    chain->name);
	*type = bit_type(chain, &field);
	return 0;
}

/* "u", "s8", "x64": *bits is 0 without a number. */
static bool is_number(const char *type, u64 *bits)
{
	char *end = (char *)type;

	*bits = 0;
	if (!*type || !strchr("usx", *type))
		return false;
	if (type[1])
		*bits = strtoul(type + 1, &end, 10);
	return !type[1] || (!*end && *bits >= 8 && *bits <= 64 && !(*bits & (*bits - 1)));
}

/* Is the field a number of its own in the bytes there? Then the chain goes to it. */
static bool take_whole(struct chain *chain, const struct bit_field *field)
{
	u64 width = field->width;
	bool bytes = width >= 8 && !(width & (width - 1)) && !(field->first % 8);

	if (!bytes || chain->loc.shift || (field->first && !is_in_memory(chain)) ||
	    chain->place->at.target->elf.swap)
		return false;
	chain->loc.offset += field->first / 8;
	return true;
}

/*
 * A bit field stays one whatever type it is given, as what is around it is of others. The kernel
 * takes its bits for unsigned.
 */
static int bit_field_type(struct chain *chain, struct bit_field *field, const char *wanted,
                          struct fetch_notes *notes, char **type)
{
	char sign = wanted ? *wanted : signedness(&chain->type);
	u64 bits = field->width;

	if (chain->loc.mask && chain->loc.mask < field->first + field->width) {
		chain->loc.kind = LOCATION_OTHER;
		chain->loc.why = "it is the result of a computation";
		return chain__refuse(chain);
	}
	if (wanted && *wanted == 'b' && !chain->loc.shift) { /* of the container: as it was asked */
		*type = xasprintf(":%s", wanted);
		return 0;
	}
	if (wanted && !is_number(wanted, &bits))
		return chain__wrong(chain,
		                    "'%s' is a bit field, of which probes fetch plain numbers only",
		                    chain->name);
	bits = bits ? bits : field->width;
	if (bits == field->width && (sign == 's' || (wanted && wanted[1])) &&
	    take_whole(chain, field)) {
		*type = xasprintf(":%c%llu", sign, (unsigned long long)bits);
		return 0;
	}
	if (wanted && sign == 's')
		return chain__wrong(
		        chain,
		        "'%s' is a bit field, of which probes fetch no sign: give it the "
		        "type 'u'",
		        chain->name);
	notes->lost_sign = sign == 's';
	field->width = min_u64(field->width, bits);
	*type = bit_type(chain, field);
	return 0;
}

/* The bytes of an array in a register are a number at most, if one is asked for. */
static int check_array(struct chain *chain, const char *wanted)
{
	u64 bits = 0;
	bool sized = wanted && (!is_number(wanted, &bits) || bits);

	if (chain->is_void || dwarf_tag(&chain->type) != DW_TAG_array_type || is_in_memory(chain) ||
	    (sized && bits <= 8 * type__size(&chain->type)))
		return 0;
	return chain__wrong(chain, not_in_memory, chain->name);
}

static int choose_type(struct chain *chain, char **type, struct fetch_notes *notes)
{
	const char *wanted = chain->arg->type;
	struct bit_field field;
	int ret = chain__take_referred(chain), bits;

	*type = NULL;
	if (!ret && chain->is_void && (!wanted || !wanted[0] || !wanted[1]))
		ret = chain__check_type(chain, &chain->of);
	if (ret)
		return ret;
	if (wanted && is_text(wanted)) {
		ret = take_text(chain, notes);
		if (!ret)
			*type = xasprintf(":%s", wanted);
		return ret;
	}
	bits = take_bit_field(chain, &field);
	if (bits < 0)
		return bits;
	ret = resolve(chain, bits ? field.size : chain->is_void ? 0 : type__size(&chain->type));
	if (!ret)
		ret = check_array(chain, wanted);
	if (ret)
		return ret;
	if (bits)
		ret = bit_field_type(chain, &field, wanted, notes, type);
	else if (chain->loc.shift)
		ret = shifted_type(chain, wanted, type);
	else if (!wanted || (*wanted && !wanted[1] && strchr("usx", *wanted)))
		*type = own_type(chain, wanted ? *wanted : 0, notes);
	else if (strchr(wanted, '[') && !is_in_memory(chain))
		ret = chain__wrong(chain, "'%s' is not in memory there, as arrays are",
		                   chain->name);
	else
		*type = xasprintf(":%s", wanted);
	return ret;
}

int chain__choose_type(struct chain *chain, char **type, struct fetch_notes *notes)
{
	int ret = choose_type(chain, type, notes);
	u64 bits = chain->is_void ? 0 : 8 * type__size(&chain->type);

	/* By the ABI a _Bool is 0 or 1, whatever it is converted through. */
	bool whole = !chain->loc.converted || (bits && bits <= chain->loc.kept) ||
	             (bits && is_bool(&chain->type));

	if (!ret && (chain->loc.kind == LOCATION_SUM || !whole)) {
		chain->loc.why = "it is the result of a computation";
		ret = chain__refuse(chain);
	}
	return ret;
}
/* ---- what functions return ---- */

/* Why a value of @type (NULL: void) is not what the kernel calls $retval; NULL: it is that. */
static const char *not_in_retval(Dwarf_Die *type)
{
	Dwarf_Attribute attr;
	Dwarf_Word encoding = 0;
	int tag = type ? dwarf_tag(type) : 0;

	if (!type)
		return "the function returns nothing (void)";
	if (tag == DW_TAG_array_type)
		return "vectors are returned in a register that probes cannot read";
	if (tag__is_compound(tag))
		return "it is a struct, of which the register has a part or the address";
	if (tag != DW_TAG_base_type || !dwarf_attr(type, DW_AT_encoding, &attr) ||
	    dwarf_formudata(&attr, &encoding))
		return NULL;
	bool floats = encoding == DW_ATE_float || encoding == DW_ATE_complex_float ||
	              encoding == DW_ATE_imaginary_float || encoding == DW_ATE_decimal_float;

	return floats ? "floating point is returned in a register that probes cannot read" : NULL;
}

int chain__take_retval(struct chain *chain)
{
	struct location *loc = &chain->loc;
	Dwarf_Die *function = chain->place->at.function;
	const char *why;

	if (!chain->place->is_return)
		return chain__wrong(chain, "%s is what a function returned: probe its %%return",
		                    chain->name);
	chain->variable = chain->of = *function;
	chain->is_void = !die__real_type(function, &chain->type);
	*loc = (struct location){ .kind = LOCATION_REGISTER, .base = "$retval" };
	why = not_in_retval(chain->is_void ? NULL : &chain->type);
	if (!why)
		return 0;
	return error__set(chain->err, -EOPNOTSUPP, "cannot fetch", chain->arg->text, "%s", why);
}

/*
 * A reference is what it refers to, as a variable is, if that is a number or a pointer: *@chain
 * has its type then. One to other things is their address.
 */
static bool follow_returned(struct chain *chain)
{
	Dwarf_Die of;
	int tag;

	if (!tag__is_reference(dwarf_tag(&chain->type)) || !die__real_type(&chain->type, &of))
		return false;
	tag = dwarf_tag(&of);
	if (tag != DW_TAG_base_type && tag != DW_TAG_enumeration_type && !tag__is_pointer(tag))
		return false;
	chain->type = of;
	return true;
}

bool fetch__returns_reference(const struct fetch_place *place)
{
	Dwarf_Die type;

	return die__real_type(place->at.function, &type) && tag__is_reference(dwarf_tag(&type));
}

char *fetch__retval(const struct fetch_place *place, struct fetch_notes *notes, struct error *err)
{
	struct chain chain = { .place = place, .loc = { .kind = LOCATION_REGISTER } };
	bool any = die__real_type(place->at.function, &chain.type);
	const char *why = die__lacks_type(place->at.function)
	                          ? "its type is in debug information that cannot be read"
	                          : not_in_retval(any ? &chain.type : NULL);
	const char *name = die__name(place->at.function);
	char *type, *text;

	if (why) {
		char *what = xasprintf("cannot fetch $retval of '%s'", name ? name : "it");

		error__set(err, -EOPNOTSUPP, what, NULL, "%s", why);
		error__advise(err, "with a type ('$retval:x64') the register is fetched as it is");
		free(what);
		return NULL;
	}
	*notes = (struct fetch_notes){ .cut = NULL };
	bool follows = follow_returned(&chain);

	type = own_type(&chain, 0, notes);
	text = xasprintf(follows ? "+0($retval)%s" : "$retval%s", type);
	free(type);
	return text;
}
#else
extern int no_fetch_type;
#endif
