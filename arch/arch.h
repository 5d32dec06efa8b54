/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All that differs between architectures: one table for each (x86.c, arm64.c ...). No other code
 * asks which architecture it is. Recordings of any architecture can be read on any other: the
 * recording or object file selects the table. How to add one: Documentation/HOWTO-port.md.
 *
 * An unknown member is 0 or NULL; features that need it are refused or left out.
 */
#ifndef PERF_ARCH_ARCH_H
#define PERF_ARCH_ARCH_H

#include <stdbool.h>

#include "util/lib/types.h"

#define NO_COLUMN 0xff

/* What a relocation does to the bytes it patches; its value is symbol plus addend. */
enum relocation_kind {
	RELOCATE_NOTHING, /* hints for linkers, and others that we do not need */
	RELOCATE_SET,
	RELOCATE_ADD,
	RELOCATE_SUB,
	RELOCATE_SET6, /* the low six bits of a byte */
	RELOCATE_SUB6,
	/* In code: */
	RELOCATE_DISTANCE, /* from the bytes to the value */
	RELOCATE_BRANCH26, /* the same in words of four bytes, as the low 26 bits of an instruction
	                    */
	RELOCATE_PART,     /* a part of the value: which one is no matter of ours */
};

struct relocation_type {
	u16 type; /* R_* */
	u8 kind;
	u8 size; /* bytes to patch; 0: a LEB128 number, which keeps its length */
};

struct arch {
	const char *unames[3];     /* its names in uname, as fnmatch patterns */
	u16 machine;               /* EM_* of its objects */
	bool is64;                 /* else 32 bits */
	const struct arch *narrow; /* the table of the 32-bit programs it also runs */

	/* The registers of samples, by their bit in sample_regs_user (asm/perf_regs.h). */
	const char *const *registers; /* 64 names, NULL for bits without a register */
	u64 dwarf_registers;          /* those that --call-graph dwarf asks for */
	u8 sp_bit, pc_bit;            /* without these two no frame can be found */
	u8 columns[64];               /* DWARF's number of each (its psABI), or NO_COLUMN */

	/* Unwinding, in DWARF's numbers of registers. */
	u8 sp;         /* 0: samples of this architecture cannot be unwound */
	u8 fp;         /* the frame pointer, ... */
	int8_t record; /* ... offset from it, in words, of the saved one and the return address */
	u8 pc;         /* the instruction pointer; NO_COLUMN: has none */
	u64 pc_mask;   /* the address bits of a return address, without its signature */
	/*
	 * The register with the return address of a leaf function, which has no frame. Sampled with
	 * frame-pointer chains, which lack that address. Its bit in samples is the same.
	 */
	u8 leaf_link;

	/* Object files. */
	u8 plt_header, plt_entry; /* bytes of .plt before its first entry, and of each */
	bool mapping_symbols;     /* $a, $d, $t, $x, $x.17 mark code and data, name nothing ... */
	bool mapping_sets;        /* ... also with the name of an instruction set: $xrv64i */
	u8 symbol_flags;          /* bits of a function's address that are flags */
	/* Relocations in the debug information of unlinked objects (kernel modules). */
	const struct relocation_type *relocations;
	u8 nr_relocations;
	const struct relocation_type *code_relocations; /* and those in their code */
	u8 nr_code_relocations;

	/* The processor. */
	const char *cpudesc_key;   /* the line of /proc/cpuinfo that describes it */
	const char *cpuid_keys[4]; /* the lines that, joined by commas, identify it ... */
	const char *cpuid_file;    /* ... or the file that does */
	const char *table_folder; /* with its event tables (util/event/event_table.h); NULL: none */
	u8 nr_breakpoints;        /* registers for hardware breakpoints */
	u64 (*clock)(void); /* reads the counter of a ring's time_zero; only where perf runs */
	/* Do precise counters count guests, too? Only where perf runs. NULL: no. */
	bool (*precise_has_guests)(void);

	/* The kernel. */
	bool iomem_has_text; /* "Kernel code" in /proc/iomem is exactly _text to _etext */
};

/* These never return NULL: for an unknown architecture they return an empty table. */
const struct arch *arch__here(void);                    /* the one perf was built for */
const struct arch *arch__find(const char *uname);       /* NULL: arch__here() */
const struct arch *arch__of_object(unsigned e_machine); /* EM_* */

#endif
