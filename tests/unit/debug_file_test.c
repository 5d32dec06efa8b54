// SPDX-License-Identifier: GPL-2.0-or-later
/* Separate debug files: each test has a folder as file system root (symfs). */
#include "tests/unit/unit.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/unit/elf_builder.h"
#include "tests/unit/test_file.h"
#include "util/lib/alloc.h"
#include "util/symtab/symtab.h"
#include "util/symtab/symtab_elf.h"

static const u8 id[20] = { 0xab, 0xcd, 0xef, 3,  4,  5,  6,  7,  8,  9,
	                   10,   11,   12,   13, 14, 15, 16, 17, 18, 19 };

#define BY_ID "root/usr/lib/debug/.build-id/ab/cdef030405060708090a0b0c0d0e0f10111213.debug"

/* The plain bitwise definition, to check the table-driven one. */
static u32 crc32_slowly(const u8 *data, size_t len)
{
	u32 crc = ~0u;

	while (len--) {
		crc ^= *data++;
		for (unsigned bit = 0; bit < 8; bit++)
			crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
	}
	return ~crc;
}

struct setup {
	struct elf_builder stripped, debug;
	struct symtab table;
};

static void setup__init(struct setup *s, bool with_id)
{
	*s = (struct setup){ .stripped = { .is64 = true, .no_symbols = true },
		             .debug = { .is64 = true } };
	elf_builder__symbol(&s->stripped, "x", STB_GLOBAL, STT_FUNC, 0, 16);
	elf_builder__symbol(&s->debug, "from_debug", STB_GLOBAL, STT_FUNC, 0x20, 16);
	if (with_id) {
		s->stripped.build_id_size = s->debug.build_id_size = 20;
		memcpy(s->stripped.build_id, id, 20);
		memcpy(s->debug.build_id, id, 20);
	}
}

static int load(struct setup *s)
{
	char *root = xasprintf("%s/root", unit__tmpdir());
	struct object_file_request request = { .path = "/opt/bin/prog",
		                               .symfs = root,
		                               .debug_dir = "/usr/lib/debug" };

	free(elf_builder__write(&s->stripped, "root/opt/bin/prog"));
	int ret = symtab__load_elf(&s->table, &request);

	free(root);
	return ret;
}

static const char *found(const struct setup *s)
{
	u32 i = symtab__find(&s->table, symtab__vaddr_of_offset(&s->table, ELF_TEXT_OFFSET + 0x24));

	return i == ID_NONE ? "" : s->table.symbols[i].name;
}

static void setup__exit(struct setup *s)
{
	symtab__exit(&s->table);
	elf_builder__exit(&s->stripped);
	elf_builder__exit(&s->debug);
}

TEST(debug_file_by_build_id)
{
	struct setup s;

	setup__init(&s, true);
	CHECK_EQ(load(&s), -ENODATA); /* not there yet */
	CHECK_STR(found(&s), "");
	symtab__exit(&s.table);
	free(elf_builder__write(&s.debug, BY_ID)); /* installed later: the same file resolves */
	CHECK_EQ(load(&s), 0);
	CHECK_EQ(s.table.source, SYMTAB_DEBUG_FILE);
	CHECK_STR(found(&s), "from_debug");
	setup__exit(&s);
}

TEST(debug_file_with_another_id_is_not_used)
{
	struct setup s;

	setup__init(&s, true);
	s.debug.build_id[19]++;
	free(elf_builder__write(&s.debug, BY_ID));
	CHECK_EQ(load(&s), -ENODATA);
	CHECK_STR(found(&s), "");
	CHECK_EQ(s.table.refused.code, -ESTALE);
	CHECK_STR(s.table.refused.cause, "it is of another build of 'prog': its build-id is "
	                                 "abcdef030405060708090a0b0c0d0e0f10111214, not "
	                                 "abcdef030405060708090a0b0c0d0e0f10111213");
	setup__exit(&s);
}

TEST(debug_file_by_link_with_its_checksum)
{
	static const char *const paths[] = { "root/opt/bin/prog.debug",
		                             "root/opt/bin/.debug/prog.debug",
		                             "root/usr/lib/debug/opt/bin/prog.debug" };

	for (unsigned i = 0; i < ARRAY_SIZE(paths); i++)
		for (unsigned wrong = 0; wrong < 2; wrong++) {
			struct setup s;

			setup__init(&s, false);
			char *path = elf_builder__write(&s.debug, paths[i]);

			s.stripped.debuglink = "prog.debug";
			s.stripped.debuglink_crc =
			        crc32_slowly(s.debug.image.data, s.debug.image.len) + wrong;
			CHECK_EQ(load(&s), wrong ? -ENODATA : 0);
			CHECK_STR(found(&s), wrong ? "" : "from_debug");
			CHECK_EQ(unlink(path), 0);
			free(path);
			setup__exit(&s);
		}
}

TEST(debug_link_must_be_a_plain_name)
{
	struct setup s;

	setup__init(&s, false);
	free(elf_builder__write(&s.debug, "root/opt/prog.debug"));
	s.stripped.debuglink = "../prog.debug";
	s.stripped.debuglink_crc = crc32_slowly(s.debug.image.data, s.debug.image.len);
	CHECK_EQ(load(&s), -ENODATA);
	setup__exit(&s);
}

#ifdef HAVE_LZMA
#include <lzma.h>

TEST(debug_data_inside_the_file)
{
	struct setup s;
	u8 packed[1 << 16];
	size_t len = 0;

	setup__init(&s, false);
	elf_builder__build(&s.debug);
	CHECK_EQ(lzma_easy_buffer_encode(6, LZMA_CHECK_CRC32, NULL, s.debug.image.data,
	                                 s.debug.image.len, packed, &len, sizeof(packed)),
	         LZMA_OK);
	s.stripped.extra_name = ".gnu_debugdata";
	builder__bytes(&s.stripped.extra, packed, len);
	CHECK_EQ(load(&s), 0);
	CHECK_EQ(s.table.source, SYMTAB_MINIDEBUG);
	CHECK_STR(found(&s), "from_debug");
	symtab__exit(&s.table);

	for (size_t at = 0; at < len; at += 3) { /* damaged: no symbols, or these, no signal */
		s.stripped.extra.data[at] ^= 0x55;
		load(&s);
		symtab__exit(&s.table);
		s.stripped.extra.data[at] ^= 0x55;
	}
	setup__exit(&s);
}
#endif
