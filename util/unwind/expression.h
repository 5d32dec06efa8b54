/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * DWARF expressions (DWARF 5 section 2.5) as call frame information uses them: what lies where,
 * computed from registers and the stack. They are outside data: a stack of fixed depth and a
 * bounded number of steps, so that a loop or a bomb is an error like any other.
 */
#ifndef PERF_UTIL_UNWIND_EXPRESSION_H
#define PERF_UTIL_UNWIND_EXPRESSION_H

#include "util/lib/types.h"

#define EXPRESSION_STEPS_MAX 1000

struct expression_context {
	const u64 *regs; /* by DWARF number ... */
	u64 known;       /* ... those of these bits */
	bool is64, swap;
	/* Load a word of @size bytes: 0 or a negative errno, which the evaluation then gives. */
	int (*load)(void *ctx, u64 addr, unsigned size, u64 *value);
	void *ctx;
};

/*
 * The value of the expression, computed with *value on the stack (@start) or nothing. 0; -EBADMSG
 * when it makes no sense or takes too long; -ENXIO when a register is not known; what load() gave.
 */
int expression__evaluate(const struct expression_context *context, const u8 *expression, size_t len,
                         bool start, u64 *value);

#endif
