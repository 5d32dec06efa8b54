/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is different about an architecture, all of it in one table each (x86.c, arm64.c ...), so
 * that no other code asks which one it is. Recordings of every architecture are read on every
 * other: tables are chosen by what a recording or an object file says. How to add one:
 * Documentation/HOWTO-port.md.
 *
 * What is not known is 0 or NULL: the feature that would need it is refused or left out.
 */
#ifndef PERF_ARCH_ARCH_H
#define PERF_ARCH_ARCH_H

#include <stdbool.h>

#include "util/lib/types.h"

#define NO_COLUMN 0xff

/* What a relocation does to the place that it is for; its value is symbol plus addend. */
enum relocation_kind {
	RELOCATE_NOTHING, /* hints for linkers, and what is of no use to us */
	RELOCATE_SET,
	RELOCATE_ADD,
	RELOCATE_SUB,
	RELOCATE_SET6, /* the low six bits of a byte */
	RELOCATE_SUB6,
};

struct relocation_type {
	u16 type; /* R_* */
	u8 kind;
	u8 size; /* of the place; 0: a LEB128 number, which keeps its length */
};

struct arch {
	const char *unames[3];     /* patterns (fnmatch) of how uname calls it */
	u16 machine;               /* EM_* of its objects */
	bool is64;                 /* else 32 bits */
	const struct arch *narrow; /* that of the 32-bit programs it runs, too */

	/* The registers of samples, by their bit in sample_regs_user (asm/perf_regs.h). */
	const char *const *registers; /* 64 names, NULL for bits without a register */
	u64 dwarf_registers;          /* those that --call-graph dwarf asks for */
	u8 sp_bit, pc_bit;            /* without these two no frame can be found */
	u8 columns[64];               /* DWARF's number of each (its psABI), or NO_COLUMN */

	/* Unwinding, in DWARF's numbers of registers. */
	u8 sp;         /* 0: samples of this architecture cannot be unwound */
	u8 fp;         /* the frame pointer, ... */
	int8_t record; /* ... from which the last one and the return address are so many words */
	u8 pc;         /* the instruction pointer; NO_COLUMN: has none */
	u64 pc_mask;   /* what of a return address is an address, not its signature */
	/*
	 * Holds what a leaf function, which keeps no frame, returns to: sampled with chains of
	 * frame pointers, which lack it. Its bit in samples is the same.
	 */
	u8 leaf_link;

	/* Object files. */
	u8 plt_header, plt_entry; /* bytes of .plt before its first entry, and of each */
	bool mapping_symbols;     /* $a, $d, $t, $x, $x.17 mark code and data, name nothing ... */
	bool mapping_sets;        /* ... also with the name of an instruction set: $xrv64i */
	u8 symbol_flags;          /* bits in the addresses of functions that are none */
	/* Those that debug information of objects that were not linked has (kernel modules). */
	const struct relocation_type *relocations;
	u8 nr_relocations;

	/* The processor. */
	const char *cpudesc_key;   /* the line of /proc/cpuinfo that describes it */
	const char *cpuid_keys[4]; /* the lines that, with commas between, identify it ... */
	const char *cpuid_file;    /* ... or the file that does */
	const char
	        *table_folder; /* of its tables of events: util/event/event_table.h; NULL: none */
	u8 nr_breakpoints;     /* registers for hardware breakpoints */
	u64 (*clock)(void);    /* reads the counter of a ring's time_zero; only where perf runs */
	/* Precise counters of this processor count guests, too; only where perf runs. NULL: no. */
	bool (*precise_has_guests)(void);

	/* The kernel. */
	bool iomem_has_text; /* "Kernel code" in /proc/iomem is exactly _text to _etext */
};

/* None of these is ever NULL: of other architectures they return a table that knows nothing. */
const struct arch *arch__here(void);                    /* that perf was built for */
const struct arch *arch__find(const char *uname);       /* NULL: arch__here() */
const struct arch *arch__of_object(unsigned e_machine); /* EM_* */

#endif
