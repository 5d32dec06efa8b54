/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Make dumps of JIT compilers (util/jit/jitdump.h), record by record. Header-only. */
#ifndef PERF_TESTS_JIT_BUILDER_H
#define PERF_TESTS_JIT_BUILDER_H

#include <elf.h>
#include <string.h>

#include "util/lib/out.h"

static inline void jit_builder__put(struct out *dump, unsigned bytes, u64 value)
{
	out__mem(dump, &value, bytes); /* little-endian machines only, like the tests' recordings */
}

/* End @dump with out__exit(). */
static inline void jit_builder__init(struct out *dump, u32 pid)
{
	out__init(dump, -1);
	jit_builder__put(dump, 4, 0x4A695444);
	jit_builder__put(dump, 4, 1);
	jit_builder__put(dump, 4, 40);
	jit_builder__put(dump, 4, EM_X86_64);
	jit_builder__put(dump, 4, 0);
	jit_builder__put(dump, 4, pid);
	jit_builder__put(dump, 8, 1000);
	jit_builder__put(dump, 8, 0);
}

static inline void jit_builder__prefix(struct out *dump, u32 id, size_t len)
{
	jit_builder__put(dump, 4, id);
	jit_builder__put(dump, 4, 16 + len);
	jit_builder__put(dump, 8, 2000);
}

static inline void jit_builder__record(struct out *dump, u32 id, const void *body, size_t len)
{
	jit_builder__prefix(dump, id, len);
	out__mem(dump, body, len);
}

static inline void jit_builder__code(struct out *dump, const char *name, u64 addr, u32 size,
                                     u64 index)
{
	jit_builder__prefix(dump, 0, 40 + strlen(name) + 1 + size);
	jit_builder__put(dump, 4, 7);
	jit_builder__put(dump, 4, 7);
	jit_builder__put(dump, 8, addr);
	jit_builder__put(dump, 8, addr);
	jit_builder__put(dump, 8, size);
	jit_builder__put(dump, 8, index);
	out__mem(dump, name, strlen(name) + 1);
	out__fill(dump, (char)0x90, size);
}

static inline void jit_builder__move(struct out *dump, u64 from, u64 to, u64 size, u64 index)
{
	jit_builder__prefix(dump, 1, 48);
	jit_builder__put(dump, 4, 7);
	jit_builder__put(dump, 4, 7);
	jit_builder__put(dump, 8, to);
	jit_builder__put(dump, 8, from);
	jit_builder__put(dump, 8, to);
	jit_builder__put(dump, 8, size);
	jit_builder__put(dump, 8, index);
}

/* Lines 10, 11 ...: the first of a.js, the second marked "the same file", the others of b.js. */
static inline void jit_builder__lines(struct out *dump, u64 addr, u32 nr)
{
	static const char *const files[] = { "a.js", "\xff", "b.js" };
	size_t len = 16;

	for (u32 i = 0; i < nr; i++)
		len += 16 + strlen(files[i < 2 ? i : 2]) + 1;
	jit_builder__prefix(dump, 2, len);
	jit_builder__put(dump, 8, addr);
	jit_builder__put(dump, 8, nr);
	for (u32 i = 0; i < nr; i++) {
		const char *file = files[i < 2 ? i : 2];

		jit_builder__put(dump, 8, addr + i);
		jit_builder__put(dump, 4, 10 + i);
		jit_builder__put(dump, 4, 0);
		out__mem(dump, file, strlen(file) + 1);
	}
}

static inline void jit_builder__unwinding(struct out *dump, u32 size, u32 header)
{
	jit_builder__prefix(dump, 4, 24 + size);
	jit_builder__put(dump, 8, size);
	jit_builder__put(dump, 8, header);
	jit_builder__put(dump, 8, size);
	out__fill(dump, 0, size);
}

#endif
