/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds out whether code keeps a frame that an unwinder by frame pointers finds. Chains that the
 * kernel made lack the caller of each function that keeps none: the frame pointer is still that of
 * the caller, so the caller's caller comes next.
 */
#ifndef PERF_UTIL_UNWIND_FRAME_H
#define PERF_UTIL_UNWIND_FRAME_H

#include "arch/arch.h"
#include "util/unwind/tables.h"

enum frame_kind {
	FRAME_KEPT, /* or nothing called the function */
	FRAME_LINK, /* none: the return address is still in its register */
	FRAME_NONE,
	FRAME_NOT_KNOWN, /* there is no unwind information */
};

/* The kind by @row, whose expressions lie in @cfi, for code of @arch. */
enum frame_kind frame_kind__of_row(const struct cfi_row *row, const struct cfi *cfi,
                                   const struct arch *arch);

/* The kind at @addr of a dso, as for unwind_tables__row(). */
enum frame_kind frame_kind__find(struct unwind_tables *tables, u32 dso, u64 addr, u16 machine);

#endif
