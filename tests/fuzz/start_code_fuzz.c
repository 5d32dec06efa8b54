// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where threads start, by the code of a C library without names of its own functions: the input is
 * two sizes (of its two named functions, in units of 16 bytes) and the code.
 */
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "tests/unit/cfi_builder.h"
#include "tests/unit/elf_builder.h"
#include "util/lib/error.h"
#include "util/unwind/start_code.h"

#define HEAD       2
#define UNNAMED    0x800u /* from here on each UNIT is a function of which the tables know */
#define UNIT       0x80u
#define NR_UNNAMED 8u

/* Tables of all functions, which do not depend on the input. */
static const struct builder *tables(void)
{
	static struct cfi_builder cfi = { .eh = true, .is64 = true, .sp = 7, .ra = 16, .slot = 8 };

	if (!cfi.out.len) {
		cfi_builder__common(&cfi);
		for (u32 i = 0; i < NR_UNNAMED; i++)
			cfi_builder__function(&cfi, ELF_TEXT_VADDR + UNNAMED + i * UNIT, UNIT, NULL,
			                      0);
	}
	return &cfi.out;
}

static void ask(const char *path)
{
	static const struct symbol_config config = { .symfs = "", .no_live_kernel = true };
	struct strtab strings;
	struct dsos dsos;

	strtab__init(&strings);
	dsos__init(&dsos, &strings);
	dsos__get(&dsos, path, DSO_USER, 1, NULL, 0);
	struct session_symbols *symbols = session_symbols__new(&dsos, &config);
	struct unwind_tables *unwind = unwind_tables__new(&dsos, &config);
	struct start_code *start = start_code__new(&dsos, symbols, unwind);

	FUZZ_CHECK(start_code__machine(start, 0) == EM_X86_64);
	for (u32 i = 0; i < NR_UNNAMED; i++) {
		u64 at = ELF_TEXT_OFFSET + UNNAMED + i * UNIT;
		enum start_kind kind = start_code__kind(start, 0, at);

		FUZZ_CHECK(kind == start_code__kind(start, 0, at + 15));
	}
	start_code__delete(start);
	unwind_tables__delete(unwind);
	session_symbols__delete(symbols);
	dsos__exit(&dsos);
	strtab__exit(&strings);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct elf_builder e = { .is64 = true, .dynsym = true, .extra_name = ".eh_frame" };

	if (size < HEAD)
		return 0;
	builder__bytes(&e.extra, tables()->data, tables()->len);
	elf_builder__symbol(&e, "__libc_start_main", STB_GLOBAL, STT_FUNC, 0, data[0] * 16);
	elf_builder__symbol(&e, "pthread_create", STB_GLOBAL, STT_FUNC, 0x400, data[1] * 16);
	elf_builder__build(&e);
	memcpy(e.image.data + ELF_TEXT_OFFSET, data + HEAD,
	       min_u64(size - HEAD, UNNAMED + NR_UNNAMED * UNIT));
	ask(fuzz__file(e.image.data, e.image.len));
	elf_builder__exit(&e);
	return 0;
}

/* An instruction with a distance to the @nr-th function without a name. */
static void put(u8 *code, size_t at, const u8 *bytes, size_t len, u32 nr)
{
	u32 distance = UNNAMED + nr * UNIT - (at + len + 4);

	memcpy(code + at, bytes, len);
	memcpy(code + at + len, &distance, 4);
}

void fuzz__seeds(void (*add)(const void *data, size_t size))
{
	static const u8 call[] = { 0xe8 }, lea[] = { 0x48, 0x8d, 0x3d };
	u8 input[HEAD + UNNAMED + 2 * UNIT] = { 0x40, 0x40 };
	u8 *code = input + HEAD;

	put(code, 0x10, call, sizeof(call), 0);  /* main is called */
	put(code, 0x410, lea, sizeof(lea), 1);   /* where a thread begins */
	put(code, 0x420, call, sizeof(call), 2); /* a function that takes the address: */
	add(input, sizeof(input));
	put(code, UNNAMED + 0x10, lea, sizeof(lea), 3);
	add(input, sizeof(input));
	input[0] = input[1] = 0xff; /* into each other, and behind the end */
	add(input, sizeof(input));
	add("", 0);
}
