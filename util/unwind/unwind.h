/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The call chain of a sample that carries the registers and a copy of the top of the stack
 * (record --call-graph dwarf): from each function to its caller, as the unwind tables of the
 * object tell for the address, until the outermost frame or until something is missing, which
 * the verdict names.
 *
 * Code without tables (of JIT compilers, most of all) is left by its frame pointer, but what that
 * leads to is believed only if it ends in code that has tables, or in the thread's first function:
 * otherwise the chain ends where tables are missing.
 *
 * Whatever the registers, the copy and the tables hold, there is an end: a chain has as many
 * frames as the caller has room for, and the stack is followed upwards only (but out of signal
 * handlers, which may have a stack of their own).
 *
 * What an address leads to (object, row of its table) is remembered, so a frame of code that was
 * seen before costs a look-up and the loads from the stack.
 */
#ifndef PERF_UTIL_UNWIND_UNWIND_H
#define PERF_UTIL_UNWIND_UNWIND_H

#include "util/format/sample.h"
#include "util/machine/machine.h"
#include "util/unwind/registers.h"
#include "util/unwind/tables.h"
#include "util/unwind/verdict.h"

/* What is mapped at an address, and for how long that is true. */
struct unwind_location {
	u32 dso;  /* ID_NONE: nothing */
	u64 addr; /* inside the dso */
	struct moment since, until;
};

typedef void unwind_locate_fn(void *ctx, u64 addr, struct unwind_location *location);

struct unwind_sample {
	const struct arch *arch;
	struct unwind_regs regs;
	const u8 *stack; /* the bytes from the stack pointer upwards ... */
	u64 stack_size;  /* ... so many were copied */
	bool stack_cut; /* more was there than was asked for; else the stack ends behind the copy */
	bool swap;      /* the bytes have the other byte order */
	u32 space;      /* tells address spaces apart ... */
	struct moment when;
	unwind_locate_fn *locate; /* ... in which this finds what is mapped */
	void *ctx;
};

/*
 * Fill @in from a fully decoded sample, taken by a machine of @arch, whose event asks for registers
 * @mask. False: it carries no user registers (a thread of the kernel), or of a machine that is not
 * known here. What concerns places is left to the caller.
 */
bool unwind_sample__take(struct unwind_sample *in, const struct arch *arch,
                         const struct sample *sample, u64 mask, bool swap);

/* A word of the copy: 0; -ENODATA: it was cut off; -EFAULT: it is none of this stack. */
int unwind_sample__load(const struct unwind_sample *in, u64 addr, unsigned size, u64 *value);

/*
 * Who follows the tables: perf itself, or a library that others trust. The libraries are slow, and
 * there so that one can be checked by the other; what they cannot do is in differences.md.
 */
enum unwind_style {
	UNWIND_NATIVE,
	UNWIND_LIBUNWIND,
	UNWIND_LIBDW,
};

/* The style called @name, made ready: 0, or a negative errno and @err. */
int unwind_style__find(const char *name, enum unwind_style *style, struct error *err);

/* Can it unwind what a machine of @arch recorded? 0, or -ENOTSUP and @err. */
int unwind_style__check(enum unwind_style style, const struct arch *arch, struct error *err);

struct unwinder; /* private; one per thread */

/* @tables is borrowed; @style was found. */
struct unwinder *unwinder__new(struct unwind_tables *tables, enum unwind_style style);
void unwinder__delete(struct unwinder *unwinder);

/*
 * Up to @max addresses, leaf first: the interrupted instruction, then of each caller the last byte
 * of its call (the address that belongs to it in line tables, too); of what signal handlers return
 * to, and of what the signal interrupted, the address itself. Returns how many.
 */
u32 unwinder__run(struct unwinder *unwinder, const struct unwind_sample *sample, u64 *ips, u32 max,
                  struct chain_verdict *verdict);

#endif
