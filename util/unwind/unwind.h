/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Unwinds the call chain of a sample with user registers and a copied stack (record --call-graph
 * dwarf). It goes from each function to its caller by the object's unwind tables, until the
 * outermost frame or until something is missing, which the verdict names.
 *
 * Code without tables (of JIT compilers, most of all) is unwound by its frame pointer. The result
 * counts only if it reaches code that has tables, or the thread's first function: otherwise the
 * chain ends where tables are missing.
 *
 * Unwinding ends whatever the registers, the copy and the tables hold: a chain has as many frames
 * as the caller has room for, and the stack is followed upwards only (except out of signal
 * handlers, which may have a stack of their own).
 *
 * The object and the table row of an address are cached, so a frame of code that was seen before
 * costs a look-up and the loads from the stack.
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
	bool stack_cut;  /* the stack goes on behind the copy; else it ends there */
	bool swap;       /* the bytes have the other byte order */
	u32 space;       /* identifies the address space ... */
	struct moment when;
	unwind_locate_fn *locate; /* ... in which this finds what is mapped */
	void *ctx;
};

/*
 * Fill @in from a fully decoded sample, taken by a machine of @arch, whose event asks for registers
 * @mask. False: it has no user registers (a thread of the kernel), or its machine is not known
 * here. The caller sets space, when, locate and ctx.
 */
bool unwind_sample__take(struct unwind_sample *in, const struct arch *arch,
                         const struct sample *sample, u64 mask, bool swap);

/* Load a word of the copy: 0; -ENODATA: it was cut off; -EFAULT: it is not in this stack. */
int unwind_sample__load(const struct unwind_sample *in, u64 addr, unsigned size, u64 *value);

/*
 * Which unwinder to use: perf's own, or a library that others trust. The libraries are slow; they
 * serve to check perf's own. Their limits are in differences.md.
 */
enum unwind_style {
	UNWIND_NATIVE,
	UNWIND_LIBUNWIND,
	UNWIND_LIBDW,
};

/* Find the style called @name and load it: 0, or a negative errno and @err. */
int unwind_style__find(const char *name, enum unwind_style *style, struct error *err);

/* Can it unwind what a machine of @arch recorded? 0, or -ENOTSUP and @err. */
int unwind_style__check(enum unwind_style style, const struct arch *arch, struct error *err);

struct unwinder; /* private; one per thread */

/* @tables is borrowed; @style is from unwind_style__find(). */
struct unwinder *unwinder__new(struct unwind_tables *tables, enum unwind_style style);
void unwinder__delete(struct unwinder *unwinder);

/*
 * Give up to @max addresses, leaf first: the interrupted instruction, then for each caller the last
 * byte of its call (which belongs to the call in line tables, too). For what signal handlers return
 * to, and for what the signal interrupted, it is the address itself. Returns how many.
 */
u32 unwinder__run(struct unwinder *unwinder, const struct unwind_sample *sample, u64 *ips, u32 max,
                  struct chain_verdict *verdict);

#endif
