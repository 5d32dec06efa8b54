// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/unwind/frame.h"

#include "util/unwind/dwarf_codes.h"

static const struct cfi_rule *stored(const struct cfi_row *row, u8 reg)
{
	for (u8 i = 0; i < row->nr; i++)
		if (row->rules[i].reg == reg && row->rules[i].kind == CFI_OFFSET)
			return &row->rules[i];
	return NULL;
}

/* Is the caller's frame found through the frame pointer? */
static bool by_pointer(const struct cfi_row *row, const struct cfi *cfi, const struct arch *arch)
{
	if (row->cfa.kind == CFI_REGISTER)
		return row->cfa.reg == arch->fp;
	/* Stacks that were aligned anew are found through a copy beside the frame pointer. */
	return row->cfa.len && cfi->section.data[row->cfa.value] == OP_BREG0 + arch->fp;
}

/*
 * arm64: frames are found by the stack pointer, and have a record all the same: the frame pointer
 * and, behind it, the return address.
 */
static bool has_record(const struct cfi_row *row, const struct arch *arch)
{
	const struct cfi_rule *pointer = stored(row, arch->fp), *caller = stored(row, row->ra_reg);

	return arch->leaf_link && pointer && caller && caller->value == pointer->value + 8;
}

enum frame_kind frame_kind__of_row(const struct cfi_row *row, const struct cfi *cfi,
                                   const struct arch *arch)
{
	if (cfi_row__is_outermost(row))
		return FRAME_KEPT;
	if (!arch->sp || row->cfa.kind == CFI_UNDEFINED)
		return FRAME_NOT_KNOWN;
	if (arch->leaf_link && !cfi_row__return(row))
		return FRAME_LINK;
	/* A leaf of riscv64 may store the frame pointer alone. */
	if (stored(row, row->ra_reg) && (by_pointer(row, cfi, arch) || has_record(row, arch)))
		return FRAME_KEPT;
	return FRAME_NONE;
}

/*
 * Go's compiler keeps a frame pointer in each function that has a frame, and tells nobody: its
 * tables know the stack pointer only.
 */
static bool is_go(const struct unwind_tables *tables, u32 dso, const struct cfi_row *row,
                  const struct arch *arch)
{
	return row->cfa.kind == CFI_REGISTER && row->cfa.reg == arch->sp && row->cfa.value > 8 &&
	       unwind_tables__has_go(tables, dso);
}

enum frame_kind frame_kind__find(struct unwind_tables *tables, u32 dso, u64 addr, u16 machine)
{
	const struct arch *arch = arch__of_object(machine);
	const struct cfi *cfi;
	struct cfi_row row;

	if (unwind_tables__row(tables, dso, addr, machine, &row, &cfi))
		return FRAME_NOT_KNOWN;
	enum frame_kind kind = frame_kind__of_row(&row, cfi, arch);

	return kind == FRAME_NONE && !cfi->section.eh && is_go(tables, dso, &row, arch) ? FRAME_KEPT
	                                                                                : kind;
}
