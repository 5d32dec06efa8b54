/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does an address lie at the start of an instruction? A probe puts an instruction of its own there,
 * and the kernel does not check where in a program that is: inside another instruction it would
 * change what the program does.
 */
#ifndef PERF_UTIL_DISASM_INSN_BORDER_H
#define PERF_UTIL_DISASM_INSN_BORDER_H

#include "util/elf/elf_file.h"

/*
 * Decode code of @elf from @entry, where an instruction starts and which is the byte @offset of the
 * file (UINT64_MAX: of none), up to @addr. True: it is
 * inside of one, from *before up to *after. False: it is not, or that cannot be told: without
 * capstone, for an architecture that it does not know, behind bytes that it cannot decode, or more
 * than 1 MB away. Those of arm64 and RISC-V tell their sizes, also without
 * capstone.
 */
bool insn_border__is_inside(const struct elf_file *elf, u64 offset, u64 entry, u64 addr,
                            u64 *before, u64 *after);

/*
 * Does a jump from behind @addr lead there, in the code from @entry, at the byte @offset of the
 * file, to @end? Then it is run several times in a call. False, too, where that cannot be told.
 */
bool insn_border__is_loop_head(const struct elf_file *elf, u64 offset, u64 entry, u64 end,
                               u64 addr);

#endif
