// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The code that comes with a recording (util/symindex/code_bundle.h), as it is and with its
 * checksum mended, and what it disassembles to: any bytes, as code of any machine.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/fuzz/fuzz.h"
#include "util/disasm/disasm.h"
#include "util/lib/alloc.h"
#include "util/lib/hash.h"
#include "util/lib/out.h"
#include "util/symindex/code_bundle.h"

static void disassemble(const struct code_bundle_function *f)
{
	const struct disasm_options options = { .machine = f->entry.machine,
		                                .is64 = f->entry.is64,
		                                .big_endian = f->entry.big_endian & 1,
		                                .intel = f->entry.big_endian & 2 };
	struct error err = ERROR_INIT;
	struct disasm *disasm = disasm__new(&options, &err);
	struct insn insn;

	for (u64 at = 0; disasm && at < f->entry.size; at += insn.size) {
		u32 size = disasm__next(disasm, f->bytes + at, f->entry.size - at,
		                        f->entry.start + at, &insn);

		FUZZ_CHECK(size == insn.size && size > 0 && size <= f->entry.size - at);
		FUZZ_CHECK(size <= INSN_BYTES_MAX && memchr(insn.text, '\0', INSN_TEXT));
	}
	disasm__delete(disasm);
}

/* It is found by its name, its object and any address in it, or one before it that is equal is. */
static void find(const struct code_bundle *bundle, const struct code_bundle_function *f)
{
	const struct code_bundle_entry *entry = &f->entry;
	struct dso dso = { .build_id_size = entry->id_size };
	char *name = fuzz__text((const u8 *)f->name, entry->name_size);
	u64 last = entry->start + (entry->size ? entry->size - 1 : 0);

	memcpy(dso.build_id, entry->id, min_u64(entry->id_size, sizeof(dso.build_id)));
	const struct code_bundle_function *found =
	        code_bundle__find(bundle, &dso, entry->key, name, last);

	FUZZ_CHECK(found || !entry->size || last < entry->start ||
	           strlen(name) != entry->name_size);
	FUZZ_CHECK(!found || found->entry.name_size == strlen(name));
	code_bundle__find(bundle, &dso, entry->key + 1, name, entry->start - 1);
	free(name);
}

static void read_bytes(const u8 *data, size_t size)
{
	const char *path = fuzz__file(data, size);
	struct error err = ERROR_INIT;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct code_bundle *bundle = code_bundle__read(fd, size, path, &err);

	FUZZ_CHECK(fd >= 0 && (!bundle || !err.code));
	FUZZ_CHECK(!bundle || code_bundle__size(fd, size) <= size);
	for (u32 i = 0; bundle && i < bundle->nr; i++) {
		fuzz__touch(bundle->functions[i].bytes, bundle->functions[i].entry.size);
		fuzz__touch(bundle->functions[i].name, bundle->functions[i].entry.name_size);
		disassemble(&bundle->functions[i]);
		find(bundle, &bundle->functions[i]);
	}
	code_bundle__delete(bundle);
	close(fd);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	u64 length, checksum;

	read_bytes(data, size);
	if (size < CODE_BUNDLE_END_SIZE)
		return 0;
	u8 *copy = memcpy(xmalloc(size), data, size);
	u8 *end = copy + size - CODE_BUNDLE_END_SIZE;

	memcpy(&length, end, sizeof(length));
	if (length <= size - CODE_BUNDLE_END_SIZE) {
		checksum = hash__add(hash__bytes(end - length, length), hash__bytes(end, 16));
		memcpy(end + 16, &checksum, sizeof(checksum));
		read_bytes(copy, size);
	}
	free(copy);
	return 0;
}

void fuzz__seeds(void (*add)(const void *data, size_t size))
{
	static const u16 machines[] = { 62, 3, 183, 243 }; /* x86-64, i386, arm64, riscv */
	static const u8 code[] = {
		0x41, 0x89, 0xf8, 0x66, 0x0f, 0x1f, 0x44, 0,    0,    0xf3, 0xc3,
		0x62, 0xf3, 0x6d, 0x22, 0x3e, 0x0f, 0x04, 0xde, 0xc9, 0x64, 0x48,
		0x8b, 0x04, 0x25, 0x28, 0,    0,    0,    0xe8, 1,    2,    3,
		4,    0xd3, 0x38, 0xf0, 0x0f, 0xb1, 0x0a, 0xf3, 0x48, 0xab, 0xc5
	};
	struct code_bundle_entry entry = {
		.start = 0x1000, .size = sizeof(code), .id_size = 20, .is64 = 1, .section = ".text"
	};
	struct out out;
	struct code_bundle_writer writer = { .out = &out };

	out__init(&out, -1);
	for (u32 i = 0; i < ARRAY_SIZE(machines); i++) {
		entry.machine = machines[i];
		entry.big_endian = i & 2;
		code_bundle__add(&writer, &entry, "/bin/prog", code);
	}
	code_bundle__end(&writer);
	add(out.buf, out.len);
	out__exit(&out);
}
