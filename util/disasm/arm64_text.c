// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The text of arm64 instructions, as GNU objdump 2.40 writes it: capstone's own, with its numbers
 * written as objdump writes them, and the aliases that objdump prefers.
 */
#include "util/disasm/text_private.h"

#ifdef HAVE_CAPSTONE
#include <stdlib.h>
#include <string.h>

/* Mnemonics whose immediates are bit numbers or shift counts: they are decimal. */
static bool counts_bits(const char *mnemonic)
{
	static const char *const names[] = { "lsl",    "lsr",   "asr",   "ror",   "ubfx",  "sbfx",
		                             "bfi",    "ubfm",  "bfxil", "ubfiz", "sbfiz", "extr",
		                             "tbz",    "tbnz",  "bfc",   "sbfm",  "bfm",   "shl",
		                             "ushr",   "sshr",  "ushll", "sshll", "ext",   "shrn",
		                             "shrn2",  "sli",   "sri",   "usra",  "prfm",  "fcvtzs",
		                             "fcvtzu", "scvtf", "ucvtf", "cmeq",  "cmgt",  "cmge",
		                             "cmle",   "cmlt",  NULL };

	for (u32 i = 0; names[i]; i++) {
		if (!strcmp(mnemonic, names[i]))
			return true;
	}
	return !strncmp(mnemonic, "ld", 2) || !strncmp(mnemonic, "st", 2);
}

/* What objdump says of the other names of a condition; the text is "b.ne" or ends in ", ne". */
static const char *condition_note(const char *condition, bool branch)
{
	static const struct {
		const char *condition, *branch, *other;
	} notes[] = {
		{ "ne", "  // b.any", "\t// ne = any" },
		{ "eq", "  // b.none", "\t// eq = none" },
		{ "cs", "  // b.hs, b.nlast", "\t// cs = hs, nlast" },
		{ "cc", "  // b.lo, b.ul, b.last", "\t// cc = lo, ul, last" },
		{ "mi", "  // b.first", "\t// mi = first" },
		{ "pl", "  // b.nfrst", "\t// pl = nfrst" },
		{ "hi", "  // b.pmore", "\t// hi = pmore" },
		{ "ls", "  // b.plast", "\t// ls = plast" },
		{ "ge", "  // b.tcont", "\t// ge = tcont" },
		{ "lt", "  // b.tstop", "\t// lt = tstop" },
	};

	for (u32 i = 0; i < sizeof(notes) / sizeof(*notes); i++) {
		if (!strcmp(condition, notes[i].condition))
			return branch ? notes[i].branch : notes[i].other;
	}
	return NULL;
}

/* "#0x10", "#-8" at @from: decimal or in hex; what follows is returned. */
static const char *add_number(struct insn_text *text, const char *from, bool decimal)
{
	bool minus = from[1] == '-';
	char *end;
	unsigned long long value = strtoull(from + 1 + minus, &end, 0);

	if (decimal && !minus && value >> 63) { /* capstone's offsets behind an access */
		minus = true;
		value = -value;
	}
	if (*end == '.') { /* of floating point: as it is */
		size_t len = strcspn(from, ",]");
		double number = strtod(from + 1, NULL);

		insn_text__add(text, number != 0 ? "#%.18e" : "#%.1f", number);
		return from + len;
	}
	if (!decimal && minus) { /* a mask */
		minus = false;
		value = -value;
	}
	if (decimal)
		insn_text__add(text, "#%s%llu", minus ? "-" : "", value);
	else
		insn_text__add(text, "#%s0x%llx", minus ? "-" : "", value);
	return end;
}

/* Copy capstone's operands, with objdump's numbers. */
static void add_operands(struct insn_text *text, const char *mnemonic, const char *from)
{
	bool decimal = counts_bits(mnemonic), inside = false;

	while (*from) {
		/* In addresses, and behind the name of a shift. */
		bool shift = !strncmp(from, "lsl ", 4) || !strncmp(from, "lsr ", 4) ||
		             !strncmp(from, "asr ", 4) || !strncmp(from, "ror ", 4) ||
		             !strncmp(from, "uxt", 3) || !strncmp(from, "sxt", 3) ||
		             !strncmp(from, "msl ", 4);

		decimal |= shift;
		if (*from == '[')
			inside = true;
		if (*from == '#') {
			from = add_number(text, from, decimal || inside);
			continue;
		}
		insn_text__add(text, "%c", *from++);
	}
}

static bool add_target(struct insn_text *text, const cs_insn *decoded, u32 which)
{
	const cs_arm64 *details = &decoded->detail->arm64;
	const char *end = strrchr(decoded->op_str, '#');

	if (details->op_count <= which || !end || details->operands[which].type != ARM64_OP_IMM)
		return false;
	char before[sizeof(decoded->op_str)];

	memcpy(before, decoded->op_str, (size_t)(end - decoded->op_str));
	before[end - decoded->op_str] = '\0';
	add_operands(text, decoded->mnemonic, before);
	text->insn->names = true;
	text->insn->target = (u64)details->operands[which].imm;
	insn_text__add(text, "%llx", (unsigned long long)text->insn->target);
	return true;
}

/* The forms of mov: "mov	w0, #0x0                   	// #0" */
static bool add_constant(struct insn_text *text, const cs_insn *decoded, const char *mnemonic)
{
	const cs_arm64 *details = &decoded->detail->arm64;
	bool narrow = *decoded->op_str == 'w';
	bool orr = !strcmp(mnemonic, "orr") && details->op_count == 3 &&
	           (details->operands[1].reg == ARM64_REG_XZR ||
	            details->operands[1].reg == ARM64_REG_WZR);
	const cs_arm64_op *op = &details->operands[orr ? 2 : 1];
	u64 value = (u64)op->imm;

	if (!orr && (details->op_count != 2 ||
	             (strcmp(mnemonic, "movz") != 0 && strcmp(mnemonic, "movn") != 0 &&
	              strcmp(mnemonic, "mov") != 0)))
		return false;
	if (op->type != ARM64_OP_IMM)
		return false;
	if (op->shift.type == ARM64_SFT_LSL)
		value <<= op->shift.value & 63;
	if (!strcmp(mnemonic, "movn"))
		value = ~value;
	if (narrow)
		value = (u32)value;
	insn_text__add(text, "mov\t%.*s, #0x%-20llx\t// #%lld", (int)strcspn(decoded->op_str, ","),
	               decoded->op_str, (unsigned long long)value,
	               narrow ? (long long)(s32)value : (long long)value);
	return true;
}

/* A general register by its number; 31 is zero. */
static void add_general(struct insn_text *text, char width, u32 reg)
{
	if (reg == 31)
		insn_text__add(text, "%czr", width);
	else
		insn_text__add(text, "%c%u", width, reg);
}

/* ", [x1]": register 31 is the stack's. */
static void add_address(struct insn_text *text, u32 reg)
{
	if (reg == 31)
		insn_text__add(text, ", [sp]");
	else
		insn_text__add(text, ", [x%u]", reg);
}

/* Hints that are newer than capstone 4. */
static bool add_hint(struct insn_text *text, const cs_insn *decoded, const char *mnemonic)
{
	static const struct {
		u8 number;
		const char *text;
	} hints[] = {
		{ 0x07, "xpaclri" }, { 0x14, "csdb" },    { 0x19, "paciasp" }, { 0x1b, "pacibsp" },
		{ 0x1d, "autiasp" }, { 0x1f, "autibsp" }, { 0x20, "bti" },     { 0x22, "bti\tc" },
		{ 0x24, "bti\tj" },  { 0x26, "bti\tjc" },
	};

	if (strcmp(mnemonic, "hint") != 0)
		return false;
	for (u32 i = 0; i < sizeof(hints) / sizeof(*hints); i++) {
		if ((u64)decoded->detail->arm64.operands[0].imm != hints[i].number)
			continue;
		insn_text__add(text, "%s", hints[i].text);
		return true;
	}
	return false;
}

/* "add" of the atomic "ldadda"; NULL: there is no such one. */
static const char *atomic_operation(u32 o3, u32 opc)
{
	static const char *const names[] = { "add",  "clr",  "eor",  "set",
		                             "smax", "smin", "umax", "umin" };

	return o3 ? (opc ? NULL : "swp") : names[opc];
}

/* What is read, changed and written at one go: ldadd and the like, and swp. */
static bool add_atomic(struct insn_text *text, u32 word)
{
	u32 size = word >> 30, rs = word >> 16 & 31, rn = word >> 5 & 31, rt = word & 31;
	bool acquires = word >> 23 & 1, releases = word >> 22 & 1, swaps = word >> 15 & 1;
	const char *operation = atomic_operation(swaps, word >> 12 & 7);
	bool stores = rt == 31 && !acquires && !swaps; /* what was there is dropped */
	char width = size == 3 ? 'x' : 'w';

	if ((word & 0x3f200c00) != 0x38200000 || !operation)
		return false;
	insn_text__add(text, "%s%s%s%s%s\t",
	               swaps    ? ""
	               : stores ? "st"
	                        : "ld",
	               operation, acquires ? "a" : "", releases ? "l" : "",
	               size == 0   ? "b"
	               : size == 1 ? "h"
	                           : "");
	add_general(text, width, rs);
	if (!stores) {
		insn_text__add(text, ", ");
		add_general(text, width, rt);
	}
	add_address(text, rn);
	return true;
}

/* Compare and swap: cas, and casp of two registers. */
static bool add_compare_and_swap(struct insn_text *text, u32 word)
{
	u32 size = word >> 30, rs = word >> 16 & 31, rn = word >> 5 & 31, rt = word & 31;
	bool acquires = word >> 22 & 1, releases = word >> 15 & 1;
	bool pair = (word & 0xbfa07c00) == 0x08207c00;
	char width = (pair ? size & 1 : size == 3) ? 'x' : 'w';

	if (!pair && (word & 0x3fa07c00) != 0x08a07c00)
		return false;
	if (pair && ((rs | rt) & 1))
		return false;
	insn_text__add(text, "cas%s%s%s%s\t", pair ? "p" : "", acquires ? "a" : "",
	               releases ? "l" : "",
	               pair || size > 1 ? ""
	               : size           ? "h"
	                                : "b");
	for (u32 i = 0; i < (pair ? 4 : 2); i++) {
		u32 reg = pair ? (i < 2 ? rs : rt) + (i & 1) : i ? rt : rs;

		insn_text__add(text, "%s", i ? ", " : "");
		add_general(text, width, reg);
	}
	add_address(text, rn);
	return true;
}

bool arm64_text__newer(struct insn *insn, u32 word)
{
	struct insn_text text = { .insn = insn };

	if (!word)
		insn_text__add(&text, "udf\t#0");
	return !word || add_atomic(&text, word) || add_compare_and_swap(&text, word);
}

/* Conditions as an operand, the last one, in objdump's names. */
static void add_condition(struct insn_text *text)
{
	char *end = strrchr(text->insn->text, ',');

	if (!end || strlen(end) != 4)
		return;
	if (!strcmp(end, ", hs") || !strcmp(end, ", lo"))
		memcpy(end + 2, end[2] == 'h' ? "cs" : "cc", 2);
	const char *note = condition_note(end + 2, false);

	if (note)
		insn_text__add(text, "%s", note);
}

/* Shifted by nothing, a vector is only made wider: "uxtl	v0.2d, v0.2s". */
static bool add_widening(struct insn_text *text, const cs_insn *decoded, const char *mnemonic)
{
	const char *end = strstr(decoded->op_str, ", #0");
	bool upper = !strcmp(mnemonic, "ushll2") || !strcmp(mnemonic, "sshll2");

	if (!end || end[4] || (!upper && strcmp(mnemonic, "ushll") && strcmp(mnemonic, "sshll")))
		return false;
	insn_text__add(text, "%cxtl%s\t%.*s", *mnemonic, upper ? "2" : "",
	               (int)(end - decoded->op_str), decoded->op_str);
	return true;
}

void arm64_text__make(struct insn *insn, csh handle, const cs_insn *decoded)
{
	struct insn_text text = { .insn = insn };
	const cs_arm64 *details = &decoded->detail->arm64;
	const char *mnemonic = decoded->mnemonic;
	bool branch = capstone.insn_group(handle, decoded, CS_GRP_JUMP) ||
	              capstone.insn_group(handle, decoded, CS_GRP_CALL) || !strcmp(mnemonic, "bl");

	insn->kind = !strcmp(mnemonic, "bl") || !strcmp(mnemonic, "blr") ? INSN_CALL
	             : !strcmp(mnemonic, "ret")                          ? INSN_RETURN
	             : branch                                            ? INSN_JUMP
	                                                                 : INSN_OTHER;
	if (add_constant(&text, decoded, mnemonic) || add_hint(&text, decoded, mnemonic))
		return;
	if (!strcmp(mnemonic, "ins"))
		mnemonic = "mov";
	if (add_widening(&text, decoded, mnemonic))
		return;
	if (!strcmp(mnemonic, "b.hs") || !strcmp(mnemonic, "b.lo"))
		mnemonic = mnemonic[2] == 'h' ? "b.cs" : "b.cc";
	insn_text__add(&text, "%s%s", mnemonic, *decoded->op_str ? "\t" : "");
	if (!strncmp(mnemonic, "b.", 2))
		insn->note = condition_note(mnemonic + 2, true);
	if ((branch || !strcmp(mnemonic, "adr") || !strcmp(mnemonic, "adrp")) &&
	    details->op_count && add_target(&text, decoded, details->op_count - 1u))
		return;
	add_operands(&text, mnemonic, decoded->op_str);
	add_condition(&text);
}

#endif
