// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/disasm/disasm.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/disasm/text_private.h"
#include "util/lib/alloc.h"

#ifdef HAVE_CAPSTONE

#define TEXT_(x) #x
#define TEXT(x)  TEXT_(x)
#define FWAIT    0x9b
#define SONAME   "libcapstone.so." TEXT(CS_API_MAJOR)

struct capstone capstone;

struct disasm {
	csh handle;
	cs_insn *decoded; /* reused */
	struct disasm_options options;
	u8 step; /* bytes of what cannot be decoded */
};

void insn_text__add(struct insn_text *text, const char *fmt, ...)
{
	u32 room = INSN_TEXT - text->len;
	va_list args;

	va_start(args, fmt);
	int len = vsnprintf(text->insn->text + text->len, room, fmt, args);

	va_end(args);
	if (len > 0)
		text->len += (u32)len < room ? (u32)len : room - 1;
}

static int load_it(struct error *err)
{
	if (capstone.version)
		return 0;
	void *handle = dlopen(SONAME, RTLD_NOW | RTLD_LOCAL); /* stays */
	struct {
		const char *name;
		void *to;
	} functions[] = {
		{ "cs_open", &capstone.open },
		{ "cs_close", &capstone.close },
		{ "cs_option", &capstone.option },
		{ "cs_malloc", &capstone.alloc },
		{ "cs_free", &capstone.free },
		{ "cs_disasm_iter", &capstone.disasm_iter },
		{ "cs_insn_name", &capstone.insn_name },
		{ "cs_reg_name", &capstone.reg_name },
		{ "cs_insn_group", &capstone.insn_group },
		{ "cs_version", &capstone.version }, /* last: all are there */
	};

	for (u32 i = 0; handle && i < ARRAY_SIZE(functions); i++) {
		void *function = dlsym(handle, functions[i].name);

		if (!function)
			break;
		memcpy(functions[i].to, &function, sizeof(function));
	}
	if (capstone.version)
		return 0;
	error__set(err, -EOPNOTSUPP, "cannot disassemble", NULL, "%s",
	           handle ? SONAME " is not as it was when this perf was built"
	                  : SONAME " cannot be loaded");
	return error__advise(err, "install the package libcapstone" TEXT(
	                                  CS_API_MAJOR) ", or name a program: --objdump=PATH");
}

static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;

/* By whichever thread needs it first. */
static int load_library(struct error *err)
{
	pthread_mutex_lock(&loading);
	int ret = load_it(err);

	pthread_mutex_unlock(&loading);
	return ret;
}

/* How capstone calls the machine; false: it has no such one. */
static bool find_machine(const struct disasm_options *options, cs_arch *arch, cs_mode *mode)
{
	*mode = options->big_endian ? CS_MODE_BIG_ENDIAN : CS_MODE_LITTLE_ENDIAN;
	switch (options->machine) {
	case EM_X86_64:
	case EM_386:
		*arch = CS_ARCH_X86;
		*mode = options->machine == EM_X86_64 ? CS_MODE_64 : CS_MODE_32;
		return true;
	case EM_AARCH64:
		*arch = CS_ARCH_ARM64;
		*mode = CS_MODE_LITTLE_ENDIAN; /* of code it always is */
		return true;
#if CS_API_MAJOR >= 5
	case EM_RISCV:
		*arch = CS_ARCH_RISCV;
		*mode = (options->is64 ? CS_MODE_RISCV64 : CS_MODE_RISCV32) | CS_MODE_RISCVC;
		return true;
#endif
	default:
		return false;
	}
}

struct disasm *disasm__new(const struct disasm_options *options, struct error *err)
{
	cs_arch arch;
	cs_mode mode;
	csh handle;

	if (load_library(err))
		return NULL;
	if (!find_machine(options, &arch, &mode) || capstone.open(arch, mode, &handle)) {
		error__set(err, -EOPNOTSUPP, "cannot disassemble this code", NULL,
		           "%s does not know machine %u%s", disasm__engine(), options->machine,
		           options->machine == EM_RISCV ? " (riscv: from capstone 5 on)" : "");
		error__advise(err, "name a program that does: --objdump=PATH");
		return NULL;
	}
	struct disasm *disasm = xcalloc(1, sizeof(*disasm));

	disasm->handle = handle;
	disasm->options = *options;
	disasm->step = arch == CS_ARCH_X86 ? 1 : arch == CS_ARCH_ARM64 ? 4 : 2;
	capstone.option(handle, CS_OPT_DETAIL, CS_OPT_ON);
	if (arch == CS_ARCH_X86)
		capstone.option(handle, CS_OPT_SYNTAX,
		                options->intel ? CS_OPT_SYNTAX_INTEL : CS_OPT_SYNTAX_ATT);
	disasm->decoded = capstone.alloc(handle);
	BUG_ON(!disasm->decoded);
	return disasm;
}

void disasm__delete(struct disasm *disasm)
{
	if (!disasm)
		return;
	capstone.free(disasm->decoded, 1);
	capstone.close(&disasm->handle);
	free(disasm);
}

static void make_undecoded(const struct disasm *disasm, const u8 *bytes, u64 size,
                           struct insn *insn)
{
	struct insn_text text = { .insn = insn };

	u32 vector = disasm->options.machine == EM_X86_64 ? vector_text__length(bytes, size) : 0;
	u32 newer = disasm->step == 1 ? x86_text__newer(insn, bytes, size) : 0;

	insn->size = size < disasm->step ? (u8)size : disasm->step;
	if (newer) {
		insn->size = (u8)newer;
		insn->known = true;
		return;
	}
	if (vector) {
		insn->size = (u8)vector;
		insn->known = vector_text__make(insn, bytes, vector, disasm->options.intel);
	}
	if (vector && !insn->known) {
		insn_text__add(&text, ".byte  ");
		for (u32 i = 0; i < vector; i++)
			insn_text__add(&text, "%s0x%02x", i ? "," : "", bytes[i]);
	} else if (!vector && disasm->step == 1) {
		insn_text__add(&text, "(bad)");
	} else if (!vector && insn->size == 4) {
		u32 word = bytes[0] | bytes[1] << 8 | bytes[2] << 16 | (u32)bytes[3] << 24;

		insn->known = arm64_text__newer(insn, word);
		if (!insn->known)
			insn_text__add(&text, ".inst\t0x%08x ; undefined", word);
	} else if (!vector) {
		insn_text__add(&text, ".byte  ");
		for (u32 i = 0; i < insn->size; i++)
			insn_text__add(&text, "%s0x%02x", i ? ", " : "", bytes[i]);
	}
}

static u32 decode(struct disasm *disasm, const u8 *bytes, u64 size, u64 addr, struct insn *insn)
{
	const u8 *at = bytes;
	size_t left = size;
	u64 next = addr;

	*insn = (struct insn){ .addr = addr };
	if (!capstone.disasm_iter(disasm->handle, &at, &left, &next, disasm->decoded)) {
		make_undecoded(disasm, bytes, size, insn);
		return insn->size;
	}
	insn->known = true;
	insn->size = (u8)disasm->decoded->size;
	if (disasm->options.machine == EM_AARCH64)
		arm64_text__make(insn, disasm->handle, disasm->decoded);
	else if (disasm->options.machine == EM_RISCV)
		snprintf(insn->text, INSN_TEXT, "%s\t%s", disasm->decoded->mnemonic,
		         disasm->decoded->op_str);
	else if (disasm->options.machine != EM_X86_64 ||
	         !vector_text__is_broadcast(bytes, insn->size) ||
	         !vector_text__make(insn, bytes, insn->size, disasm->options.intel))
		x86_text__make(insn, disasm->handle, disasm->decoded,
		               disasm->options.machine == EM_X86_64, disasm->options.intel);
	return insn->size;
}

u32 disasm__next(struct disasm *disasm, const u8 *bytes, u64 size, u64 addr, struct insn *insn)
{
	bool x86 = disasm->options.machine == EM_X86_64 || disasm->options.machine == EM_386;

	BUG_ON(!size);
	if (x86 && *bytes == FWAIT && size > 1 && bytes[1] >= 0xd9 && bytes[1] <= 0xdf) {
		decode(disasm, bytes + 1, size - 1, addr + 1, insn);
		if (insn->known && x86_text__waits(insn)) {
			insn->addr = addr;
			return ++insn->size;
		}
	}
	return decode(disasm, bytes, size, addr, insn);
}

const char *disasm__engine(void)
{
	static char name[32] = "capstone";
	int major, minor;

	pthread_mutex_lock(&loading);
	if (capstone.version && !strchr(name, '.')) {
		capstone.version(&major, &minor);
		snprintf(name, sizeof(name), "capstone %d.%d", major, minor);
	}
	pthread_mutex_unlock(&loading);
	return name;
}

#else

struct disasm *disasm__new(const struct disasm_options *options, struct error *err)
{
	(void)options;
	error__set(err, -EOPNOTSUPP, "cannot disassemble", NULL,
	           "this perf is built without capstone");
	error__advise(err,
	              "install libcapstone-dev and build again, or name a program: --objdump=PATH");
	return NULL;
}

void disasm__delete(struct disasm *disasm)
{
	(void)disasm;
}

u32 disasm__next(struct disasm *disasm, const u8 *bytes, u64 size, u64 addr, struct insn *insn)
{
	(void)disasm, (void)bytes, (void)size, (void)addr, (void)insn;
	BUG_ON(true);
	return 1;
}

const char *disasm__engine(void)
{
	return NULL;
}

#endif
