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
	static const char *const names[] = { "lsl",   "lsr",  "asr",   "ror",   "ubfx",  "sbfx",
		                             "bfi",   "ubfm", "bfxil", "ubfiz", "sbfiz", "extr",
		                             "tbz",   "tbnz", "bfc",   "sbfm",  "bfm",   "shl",
		                             "ushr",  "sshr", "ushll", "sshll", "ext",   "shrn",
		                             "shrn2", "sli",  "sri",   "usra",  "prfm",  NULL };

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
