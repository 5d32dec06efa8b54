// SPDX-License-Identifier: GPL-2.0-or-later
/* What the header of a line table tells of files, in tables made by hand. */
#include "tests/unit/unit.h"

#include <string.h>

#include "util/dwarf/line_headers.h"

#define BYTES(text) (text), sizeof(text) - 1

struct made {
	u8 bytes[512];
	size_t len;
};

static void put(struct made *made, const void *bytes, size_t len)
{
	memcpy(made->bytes + made->len, bytes, len);
	made->len += len;
}

static void put_number(struct made *made, u64 value, u32 size)
{
	put(made, &value, size);
}

/* What a table begins with, up to the folders. The sizes of it are set by end_table(). */
static void begin_table(struct made *made, u16 version, bool is64)
{
	made->len = 0;
	if (is64)
		put_number(made, UINT32_MAX, 4);
	put_number(made, 0, is64 ? 8 : 4);
	put_number(made, version, 2);
	if (version == 5)
		put(made, BYTES("\x08\x00"));
	put_number(made, 0, is64 ? 8 : 4);
	put(made, &"\x01\x01\x01\xfb\x0e\x04\x01\x01\x01"[version < 4], version < 4 ? 8 : 9);
}

static void end_table(struct made *made, bool is64)
{
	u64 size = made->len - (is64 ? 12 : 4);

	memcpy(made->bytes + (is64 ? 4 : 0), &size, is64 ? 8 : 4);
}

static Elf_Data strings = { .d_buf = (void *)"\0lib.c\0far.h", .d_size = 13 };

static bool may_have(struct made *made, const char *name)
{
	Elf_Data lines = { .d_buf = made->bytes, .d_size = made->len };
	const struct line_headers headers = { .lines = &lines, .line_strings = &strings };

	return line_headers__may_name(&headers, 0, name);
}

/* Of a table that is cut anywhere nothing can be ruled out. */
static void check_cut(struct made *made, bool is64)
{
	struct made cut = *made;

	for (cut.len = made->len - 1; cut.len; cut.len--) {
		CHECK(may_have(&cut, "none.c"));
		if (cut.len < 16)
			continue;
		end_table(&cut, is64);
		CHECK(may_have(&cut, "none.c"));
	}
}

static void make_new(struct made *made, bool is64, const char *form)
{
	begin_table(made, 5, is64);
	put(made, BYTES("\x01\x01\x1f\x01")); /* one folder: a text elsewhere */
	put_number(made, 1, is64 ? 8 : 4);
	put(made, BYTES("\x03\x01"));
	put(made, form, 1);
	put(made, BYTES("\x02\x0b\x05\x1e\x02")); /* two files: path, folder, MD5 */
	for (u32 i = 0; i < 2; i++) {
		if (*form == 0x08)
			put(made, i ? "far.h" : "src/lib.c", i ? 6 : 10);
		else
			put_number(made, i ? 7 : 1, is64 ? 8 : 4);
		put(made, BYTES("\x00"));
		put(made, i ? "fedcba9876543210" : "0123456789abcdef", 16);
	}
	end_table(made, is64);
}

TEST(line_headers_of_dwarf_5)
{
	static const char *const forms[] = { "\x1f", "\x08" };
	struct made made;

	for (u32 i = 0; i < 4; i++) {
		bool is64 = i & 1;

		make_new(&made, is64, forms[i / 2]);
		CHECK(may_have(&made, "lib.c"));
		CHECK(may_have(&made, "/a/b/lib.c"));
		CHECK(may_have(&made, "far.h"));
		CHECK(!may_have(&made, "none.c"));
		CHECK(!may_have(&made, "ib.c"));
		CHECK(!may_have(&made, "lib.cc"));
		check_cut(&made, is64);
	}
	make_new(&made, false, "\x25"); /* a form that tables do not have */
	CHECK(may_have(&made, "none.c"));
	make_new(&made, false, "\x1f");
	strings.d_size = 12; /* a text without an end */
	CHECK(may_have(&made, "none.c"));
	strings.d_size = 13;
	CHECK(!may_have(&made, "none.c"));
}

static void make_old(struct made *made, u16 version, const char *program, size_t len)
{
	begin_table(made, version, false);
	put(made, BYTES("dir\0\0"));
	put(made, BYTES("lib.c\0\x01\x00\x00"));
	put(made, BYTES("x/far.h\0\x00\x81\x01\x00\0"));
	put(made, program, len);
	end_table(made, false);
}

TEST(line_headers_before_dwarf_5)
{
	/* The address is set, three lines on; a file is defined. */
	static const char plain[] = "\0\x09\x02\x10\0\0\0\0\0\0\0\x03\x03\x01\0\x01\x01";
	static const char defines[] = "\0\x09\x03late.c\0\0\0\0\0\x01\x01";
	struct made made;

	for (u16 version = 2; version <= 4; version++) {
		make_old(&made, version, BYTES(plain));
		CHECK(may_have(&made, "lib.c"));
		CHECK(may_have(&made, "far.h"));
		CHECK(!may_have(&made, "late.c"));
		CHECK(!may_have(&made, "dir"));
		make_old(&made, version, BYTES(defines));
		CHECK(may_have(&made, "late.c"));
		make_old(&made, version, BYTES(""));
		check_cut(&made, false);
	}
	made.bytes[4] = 6;
	CHECK(may_have(&made, "none.c"));
	made.bytes[4] = 1;
	CHECK(may_have(&made, "none.c"));
	CHECK(may_have(&made, ""));
}

/* The first byte of a file's sum; 0: it is not known. */
static u8 sum_of(const void *bytes, size_t len, u64 index)
{
	Elf_Data lines = { .d_buf = (void *)bytes, .d_size = len };
	const struct line_headers headers = { .lines = &lines, .line_strings = &strings };
	u8 sum[MD5_SIZE] = { 0 };

	return line_headers__sum(&headers, 0, index, sum) ? sum[0] : 0;
}

/* Cut anywhere, or with any byte changed, nothing behind it is read (make SAN=address). */
TEST(line_headers_sums_of_files)
{
	static const char *const forms[] = { "\x1f", "\x08" };
	struct made made;
	u8 bytes[sizeof(made.bytes)];

	for (u32 i = 0; i < 4; i++) {
		make_new(&made, i & 1, forms[i / 2]);
		CHECK_EQ(sum_of(made.bytes, made.len, 0), '0');
		CHECK_EQ(sum_of(made.bytes, made.len, 1), 'f');
		CHECK_EQ(sum_of(made.bytes, made.len, 2), 0);
		for (size_t len = 0; len < made.len; len++) {
			u8 *cut = bytes + sizeof(bytes) - len; /* at the end of what may be read */

			memcpy(cut, made.bytes, len);
			CHECK_EQ(sum_of(cut, len, 1), 0);
		}
	}
	for (size_t i = 0; i < made.len; i++)
		for (u32 value = 0; value < 256; value++) {
			memcpy(bytes, made.bytes, made.len);
			bytes[i] = value;
			sum_of(bytes, made.len, UINT64_MAX);
		}
	make_old(&made, 4, BYTES(""));
	CHECK_EQ(sum_of(made.bytes, made.len, 0), 0);
	make_new(&made, false, "\x25");
	CHECK_EQ(sum_of(made.bytes, made.len, 0), 0);
}
