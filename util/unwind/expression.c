// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/unwind/expression.h"

#include <errno.h>
#include <stdint.h>

#include "util/lib/cursor.h"
#include "util/unwind/cfi.h"
#include "util/unwind/dwarf_codes.h"

#define DEPTH_MAX 64

struct evaluation {
	const struct expression_context *context;
	struct cursor c;
	const u8 *begin;
	u64 stack[DEPTH_MAX];
	unsigned depth;
	int error;
};

static void fail(struct evaluation *e, int error)
{
	if (!e->error)
		e->error = error;
}

static void push(struct evaluation *e, u64 value)
{
	if (e->depth == DEPTH_MAX)
		return fail(e, -EBADMSG);
	e->stack[e->depth++] = e->context->is64 ? value : (u32)value;
}

/* A number with a sign, of the machine's size. */
static s64 pop_signed(struct evaluation *e)
{
	if (!e->depth) {
		fail(e, -EBADMSG);
		return 0;
	}
	u64 value = e->stack[--e->depth];

	return e->context->is64 ? (s64)value : (s64)(s32)value;
}

static u64 pop(struct evaluation *e)
{
	u64 value = pop_signed(e);

	return e->context->is64 ? value : (u32)value;
}

static void push_register(struct evaluation *e, u64 reg, s64 offset)
{
	if (reg >= CFI_NR_REGS || !(e->context->known >> reg & 1))
		return fail(e, reg >= CFI_NR_REGS ? -EBADMSG : -ENXIO);
	push(e, e->context->regs[reg] + offset);
}

static void push_from_below(struct evaluation *e, unsigned below)
{
	if (below >= e->depth)
		return fail(e, -EBADMSG);
	push(e, e->stack[e->depth - 1 - below]);
}

static void load(struct evaluation *e, unsigned size)
{
	u64 value = 0;

	if (size != 1 && size != 2 && size != 4 && size != 8)
		return fail(e, -EBADMSG);
	u64 addr = pop(e);

	if (!e->error)
		fail(e, e->context->load(e->context->ctx, addr, size, &value));
	push(e, value);
}

/* Swap the first two, or let the first go below the next two. */
static void rotate(struct evaluation *e, unsigned nr)
{
	if (e->depth < nr)
		return fail(e, -EBADMSG);
	u64 *top = &e->stack[e->depth - 1], first = *top;

	for (unsigned i = 1; i < nr; i++, top--)
		*top = top[-1];
	*top = first;
}

static void jump(struct evaluation *e, s16 by)
{
	s64 to = e->c.pos - e->begin + (s64)by;

	if (to < 0 || to > e->c.end - e->begin)
		return fail(e, -EBADMSG);
	e->c.pos = e->begin + to;
}

static u64 shifted(u8 op, u64 value, s64 with_sign, u64 by)
{
	if (op == OP_SHRA)
		return with_sign >> (by < 63 ? by : 63);
	if (by > 63)
		return 0;
	return op == OP_SHL ? value << by : value >> by;
}

/* Operations on the two topmost numbers. False: it is none. */
static bool binary(struct evaluation *e, u8 op)
{
	bool known = (op >= OP_AND && op <= OP_MUL) || (op >= OP_OR && op <= OP_XOR) ||
	             (op >= OP_EQ && op <= OP_NE);

	if (!known || op == OP_PLUS_UCONST)
		return false;
	s64 right = pop_signed(e), left = pop_signed(e);
	u64 uright = e->context->is64 ? (u64)right : (u32)right;
	u64 uleft = e->context->is64 ? (u64)left : (u32)left, result = 0;

	switch (op) {
	case OP_AND:
		result = uleft & uright;
		break;
	case OP_OR:
		result = uleft | uright;
		break;
	case OP_XOR:
		result = uleft ^ uright;
		break;
	case OP_PLUS:
		result = uleft + uright;
		break;
	case OP_MINUS:
		result = uleft - uright;
		break;
	case OP_MUL:
		result = uleft * uright;
		break;
	case OP_DIV:
	case OP_MOD:
		if (!right)
			fail(e, -EBADMSG);
		else if (op == OP_MOD)
			result = uleft % uright;
		else
			result = right == -1 ? -(u64)left : (u64)(left / right);
		break;
	case OP_EQ:
		result = left == right;
		break;
	case OP_NE:
		result = left != right;
		break;
	case OP_GE:
		result = left >= right;
		break;
	case OP_GT:
		result = left > right;
		break;
	case OP_LE:
		result = left <= right;
		break;
	case OP_LT:
		result = left < right;
		break;
	default:
		result = shifted(op, uleft, left, uright);
		break;
	}
	push(e, result);
	return true;
}

/* Numbers that stand in the expression. False: it is none. */
static bool constant(struct evaluation *e, u8 op)
{
	struct cursor *c = &e->c;

	switch (op) {
	case OP_ADDR:
		push(e, e->context->is64 ? cursor__u64(c) : cursor__u32(c));
		return true;
	case OP_CONST1U:
		push(e, cursor__u8(c));
		return true;
	case OP_CONST1S:
		push(e, (int8_t)cursor__u8(c));
		return true;
	case OP_CONST2U:
		push(e, cursor__u16(c));
		return true;
	case OP_CONST2S:
		push(e, (s16)cursor__u16(c));
		return true;
	case OP_CONST4U:
		push(e, cursor__u32(c));
		return true;
	case OP_CONST4S:
		push(e, (s32)cursor__u32(c));
		return true;
	case OP_CONST8U:
	case OP_CONST8S:
		push(e, cursor__u64(c));
		return true;
	case OP_CONSTU:
		push(e, cursor__uleb(c));
		return true;
	case OP_CONSTS:
		push(e, cursor__sleb(c));
		return true;
	}
	if (op < OP_LIT0 || op > OP_LIT31)
		return false;
	push(e, op - OP_LIT0);
	return true;
}

/* Operations on the topmost number and on the stack. False: it is none. */
static bool unary(struct evaluation *e, u8 op)
{
	s64 value;

	switch (op) {
	case OP_DUP:
		push_from_below(e, 0);
		return true;
	case OP_OVER:
		push_from_below(e, 1);
		return true;
	case OP_PICK:
		push_from_below(e, cursor__u8(&e->c));
		return true;
	case OP_DROP:
		pop(e);
		return true;
	case OP_SWAP:
		rotate(e, 2);
		return true;
	case OP_ROT:
		rotate(e, 3);
		return true;
	case OP_NEG:
		push(e, -(u64)pop(e));
		return true;
	case OP_NOT:
		push(e, ~pop(e));
		return true;
	case OP_PLUS_UCONST:
		push(e, pop(e) + cursor__uleb(&e->c));
		return true;
	case OP_ABS:
		value = pop_signed(e);
		push(e, value < 0 ? -(u64)value : (u64)value);
		return true;
	case OP_DEREF:
		load(e, e->context->is64 ? 8 : 4);
		return true;
	case OP_DEREF_SIZE:
		load(e, cursor__u8(&e->c));
		return true;
	}
	return false;
}

static void other(struct evaluation *e, u8 op)
{
	u64 reg;
	s16 by;

	switch (op) {
	case OP_BRA:
		by = cursor__u16(&e->c);
		if (pop(e))
			jump(e, by);
		return;
	case OP_SKIP:
		by = cursor__u16(&e->c);
		return jump(e, by);
	case OP_BREGX:
		reg = cursor__uleb(&e->c);
		return push_register(e, reg, cursor__sleb(&e->c));
	case OP_NOP:
		return;
	}
	if (op >= OP_BREG0 && op <= OP_BREG31)
		push_register(e, op - OP_BREG0, cursor__sleb(&e->c));
	else
		fail(e, -EBADMSG);
}

int expression__evaluate(const struct expression_context *context, const u8 *expression, size_t len,
                         bool start, u64 *value)
{
	struct evaluation e;
	unsigned steps = 0;

	e.context = context;
	e.c = cursor__make(expression, len, context->swap);
	e.begin = expression;
	e.depth = 0;
	e.error = 0;
	if (start)
		push(&e, *value);
	while (!e.error && cursor__left(&e.c)) {
		u8 op = cursor__u8(&e.c);

		if (++steps > EXPRESSION_STEPS_MAX)
			fail(&e, -EBADMSG);
		else if (!constant(&e, op) && !binary(&e, op) && !unary(&e, op))
			other(&e, op);
		if (e.c.failed)
			fail(&e, -EBADMSG);
	}
	u64 result = pop(&e);

	if (!e.error)
		*value = result;
	return e.error;
}
