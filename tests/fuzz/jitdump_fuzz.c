// SPDX-License-Identifier: GPL-2.0-or-later
/* The dump of a JIT compiler, and the object files made of it. */
#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "tests/fuzz/fuzz.h"
#include "tests/unit/jit_builder.h"
#include "util/jit/jit_elf.h"
#include "util/symtab/elf_symbols.h"

static int take_code(void *ctx, const struct jitdump_code *code)
{
	struct symtab table = { .source = SYMTAB_NONE };
	struct elf_file elf;
	struct build_id id;
	struct out image;

	(void)ctx;
	fuzz__touch(code->name, strlen(code->name));
	fuzz__touch(code->code, code->size);
	fuzz__touch(code->unwind, code->unwind_size);
	for (u32 i = 0; i < code->nr_lines; i++)
		fuzz__touch(code->lines[i].file, strlen(code->lines[i].file));
	out__init(&image, -1);
	jit_elf__make(&image, EM_X86_64, code, &id);
	FUZZ_CHECK(!elf_file__open_memory(&elf, image.buf, image.len));
	if (*code->name) {
		FUZZ_CHECK(elf_symbols__add(&table, &elf, SHT_SYMTAB) == 1);
		FUZZ_CHECK(!strcmp(table.symbols[0].name, code->name));
		FUZZ_CHECK(table.symbols[0].end - table.symbols[0].start == code->size);
	}
	elf_file__close(&elf);
	symtab__exit(&table);
	out__exit(&image);
	return 0;
}

static int take_move(void *ctx, const struct jitdump_move *move)
{
	(void)ctx;
	FUZZ_CHECK(move->to + move->size > move->to);
	return 0;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct jitdump_handler handler = { NULL, take_code, take_move };
	const char *path = fuzz__file(data, size);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct jitdump_header header;
	struct jitdump_stats stats;
	struct error err = ERROR_INIT;
	int ret = jitdump__read(fd, path, &header, &handler, &stats, &err);

	FUZZ_CHECK(!ret == !err.code);
	FUZZ_CHECK(stats.cut <= size);
	close(fd);
	return 0;
}

void fuzz__seeds(void (*add)(const void *data, size_t size))
{
	struct out dump;

	jit_builder__init(&dump, 7);
	jit_builder__lines(&dump, 0x7000, 3);
	jit_builder__unwinding(&dump, 24, 8);
	jit_builder__code(&dump, "first", 0x7000, 16, 1);
	add(dump.buf, dump.len);
	jit_builder__move(&dump, 0x7000, 0x9000, 16, 1);
	jit_builder__code(&dump, "second", 0x7000, 8, 2);
	jit_builder__record(&dump, 3, NULL, 0);
	add(dump.buf, dump.len);
	out__exit(&dump);
}
