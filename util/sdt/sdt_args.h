/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The arguments of static probe points, as the compiler wrote them in assembler: what the kernel's
 * uprobe_events can fetch of them, in its words.
 *
 *	x86	%REG  NUMBER(%REG)  $NUMBER  SYMBOL(%rip)  SYMBOL
 *	arm64	REG  [REG]  [REG, NUMBER]  NUMBER
 *
 * with a sum for each NUMBER, and SYMBOL+NUMBER. There are more forms than these: an index, what a
 * thread has of its own, vectors, addresses of symbols. Those are refused with the reason.
 */
#ifndef PERF_UTIL_SDT_SDT_ARGS_H
#define PERF_UTIL_SDT_SDT_ARGS_H

#include <stddef.h>

#include "util/lib/types.h"

enum sdt_operand_kind {
	SDT_REFUSED,  /* ->why */
	SDT_REGISTER, /* ->reg */
	SDT_MEMORY,   /* ->offset off ->reg */
	SDT_CONSTANT, /* ->offset */
	SDT_SYMBOL,   /* memory at the symbol and ->offset */
};

struct sdt_arg {
	const char *text; /* all of it; borrowed */
	size_t len;
	char type[12]; /* ":s32", or ":b8@8/16"; "": the size is unknown */
	enum sdt_operand_kind kind;
	const char *why;
	char reg[8]; /* the kernel's name */
	s64 offset;
	const char *symbol; /* in ->text */
	size_t symbol_len;
};

/* Read the argument at @args; returns what is behind it. NULL: there is none any more. */
const char *sdt_arg__next(struct sdt_arg *arg, const char *args, u16 machine);

#endif
