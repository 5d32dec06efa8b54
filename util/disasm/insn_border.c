// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/disasm/insn_border.h"

#include <stdlib.h>

#include "util/disasm/disasm.h"
#include "util/lib/alloc.h"

#define FAR (1u << 20)

/* Decode on from @entry, whose @size bytes are @bytes. */
static bool is_inside(struct disasm *disasm, const u8 *bytes, u64 size, u64 entry, u64 addr,
                      u64 *before, u64 *after)
{
	u64 at = entry;
	struct insn insn;

	while (at < addr) {
		*before = at;
		at += disasm__next(disasm, bytes + (at - entry), size - (at - entry), at, &insn);
		*after = at;
		if (!insn.known)
			return false;
	}
	return at > addr;
}

/* RISC-V: the lowest bits of each instruction tell how long it is. */
static bool is_inside_riscv(const u8 *bytes, u64 size, u64 entry, u64 addr, u64 *before, u64 *after)
{
	u64 at = entry;

	while (at < addr) {
		u8 first = at - entry < size ? bytes[at - entry] : 0;

		if ((first & 0x1f) == 0x1f) /* longer than 4 bytes: no machine has such yet */
			return false;
		*before = at;
		at += (first & 3) == 3 ? 4 : 2;
		*after = at;
	}
	return at > addr;
}

static struct disasm_options options_of(const struct elf_file *elf)
{
	return (struct disasm_options){ .machine = elf->machine,
		                        .is64 = elf->is64,
		                        .big_endian = elf->swap !=
		                                      (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) };
}

bool insn_border__is_inside(const struct elf_file *elf, u64 offset, u64 entry, u64 addr,
                            u64 *before, u64 *after)
{
	struct disasm_options options = options_of(elf);
	bool inside = false;

	if (elf->machine == EM_AARCH64) {
		*before = addr & ~3ull;
		*after = *before + 4;
		return addr & 3;
	}
	if (elf->machine == EM_RISCV && addr & 1) {
		*before = addr - 1;
		*after = addr + 1;
	}
	if (addr <= entry || addr - entry > FAR || offset == UINT64_MAX || offset >= elf->size)
		return elf->machine == EM_RISCV && addr & 1;
	struct disasm *disasm = disasm__new(&options, NULL);
	/* The last instruction may go on behind @addr. */
	u64 size = min_u64(addr - entry + INSN_BYTES_MAX, elf->size - offset);
	u8 *bytes = xmalloc(size);

	if (size > addr - entry && !elf_file__read(elf, offset, bytes, size))
		inside = elf->machine == EM_RISCV
		                 ? is_inside_riscv(bytes, size, entry, addr, before, after)
		                 : disasm && is_inside(disasm, bytes, size, entry, addr, before,
		                                       after);
	free(bytes);
	disasm__delete(disasm);
	return inside;
}

static bool leads_back(struct disasm *disasm, const u8 *bytes, u64 size, u64 entry, u64 addr)
{
	struct insn insn;
	bool found = false;

	for (u64 at = entry; at < entry + size && !found; at += insn.size) {
		disasm__next(disasm, bytes + (at - entry), size - (at - entry), at, &insn);
		if (!insn.known || !insn.size)
			return false;
		found = at >= addr && insn.kind == INSN_JUMP && insn.names && insn.target == addr;
	}
	return found;
}

bool insn_border__is_loop_head(const struct elf_file *elf, u64 offset, u64 entry, u64 end, u64 addr)
{
	struct disasm_options options = options_of(elf);
	u64 size = end - entry;

	if (addr < entry || end <= addr || size > FAR || offset >= elf->size ||
	    size > elf->size - offset)
		return false;
	struct disasm *disasm = disasm__new(&options, NULL);
	u8 *bytes = xmalloc(size);
	bool found = disasm && !elf_file__read(elf, offset, bytes, size) &&
	             leads_back(disasm, bytes, size, entry, addr);

	free(bytes);
	disasm__delete(disasm);
	return found;
}
