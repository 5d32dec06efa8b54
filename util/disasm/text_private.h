/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What util/disasm/disasm.c and its texts share; nobody else includes this. */
#ifndef PERF_UTIL_DISASM_TEXT_PRIVATE_H
#define PERF_UTIL_DISASM_TEXT_PRIVATE_H

#ifdef HAVE_CAPSTONE
#include <capstone/capstone.h>

#include "util/disasm/disasm.h"

/*
 * The functions of the library, which is loaded on demand: commands that disassemble nothing do not
 * pay for it. Filled by disasm__new().
 */
struct capstone {
	unsigned (*version)(int *major, int *minor);
	cs_err (*open)(cs_arch arch, cs_mode mode, csh *handle);
	cs_err (*close)(csh *handle);
	cs_err (*option)(csh handle, cs_opt_type type, size_t value);
	cs_insn *(*alloc)(csh handle);
	void (*free)(cs_insn *insn, size_t count);
	bool (*disasm_iter)(csh handle, const uint8_t **code, size_t *size, uint64_t *address,
	                    cs_insn *insn);
	const char *(*insn_name)(csh handle, unsigned id);
	const char *(*reg_name)(csh handle, unsigned reg);
	bool (*insn_group)(csh handle, const cs_insn *insn, unsigned group);
};

extern struct capstone capstone;

/* The text of an instruction in the making; what does not fit is cut. */
struct insn_text {
	struct insn *insn;
	u32 len;
};

void insn_text__add(struct insn_text *text, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Fill text, kind, target and the flags of @insn from what capstone decoded with details. */
void x86_text__make(struct insn *insn, csh handle, const cs_insn *decoded, bool is64, bool intel);
void arm64_text__make(struct insn *insn, csh handle, const cs_insn *decoded);

/* Instructions newer than capstone 4. Their length; 0, or false: it is none that is known here. */
u32 x86_text__newer(struct insn *insn, const u8 *bytes, u64 size);
bool arm64_text__newer(struct insn *insn, u32 word);

/* With a wait in front it has a name of its own: make "fstcw ..." of "fnstcw ...". */
bool x86_text__waits(struct insn *insn);

/* The length of an instruction of 64-bit code that has a VEX or EVEX prefix; 0: it is none. */
u32 vector_text__length(const u8 *bytes, u64 size);

/* Is its operand one element of memory for all? Capstone 4 forgets that of those that compare. */
bool vector_text__is_broadcast(const u8 *bytes, u32 size);

/* Its text, for those that capstone 4 does not know; false: it is not known here either. */
bool vector_text__make(struct insn *insn, const u8 *bytes, u32 size, bool intel);
#endif

#endif
