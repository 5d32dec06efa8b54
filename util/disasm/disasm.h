/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Disassembles code of x86-64, i386 and arm64 (and of riscv64, where capstone is 5 or newer) on any
 * host, into the text of GNU objdump 2.40. No other program is run; see objdump.h for that.
 *
 * A disasm belongs to one thread.
 */
#ifndef PERF_UTIL_DISASM_DISASM_H
#define PERF_UTIL_DISASM_DISASM_H

#include "util/lib/error.h"
#include "util/lib/types.h"

enum insn_kind {
	INSN_OTHER,
	INSN_JUMP, /* conditional or not */
	INSN_CALL,
	INSN_RETURN,
};

#define INSN_TEXT      192
#define INSN_BYTES_MAX 16

struct insn {
	u64 addr;
	u8 size;
	u8 kind;
	bool known;  /* else its bytes cannot be decoded: the text is "(bad)" or ".inst ..." */
	bool names;  /* @target is named in the text: "call 1234" */
	bool refers; /* @target is the address of an operand relative to the pc */
	u64 target;  /* with names or refers */
	/*
	 * What the instruction refers to, where that has no known address (in kernel modules); with
	 * names it stands in the text instead. Set by others than disasm__next(), which clears it.
	 */
	const char *symbol;
	s64 symbol_offset;
	const char *note;     /* behind a name: "  // b.any"; or NULL */
	char text[INSN_TEXT]; /* mnemonic, padded to six, blank, operands */
};

struct disasm_options {
	u16 machine; /* EM_* */
	bool is64, big_endian;
	bool intel; /* the syntax of x86 code, else AT&T's */
};

struct disasm; /* private */

/*
 * NULL with @err: -EOPNOTSUPP, for an architecture that this capstone does not have, or when perf
 * was built without it.
 */
struct disasm *disasm__new(const struct disasm_options *options, struct error *err);
void disasm__delete(struct disasm *disasm);

/*
 * Decode the instruction at @addr, the first of @size bytes (at least one). What cannot be decoded
 * is one byte on x86 and four on arm64, or the rest if that is less. Returns its size.
 */
u32 disasm__next(struct disasm *disasm, const u8 *bytes, u64 size, u64 addr, struct insn *insn);

/* "capstone 4.0.2", or NULL: built without it. */
const char *disasm__engine(void);

#endif
