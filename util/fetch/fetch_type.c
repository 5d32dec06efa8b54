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

struct bit_field {
	u64 width, first, size; /* in bits, in bits of the container, in bytes of that */
};

/*
 * Is it a bit field? Then the chain goes to its container. DWARF 4 counts bits from the member's
 * address on, before it was from the container's highest bit.
 */
static bool take_bit_field(struct chain *chain, struct bit_field *field)
{
	u64 from = 0;

	field->size = type__size(&chain->type);
	if (!die__number(&chain->of, DW_AT_bit_size, &field->width) || !field->size ||
	    field->size > 8)
		return false;
	if (die__number(&chain->of, DW_AT_data_bit_offset, &field->first)) {
		from = field->first / (8 * field->size) * field->size;
		field->first -= 8 * from;
	} else if (die__number(&chain->of, DW_AT_bit_offset, &field->first)) {
		die__number(&chain->of, DW_AT_byte_size, &field->size);
		field->first = 8 * field->size - field->first - field->width;
	} else {
		field->first = 0;
	}
	if (chain->loc.kind == LOCATION_REGISTER || chain->loc.kind == LOCATION_CONSTANT)
		location__take_part(&chain->loc, &chain->place->at, from, field->size);
	else
		chain->loc.offset += from;
	return field->first + field->width <= 8 * field->size && field->size <= 8 && field->width;
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

static char *own_type(struct chain *chain, char sign, const char **cut)
{
	Dwarf_Die *type = &chain->type;
	int tag = chain->is_void ? 0 : dwarf_tag(type);

	/* Of an array its first bytes, as the kernel fetches them untold. */
	if (!tag || tag == DW_TAG_array_type || tag == DW_TAG_subroutine_type)
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
	return dwarf_tag(type) == DW_TAG_base_type && type__size(type) == 1;
}

/* Texts are fetched at an address: that of an array, or the value of a pointer. */
static int take_text(struct chain *chain)
{
	int tag = chain->is_void ? 0 : dwarf_tag(&chain->type);
	Dwarf_Die of;

	if (!tag__is_pointer(tag) && tag != DW_TAG_array_type)
		return chain__wrong(chain, "'%s' is no array of or pointer to characters",
		                    chain->name);
	if (die__real_type(&chain->type, &of) && !is_char(&of))
		return chain__wrong(chain, "'%s' does not hold characters", chain->name);
	return tag__is_pointer(tag) ? chain__follow(chain)
	                            : chain__resolve(chain, type__size(&chain->type));
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

static int choose_type(struct chain *chain, char **type, const char **cut)
{
	const char *wanted = chain->arg->type;
	bool by_sign = wanted && *wanted && !wanted[1] && strchr("usx", *wanted);
	struct bit_field field;
	int ret = 0;

	*type = NULL;
	if (wanted && is_text(wanted)) {
		ret = take_text(chain);
		if (!ret)
			*type = xasprintf(":%s", wanted);
		return ret;
	}
	bool bits = !wanted && !chain->is_void && take_bit_field(chain, &field);

	ret = resolve(chain, bits ? field.size : chain->is_void ? 0 : type__size(&chain->type));
	if (ret)
		return ret;
	if (bits)
		*type = bit_type(chain, &field);
	else if (chain->loc.shift)
		ret = shifted_type(chain, wanted, type);
	else if (!wanted || by_sign)
		*type = own_type(chain, wanted ? *wanted : 0, cut);
	else
		*type = xasprintf(":%s", wanted);
	return ret;
}

int chain__choose_type(struct chain *chain, char **type, const char **cut)
{
	int ret = choose_type(chain, type, cut);
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
#else
extern int no_fetch_type;
#endif
