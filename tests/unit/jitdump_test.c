// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/unit/jit_builder.h"
#include "tests/unit/test_file.h"
#include "util/jit/jit_elf.h"
#include "util/symtab/elf_symbols.h"

/* What the last dump told, in order: "name@addr+size;" and "index:from>to;". */
static struct out told;
static struct out image;
static u32 nr_lines;

static int take_code(void *ctx, const struct jitdump_code *code)
{
	struct build_id id;

	(void)ctx;
	out__printf(&told, "%s@%llx+%llx", code->name, (unsigned long long)code->addr,
	            (unsigned long long)code->size);
	for (u32 i = 0; i < code->nr_lines; i++)
		out__printf(&told, " %s:%u", code->lines[i].file, code->lines[i].line);
	if (code->unwind_size)
		out__printf(&told, " eh %llu/%llu", (unsigned long long)code->unwind_size,
		            (unsigned long long)code->eh_header_size);
	out__char(&told, ';');
	nr_lines = code->nr_lines;
	image.len = 0;
	jit_elf__make(&image, EM_X86_64, code, &id);
	return code->index == 99 ? -EINTR : 0;
}

static int take_move(void *ctx, const struct jitdump_move *move)
{
	(void)ctx;
	out__printf(&told, "%llu:%llx>%llx;", (unsigned long long)move->index,
	            (unsigned long long)move->from, (unsigned long long)move->to);
	return 0;
}

static struct jitdump_stats stats;
static struct error err;

static int read_dump(const struct out *dump)
{
	struct jitdump_handler handler = { NULL, take_code, take_move };
	struct jitdump_header header;
	char *path = write_test_file("jit-7.dump", dump->buf, dump->len);
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	out__exit(&told);
	out__exit(&image);
	out__init(&told, -1);
	out__init(&image, -1);
	err = (struct error)ERROR_INIT;
	int ret = jitdump__read(fd, path, &header, &handler, &stats, &err);

	if (!ret)
		CHECK_EQ(header.pid, 7);
	close(fd);
	free(path);
	return ret;
}

TEST(jitdump_tells_code_lines_unwinding_and_moves)
{
	struct out dump;

	jit_builder__init(&dump, 7);
	jit_builder__lines(&dump, 0x7000, 3);
	jit_builder__unwinding(&dump, 24, 8);
	jit_builder__code(&dump, "first", 0x7000, 16, 1);
	jit_builder__record(&dump, 77, "later", 6); /* a kind of the future */
	jit_builder__lines(&dump, 0x1234, 3);       /* of other code than what comes */
	jit_builder__code(&dump, "second", 0x8000, 32, 2);
	jit_builder__move(&dump, 0x8000, 0x9000, 32, 2);
	jit_builder__record(&dump, 3, NULL, 0);
	CHECK_EQ(read_dump(&dump), 0);
	CHECK_STR(out__take(&told),
	          "first@7000+10 a.js:10 a.js:11 b.js:12 eh 24/8;second@8000+20;2:8000>9000;");
	CHECK_EQ(stats.nr_codes, 2);
	CHECK_EQ(stats.nr_moves, 1);
	CHECK_EQ(stats.nr_broken, 0);
	CHECK_EQ(stats.cut, 0);
	out__exit(&dump);
}

TEST(jitdump_keeps_what_came_before_the_damage)
{
	struct out dump;

	jit_builder__init(&dump, 7);
	jit_builder__code(&dump, "good", 0x7000, 16, 1);
	size_t whole = dump.len;

	jit_builder__code(&dump, "half", 0x7100, 16, 2);
	for (size_t len = whole; len < dump.len; len++) {
		struct out cut = { .buf = dump.buf, .len = len };

		CHECK_EQ(read_dump(&cut), 0);
		CHECK_STR(out__take(&told), "good@7000+10;");
		CHECK_EQ(stats.cut, len - whole);
	}
	/* Code that says it is larger than its record, or lies over the end of memory. */
	dump.len = whole;
	jit_builder__code(&dump, "bad", 0x7100, 16, 2);
	memset(dump.buf + whole + 40, 0x7f, 8);
	jit_builder__code(&dump, "wraps", ~0ull - 4, 16, 3);
	jit_builder__code(&dump, "next", 0x7200, 16, 4);
	CHECK_EQ(read_dump(&dump), 0);
	CHECK_STR(out__take(&told), "good@7000+10;next@7200+10;");
	CHECK_EQ(stats.nr_broken, 2);
	out__exit(&dump);
}

TEST(jitdump_ends_where_its_handler_says)
{
	struct out dump;

	jit_builder__init(&dump, 7);
	jit_builder__code(&dump, "stop", 0x7000, 16, 99);
	jit_builder__code(&dump, "never", 0x7100, 16, 2);
	CHECK_EQ(read_dump(&dump), -EINTR);
	CHECK_STR(out__take(&told), "stop@7000+10;");
	out__exit(&dump);
}

TEST(jitdump_refuses_what_it_cannot_read)
{
	static const struct {
		unsigned at, value;
		int code;
		const char *cause;
	} cases[] = {
		{ 0, 'X', -EBADMSG, "it does not begin like one" },
		{ 4, 2, -EBADMSG, "its version is 2 with a header of 40 bytes: not 1 with 40" },
		{ 8, 39, -EBADMSG, "its version is 1 with a header of 39 bytes: not 1 with 40" },
		{ 32, 1, -EOPNOTSUPP,
		  "its times are of the processor's counter, not CLOCK_MONOTONIC" },
	};
	struct out dump;

	for (unsigned i = 0; i < ARRAY_SIZE(cases); i++) {
		jit_builder__init(&dump, 7);
		dump.buf[cases[i].at] = cases[i].value;
		CHECK_EQ(read_dump(&dump), cases[i].code);
		CHECK_STR(err.cause, cases[i].cause);
		out__exit(&dump);
	}
	jit_builder__init(&dump, 7);
	memcpy(dump.buf, "JiTD", 4);
	CHECK_EQ(read_dump(&dump), -EOPNOTSUPP);
	dump.len = 39;
	CHECK_EQ(read_dump(&dump), -EBADMSG);
	out__exit(&dump);
}

TEST(jit_elf_is_a_file_that_names_its_code)
{
	struct symtab table = { .source = SYMTAB_NONE };
	struct build_id one, two;
	struct elf_file elf;
	struct out dump;

	jit_builder__init(&dump, 7);
	jit_builder__lines(&dump, 0x7000, 3);
	jit_builder__unwinding(&dump, 24, 8);
	jit_builder__code(&dump, "function", 0x7000, 16, 1);
	CHECK_EQ(read_dump(&dump), 0);
	CHECK_EQ(nr_lines, 3);
	CHECK_EQ(elf_file__open_memory(&elf, image.buf, image.len), 0);
	CHECK(elf_file__build_id(&elf, &one));
	elf_symbols__set_segments(&table, &elf);
	CHECK_EQ(elf_symbols__add(&table, &elf, SHT_SYMTAB), 1);
	symtab__fixup(&table);
	CHECK_EQ(symtab__vaddr_of_offset(&table, JIT_ELF_TEXT), JIT_ELF_TEXT);
	CHECK_EQ(symtab__find(&table, JIT_ELF_TEXT + 15), 0);
	CHECK_EQ(symtab__find(&table, JIT_ELF_TEXT + 16), ID_NONE);
	CHECK_STR(table.symbols[0].name, "function");
	CHECK_EQ(elf_file__section(&elf, ".eh_frame")->header.sh_size, 16);
	CHECK_EQ(elf_file__section(&elf, ".eh_frame_hdr")->header.sh_size, 8);
	CHECK(elf_file__section(&elf, ".debug_line") != NULL);
	elf_file__close(&elf);
	symtab__exit(&table);

	/* Other code, another id. */
	dump.buf[dump.len - 1] ^= 1;
	CHECK_EQ(read_dump(&dump), 0);
	CHECK_EQ(elf_file__open_memory(&elf, image.buf, image.len), 0);
	CHECK(elf_file__build_id(&elf, &two));
	CHECK(!build_id__equal(&one, &two));
	elf_file__close(&elf);
	out__exit(&dump);
	out__exit(&told);
	out__exit(&image);
}
