// SPDX-License-Identifier: GPL-2.0-or-later
#ifdef HAVE_LIBDW
#include "util/fetch/location.h"

#include <ctype.h>
#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "util/dwarf/dwarf_files.h"
#include "util/fetch/target.h"
#include "util/lib/alloc.h"

#define OPS_MAX 12 /* of an expression that the kernel could follow */

static const char no_sum[] = "it is the result of a computation";
static const char no_pieces[] = "it is spread over several places";
static const char no_bits[] = "it lies in pieces that are no whole bytes";
static const char no_register[] = "it is in a register that probes cannot read";
static const char no_frame[] = "where the frame lies is not known there";
static const char no_base[] = "it is in memory of a thread or a machine of its own";

static void set(struct location *loc, enum location_kind kind, s64 offset)
{
	*loc = (struct location){ .kind = kind, .offset = offset };
}

static void fail(struct location *loc, const char *why)
{
	*loc = (struct location){ .kind = LOCATION_OTHER, .why = why };
}

const char *location__register(const struct probe_target *target, u32 number)
{
	static char name[8]; /* of one thread: see target.h */
	const struct arch *arch = arch__of_object(target->elf.machine);

	for (u32 bit = 0; arch->registers && bit < 64; bit++) {
		if (!arch->registers[bit] || arch->columns[bit] != number)
			continue;
		u32 i = 0;

		for (; arch->registers[bit][i] && i + 1 < sizeof(name); i++)
			name[i] = tolower((u8)arch->registers[bit][i]);
		name[i] = '\0';
		/* The kernel's name of arm64's link register. */
		return arch->leaf_link && !strcmp(name, "lr") ? "x30" : name;
	}
	return NULL;
}

static void set_register(struct location *loc, const struct location_place *at, u64 number,
                         enum location_kind kind, s64 offset)
{
	const char *name = number < NO_COLUMN ? location__register(at->target, number) : NULL;

	if (!name) {
		fail(loc, no_register);
		return;
	}
	set(loc, kind, offset);
	snprintf(loc->base, sizeof(loc->base), "%%%s", name);
}

/* ---- expressions ---- */

static void evaluate(struct location *loc, const struct location_place *at, Dwarf_Attribute *attr,
                     const Dwarf_Op *ops, size_t nr, bool frame);

static bool find_expression(Dwarf_Attribute *attr, u64 addr, Dwarf_Op **ops, size_t *nr)
{
	return dwarf_getlocation_addr(attr, addr, ops, nr, 1) == 1;
}

/* The frame base: a place in memory, of which the offset counts. */
static void frame_base(struct location *loc, const struct location_place *at)
{
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t nr;

	fail(loc, no_frame);
	if (!at->function || !dwarf_attr_integrate(at->function, DW_AT_frame_base, &attr) ||
	    !find_expression(&attr, at->addr, &ops, &nr) || !nr || ops[0].atom == DW_OP_fbreg)
		return;
	evaluate(loc, at, &attr, ops, nr, true);
	if (loc->kind == LOCATION_REGISTER) /* DW_OP_reg6: what it holds */
		loc->kind = LOCATION_MEMORY;
	else if (loc->kind != LOCATION_MEMORY)
		fail(loc, no_frame);
}

static void call_frame(struct location *loc, const struct location_place *at)
{
	u32 reg;
	s64 offset;

	if (probe_target__cfa(at->target, at->addr, &reg, &offset))
		set_register(loc, at, reg, LOCATION_MEMORY, offset);
	else
		fail(loc, no_frame);
}

/* What the function was called with is known at its entry only. */
static void entry_value(struct location *loc, const struct location_place *at,
                        Dwarf_Attribute *attr, const Dwarf_Op *op)
{
	Dwarf_Attribute inner;
	Dwarf_Op *ops;
	size_t nr;

	set(loc, LOCATION_NONE, 0);
	if (dwarf_getlocation_attr(attr, op, &inner) || dwarf_getlocation(&inner, &ops, &nr) ||
	    nr != 1 || ops[0].atom < DW_OP_reg0 || ops[0].atom > DW_OP_reg31)
		return;
	if (at->addr == at->entry)
		set_register(loc, at, ops[0].atom - DW_OP_reg0, LOCATION_REGISTER, 0);
	else
		loc->only_entry = true;
}

static void indexed_address(struct location *loc, Dwarf_Attribute *attr, const Dwarf_Op *op)
{
	Dwarf_Attribute indexed;
	Dwarf_Addr addr;

	if (!dwarf_getlocation_attr(attr, op, &indexed) && !dwarf_formaddr(&indexed, &addr))
		set(loc, LOCATION_ADDRESS, addr);
	else
		fail(loc, no_base);
}

static bool is_constant(const Dwarf_Op *op, s64 *value)
{
	if (op->atom >= DW_OP_lit0 && op->atom <= DW_OP_lit31) {
		*value = op->atom - DW_OP_lit0;
		return true;
	}
	switch (op->atom) {
	case DW_OP_const1u:
	case DW_OP_const1s:
	case DW_OP_const2u:
	case DW_OP_const2s:
	case DW_OP_const4u:
	case DW_OP_const4s:
	case DW_OP_const8u:
	case DW_OP_const8s:
	case DW_OP_constu:
	case DW_OP_consts:
		*value = op->number;
		return true;
	default:
		return false;
	}
}

/* The bytes of a value that is only in the debug information. */
static void implicit_value(struct location *loc, Dwarf_Attribute *attr, const Dwarf_Op *op)
{
	Dwarf_Block block;
	u64 value = 0;

	if (dwarf_getlocation_implicit_value(attr, op, &block) || block.length > sizeof(value)) {
		fail(loc, no_sum);
		return;
	}
	memcpy(&value, block.data, block.length);
	set(loc, LOCATION_CONSTANT, value);
}

/* The first operation; false: the rest counts for nothing. */
static bool first(struct location *loc, const struct location_place *at, Dwarf_Attribute *attr,
                  const Dwarf_Op *op, bool frame)
{
	s64 value;

	if (op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31) {
		set_register(loc, at, op->atom - DW_OP_reg0, LOCATION_REGISTER, 0);
	} else if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31) {
		set_register(loc, at, op->atom - DW_OP_breg0, LOCATION_MEMORY, op->number);
	} else if (is_constant(op, &value)) {
		set(loc, LOCATION_CONSTANT, value);
	} else {
		switch (op->atom) {
		case DW_OP_regx:
			set_register(loc, at, op->number, LOCATION_REGISTER, 0);
			break;
		case DW_OP_bregx:
			set_register(loc, at, op->number, LOCATION_MEMORY, op->number2);
			break;
		case DW_OP_fbreg:
			if (frame)
				return false;
			frame_base(loc, at);
			if (loc->kind == LOCATION_MEMORY)
				loc->offset += op->number; /* wraps, as addresses do */
			break;
		case DW_OP_call_frame_cfa:
			call_frame(loc, at);
			break;
		case DW_OP_addr:
			set(loc, LOCATION_ADDRESS, op->number);
			break;
		case DW_OP_addrx:
		case DW_OP_GNU_addr_index:
			indexed_address(loc, attr, op);
			break;
		case DW_OP_entry_value:
		case DW_OP_GNU_entry_value:
			entry_value(loc, at, attr, op);
			return loc->kind == LOCATION_REGISTER;
		case DW_OP_implicit_value:
			implicit_value(loc, attr, op);
			return false;
		case DW_OP_piece:
		case DW_OP_bit_piece:
			set(loc, LOCATION_NONE, 0);
			return false;
		default:
			fail(loc, op->atom == DW_OP_form_tls_address ||
			                          op->atom == DW_OP_GNU_push_tls_address
			                  ? no_base
			                  : no_sum);
			return false;
		}
	}
	return loc->kind != LOCATION_OTHER;
}

/* The stack's top is the value itself, not where it lies. */
static void stack_value(struct location *loc)
{
	if (loc->kind == LOCATION_MEMORY && !loc->offset)
		loc->kind = LOCATION_REGISTER;
	else if (loc->kind == LOCATION_MEMORY || loc->kind == LOCATION_ADDRESS)
		loc->kind = LOCATION_SUM;
}

/* "& 0xff": the lower bits count. */
static bool take_mask(struct location *loc, const Dwarf_Op *op)
{
	s64 value;

	if (!is_constant(op, &value) || value <= 0 || (value & (value + 1)))
		return false;
	u32 bits = 64 - __builtin_clzll(value);

	if (!loc->mask || bits < loc->mask)
		loc->mask = bits;
	return true;
}

/* Of a number that becomes one of another width the lower bits stay. */
static void convert(struct location *loc, const struct location_place *at, Dwarf_Attribute *attr,
                    const Dwarf_Op *op)
{
	u32 bits = at->target->elf.is64 ? 64 : 32; /* DW_OP_convert 0: an address */
	Dwarf_Die type;

	if (op->number) {
		Dwarf_Attribute encoding;
		Dwarf_Word value = DW_ATE_float;

		bits = 0;
		if (!dwarf_getlocation_die(attr, op, &type) &&
		    dwarf_attr(&type, DW_AT_encoding, &encoding) &&
		    !dwarf_formudata(&encoding, &value) &&
		    (value == DW_ATE_signed || value == DW_ATE_unsigned ||
		     value == DW_ATE_signed_char || value == DW_ATE_unsigned_char) &&
		    dwarf_bytesize(&type) > 0)
			bits = 8 * dwarf_bytesize(&type);
	}
	loc->kept = loc->converted ? min_u64(loc->kept, bits) : bits;
	loc->converted = true;
}

static void next(struct location *loc, const struct location_place *at, Dwarf_Attribute *attr,
                 const Dwarf_Op *op)
{
	bool memory = loc->kind == LOCATION_MEMORY || loc->kind == LOCATION_ADDRESS;

	if (op->atom == DW_OP_plus_uconst && memory)
		loc->offset += op->number;
	else if (op->atom == DW_OP_deref && memory && location__follow(loc, at, false))
		return;
	else if (op->atom == DW_OP_stack_value)
		stack_value(loc);
	else if (op->atom == DW_OP_convert && memory && !loc->offset)
		convert(loc, at, attr, op);
	else if (op->atom == DW_OP_piece || op->atom == DW_OP_bit_piece)
		fail(loc, no_pieces);
	else if (op->atom == DW_OP_form_tls_address || op->atom == DW_OP_GNU_push_tls_address)
		fail(loc, no_base);
	else
		fail(loc, no_sum);
}

static void evaluate(struct location *loc, const struct location_place *at, Dwarf_Attribute *attr,
                     const Dwarf_Op *ops, size_t nr, bool frame)
{
	set(loc, LOCATION_NONE, 0);
	if (!nr || !first(loc, at, attr, &ops[0], frame))
		return;
	bool from_entry = ops[0].atom == DW_OP_entry_value || ops[0].atom == DW_OP_GNU_entry_value;

	for (size_t i = 1; i < nr && i < OPS_MAX && loc->kind != LOCATION_OTHER; i++) {
		if (from_entry && ops[i].atom == DW_OP_stack_value)
			continue;
		if (i + 1 < nr && ops[i + 1].atom == DW_OP_and && take_mask(loc, &ops[i]))
			i++;
		else
			next(loc, at, attr, &ops[i]);
	}
	if (nr > OPS_MAX)
		fail(loc, no_sum);
	/* A constant on the stack is an address, which no variable has. */
	if (loc->kind == LOCATION_CONSTANT && ops[nr - 1].atom != DW_OP_stack_value)
		fail(loc, no_base);
}

static bool constant(struct location *loc, Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Sword value;
	Dwarf_Block block;
	u64 bytes = 0;

	if (!dwarf_attr_integrate(die, DW_AT_const_value, &attr))
		return false;
	if (!dwarf_formblock(&attr, &block) && block.length <= sizeof(bytes)) {
		memcpy(&bytes, block.data, block.length);
		set(loc, LOCATION_CONSTANT, bytes);
	} else if (!dwarf_formsdata(&attr, &value)) {
		set(loc, LOCATION_CONSTANT, value);
	} else {
		fail(loc, "it is a constant text");
	}
	return true;
}

/* gcc's link-time optimization forgets where globals are, but the linker knows. */
static void by_symbol(struct location *loc, const struct location_place *at, Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	const char *name = dwarf_attr_integrate(die, DW_AT_linkage_name, &attr) ||
	                                   dwarf_attr_integrate(die, DW_AT_name, &attr)
	                           ? dwarf_files__checked_string(&attr)
	                           : NULL;
	const struct probe_symbol *symbol =
	        name ? probe_target__data_symbol(at->target, name) : NULL;

	if (symbol)
		set(loc, LOCATION_ADDRESS, symbol->addr);
}

/* ---- pieces ---- */

static bool is_piece(const Dwarf_Op *op)
{
	return op->atom == DW_OP_piece || op->atom == DW_OP_bit_piece;
}

/* In bytes; 0: it is none of whole bytes. */
static u64 piece_size(const Dwarf_Op *op)
{
	if (op->atom == DW_OP_piece)
		return op->number;
	return op->number % 8 || op->number2 ? 0 : op->number / 8;
}

/* Is the value in pieces, and is any of them left? */
static bool in_pieces(const Dwarf_Op *ops, size_t nr, bool *any)
{
	bool pieces = false;

	*any = false;
	for (size_t i = 0; i < nr; i++) {
		*any |= is_piece(&ops[i]) && i && !is_piece(&ops[i - 1]);
		pieces |= is_piece(&ops[i]);
	}
	return pieces;
}

bool location__take_part(struct location *loc, const struct location_place *at, u64 offset,
                         u64 size)
{
	u64 word = at->target->elf.is64 ? 8 : 4;

	switch (loc->kind) {
	case LOCATION_MEMORY:
	case LOCATION_ADDRESS:
		loc->offset += offset;
		return true;
	case LOCATION_REGISTER:
		offset += loc->shift / 8;
		if (at->target->elf.swap || offset > word || size > word - offset) {
			fail(loc, no_pieces);
			return false;
		}
		if (offset && ((loc->mask && loc->mask < 8 * (offset + size)) ||
		               (loc->converted && loc->kept < 8 * (offset + size)))) {
			fail(loc, no_sum);
			return false;
		}
		loc->shift = 8 * offset;
		if (offset) {
			loc->mask = 0;
			loc->converted = false;
		}
		return true;
	case LOCATION_CONSTANT:
		if (offset >= 8 || size > 8 - offset) {
			fail(loc, no_sum);
			return false;
		}
		loc->offset = (u64)loc->offset >> 8 * offset;
		return true;
	default:
		fail(loc, no_sum);
		return false;
	}
}

void location__of_part(struct location *loc, const struct location_place *at, Dwarf_Die *die,
                       u64 offset, u64 size)
{
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t nr, first = 0;
	u64 from = 0;

	set(loc, LOCATION_NONE, 0); /* as what is behind the last piece */
	if (!dwarf_attr_integrate(die, DW_AT_location, &attr) ||
	    !find_expression(&attr, at->addr, &ops, &nr))
		return;
	for (size_t i = 0; i < nr && from <= offset; i++) {
		if (!is_piece(&ops[i]))
			continue;
		u64 piece = piece_size(&ops[i]);

		if (!piece) {
			fail(loc, no_bits);
			return;
		}
		if (offset - from < piece) {
			if (size > piece - (offset - from)) {
				fail(loc, no_pieces);
				return;
			}
			evaluate(loc, at, &attr, ops + first, i - first, false);
			if (loc->kind != LOCATION_NONE && loc->kind != LOCATION_OTHER)
				location__take_part(loc, at, offset - from, size);
			return;
		}
		from += piece;
		first = i + 1;
	}
}

void location__of_variable(struct location *loc, const struct location_place *at, Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t nr;
	bool any;

	set(loc, LOCATION_NONE, 0);
	if (!dwarf_attr_integrate(die, DW_AT_location, &attr)) {
		if (!constant(loc, die) && dwarf_hasattr_integrate(die, DW_AT_external))
			by_symbol(loc, at, die);
		return;
	}
	if (!find_expression(&attr, at->addr, &ops, &nr))
		return;
	if (in_pieces(ops, nr, &any))
		set(loc, any ? LOCATION_PIECES : LOCATION_NONE, 0);
	else
		evaluate(loc, at, &attr, ops, nr, false);
}

/* Does the frame base hold only once the function has set up its frame? */
static bool is_set_up_later(const struct location_place *at)
{
	Dwarf_Attribute attr;
	Dwarf_Addr *places = NULL;
	Dwarf_Op *ops;
	size_t nr;
	u32 reg, later_reg;
	s64 offset, later;

	if (!dwarf_attr_integrate(at->function, DW_AT_frame_base, &attr) ||
	    !find_expression(&attr, at->addr, &ops, &nr) || nr != 1 || ops[0].atom < DW_OP_reg0 ||
	    ops[0].atom > DW_OP_reg31)
		return false;
	bool moved = dwarf_entry_breakpoints(at->function, &places) > 0 &&
	             probe_target__cfa(at->target, at->addr, &reg, &offset) &&
	             probe_target__cfa(at->target, places[0], &later_reg, &later) &&
	             (reg != later_reg || offset != later);

	free(places);
	return moved;
}

/* Behind the entry, where the function may be about to store its parameters. */
static bool is_in_prologue(const struct location_place *at)
{
	Dwarf_Addr *places = NULL;
	bool is = at->addr > at->entry && dwarf_entry_breakpoints(at->function, &places) > 0 &&
	          at->addr < places[0];

	free(places);
	return is;
}

bool location__is_early(const struct location *loc, const struct location_place *at, Dwarf_Die *die)
{
	struct location frame;
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t nr;

	if (dwarf_tag(die) != DW_TAG_formal_parameter || !at->function ||
	    loc->kind != LOCATION_MEMORY || !dwarf_attr_integrate(die, DW_AT_location, &attr) ||
	    !find_expression(&attr, at->addr, &ops, &nr) || !nr || ops[0].atom != DW_OP_fbreg)
		return false;
	if (is_in_prologue(at)) /* what the caller put on the stack is above the frame's base */
		return (s64)ops[0].number < 0 || is_set_up_later(at);
	if (at->addr != at->entry)
		return false;
	call_frame(&frame, at); /* there it is the stack pointer, below which nothing is yet */
	return (frame.kind == LOCATION_MEMORY && loc->offset < 0 &&
	        !strcmp(loc->base, frame.base)) ||
	       is_set_up_later(at);
}

/* ---- texts ---- */

static void print(const struct location *loc, const struct location_place *at, char *buf,
                  size_t size, bool user)
{
	switch (loc->kind) {
	case LOCATION_REGISTER:
		snprintf(buf, size, "%s", loc->base);
		break;
	case LOCATION_MEMORY:
		snprintf(buf, size, "%+lld(%s)", (long long)loc->offset, loc->base);
		if (user && strlen(buf) + 1 < size) { /* "+u8(%di)" */
			memmove(buf + 2, buf + 1, strlen(buf));
			buf[1] = 'u';
		}
		break;
	case LOCATION_ADDRESS: {
		const struct probe_symbol *symbol =
		        at->target->is_kernel ? probe_target__data_at(at->target, loc->offset)
		                              : NULL;

		if (symbol) {
			snprintf(buf, size, "@%s+%llu", symbol->name,
			         (unsigned long long)(loc->offset - symbol->addr));
			break;
		}
		if (at->target->is_kernel) {
			snprintf(buf, size, "@0x%llx", (unsigned long long)loc->offset);
			break;
		}
		/*
		 * The kernel adds the number to where the file's first byte would be mapped, seen
		 * from the probe. So it is no place in the file, but as far from the code. (lld
		 * maps data that is only read in front of that: the kernel takes a sign there.)
		 */
		u64 offset = probe_target__offset(at->target, at->addr);
		s64 away = loc->offset - (at->addr - offset);

		snprintf(buf, size, away < 0 ? "@+-0x%llx" : "@+0x%llx",
		         away < 0 ? -(u64)away : (unsigned long long)away);
		break;
	}
	case LOCATION_CONSTANT:
		snprintf(buf, size, "\\%lld", (long long)loc->offset);
		break;
	default:
		*buf = '\0';
		break;
	}
}

bool location__follow(struct location *loc, const struct location_place *at, bool user)
{
	char text[LOCATION_MAX + 40];

	/* What a pointer points to that is no more than the address of something. */
	if (loc->kind == LOCATION_SUM) {
		loc->kind = *loc->base ? LOCATION_MEMORY : LOCATION_ADDRESS;
		return true;
	}
	print(loc, at, text, sizeof(text), user);
	if (strlen(text) >= LOCATION_MAX || loc->kind == LOCATION_CONSTANT)
		return false;
	set(loc, LOCATION_MEMORY, 0);
	memcpy(loc->base, text, strlen(text) + 1);
	return true;
}

char *location__text(const struct location *loc, const struct location_place *at, bool user)
{
	char text[LOCATION_MAX + 40];

	print(loc, at, text, sizeof(text), user);
	return xstrdup(text);
}
#else
extern int no_location;
#endif
