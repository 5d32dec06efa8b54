// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/test_file.h"
#include "util/lib/alloc.h"
#include "util/lib/tar.h"

#define LONG 300

static int new_file(void)
{
	char *path = xasprintf("%s/a.tar", unit__tmpdir());
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	CHECK(fd >= 0);
	free(path);
	return fd;
}

/* What is left of the member, as text. */
static const char *content(struct tar_reader *reader)
{
	static char text[2000];
	ssize_t n = tar_reader__read(reader, text, sizeof(text) - 1);

	text[n < 0 ? 0 : n] = '\0';
	return text;
}

TEST(tar_gives_back_what_was_written)
{
	char *path = write_test_file("data", "hello tar\n", 10), name[LONG + 1], target[LONG + 1];
	const struct tar_member members[] = {
		{ TAR_DIR, "usr/bin/", "", 0, 0755, 3, 4, 1234567890 },
		{ TAR_FILE, "usr/bin/x", "", 10, 0644, 5, 6, 1 },
		{ TAR_SYMLINK, "link", "../../usr/bin/x", 0, 0777, 0, 0, 0 },
		{ TAR_FILE, name, "", 10, 0600, 0x7fffffff, 1u << 21, 1ull << 35 },
		{ TAR_SYMLINK, name, target, 0, 0777, 0, 0, 0 },
	};
	struct tar_reader reader;
	int fd = new_file();

	memset(name, 'n', LONG);
	memset(target, 't', LONG);
	name[LONG] = target[LONG] = '\0';
	for (unsigned i = 0; i < ARRAY_SIZE(members); i++) {
		int from = open(path, O_RDONLY | O_CLOEXEC);

		CHECK_EQ(members[i].size ? tar__write_file(fd, &members[i], from)
		                         : tar__write_header(fd, &members[i]),
		         0);
		close(from);
	}
	CHECK_EQ(tar__write_end(fd), 0);
	CHECK_EQ(lseek(fd, 0, SEEK_CUR) % 512, 0);
	lseek(fd, 0, SEEK_SET);
	tar_reader__init(&reader, fd);
	for (unsigned i = 0; i < ARRAY_SIZE(members); i++) {
		const struct tar_member *m = &reader.member;

		CHECK_EQ(tar_reader__next(&reader), 1);
		CHECK_EQ(m->type, members[i].type);
		CHECK_STR(m->name, members[i].name);
		CHECK_STR(m->target, members[i].target);
		CHECK_EQ(m->size, members[i].size);
		CHECK_EQ(m->mode, members[i].mode);
		CHECK_EQ(m->uid, members[i].uid);
		CHECK_EQ(m->gid, members[i].gid);
		CHECK_EQ(m->mtime, members[i].mtime);
		if (i % 2 == 1) /* the other one is skipped unread */
			CHECK_STR(content(&reader), i == 1 || i == 3 ? "hello tar\n" : "");
	}
	CHECK_EQ(tar_reader__next(&reader), 0);
	close(fd);
	free(path);
}

/* A file that shrinks while it is packed: the archive stays whole. */
TEST(tar_fills_up_what_a_file_lacks)
{
	const struct tar_member member = { TAR_FILE, "x", "", 600, 0644, 0, 0, 0 };
	char *path = write_test_file("data", "short", 5);
	int fd = new_file(), from = open(path, O_RDONLY | O_CLOEXEC);
	struct tar_reader reader;

	CHECK_EQ(tar__write_file(fd, &member, from), -ENODATA);
	CHECK_EQ(tar__write_end(fd), 0);
	lseek(fd, 0, SEEK_SET);
	tar_reader__init(&reader, fd);
	CHECK_EQ(tar_reader__next(&reader), 1);
	CHECK_EQ(reader.member.size, 600);
	CHECK_STR(content(&reader), "short");
	CHECK_EQ(tar_reader__next(&reader), 0);
	close(from);
	close(fd);
	free(path);
}

TEST(tar_refuses_names_that_are_too_long)
{
	char *name = xcalloc(1, TAR_NAME_MAX + 1);
	const struct tar_member member = { .type = TAR_DIR, .name = name, .target = "" };
	int fd = new_file();

	memset(name, 'n', TAR_NAME_MAX);
	CHECK_EQ(tar__write_header(fd, &member), -ENAMETOOLONG);
	close(fd);
	free(name);
}

/* One header of text fields, with the sum that belongs to it. */
static void put_header(int fd, const char *name, const char *size, char type, const char *prefix)
{
	char block[512] = { 0 };
	unsigned sum = 0;

	snprintf(block, 100, "%s", name);
	memcpy(block + 124, size, 11);
	block[156] = type;
	memcpy(block + 257,
	       "ustar\0"
	       "00",
	       8);
	snprintf(block + 345, 155, "%s", prefix);
	memset(block + 148, ' ', 8);
	for (unsigned i = 0; i < 512; i++)
		sum += (u8)block[i];
	snprintf(block + 148, 7, "%06o", sum);
	CHECK_EQ(write(fd, block, 512), 512);
}

static void put_block(int fd, const char *text)
{
	char block[512] = { 0 };

	snprintf(block, sizeof(block), "%s", text);
	CHECK_EQ(write(fd, block, 512), 512);
}

static int first_of(int fd, struct tar_reader *reader)
{
	lseek(fd, 0, SEEK_SET);
	tar_reader__init(reader, fd);
	return tar_reader__next(reader);
}

TEST(tar_reads_the_names_of_posix)
{
	struct tar_reader reader;
	int fd = new_file();

	put_header(fd, "file", "00000000003", '0', "a/folder");
	put_block(fd, "one");
	put_header(fd, "pax", "00000000054", 'x', "");
	put_block(fd, "16 path=from/pax\n17 linkpath=there\n11 size=00\n");
	CHECK_EQ(first_of(fd, &reader), 1);
	CHECK_STR(reader.member.name, "a/folder/file");
	CHECK_STR(content(&reader), "one");
	CHECK_EQ(tar_reader__next(&reader), -EBADMSG); /* lengths that do not fit */
	close(fd);
	fd = new_file();
	put_header(fd, "pax", "00000000056", 'x', "");
	put_block(fd, "17 path=from/pax\n18 linkpath=there\n11 atime=1\n");
	put_header(fd, "short", "00000000000", '2', "");
	CHECK_EQ(first_of(fd, &reader), 1);
	CHECK_STR(reader.member.name, "from/pax");
	CHECK_STR(reader.member.target, "there");
	CHECK_EQ(tar_reader__next(&reader), 0); /* the final blocks may be missing */
	close(fd);
}

TEST(tar_refuses_damage)
{
	static const char *const pax[] = {
		"99 path=x\n", "0 path=x\n", "9 path=x",     "path=x\n",
		"9 pathxx\n",  "3 =\n",      "11 size=-1\n", "x path=x\n"
	};
	struct tar_reader reader;
	int fd = new_file();

	put_block(fd, "no header");
	CHECK_EQ(first_of(fd, &reader), -EBADMSG);
	close(fd);
	fd = new_file();
	put_header(fd, "file", "00000001000", '0', ""); /* 512 bytes, which are not there */
	CHECK_EQ(first_of(fd, &reader), 1);
	CHECK_STR(content(&reader), "");
	CHECK_EQ(tar_reader__next(&reader), -EBADMSG);
	close(fd);
	fd = new_file();
	put_header(fd, "file", "0000000x000", '0', "");
	CHECK_EQ(first_of(fd, &reader), -EBADMSG);
	close(fd);
	fd = new_file();
	put_header(fd, "long", "00000020000", 'L', "");
	CHECK_EQ(first_of(fd, &reader), -EBADMSG);
	close(fd);
	for (unsigned i = 0; i < ARRAY_SIZE(pax); i++) {
		char size[32];

		fd = new_file();
		snprintf(size, sizeof(size), "%011zo", strlen(pax[i]));
		put_header(fd, "pax", size, 'x', "");
		put_block(fd, pax[i]);
		put_header(fd, "file", "00000000000", '0', "");
		CHECK_EQ(first_of(fd, &reader), -EBADMSG);
		close(fd);
	}
}
