// SPDX-License-Identifier: GPL-2.0-or-later
/* x86-64 and i386. Both number the registers in samples alike. */
#include "arch/tables.h"

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif
#include <string.h>

#define X NO_COLUMN

static const char *const registers[64] = {
	"AX",    "BX",    "CX",    "DX",    "SI",    "DI",    "BP",    "SP",
	"IP",    "FLAGS", "CS",    "SS",    "DS",    "ES",    "FS",    "GS",
	"R8",    "R9",    "R10",   "R11",   "R12",   "R13",   "R14",   "R15",
	NULL,    NULL,    NULL,    NULL,    NULL,    NULL,    NULL,    NULL,
	"XMM0",  "XMM0",  "XMM1",  "XMM1",  "XMM2",  "XMM2",  "XMM3",  "XMM3", /* two bits each */
	"XMM4",  "XMM4",  "XMM5",  "XMM5",  "XMM6",  "XMM6",  "XMM7",  "XMM7",
	"XMM8",  "XMM8",  "XMM9",  "XMM9",  "XMM10", "XMM10", "XMM11", "XMM11",
	"XMM12", "XMM12", "XMM13", "XMM13", "XMM14", "XMM14", "XMM15", "XMM15",
};

#if defined(__x86_64__) || defined(__i386__)
static u64 read_tsc(void)
{
	return __builtin_ia32_rdtsc();
}

/* AMD's (IBS) refuse exclude_guest. */
static bool is_amd(void)
{
	u32 eax, vendor[3];

	return __get_cpuid(0, &eax, &vendor[0], &vendor[2], &vendor[1]) &&
	       !memcmp(vendor, "AuthenticAMD", sizeof(vendor));
}
#define CLOCK              read_tsc
#define PRECISE_HAS_GUESTS is_amd
#else
#define CLOCK              NULL
#define PRECISE_HAS_GUESTS NULL
#endif

static const struct relocation_type relocations[] = {
	{ R_X86_64_NONE, RELOCATE_NOTHING, 0 },     { R_X86_64_64, RELOCATE_SET, 8 },
	{ R_X86_64_32, RELOCATE_SET, 4 },           { R_X86_64_32S, RELOCATE_SET, 4 },
	{ R_X86_64_DTPOFF32, RELOCATE_NOTHING, 4 }, { R_X86_64_DTPOFF64, RELOCATE_NOTHING, 8 },
};

static const struct relocation_type code_relocations[] = {
	{ R_X86_64_64, RELOCATE_SET, 8 },         { R_X86_64_32, RELOCATE_SET, 4 },
	{ R_X86_64_32S, RELOCATE_SET, 4 },        { R_X86_64_PC32, RELOCATE_DISTANCE, 4 },
	{ R_X86_64_PLT32, RELOCATE_DISTANCE, 4 },
};

const struct arch arch_x86_64 = {
	.unames = { "x86_64" },
	.machine = EM_X86_64,
	.is64 = true,
	.narrow = &arch_i386,
	.registers = registers,
	.dwarf_registers = 0xff0fff, /* ax .. sp, ip, flags, cs, ss, r8 .. r15 */
	.sp_bit = 7,
	.pc_bit = 8,
	.columns = { 0, 3, 2, 1, 4, 5, 6, 7, [8 ... 15] = X, 8, 9, 10, 11, 12, 13, 14, 15,
	             [24 ... 63] = X },
	.sp = 7,
	.fp = 6,
	.pc = 16,
	.pc_mask = UINT64_MAX,
	.plt_header = 16,
	.plt_entry = 16,
	.relocations = relocations,
	.nr_relocations = ARRAY_SIZE(relocations),
	.code_relocations = code_relocations,
	.nr_code_relocations = ARRAY_SIZE(code_relocations),
	.cpudesc_key = "model name",
	.table_folder = "x86",
	.cpuid_keys = { "vendor_id", "cpu family", "model", "stepping" },
	.nr_breakpoints = 4,
	.clock = CLOCK,
	.precise_has_guests = PRECISE_HAS_GUESTS,
	.iomem_has_text = true,
};

const struct arch arch_i386 = {
	.unames = { "i?86" },
	.machine = EM_386,
	.registers = registers,
	.sp_bit = 7,
	.pc_bit = 8,
	.columns = { 0, 3, 1, 2, 6, 7, 5, 4, [8 ... 63] = X },
	.sp = 4,
	.fp = 5,
	.pc = 8,
	.pc_mask = UINT32_MAX,
	.plt_header = 16,
	.plt_entry = 16,
	.cpudesc_key = "model name",
	.table_folder = "x86",
	.cpuid_keys = { "vendor_id", "cpu family", "model", "stepping" },
	.nr_breakpoints = 4,
	.clock = CLOCK,
	.precise_has_guests = PRECISE_HAS_GUESTS,
	.iomem_has_text = true,
};
