/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Make call frame information for tests: one CIE, in which the CFA is the stack pointer + 8 (or
 * the registers of another machine) and the return address lies at CFA - 8, and functions.
 */
#ifndef PERF_TESTS_CFI_BUILDER_H
#define PERF_TESTS_CFI_BUILDER_H

#include "tests/unit/builder.h"
#include "util/unwind/cfi.h"

struct cfi_builder {
	struct builder out;
	bool eh, is64;
	bool signal; /* the next CIE is that of a signal frame */
	u8 sp, ra,
	        slot; /* registers, and distance of the CFA from sp; all 0: x86-64's 7, 16 and 8 */
	bool ra_in_place; /* no rule for the return address: it is in its register */
	u8 address_size;  /* of a CIE of version 4 (.debug_frame of DWARF 4); 0: version 1 */
	size_t common;    /* offset of the last CIE */
};

void cfi_builder__common(struct cfi_builder *b);
void cfi_builder__function(struct cfi_builder *b, u64 start, u64 len, const u8 *program,
                           size_t program_len);
struct cfi_section cfi_builder__section(const struct cfi_builder *b, u16 machine);

#endif
