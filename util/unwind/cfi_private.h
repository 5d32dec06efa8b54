/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by cfi.c and cfi_program.c; nobody else includes this. */
#ifndef PERF_UTIL_UNWIND_CFI_PRIVATE_H
#define PERF_UTIL_UNWIND_CFI_PRIVATE_H

#include "util/lib/cursor.h"
#include "util/unwind/cfi.h"

/* The data of a CIE, for the entries that refer to it. */
struct cfi_common {
	u64 code_align;
	s64 data_align;
	u8 ra_reg;
	u8 encoding; /* DW_EH_PE_* of addresses */
	bool augmented, signal;
	bool is64; /* size of plain addresses */
	struct cursor program;
};

/* One CIE or FDE. */
struct cfi_record {
	u32 offset;
	struct cursor body; /* behind the id */
	u64 cie;            /* offset of an FDE's CIE; CFI_IS_CIE */
};

#define CFI_IS_CIE UINT64_MAX

/* Read an address in @encoding. ~0 and c->failed where it cannot be known. */
u64 cfi__pointer(const struct cfi_section *section, struct cursor *c, u8 encoding, bool is64);

/*
 * Run the program of @common, then @program, that of a function that begins at @start, up to
 * @vaddr. 0 or -EBADMSG.
 */
int cfi_program__run(const struct cfi_section *section, const struct cfi_common *common,
                     const struct cursor *program, u64 start, u64 vaddr, struct cfi_row *row);

#endif
