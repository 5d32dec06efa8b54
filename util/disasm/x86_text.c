// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The text of x86 instructions, as GNU objdump 2.40 writes it: from the operands that capstone
 * decoded, because its own text has a size suffix on every mnemonic, and decimal numbers.
 *
 * Mnemonics are capstone's. In AT&T syntax the suffix is left out where a register operand tells
 * the size; prefixes are made from the bytes themselves.
 */
#include "util/disasm/text_private.h"

#ifdef HAVE_CAPSTONE
#include <ctype.h>
#include <stdio.h>
#include <string.h>

struct x86 {
	struct insn_text text;
	csh handle;
	const cs_insn *cs;
	const cs_x86 *x;
	bool is64, intel;
	const char *name;  /* of the instruction, without suffix */
	bool no_immediate; /* it is in the name */
	u8 rex;            /* 0: none */
	u8 opcode;         /* the byte behind legacy and REX prefixes */
};

static bool starts(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

static bool is_one_of(const char *name, const char *const *list)
{
	for (; *list; list++) {
		if (!strcmp(name, *list))
			return true;
	}
	return false;
}

/* The instruction without its size suffix: movs for movsb, movsl, movsq. */
static bool is_string(const struct x86 *x)
{
	switch (x->opcode) {
	case 0xa4:
	case 0xa5:
	case 0xa6:
	case 0xa7:
	case 0xaa:
	case 0xab:
	case 0xac:
	case 0xad:
	case 0xae:
	case 0xaf:
	case 0x6c:
	case 0x6d:
	case 0x6e:
	case 0x6f:
		return true;
	default:
		return false;
	}
}

static bool is_branch(const struct x86 *x)
{
	return capstone.insn_group(x->handle, x->cs, CS_GRP_JUMP) ||
	       capstone.insn_group(x->handle, x->cs, CS_GRP_CALL);
}

static bool has_memory(const struct x86 *x)
{
	for (u32 i = 0; i < x->x->op_count; i++) {
		if (x->x->operands[i].type == X86_OP_MEM)
			return true;
	}
	return false;
}

/* ---- operands ---- */

static void add_register(struct x86 *x, unsigned reg)
{
	const char *name = capstone.reg_name(x->handle, reg);
	const char *sigil = x->intel ? "" : "%";

	if (!name)
		name = "?";
	if (reg == X86_REG_ST0)
		name = "st";
	insn_text__add(&x->text, "%s%s", sigil, name);
}

static u64 mask_of(u32 size)
{
	return size >= 8 ? ~0ull : (1ull << size * 8) - 1;
}

static void add_immediate(struct x86 *x, const cs_x86_op *op)
{
	u32 size = op->size;
	u64 value = op->imm;

	/* What has an immediate byte that is no number of the operands' size. */
	if (size > 8 || x->cs->id == X86_INS_XABORT ||
	    (x->x->encoding.imm_size == 1 && x->x->opcode[0] == 0x0f))
		size = 1;
	for (u32 i = 0; !is_branch(x) && i < x->x->op_count; i++) {
		const cs_x86_op *other = &x->x->operands[i];

		if (other->type == X86_OP_REG && other->reg >= X86_REG_XMM0 &&
		    other->reg <= X86_REG_ZMM31)
			size = 1;
	}
	insn_text__add(&x->text, "%s0x%llx", x->intel ? "" : "$",
	               (unsigned long long)(value & mask_of(size)));
}

/* A SIB byte without index where none was needed shows as %riz. */
static bool has_no_index_shown(const struct x86 *x)
{
	u8 modrm = x->x->modrm, sib = (u8)x->x->sib;

	return modrm >> 6 != 3 && (modrm & 7) == 4 && (sib >> 3 & 7) == 4 && !(x->rex & 2) &&
	       ((sib & 7) != 4 || sib >> 6) && !((sib & 7) == 5 && modrm >> 6 == 0);
}

/* capstone 4 takes the high bit of an EVEX index for one of a vector. */
static unsigned index_register(const struct x86 *x, const x86_op_mem *mem)
{
	static const unsigned general[] = { X86_REG_RAX, X86_REG_RCX, X86_REG_RDX, X86_REG_RBX,
		                            X86_REG_RSP, X86_REG_RBP, X86_REG_RSI, X86_REG_RDI,
		                            X86_REG_R8,  X86_REG_R9,  X86_REG_R10, X86_REG_R11,
		                            X86_REG_R12, X86_REG_R13, X86_REG_R14, X86_REG_R15 };
	u32 number = mem->index - X86_REG_XMM0;

	if (mem->index < X86_REG_XMM0 || number > 15 || strstr(x->name, "gather") ||
	    strstr(x->name, "scatter"))
		return mem->index;
	return general[number];
}

static const char *riz(const struct x86 *x)
{
	return x->is64 && x->x->addr_size == 8 ? "riz" : "eiz";
}

static void add_displacement(struct x86 *x, s64 disp, bool sign)
{
	if (disp < 0)
		insn_text__add(&x->text, "-0x%llx", (unsigned long long)-(u64)disp);
	else
		insn_text__add(&x->text, "%s0x%llx", sign ? "+" : "", (unsigned long long)disp);
}

static u64 absolute(const struct x86 *x, s64 disp)
{
	return x->is64 && x->x->addr_size == 8 ? (u64)disp : (u64)disp & mask_of(x->x->addr_size);
}

static void note_reference(struct x86 *x, const x86_op_mem *mem)
{
	if (mem->base != X86_REG_RIP && mem->base != X86_REG_EIP)
		return;
	x->text.insn->refers = true;
	x->text.insn->target = x->cs->address + x->cs->size + (u64)mem->disp;
}

/* In 64-bit code only fs and gs do anything. */
static bool shows_segment(const struct x86 *x, unsigned segment)
{
	return segment != X86_REG_INVALID &&
	       (!x->is64 || segment == X86_REG_FS || segment == X86_REG_GS);
}

static void add_memory_att(struct x86 *x, const x86_op_mem *mem)
{
	bool no_index = has_no_index_shown(x);

	if (shows_segment(x, mem->segment)) {
		add_register(x, mem->segment);
		insn_text__add(&x->text, ":");
	}
	if (mem->base == X86_REG_INVALID && mem->index == X86_REG_INVALID && !no_index) {
		insn_text__add(&x->text, "0x%llx", (unsigned long long)absolute(x, mem->disp));
		return;
	}
	if (x->x->encoding.disp_size || mem->disp)
		add_displacement(x, mem->disp, false);
	else if (mem->base == X86_REG_INVALID)
		insn_text__add(&x->text, "0x0");
	insn_text__add(&x->text, "(");
	if (mem->base != X86_REG_INVALID)
		add_register(x, mem->base);
	if (mem->index != X86_REG_INVALID) {
		insn_text__add(&x->text, ",");
		add_register(x, index_register(x, mem));
		if (x->x->addr_size != 2)
			insn_text__add(&x->text, ",%d", mem->scale);
	} else if (no_index) {
		insn_text__add(&x->text, ",%%%s,%d", riz(x), 1 << ((u8)x->x->sib >> 6));
	}
	insn_text__add(&x->text, ")");
}

static const char *size_name(const struct x86 *x, u32 size)
{
	static const char *const names[] = {
		[1] = "BYTE",   [2] = "WORD",     [4] = "DWORD",    [6] = "FWORD",   [8] = "QWORD",
		[10] = "TBYTE", [16] = "XMMWORD", [32] = "YMMWORD", [64] = "ZMMWORD"
	};

	if (x->cs->id == X86_INS_LEA || size >= sizeof(names) / sizeof(*names))
		return NULL;
	return names[size];
}

static void add_memory_intel(struct x86 *x, const x86_op_mem *mem, u32 size)
{
	const char *name = size_name(x, size);
	bool no_index = has_no_index_shown(x);

	if (name)
		insn_text__add(&x->text, "%s PTR ", name);
	if (shows_segment(x, mem->segment)) {
		add_register(x, mem->segment);
		insn_text__add(&x->text, ":");
	}
	if (mem->base == X86_REG_INVALID && mem->index == X86_REG_INVALID && !no_index) {
		if (!shows_segment(x, mem->segment))
			insn_text__add(&x->text, "ds:");
		insn_text__add(&x->text, "0x%llx", (unsigned long long)absolute(x, mem->disp));
		return;
	}
	insn_text__add(&x->text, "[");
	if (mem->base != X86_REG_INVALID)
		add_register(x, mem->base);
	if (mem->index != X86_REG_INVALID) {
		insn_text__add(&x->text, "%s", mem->base != X86_REG_INVALID ? "+" : "");
		add_register(x, index_register(x, mem));
		insn_text__add(&x->text, "*%d", mem->scale);
	} else if (no_index) {
		insn_text__add(&x->text, "+%s*%d", riz(x), 1 << ((u8)x->x->sib >> 6));
	}
	if (mem->base == X86_REG_RIP)
		insn_text__add(&x->text, "+0x%llx", (unsigned long long)mem->disp);
	else if (x->x->encoding.disp_size || mem->disp || mem->base == X86_REG_INVALID)
		add_displacement(x, mem->disp, true);
	insn_text__add(&x->text, "]");
}

/* in and out, where a register has the number of the port. */
static bool is_port(const struct x86 *x)
{
	return x->opcode >= 0xec && x->opcode <= 0xef;
}

static void add_operand(struct x86 *x, const cs_x86_op *op)
{
	switch (op->type) {
	case X86_OP_REG:
		if (!x->intel && is_branch(x))
			insn_text__add(&x->text, "*");
		if (!x->intel && op->reg == X86_REG_DX && is_port(x))
			insn_text__add(&x->text, "(%%dx)");
		else
			add_register(x, op->reg);
		break;
	case X86_OP_IMM:
		if (is_branch(x) || (x->opcode & 0xfc) == 0xe0) { /* loop */
			x->text.insn->names = true;
			x->text.insn->target = (u64)op->imm & mask_of(x->is64 ? 8 : 4);
			insn_text__add(&x->text, "%llx", (unsigned long long)x->text.insn->target);
		} else {
			add_immediate(x, op);
		}
		break;
	case X86_OP_MEM:
		note_reference(x, &op->mem);
		if (x->intel) {
			add_memory_intel(x, &op->mem, op->size);
			break;
		}
		if (is_branch(x))
			insn_text__add(&x->text, "*");
		add_memory_att(x, &op->mem);
		break;
	default:
		break;
	}
}

/* ---- mnemonics ---- */

static bool is_shift(const struct x86 *x)
{
	static const char *const shifts[] = { "shl", "sal", "shr", "sar", "rol",
		                              "ror", "rcl", "rcr", NULL };

	return is_one_of(x->name, shifts);
}

/* Not in every form does capstone have the count as an operand. */
static bool is_counted_by_cl(const struct x86 *x)
{
	return is_shift(x) && (x->opcode & 0xfe) == 0xd2;
}

static bool is_by_one(const struct x86 *x)
{
	return is_shift(x) && (x->opcode & 0xfe) == 0xd0;
}

static bool is_shift_count(const struct x86 *x, const cs_x86_op *op)
{
	const cs_x86_op *first = &x->x->operands[0];

	if (is_by_one(x))
		return op->type == X86_OP_IMM;
	return is_counted_by_cl(x) && x->x->op_count == 2 && op->type == X86_OP_REG &&
	       op->reg == X86_REG_CL && (x->intel ? op != first : op == first);
}

/* Does a register operand tell the size, so that AT&T's mnemonic needs no suffix? */
static bool register_tells_size(const struct x86 *x)
{
	static const char *const always[] = { "push", "pop",   "call",  "jmp",
		                              "ret",  "leave", "enter", NULL };
	bool tells = false;

	if (is_one_of(x->name, always))
		return x->text.insn->size < 2 || x->x->prefix[2] != 0x66;
	if (has_memory(x) &&
	    (is_shift(x) || starts(x->name, "cvtsi2") || starts(x->name, "vcvtsi2")))
		return false;
	for (u32 i = 0; i < x->x->op_count; i++)
		tells |= x->x->operands[i].type == X86_OP_REG;
	return tells;
}

static void add_mnemonic(struct x86 *x, const char *mnemonic)
{
	static const struct {
		const char *capstone, *objdump;
	} renamed[] = {
		{ "pushfq", "pushf" }, { "popfq", "popf" },   { "pushfd", "pushf" },
		{ "popfd", "popf" },   { "pushfl", "pushf" }, { "popfl", "popf" },
		{ "wait", "fwait" },   { "icebp", "int1" },   { "sal", "shl" },
		{ "pushal", "pusha" }, { "popal", "popa" },   { "lretl", "lret" },
		{ "iretl", "iret" },
	};
	char word[32];
	size_t len = strlen(mnemonic), name = strlen(x->name);

	if (len >= sizeof(word))
		len = sizeof(word) - 1;
	memcpy(word, mnemonic, len);
	word[len] = '\0';
	if (!x->intel && len == name + 1 && !strncmp(word, x->name, name) &&
	    strchr("bwlq", word[len - 1]) && register_tells_size(x))
		word[len - 1] = '\0';
	for (u32 i = 0; i < sizeof(renamed) / sizeof(*renamed); i++) {
		if (!strcmp(word, renamed[i].capstone))
			strcpy(word, renamed[i].objdump);
	}
	insn_text__add(&x->text, "%s", word);
}

/* ---- prefixes ---- */

static bool has_vector(const struct x86 *x)
{
	for (u32 i = 0; i < x->x->op_count; i++) {
		unsigned reg = x->x->operands[i].reg;

		if (x->x->operands[i].type == X86_OP_REG &&
		    ((reg >= X86_REG_XMM0 && reg <= X86_REG_ZMM31) ||
		     (reg >= X86_REG_MM0 && reg <= X86_REG_MM7)))
			return true;
	}
	return false;
}

/* Is a prefix 66 part of the instruction, or its operand size? Else it is shown. */
static bool uses_data16(const struct x86 *x)
{
	if (is_branch(x) || x->cs->id == X86_INS_RET)
		return false;
	if (x->opcode == 0x0f && (has_vector(x) || x->cs->id == X86_INS_ADCX))
		return true;
	return !(x->rex & 8);
}

static const char *repeat_name(const struct x86 *x, u8 byte)
{
	if (is_string(x)) {
		bool compares = x->opcode == 0xa6 || x->opcode == 0xa7 || x->opcode == 0xae ||
		                x->opcode == 0xaf;

		return byte == 0xf2 ? "repnz " : compares ? "repz " : "rep ";
	}
	if (byte == 0xf2 && (is_branch(x) || x->cs->id == X86_INS_RET))
		return "bnd ";
	if (x->cs->id == X86_INS_RET)
		return byte == 0xf2 ? "bnd " : "repz ";
	return NULL; /* it is part of the opcode */
}

static const char *segment_name(const struct x86 *x, u8 byte)
{
	bool memory = has_memory(x);

	switch (byte) {
	case 0x2e:
		return x->is64 || !memory ? "cs " : NULL;
	case 0x36:
		return x->is64 || !memory ? "ss " : NULL;
	case 0x26:
		return x->is64 || !memory ? "es " : NULL;
	case 0x3e:
		if (is_branch(x))
			return "notrack ";
		return x->is64 || !memory ? "ds " : NULL;
	case 0x64:
		return memory ? NULL : "fs ";
	default:
		return memory ? NULL : "gs ";
	}
}

/* Find where the opcode is, then show the prefixes that are not part of what follows. */
static void add_prefixes(struct x86 *x)
{
	const u8 *bytes = x->cs->bytes;
	u32 nr = 0, nr_data16 = 0;

	while (nr + 1 < x->cs->size && bytes[nr] &&
	       strchr("\xf0\xf2\xf3\x2e\x36\x3e\x26\x64\x65\x66\x67", bytes[nr]))
		nr++;
	if (x->is64 && bytes[nr] >> 4 == 4)
		x->rex = bytes[nr];
	x->opcode = bytes[nr + !!x->rex];
	bool conditional = (x->opcode & 0xf0) == 0x70;

	for (u32 i = 0; i < nr; i++) {
		const char *shown = NULL;

		switch (bytes[i]) {
		case 0xf0:
			shown = "lock ";
			break;
		case 0xf2:
		case 0xf3:
			shown = repeat_name(x, bytes[i]);
			break;
		case 0x66:
			nr_data16++;
			break;
		case 0x67:
			shown = has_memory(x) || is_string(x) ? NULL : "addr32 ";
			break;
		default:
			if (!conditional)
				shown = segment_name(x, bytes[i]);
		}
		if (shown)
			insn_text__add(&x->text, "%s", shown);
		if (bytes[i] == 0x66 && (nr_data16 > 1 || !uses_data16(x)))
			insn_text__add(&x->text, "data16 ");
	}
	if (x->rex & 8 && is_branch(x) && x->opcode == 0xe8)
		insn_text__add(&x->text, "rex.W ");
}

/* ---- instructions with a text of their own ---- */

/* Strings are copied, compared ...: capstone leaves out one operand or the segments. */
static void add_string(struct x86 *x)
{
	static const char sizes[] = "bwlq";
	static const char *const registers[4] = { "al", "ax", "eax", "rax" };
	static const char *const intel_sizes[4] = { "BYTE", "WORD", "DWORD", "QWORD" };
	bool byte = !(x->opcode & 1);
	u32 size = byte ? 0 : x->rex & 8 ? 3 : x->x->prefix[2] == 0x66 ? 1 : 2;
	const char *a = x->x->addr_size == 8 ? "r" : x->x->addr_size == 4 ? "e" : "";
	const char *segment = x->x->prefix[1] == 0x64   ? "fs"
	                      : x->x->prefix[1] == 0x65 ? "gs"
	                                                : "ds";
	const char *name = (x->opcode & 0xfe) == 0xa4   ? "movs"
	                   : (x->opcode & 0xfe) == 0xa6 ? "cmps"
	                   : (x->opcode & 0xfe) == 0xaa ? "stos"
	                   : (x->opcode & 0xfe) == 0xac ? "lods"
	                   : (x->opcode & 0xfe) == 0xae ? "scas"
	                   : (x->opcode & 0xfe) == 0x6c ? "ins"
	                                                : "outs";
	bool to = (x->opcode & 0xfe) != 0xac && (x->opcode & 0xfe) != 0x6e; /* has es:(rdi) */
	bool from = (x->opcode & 0xfe) == 0xa4 || (x->opcode & 0xfe) == 0xa6 || !to;
	const char *reg = (x->opcode & 0xf0) == 0x60 ? "dx" : from && to ? NULL : registers[size];
	bool port = (x->opcode & 0xf0) == 0x60;
	char dst[32] = "", src[32] = "", third[16] = "", word[16];

	if (x->intel) {
		snprintf(word, sizeof(word), "%s", name);
		if (to)
			snprintf(dst, sizeof(dst), "%s PTR es:[%sdi]", intel_sizes[size], a);
		if (from)
			snprintf(src, sizeof(src), "%s PTR %s:[%ssi]", intel_sizes[size], segment,
			         a);
		if (reg)
			snprintf(third, sizeof(third), "%s", reg);
	} else {
		snprintf(word, sizeof(word), reg && !port ? "%s" : "%s%c", name, sizes[size]);
		if (to)
			snprintf(dst, sizeof(dst), "%%es:(%%%sdi)", a);
		if (from)
			snprintf(src, sizeof(src), "%%%s:(%%%ssi)", segment, a);
		if (reg)
			snprintf(third, sizeof(third), port ? "(%%%s)" : "%%%s", reg);
	}
	/* In AT&T's order; Intel's is the other way round. */
	bool compares = !strcmp(name, "cmps") || !strcmp(name, "scas");
	const char *left = !strcmp(name, "movs")                           ? src
	                   : !strcmp(name, "cmps")                         ? dst
	                   : !strcmp(name, "stos") || !strcmp(name, "ins") ? third
	                   : !strcmp(name, "scas")                         ? dst
	                                                                   : src;
	const char *right = !strcmp(name, "movs")   ? dst
	                    : !strcmp(name, "cmps") ? src
	                    : left == third         ? dst
	                                            : third;

	(void)compares;
	if (x->intel) {
		const char *swap = left;

		left = right;
		right = swap;
	}
	insn_text__add(&x->text, "%s", word);
	insn_text__add(&x->text, "%*s%s,%s", x->text.len < 6 ? (int)(7 - x->text.len) : 1, "", left,
	               right);
}

/* x87: a stack register and the top, in an order that the opcode tells. */
static bool add_stack_registers(struct x86 *x)
{
	u8 modrm = x->x->modrm;
	bool top_first = x->opcode == 0xdc || x->opcode == 0xde;
	bool alone = x->opcode == 0xd9 || x->opcode == 0xdd ||
	             (x->opcode == 0xd8 && (modrm & 0xf0) == 0xd0) ||
	             (x->opcode == 0xdf && (modrm & 0xf8) == 0xc0); /* ffreep */

	if (x->opcode < 0xd8 || x->opcode > 0xdf || modrm < 0xc0 || !x->x->op_count ||
	    x->x->operands[0].type != X86_OP_REG || x->x->operands[0].reg == X86_REG_AX)
		return false;
	const char *sigil = x->intel ? "" : "%";

	insn_text__add(&x->text, "%*s", x->text.len < 6 ? (int)(7 - x->text.len) : 1, "");
	if (alone)
		insn_text__add(&x->text, "%sst(%d)", sigil, modrm & 7);
	else if (top_first != x->intel)
		insn_text__add(&x->text, "%sst,%sst(%d)", sigil, sigil, modrm & 7);
	else
		insn_text__add(&x->text, "%sst(%d),%sst", sigil, modrm & 7, sigil);
	return true;
}

/* The names that objdump has for carry-less products, by which halves are multiplied. */
static const char *product_name(struct x86 *x, const char *mnemonic)
{
	static const char *const names[] = { "pclmullqlqdq",  "pclmulhqlqdq",  "pclmullqhqdq",
		                             "pclmulhqhqdq",  "vpclmullqlqdq", "vpclmulhqlqdq",
		                             "vpclmullqhqdq", "vpclmulhqhqdq" };
	u8 halves = x->cs->bytes[x->cs->size - 1];
	bool vex = *mnemonic == 'v';

	if (strcmp(mnemonic + vex, "pclmulqdq") != 0 || halves & 0xee)
		return mnemonic;
	x->no_immediate = true;
	return x->name = names[vex * 4 + (halves >> 4) * 2 + (halves & 1)];
}

/* The mask of an EVEX instruction belongs to its destination: "%ymm18{%k2}{z}". */
static bool add_mask(struct x86 *x, u32 i)
{
	u32 place = x->intel ? 1 : x->x->op_count - 1u;
	u8 flags = x->opcode == 0x62 && x->is64 ? x->cs->bytes[3] : 0;

	if (i != place || !(flags & 7) || x->x->operands[i].reg != X86_REG_K0 + (flags & 7u))
		return false;
	insn_text__add(&x->text, x->intel ? "{k%d}" : "{%%k%d}", flags & 7);
	if (flags & 0x80)
		insn_text__add(&x->text, "{z}");
	return true;
}

void x86_text__make(struct insn *insn, csh handle, const cs_insn *decoded, bool is64, bool intel)
{
	const char *mnemonic = strrchr(decoded->mnemonic, ' ');
	struct x86 x = {
		.text = { .insn = insn },
		.handle = handle,
		.cs = decoded,
		.x = &decoded->detail->x86,
		.is64 = is64,
		.intel = intel,
		.name = capstone.insn_name(handle, decoded->id),
	};

	const cs_x86_op *operands = x.x->operands;
	cs_x86_op swapped[2];

	mnemonic = mnemonic ? mnemonic + 1 : decoded->mnemonic;
	if (!x.name)
		x.name = mnemonic;
	insn->kind = capstone.insn_group(handle, decoded, CS_GRP_CALL)   ? INSN_CALL
	             : capstone.insn_group(handle, decoded, CS_GRP_JUMP) ? INSN_JUMP
	             : capstone.insn_group(handle, decoded, CS_GRP_RET)  ? INSN_RETURN
	                                                                 : INSN_OTHER;
	add_prefixes(&x);
	if (is_string(&x) && x.x->op_count) {
		add_string(&x);
		return;
	}
	if (x.opcode == 0x90 && x.x->prefix[2] == 0x66 && !x.rex) {
		insn_text__add(&x.text, intel ? "xchg   ax,ax" : "xchg   %%ax,%%ax");
		return;
	}
	if (!strcmp(mnemonic, "movd") && x.rex & 8)
		mnemonic = x.name = "movq";
	if (!strcmp(mnemonic, "salb") || !strcmp(mnemonic, "sall") || !strcmp(mnemonic, "salq")) {
		static const char names[][5] = { "shlb", "shll", "shlq" };

		mnemonic = names[mnemonic[3] == 'b' ? 0 : mnemonic[3] == 'l' ? 1 : 2];
		x.name = "shl";
	}
	add_mnemonic(&x, product_name(&x, mnemonic));
	if (add_stack_registers(&x))
		return;
	u32 width = x.text.len; /* with its prefixes */

	/* The accumulator, which is in the opcode, comes last in Intel's order. */
	if ((x.opcode & 0xf8) == 0x90 && x.x->op_count == 2) {
		swapped[0] = x.x->operands[1];
		swapped[1] = x.x->operands[0];
		operands = swapped;
	}

	for (u32 i = 0; i < x.x->op_count; i++) {
		const cs_x86_op *op = &operands[i];

		if (is_shift_count(&x, op) || (x.no_immediate && op->type == X86_OP_IMM))
			continue;
		if (op->type == X86_OP_REG && add_mask(&x, i))
			continue;
		if (width) {
			insn_text__add(&x.text, "%*s", width < 6 ? (int)(7 - width) : 1, "");
			width = 0;
		} else {
			insn_text__add(&x.text, ",");
		}
		if (!intel && is_counted_by_cl(&x) && i + 1 == x.x->op_count)
			insn_text__add(&x.text, "%%cl,");
		if (!intel && !i && decoded->id == X86_INS_SHA256RNDS2)
			insn_text__add(&x.text, "%%xmm0,");
		add_operand(&x, op);
	}
	if (intel && decoded->id == X86_INS_SHA256RNDS2)
		insn_text__add(&x.text, ",xmm0");
	if (intel && is_shift(&x))
		insn_text__add(&x.text, "%s",
		               is_counted_by_cl(&x) ? ",cl"
		               : is_by_one(&x)      ? ",1"
		                                    : "");
}

u32 x86_text__newer(struct insn *insn, const u8 *bytes, u64 size)
{
	static const struct {
		u8 bytes[3];
		const char *text;
	} newer[] = {
		{ { 0x0f, 0x01, 0xe8 }, "serialize" },
		{ { 0x0f, 0x01, 0xee }, "rdpkru" },
		{ { 0x0f, 0x01, 0xef }, "wrpkru" },
	};
	struct insn_text text = { .insn = insn };

	for (u32 i = 0; size >= 3 && i < sizeof(newer) / sizeof(*newer); i++) {
		if (memcmp(bytes, newer[i].bytes, 3) != 0)
			continue;
		insn_text__add(&text, "%s", newer[i].text);
		return 3;
	}
	return 0;
}

bool x86_text__waits(struct insn *insn)
{
	static const char *const waiting[] = { "fnstcw", "fnstsw", "fnstenv", "fnsave",
		                               "fnclex", "fninit", NULL };
	char name[8];
	size_t len = strcspn(insn->text, " ");

	if (len >= sizeof(name))
		return false;
	memcpy(name, insn->text, len);
	name[len] = '\0';
	if (!is_one_of(name, waiting))
		return false;
	/* "fnstcw 0x2(%rsp)": one blank less would be one column less. */
	size_t operands = len + strspn(insn->text + len, " ");
	char rest[INSN_TEXT];

	snprintf(rest, sizeof(rest), "%s", insn->text + operands);
	snprintf(insn->text, INSN_TEXT, *rest ? "f%-5s %s" : "f%s%s", name + 2, rest);
	return true;
}

#endif
