/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Call frame information: how to find the registers of a function's caller at each of its
 * instructions. Formats: DWARF 5 section 6.4, and the LSB's .eh_frame.
 *
 * The section is walked once, and only an index of its entries (FDEs) by address is kept beside it.
 * A row, the rules at one address, is made on demand, by running the entry's program up to there;
 * the unwinder caches it by address. So a program with a million rows costs a walk over its
 * headers, and then the rows that its samples touch.
 *
 * The section is untrusted data. Nothing in it can loop: programs have no jumps, entries are
 * bounded by the section and programs by CFI_PROGRAM_MAX.
 *
 * libdw's dwarf_cfi_addrframe(), which the tests compare this with, is not used: its handles belong
 * to one thread, so each worker would have to read all files again, and it takes the sign changes
 * of arm64 return addresses (DW_CFA_AARCH64_negate_ra_state) for SPARC's window saves.
 */
#ifndef PERF_UTIL_UNWIND_CFI_H
#define PERF_UTIL_UNWIND_CFI_H

#include "util/lib/types.h"

#define CFI_NR_REGS     33          /* columns that are tracked; rules of others are skipped */
#define CFI_PROGRAM_MAX (256 << 10) /* bytes of instructions; real ones have some hundreds */

/* A section to be read. */
struct cfi_section {
	const u8 *data;
	size_t size;
	u64 addr;    /* its virtual address in the object; not used for .debug_frame */
	bool eh;     /* .eh_frame, else .debug_frame */
	bool is64;   /* class of the object */
	bool swap;   /* it has the other byte order */
	u16 machine; /* EM_* */
};

struct cfi_entry {
	u64 start, end; /* virtual addresses */
	u32 offset;     /* of the FDE in the section */
};

struct cfi {
	struct cfi_section section;
	struct cfi_entry *entries; /* by start */
	u32 nr;
	size_t cap;
};

/*
 * Index @section, whose bytes must live as long as @cfi. Invalid entries are left out; nr is 0
 * where none was found. Free it with cfi__exit().
 */
void cfi__init(struct cfi *cfi, const struct cfi_section *section);
void cfi__exit(struct cfi *cfi);

enum cfi_kind {
	CFI_UNDEFINED,      /* unknown; of the return address: this is the outermost frame */
	CFI_OFFSET,         /* stored at CFA + value */
	CFI_VAL_OFFSET,     /* is CFA + value */
	CFI_REGISTER,       /* is in register `value`. As CFA: is register `reg` + value */
	CFI_EXPRESSION,     /* stored at the address that an expression gives */
	CFI_VAL_EXPRESSION, /* the value of an expression. Also for the CFA */
};

struct cfi_rule {
	u8 reg; /* the register it is for; of the CFA: the one it is relative to */
	u8 kind;
	u16 len;   /* of the expression */
	s32 value; /* offset, register, or where the expression lies in the section */
};

/* The rules at an address. A register without a rule has the value it has in the callee. */
struct cfi_row {
	struct cfi_rule cfa; /* CFI_REGISTER or CFI_VAL_EXPRESSION; CFI_UNDEFINED: none */
	u8 ra_reg;           /* the column of the return address */
	u8 nr;
	bool signal;    /* what a signal handler returns to: the caller was interrupted anywhere */
	bool ra_signed; /* arm64: the return address carries an authentication code */
	struct cfi_rule rules[CFI_NR_REGS]; /* by ascending register */
};

/* The rule of the return address; NULL: it is still in its register. */
static inline const struct cfi_rule *cfi_row__return(const struct cfi_row *row)
{
	for (unsigned i = 0; i < row->nr; i++)
		if (row->rules[i].reg == row->ra_reg)
			return &row->rules[i];
	return NULL;
}

/* Does the row say that nothing called this function? */
static inline bool cfi_row__is_outermost(const struct cfi_row *row)
{
	const struct cfi_rule *rule = cfi_row__return(row);

	return rule && rule->kind == CFI_UNDEFINED;
}

#define CFI_ROW_SIZE(nr_rules)                                                                     \
	(offsetof(struct cfi_row, rules) + (nr_rules) * sizeof(struct cfi_rule))

/* The entry that covers @vaddr; NULL: none does. */
const struct cfi_entry *cfi__entry(const struct cfi *cfi, u64 vaddr);

/*
 * The row at @vaddr: 0, -ENOENT where no entry covers it, -EBADMSG where its program is invalid.
 * From any number of threads. *entry (unless NULL) is set to the entry.
 */
int cfi__row(const struct cfi *cfi, u64 vaddr, struct cfi_row *row, const struct cfi_entry **entry);

#endif
