/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Evaluates the DWARF expressions (DWARF 5 section 2.5) of call frame information. They compute
 * addresses and values from registers and the stack. They are untrusted data: the depth of the
 * evaluation stack and the number of steps are bounded, so that a loop is an error like any other.
 */
#ifndef PERF_UTIL_UNWIND_EXPRESSION_H
#define PERF_UTIL_UNWIND_EXPRESSION_H

#include "util/lib/types.h"

#define EXPRESSION_STEPS_MAX 1000

struct expression_context {
	const u64 *regs; /* by DWARF number ... */
	u64 known;       /* ... those of these bits */
	bool is64, swap;
	/* Load a word of @size bytes: 0 or a negative errno, which the evaluation then returns. */
	int (*load)(void *ctx, u64 addr, unsigned size, u64 *value);
	void *ctx;
};

/*
 * Evaluate an expression into *value; its stack begins with *value (@start) or empty. 0; -EBADMSG
 * when it is invalid or takes too long; -ENXIO when a register is not known; the error of load().
 */
int expression__evaluate(const struct expression_context *context, const u8 *expression, size_t len,
                         bool start, u64 *value);

#endif
