// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Vector instructions of x86-64 that capstone 4 cannot decode: masks, and those with masks that the
 * C library's string functions are made of. For whatever else begins with a VEX or EVEX prefix its
 * length is found, so that the instructions behind it are decoded where they begin.
 */
#include "util/disasm/text_private.h"

#ifdef HAVE_CAPSTONE
#include <stdio.h>
#include <string.h>

/* How the operands are encoded; in AT&T's order. */
enum form {
	RM_V_REG,     /* rm, vvvv, reg */
	RM_V_MASK,    /* rm, vvvv, mask register */
	COMPARE,      /* the same, the predicate in the name */
	RM_REG,       /* rm, reg */
	ELEMENT_REG,  /* rm is one element: of an xmm register or of memory */
	GENERAL_REG,  /* rm is a general register */
	RM_V,         /* imm, rm, vvvv; reg is part of the opcode */
	MASK_MASK,    /* masks: rm, reg */
	MASK_V_MASK,  /* masks: rm, vvvv, reg */
	MASK_GENERAL, /* a general register to a mask, ... */
	GENERAL_MASK, /* ... and back */
};

enum { ANY = 2 }; /* of W */

struct vector_row {
	u8 evex, map, pp, w, opcode, form;
	u8 imm;       /* has an immediate byte */
	u8 element;   /* bytes of one, for broadcasts */
	int8_t digit; /* reg, where it is part of the opcode; -1 */
	const char *name;
};

/* pp: 0 none, 1 66, 2 f3, 3 f2. */
static const struct vector_row rows[] = {
	{ 0, 1, 0, 0, 0x92, MASK_GENERAL, 0, 0, -1, "kmovw" },
	{ 0, 1, 1, 0, 0x92, MASK_GENERAL, 0, 0, -1, "kmovb" },
	{ 0, 1, 3, 0, 0x92, MASK_GENERAL, 0, 0, -1, "kmovd" },
	{ 0, 1, 3, 1, 0x92, MASK_GENERAL, 0, 0, -1, "kmovq" },
	{ 0, 1, 0, 0, 0x93, GENERAL_MASK, 0, 0, -1, "kmovw" },
	{ 0, 1, 1, 0, 0x93, GENERAL_MASK, 0, 0, -1, "kmovb" },
	{ 0, 1, 3, 0, 0x93, GENERAL_MASK, 0, 0, -1, "kmovd" },
	{ 0, 1, 3, 1, 0x93, GENERAL_MASK, 0, 0, -1, "kmovq" },
	{ 0, 1, 0, 0, 0x90, MASK_MASK, 0, 0, -1, "kmovw" },
	{ 0, 1, 1, 0, 0x90, MASK_MASK, 0, 0, -1, "kmovb" },
	{ 0, 1, 1, 1, 0x90, MASK_MASK, 0, 0, -1, "kmovd" },
	{ 0, 1, 0, 1, 0x90, MASK_MASK, 0, 0, -1, "kmovq" },
#define MASK_PAIR(opcode, form, name)                                                              \
	{ 0, 1, 0, 0, opcode, form, 0, 0, -1, name "w" },                                          \
	        { 0, 1, 1, 0, opcode, form, 0, 0, -1, name "b" },                                  \
	        { 0, 1, 0, 1, opcode, form, 0, 0, -1, name "q" },                                  \
	{                                                                                          \
		0, 1, 1, 1, opcode, form, 0, 0, -1, name "d"                                       \
	}
	MASK_PAIR(0x98, MASK_MASK, "kortest"),
	MASK_PAIR(0x99, MASK_MASK, "ktest"),
	MASK_PAIR(0x44, MASK_MASK, "knot"),
	MASK_PAIR(0x41, MASK_V_MASK, "kand"),
	MASK_PAIR(0x42, MASK_V_MASK, "kandn"),
	MASK_PAIR(0x45, MASK_V_MASK, "kor"),
	MASK_PAIR(0x46, MASK_V_MASK, "kxnor"),
	MASK_PAIR(0x47, MASK_V_MASK, "kxor"),
	MASK_PAIR(0x4a, MASK_V_MASK, "kadd"),
	{ 0, 1, 1, 0, 0x4b, MASK_V_MASK, 0, 0, -1, "kunpckbw" },
	{ 0, 1, 0, 0, 0x4b, MASK_V_MASK, 0, 0, -1, "kunpckwd" },
	{ 0, 1, 0, 1, 0x4b, MASK_V_MASK, 0, 0, -1, "kunpckdq" },
	{ 0, 3, 1, 0, 0x30, MASK_MASK, 1, 0, -1, "kshiftrb" },
	{ 0, 3, 1, 1, 0x30, MASK_MASK, 1, 0, -1, "kshiftrw" },
	{ 0, 3, 1, 0, 0x31, MASK_MASK, 1, 0, -1, "kshiftrd" },
	{ 0, 3, 1, 1, 0x31, MASK_MASK, 1, 0, -1, "kshiftrq" },
	{ 0, 3, 1, 0, 0x32, MASK_MASK, 1, 0, -1, "kshiftlb" },
	{ 0, 3, 1, 1, 0x32, MASK_MASK, 1, 0, -1, "kshiftlw" },
	{ 0, 3, 1, 0, 0x33, MASK_MASK, 1, 0, -1, "kshiftld" },
	{ 0, 3, 1, 1, 0x33, MASK_MASK, 1, 0, -1, "kshiftlq" },
	{ 1, 3, 1, 0, 0x3f, COMPARE, 1, 0, -1, "b" },
	{ 1, 3, 1, 1, 0x3f, COMPARE, 1, 0, -1, "w" },
	{ 1, 3, 1, 0, 0x3e, COMPARE, 1, 0, -1, "ub" },
	{ 1, 3, 1, 1, 0x3e, COMPARE, 1, 0, -1, "uw" },
	{ 1, 3, 1, 0, 0x1f, COMPARE, 1, 4, -1, "d" },
	{ 1, 3, 1, 1, 0x1f, COMPARE, 1, 8, -1, "q" },
	{ 1, 3, 1, 0, 0x1e, COMPARE, 1, 4, -1, "ud" },
	{ 1, 3, 1, 1, 0x1e, COMPARE, 1, 8, -1, "uq" },
	{ 1, 1, 1, ANY, 0x74, RM_V_MASK, 0, 0, -1, "vpcmpeqb" },
	{ 1, 1, 1, ANY, 0x75, RM_V_MASK, 0, 0, -1, "vpcmpeqw" },
	{ 1, 1, 1, 0, 0x76, RM_V_MASK, 0, 4, -1, "vpcmpeqd" },
	{ 1, 2, 1, 1, 0x29, RM_V_MASK, 0, 8, -1, "vpcmpeqq" },
	{ 1, 2, 1, 0, 0x26, RM_V_MASK, 0, 0, -1, "vptestmb" },
	{ 1, 2, 1, 1, 0x26, RM_V_MASK, 0, 0, -1, "vptestmw" },
	{ 1, 2, 2, 0, 0x26, RM_V_MASK, 0, 0, -1, "vptestnmb" },
	{ 1, 2, 2, 1, 0x26, RM_V_MASK, 0, 0, -1, "vptestnmw" },
	{ 1, 2, 1, 0, 0x27, RM_V_MASK, 0, 4, -1, "vptestmd" },
	{ 1, 2, 1, 1, 0x27, RM_V_MASK, 0, 8, -1, "vptestmq" },
	{ 1, 2, 2, 0, 0x27, RM_V_MASK, 0, 4, -1, "vptestnmd" },
	{ 1, 2, 2, 1, 0x27, RM_V_MASK, 0, 8, -1, "vptestnmq" },
	{ 1, 3, 1, 0, 0x25, RM_V_REG, 1, 4, -1, "vpternlogd" },
	{ 1, 3, 1, 1, 0x25, RM_V_REG, 1, 8, -1, "vpternlogq" },
	{ 1, 3, 1, 0, 0x03, RM_V_REG, 1, 4, -1, "valignd" },
	{ 1, 3, 1, 1, 0x03, RM_V_REG, 1, 8, -1, "valignq" },
	{ 1, 3, 1, 0, 0x43, RM_V_REG, 1, 4, -1, "vshufi32x4" },
	{ 1, 3, 1, 1, 0x43, RM_V_REG, 1, 8, -1, "vshufi64x2" },
	{ 1, 3, 1, 1, 0x00, RM_REG, 1, 8, -1, "vpermq" },
	{ 1, 2, 1, 1, 0xb4, RM_V_REG, 0, 8, -1, "vpmadd52luq" },
	{ 1, 2, 1, 1, 0xb5, RM_V_REG, 0, 8, -1, "vpmadd52huq" },
	{ 1, 2, 1, 0, 0x36, RM_V_REG, 0, 4, -1, "vpermd" },
	{ 1, 2, 1, 1, 0x45, RM_V_REG, 0, 8, -1, "vpsrlvq" },
	{ 1, 2, 1, 1, 0x47, RM_V_REG, 0, 8, -1, "vpsllvq" },
	{ 1, 1, 1, 0, 0x62, RM_V_REG, 0, 4, -1, "vpunpckldq" },
	{ 1, 1, 1, 0, 0x6a, RM_V_REG, 0, 4, -1, "vpunpckhdq" },
	{ 1, 1, 1, 1, 0x6c, RM_V_REG, 0, 8, -1, "vpunpcklqdq" },
	{ 1, 1, 1, 1, 0x6d, RM_V_REG, 0, 8, -1, "vpunpckhqdq" },
	{ 1, 2, 1, 0, 0x78, ELEMENT_REG, 0, 1, -1, "vpbroadcastb" },
	{ 1, 2, 1, 0, 0x79, ELEMENT_REG, 0, 2, -1, "vpbroadcastw" },
	{ 1, 2, 1, 0, 0x58, ELEMENT_REG, 0, 4, -1, "vpbroadcastd" },
	{ 1, 2, 1, 1, 0x59, ELEMENT_REG, 0, 8, -1, "vpbroadcastq" },
	{ 1, 2, 1, 0, 0x7a, GENERAL_REG, 0, 1, -1, "vpbroadcastb" },
	{ 1, 2, 1, 0, 0x7b, GENERAL_REG, 0, 2, -1, "vpbroadcastw" },
	{ 1, 2, 1, 0, 0x7c, GENERAL_REG, 0, 4, -1, "vpbroadcastd" },
	{ 1, 2, 1, 1, 0x7c, GENERAL_REG, 0, 8, -1, "vpbroadcastq" },
	{ 1, 1, 1, 0, 0x72, RM_V, 1, 4, 0, "vprord" },
	{ 1, 1, 1, 0, 0x72, RM_V, 1, 4, 1, "vprold" },
	{ 1, 1, 1, 0, 0x72, RM_V, 1, 4, 2, "vpsrld" },
	{ 1, 1, 1, 0, 0x72, RM_V, 1, 4, 4, "vpsrad" },
	{ 1, 1, 1, 0, 0x72, RM_V, 1, 4, 6, "vpslld" },
	{ 1, 1, 1, 1, 0x73, RM_V, 1, 8, 2, "vpsrlq" },
	{ 1, 1, 1, 1, 0x73, RM_V, 1, 8, 6, "vpsllq" },
	{ 1, 1, 1, ANY, 0x73, RM_V, 1, 0, 3, "vpsrldq" },
	{ 1, 1, 1, ANY, 0x73, RM_V, 1, 0, 7, "vpslldq" },
};

/* The parts of an instruction, with the extensions of register numbers. */
struct vector {
	const u8 *bytes;
	bool intel, evex;
	u8 map, pp, w, opcode, modrm, imm;
	u8 vvvv, reg, rm, x, b; /* numbers; x: the bit that extends an index, 8 */
	u8 length;              /* of vectors: 0, 1, 2 for 16, 32, 64 bytes */
	u8 mask;
	bool zero, broadcast;
	u32 operands; /* offset of the byte behind ModRM */
	u32 size;
	u64 next; /* address behind it */
	struct insn *insn;
};

u32 vector_text__length(const u8 *bytes, u64 size)
{
	u32 prefix = bytes[0] == 0x62 ? 4 : bytes[0] == 0xc4 ? 3 : bytes[0] == 0xc5 ? 2 : 0;

	if (!prefix || size < prefix + 2u)
		return 0;
	u32 map = prefix == 2 ? 1 : bytes[1] & (prefix == 4 ? 7 : 0x1f);
	u8 opcode = bytes[prefix], modrm = bytes[prefix + 1], mod = modrm >> 6;
	u32 len = prefix + 2;
	bool sib = mod != 3 && (modrm & 7) == 4;

	if (map < 1 || map > 6)
		return 0;
	if (map == 1 && opcode == 0x77)
		return prefix + 1;
	if (sib && size <= len)
		return 0;
	if (mod == 2 || (mod == 0 && ((modrm & 7) == 5 || (sib && (bytes[len] & 7) == 5))))
		len += 4;
	else if (mod == 1)
		len += 1;
	len += sib;
	/* All of the third map have an immediate byte, and a few of the first. */
	if (map == 3 || (map == 1 && ((opcode >= 0x70 && opcode <= 0x73) || opcode == 0xc2 ||
	                              (opcode >= 0xc4 && opcode <= 0xc6))))
		len += 1;
	return len <= size && len <= INSN_BYTES_MAX ? len : 0;
}

bool vector_text__is_broadcast(const u8 *bytes, u32 size)
{
	return size > 5 && bytes[0] == 0x62 && (bytes[3] & 0x10) && bytes[5] >> 6 != 3;
}

static void split(struct vector *v, const u8 *bytes, u32 size)
{
	u8 first = (u8)~bytes[1], second = bytes[0] == 0xc5 ? bytes[1] : bytes[2];
	u32 prefix = bytes[0] == 0x62 ? 4 : bytes[0] == 0xc4 ? 3 : 2;

	v->bytes = bytes;
	v->size = size;
	v->evex = prefix == 4;
	v->map = prefix == 2 ? 1 : bytes[1] & (v->evex ? 7 : 0x1f);
	v->w = prefix == 2 ? 0 : second >> 7;
	v->pp = second & 3;
	v->vvvv = ~second >> 3 & 15;
	v->length = second >> 2 & 1;
	v->opcode = bytes[prefix];
	v->modrm = bytes[prefix + 1];
	v->operands = prefix + 2;
	v->imm = bytes[size - 1];
	v->x = prefix == 2 ? 0 : (first >> 6 & 1) << 3;
	v->b = prefix == 2 ? 0 : (first >> 5 & 1) << 3;
	v->reg = (v->modrm >> 3 & 7) | (first >> 7 & 1) << 3;
	v->rm = (v->modrm & 7) | v->b;
	if (!v->evex)
		return;
	v->reg |= (first >> 4 & 1) << 4;
	v->vvvv |= (~bytes[3] >> 3 & 1) << 4;
	v->rm |= v->modrm >> 6 == 3 ? v->x << 1 : 0;
	v->length = bytes[3] >> 5 & 3;
	v->broadcast = bytes[3] & 0x10;
	v->zero = bytes[3] & 0x80;
	v->mask = bytes[3] & 7;
}

static void put_general(const struct vector *v, char *to, size_t room, u32 number, bool wide)
{
	static const char *const names[] = { "ax", "cx", "dx", "bx", "sp", "bp", "si", "di" };
	const char *sigil = v->intel ? "" : "%";

	if (number < 8)
		snprintf(to, room, "%s%c%s", sigil, wide ? 'r' : 'e', names[number]);
	else
		snprintf(to, room, "%sr%u%s", sigil, number, wide ? "" : "d");
}

static void put_vector(const struct vector *v, char *to, size_t room, u32 number, u32 length)
{
	snprintf(to, room, "%s%cmm%u", v->intel ? "" : "%", "xyz?"[length & 3], number);
}

static void put_mask_register(const struct vector *v, char *to, size_t room, u32 number)
{
	snprintf(to, room, "%sk%u", v->intel ? "" : "%", number & 7);
}

/* The memory operand; @unit: what an 8-bit displacement counts. */
static void put_memory(const struct vector *v, char *to, size_t room, u32 unit)
{
	const u8 *at = v->bytes + v->operands;
	u8 mod = v->modrm >> 6, base = v->modrm & 7, index = 4, scale = 0;
	bool has_base = true, has_disp = mod != 0, pc = false;
	char reg[2][8] = { "", "" }, number[24] = "";
	s64 disp = 0;

	if (base == 4) {
		base = *at & 7;
		index = (*at >> 3 & 7) | v->x;
		scale = *at++ >> 6;
		has_base = base != 5 || mod;
	} else if (base == 5 && !mod) {
		pc = true;
	}
	if (mod == 1)
		disp = (int8_t)*at * (s64)unit;
	if (mod == 2 || pc || !has_base) {
		disp = (s32)(at[0] | at[1] << 8 | at[2] << 16 | (u32)at[3] << 24);
		has_disp = true;
	}
	if (pc)
		snprintf(reg[0], sizeof(reg[0]), "%srip", v->intel ? "" : "%");
	else if (has_base)
		put_general(v, reg[0], sizeof(reg[0]), base | v->b, true);
	if (index != 4)
		put_general(v, reg[1], sizeof(reg[1]), index, true);
	if (pc) {
		v->insn->refers = true;
		v->insn->target = v->next + (u64)disp;
	}
	/* Intel's syntax has displacements of rip unsigned, and a segment where there is no
	 * register. */
	bool minus = disp < 0 && !(pc && v->intel);
	const char *sign = minus ? "-" : v->intel && (*reg[0] || *reg[1]) ? "+" : "";

	if (has_disp)
		snprintf(number, sizeof(number), "%s0x%llx", sign,
		         (unsigned long long)(minus ? -(u64)disp : (u64)disp));
	if (v->intel && *reg[1])
		snprintf(to, room, "[%s%s%s*%d%s]", reg[0], *reg[0] ? "+" : "", reg[1], 1 << scale,
		         number);
	else if (v->intel)
		snprintf(to, room, *reg[0] ? "[%s%s]" : "ds:%s%s", reg[0], number);
	else if (*reg[1])
		snprintf(to, room, "%s(%s,%s,%d)", number, reg[0], reg[1], 1 << scale);
	else
		snprintf(to, room, *reg[0] ? "%s(%s)" : "%s", number, reg[0]);
}

static void put_rm(const struct vector *v, char *to, size_t room, const struct vector_row *row)
{
	static const char *const sizes[] = { "XMMWORD", "YMMWORD", "ZMMWORD", "?" };
	static const char *const elements[] = {
		[1] = "BYTE", [2] = "WORD", [4] = "DWORD", [8] = "QWORD"
	};
	u32 whole = 16u << (v->length & 3);
	bool element = row->form == ELEMENT_REG, one = v->broadcast && row->element;
	char memory[64];

	if (v->modrm >> 6 == 3 && row->form == GENERAL_REG)
		put_general(v, to, room, v->rm, row->element == 8);
	else if (v->modrm >> 6 == 3)
		put_vector(v, to, room, v->rm, element ? 0 : v->length);
	if (v->modrm >> 6 == 3)
		return;
	put_memory(v, memory, sizeof(memory), element || one ? row->element : whole);
	if (!v->intel && one)
		snprintf(to, room, "%s{1to%u}", memory, whole / row->element);
	else if (!v->intel)
		snprintf(to, room, "%s", memory);
	else if (one)
		snprintf(to, room, "%s BCST %s", elements[row->element], memory);
	else
		snprintf(to, room, "%s PTR %s",
		         element ? elements[row->element] : sizes[v->length & 3], memory);
}

static const struct vector_row *find_row(const struct vector *v)
{
	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct vector_row *row = &rows[i];

		if (row->opcode == v->opcode && row->evex == v->evex && row->map == v->map &&
		    row->pp == v->pp && (row->w == ANY || row->w == v->w) &&
		    (row->digit < 0 || row->digit == (v->modrm >> 3 & 7)))
			return row;
	}
	return NULL;
}

/* Fills the operands in AT&T's order, without the immediate; their number, or 0: not this form. */
static u32 put_operands(const struct vector *v, const struct vector_row *row, char operands[3][96])
{
	bool memory = v->modrm >> 6 != 3;
	size_t room = sizeof(operands[0]);

	switch (row->form) {
	case RM_V_REG:
		put_rm(v, operands[0], room, row);
		put_vector(v, operands[1], room, v->vvvv, v->length);
		put_vector(v, operands[2], room, v->reg, v->length);
		return 3;
	case RM_V_MASK:
	case COMPARE:
		put_rm(v, operands[0], room, row);
		put_vector(v, operands[1], room, v->vvvv, v->length);
		put_mask_register(v, operands[2], room, v->reg);
		return 3;
	case RM_REG:
	case ELEMENT_REG:
		put_rm(v, operands[0], room, row);
		put_vector(v, operands[1], room, v->reg, v->length);
		return 2;
	case GENERAL_REG:
		put_rm(v, operands[0], room, row);
		put_vector(v, operands[1], room, v->reg, v->length);
		return memory ? 0 : 2;
	case RM_V:
		put_rm(v, operands[0], room, row);
		put_vector(v, operands[1], room, v->vvvv, v->length);
		return 2;
	case MASK_V_MASK:
		put_mask_register(v, operands[0], room, v->rm);
		put_mask_register(v, operands[1], room, v->vvvv);
		put_mask_register(v, operands[2], room, v->reg);
		return memory ? 0 : 3;
	case MASK_MASK:
		put_mask_register(v, operands[0], room, v->rm);
		put_mask_register(v, operands[1], room, v->reg);
		return memory ? 0 : 2;
	case MASK_GENERAL:
		put_general(v, operands[0], room, v->rm, v->w);
		put_mask_register(v, operands[1], room, v->reg);
		return memory ? 0 : 2;
	default:
		put_mask_register(v, operands[0], room, v->rm);
		put_general(v, operands[1], room, v->reg, v->w);
		return memory ? 0 : 2;
	}
}

bool vector_text__make(struct insn *insn, const u8 *bytes, u32 size, bool intel)
{
	static const char *const predicates[8] = {
		"eq", "lt", "le", NULL, "neq", "nlt", "nle", NULL
	};
	struct vector v = { .intel = intel, .insn = insn, .next = insn->addr + size };
	struct insn_text text = { .insn = insn };
	char operands[3][96];

	split(&v, bytes, size);
	const struct vector_row *row = find_row(&v);
	u32 nr = row && v.length < 3 ? put_operands(&v, row, operands) : 0;
	bool named = nr && row->form == COMPARE && v.imm < 8 && predicates[v.imm];

	if (!nr)
		return false;
	if (named)
		insn_text__add(&text, "vpcmp%s%s", predicates[v.imm], row->name);
	else
		insn_text__add(&text, "%s%s", row->form == COMPARE ? "vpcmp" : "", row->name);
	insn_text__add(&text, "%*s", text.len < 6 ? (int)(7 - text.len) : 1, "");
	if (row->imm && !named && !intel)
		insn_text__add(&text, "$0x%x,", v.imm);
	for (u32 i = 0; i < nr; i++) {
		u32 which = intel ? nr - 1 - i : i;

		insn_text__add(&text, "%s%s", i ? "," : "", operands[which]);
		if (which == nr - 1 && v.mask)
			insn_text__add(&text, intel ? "{k%u}%s" : "{%%k%u}%s", v.mask,
			               v.zero ? "{z}" : "");
	}
	if (row->imm && !named && intel)
		insn_text__add(&text, ",0x%x", v.imm);
	return true;
}

#endif
