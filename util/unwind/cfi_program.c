// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs the programs of call frame information. They build the table of rules row by row, from the
 * first instruction of a function on; this stops at the row that was asked for.
 */
#include <elf.h>
#include <errno.h>

#include "util/unwind/cfi_private.h"
#include "util/unwind/dwarf_codes.h"

#define REMEMBER_MAX 32 /* states that may be remembered inside each other */

#define SAME 0xff /* beside enum cfi_kind: no rule */

/* The rules at work, by register. */
struct state {
	struct cfi_rule cfa;
	struct cfi_rule regs[CFI_NR_REGS];
	bool ra_signed;
};

struct run {
	const struct cfi_section *section;
	const struct cfi_common *common;
	struct state state, initial;
	struct state remembered[REMEMBER_MAX];
	unsigned nr_remembered;
	u64 at, vaddr; /* up to which address the state is true; the one that is asked for */
	bool failed;
};

static s32 checked(struct run *run, s64 value)
{
	if (value != (s32)value)
		run->failed = true;
	return value;
}

static s32 factored(struct run *run, s64 value)
{
	s64 product;

	if (__builtin_mul_overflow(value, run->common->data_align, &product))
		run->failed = true;
	return checked(run, product);
}

/* Registers that are not followed (of floating point, vectors) get their rules here. */
static void set(struct run *run, u64 reg, u8 kind, s32 value)
{
	if (reg < CFI_NR_REGS)
		run->state.regs[reg] =
		        (struct cfi_rule){ .reg = reg, .kind = kind, .value = value };
}

static struct cfi_rule expression(struct run *run, struct cursor *c, u8 reg, u8 kind)
{
	u64 len = cursor__uleb(c);
	struct cfi_rule rule = { .reg = reg, .kind = kind, .len = len };

	rule.value = c->pos - run->section->data;
	if (len > UINT16_MAX || !cursor__bytes(c, len))
		run->failed = true;
	return rule;
}

static void set_expression(struct run *run, struct cursor *c, u8 kind)
{
	u64 reg = cursor__uleb(c);
	struct cfi_rule rule = expression(run, c, reg, kind);

	if (reg < CFI_NR_REGS)
		run->state.regs[reg] = rule;
}

static void restore(struct run *run, u64 reg)
{
	if (reg < CFI_NR_REGS)
		run->state.regs[reg] = run->initial.regs[reg];
}

static void define_cfa(struct run *run, u64 reg, s32 offset)
{
	if (reg >= CFI_NR_REGS)
		run->failed = true;
	run->state.cfa = (struct cfi_rule){ .reg = reg, .kind = CFI_REGISTER, .value = offset };
}

static void remember(struct run *run)
{
	if (run->nr_remembered == REMEMBER_MAX)
		run->failed = true;
	else
		run->remembered[run->nr_remembered++] = run->state;
}

static void recall(struct run *run)
{
	if (!run->nr_remembered)
		run->failed = true;
	else
		run->state = run->remembered[--run->nr_remembered];
}

/* The instructions whose first byte is all of the code. */
static void extended(struct run *run, struct cursor *c, u8 code)
{
	u64 reg;

	switch (code) {
	case CFA_NOP:
		break;
	case CFA_OFFSET_EXTENDED:
		reg = cursor__uleb(c);
		set(run, reg, CFI_OFFSET, factored(run, cursor__uleb(c)));
		break;
	case CFA_OFFSET_EXTENDED_SF:
		reg = cursor__uleb(c);
		set(run, reg, CFI_OFFSET, factored(run, cursor__sleb(c)));
		break;
	case CFA_GNU_NEGATIVE_OFFSET_EXTENDED:
		reg = cursor__uleb(c);
		set(run, reg, CFI_OFFSET, factored(run, -cursor__uleb(c)));
		break;
	case CFA_VAL_OFFSET:
		reg = cursor__uleb(c);
		set(run, reg, CFI_VAL_OFFSET, factored(run, cursor__uleb(c)));
		break;
	case CFA_VAL_OFFSET_SF:
		reg = cursor__uleb(c);
		set(run, reg, CFI_VAL_OFFSET, factored(run, cursor__sleb(c)));
		break;
	case CFA_RESTORE_EXTENDED:
		restore(run, cursor__uleb(c));
		break;
	case CFA_UNDEFINED:
		set(run, cursor__uleb(c), CFI_UNDEFINED, 0);
		break;
	case CFA_SAME_VALUE:
		set(run, cursor__uleb(c), SAME, 0);
		break;
	case CFA_REGISTER:
		reg = cursor__uleb(c);
		set(run, reg, CFI_REGISTER, checked(run, cursor__uleb(c)));
		break;
	case CFA_EXPRESSION:
		set_expression(run, c, CFI_EXPRESSION);
		break;
	case CFA_VAL_EXPRESSION:
		set_expression(run, c, CFI_VAL_EXPRESSION);
		break;
	case CFA_REMEMBER_STATE:
		remember(run);
		break;
	case CFA_RESTORE_STATE:
		recall(run);
		break;
	case CFA_GNU_ARGS_SIZE:
		cursor__uleb(c);
		break;
	case CFA_AARCH64_NEGATE_RA_STATE:
		run->failed |= run->section->machine != EM_AARCH64;
		run->state.ra_signed = !run->state.ra_signed;
		break;
	default:
		run->failed = true;
	}
}

/* The instructions that define the canonical frame address. False: it is none of them. */
static bool cfa_instruction(struct run *run, struct cursor *c, u8 code)
{
	struct cfi_rule *cfa = &run->state.cfa;
	u64 reg;

	switch (code) {
	case CFA_DEF_CFA:
		reg = cursor__uleb(c);
		define_cfa(run, reg, checked(run, cursor__uleb(c)));
		return true;
	case CFA_DEF_CFA_SF:
		reg = cursor__uleb(c);
		define_cfa(run, reg, factored(run, cursor__sleb(c)));
		return true;
	case CFA_DEF_CFA_REGISTER:
		define_cfa(run, cursor__uleb(c), cfa->kind == CFI_REGISTER ? cfa->value : 0);
		return true;
	case CFA_DEF_CFA_OFFSET:
		define_cfa(run, cfa->reg, checked(run, cursor__uleb(c)));
		return true;
	case CFA_DEF_CFA_OFFSET_SF:
		define_cfa(run, cfa->reg, factored(run, cursor__sleb(c)));
		return true;
	case CFA_DEF_CFA_EXPRESSION:
		*cfa = expression(run, c, cfa->reg, CFI_VAL_EXPRESSION);
		return true;
	}
	return false;
}

/* Go to a later address. False when the row asked for ends before it. */
static bool advance(struct run *run, u64 units)
{
	u64 to = run->at + units * run->common->code_align;

	if (to > run->vaddr || to < run->at)
		return false;
	run->at = to;
	return true;
}

/* The instructions that end a row. 1: gone on; 0: the row is complete; -1: none of them. */
static int location(struct run *run, struct cursor *c, u8 code)
{
	switch (code) {
	case CFA_SET_LOC: {
		u64 to = cfi__pointer(run->section, c, run->common->encoding, run->common->is64);

		if (c->failed || to > run->vaddr)
			return 0;
		run->at = to;
		return 1;
	}
	case CFA_ADVANCE_LOC1:
		return advance(run, cursor__u8(c));
	case CFA_ADVANCE_LOC2:
		return advance(run, cursor__u16(c));
	case CFA_ADVANCE_LOC4:
		return advance(run, cursor__u32(c));
	case CFA_MIPS_ADVANCE_LOC8:
		return advance(run, cursor__u64(c));
	}
	return (code & 0xc0) == CFA_ADVANCE_LOC ? advance(run, code & 0x3f) : -1;
}

static void run_program(struct run *run, struct cursor c)
{
	if (cursor__left(&c) > CFI_PROGRAM_MAX)
		run->failed = true;
	while (!run->failed && !c.failed && cursor__left(&c)) {
		u8 code = cursor__u8(&c);
		int moved = location(run, &c, code);

		if (!moved)
			break;
		if (moved > 0)
			continue;
		if ((code & 0xc0) == CFA_OFFSET)
			set(run, code & 0x3f, CFI_OFFSET, factored(run, cursor__uleb(&c)));
		else if ((code & 0xc0) == CFA_RESTORE)
			restore(run, code & 0x3f);
		else if (!cfa_instruction(run, &c, code))
			extended(run, &c, code);
	}
	run->failed |= c.failed;
}

int cfi_program__run(const struct cfi_section *section, const struct cfi_common *common,
                     const struct cursor *program, u64 start, u64 vaddr, struct cfi_row *row)
{
	struct run run;

	run.section = section;
	run.common = common;
	run.nr_remembered = 0;
	run.at = start;
	run.vaddr = vaddr;
	run.failed = false;
	run.state = (struct state){ .cfa.kind = CFI_UNDEFINED };
	for (unsigned i = 0; i < CFI_NR_REGS; i++)
		run.state.regs[i].kind = SAME;
	run.initial = run.state;
	run_program(&run, common->program);
	run.at = start;
	run.initial = run.state;
	run_program(&run, *program);
	if (run.failed)
		return -EBADMSG;
	*row = (struct cfi_row){ .cfa = run.state.cfa,
		                 .ra_reg = common->ra_reg,
		                 .signal = common->signal,
		                 .ra_signed = run.state.ra_signed };
	for (unsigned i = 0; i < CFI_NR_REGS; i++)
		if (run.state.regs[i].kind != SAME)
			row->rules[row->nr++] = run.state.regs[i];
	return 0;
}
