// SPDX-License-Identifier: GPL-2.0-or-later
/* Types of the debug information as those that the kernel fetches. */
#ifdef HAVE_LIBDW
#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/fetch/fetch_private.h"
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

/*
 * "b3@5/32" for a bit field: its width, first bit and container. DWARF 4 counts bits from the
 * member's address on, before it was from the container's highest bit.
 */
static char *bit_type(struct chain *chain)
{
	u64 width, first, size = type__size(&chain->type);

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
	if (tag__is_pointer(tag) && !dwarf_hasattr(type, DW_AT_byte_size))
		return sign ? xasprintf(":%c64", sign) : xstrdup("");
	char *bits = sign ? NULL : bit_type(chain);
	u64 size = type__size(type);
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
	return tag__is_pointer(tag) ? chain__follow(chain) : 0;
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

int chain__choose_type(struct chain *chain, char **type, const char **cut)
{
	int ret = choose_type(chain, type, cut);

	/* By the ABI a _Bool is 0 or 1, whatever it is converted through. */
	if (!ret && (chain->loc.kind == LOCATION_SUM ||
	             (chain->loc.converted && (chain->is_void || !is_bool(&chain->type))))) {
		chain->loc.why = "it is the result of a computation";
		ret = chain__refuse(chain);
	}
	return ret;
}
#else
extern int no_fetch_type;
#endif
