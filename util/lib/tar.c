// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The header is a block of 512 bytes of text fields. Numbers are octal digits; one too large for
 * its field is binary, big-endian, after the highest bit of the first byte, which is set.
 */
#include "util/lib/tar.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "util/lib/file.h"
#include "util/lib/text.h"

#define BLOCK 512u

struct header {
	char name[100], mode[8], uid[8], gid[8], size[12], mtime[12], sum[8], type, target[100];
	char magic[6], version[2], user[32], group[32], major[8], minor[8], prefix[155], pad[12];
};

_Static_assert(sizeof(struct header) == BLOCK, "a header is one block");

static u32 padding_of(u64 size)
{
	return -size & (BLOCK - 1);
}

static u32 sum_of(const struct header *header)
{
	const u8 *bytes = (const u8 *)header;
	u32 sum = 0;

	for (u32 i = 0; i < BLOCK; i++) {
		bool own = i >= offsetof(struct header, sum) && i < offsetof(struct header, type);

		sum += own ? ' ' : bytes[i];
	}
	return sum;
}

/* ---- writing ---- */

static void put_number(char *field, size_t size, u64 value)
{
	if (value >> 3 * (size - 1)) {
		for (size_t i = size; i-- > 1; value >>= 8)
			field[i] = value;
		field[0] = (char)0x80;
		return;
	}
	for (size_t i = size - 1; i-- > 0; value >>= 3)
		field[i] = '0' + (value & 7);
	field[size - 1] = '\0';
}

static int write_block(int fd, const struct tar_member *member, char type)
{
	struct header header = { .type = type };

	/* Those that are longer stand in a member of their own. */
	memcpy(header.name, member->name, strnlen(member->name, sizeof(header.name)));
	memcpy(header.target, member->target, strnlen(member->target, sizeof(header.target)));
	put_number(header.mode, sizeof(header.mode), member->mode & 07777);
	put_number(header.uid, sizeof(header.uid), member->uid);
	put_number(header.gid, sizeof(header.gid), member->gid);
	put_number(header.size, sizeof(header.size), member->size);
	put_number(header.mtime, sizeof(header.mtime), member->mtime);
	memcpy(header.magic, "ustar ", sizeof(header.magic));
	memcpy(header.version, " ", sizeof(header.version));
	snprintf(header.sum, sizeof(header.sum), "%06o", sum_of(&header));
	header.sum[7] = ' ';
	return file__write_all(fd, &header, sizeof(header));
}

static int write_padding(int fd, u64 size)
{
	static const char zeros[BLOCK];

	return file__write_all(fd, zeros, padding_of(size));
}

/* GNU's member for a long name: @type 'L', of a link's target 'K'. */
static int write_long(int fd, char type, const char *text)
{
	const struct tar_member member = { .name = "././@LongLink",
		                           .target = "",
		                           .size = strlen(text) + 1 };
	int ret;

	if (member.size <= sizeof(((struct header *)NULL)->name))
		return 0;
	if (member.size > TAR_NAME_MAX)
		return -ENAMETOOLONG;
	ret = write_block(fd, &member, type);
	if (!ret)
		ret = file__write_all(fd, text, member.size);
	return ret ? ret : write_padding(fd, member.size);
}

int tar__write_header(int fd, const struct tar_member *member)
{
	static const char types[] = { [TAR_FILE] = '0',
		                      [TAR_DIR] = '5',
		                      [TAR_SYMLINK] = '2',
		                      [TAR_HARDLINK] = '1',
		                      [TAR_OTHER] = '0' };
	int ret = write_long(fd, 'K', member->target);

	if (!ret)
		ret = write_long(fd, 'L', member->name);
	return ret ? ret : write_block(fd, member, types[member->type]);
}

int tar__write_file(int fd, const struct tar_member *member, int from)
{
	int ret = tar__write_header(fd, member), missing = 0;
	char buf[1 << 16];

	for (u64 left = member->size; !ret && left;) {
		size_t want = min_u64(left, sizeof(buf));
		ssize_t n = missing ? 0 : read(from, buf, want);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			missing = n < 0 ? -errno : -ENODATA;
			memset(buf, 0, want);
			n = want;
		}
		ret = file__write_all(fd, buf, n);
		left -= n;
	}
	if (!ret)
		ret = write_padding(fd, member->size);
	return ret ? ret : missing;
}

int tar__write_end(int fd)
{
	static const char zeros[2 * BLOCK];

	return file__write_all(fd, zeros, sizeof(zeros));
}

/* ---- reading ---- */

void tar_reader__init(struct tar_reader *reader, int fd)
{
	reader->fd = fd;
	reader->left = reader->pad = 0;
	reader->member = (struct tar_member){ .name = "", .target = "" };
}

/* As much as there is of @size bytes, or -errno. */
static ssize_t read_full(int fd, void *buf, size_t size)
{
	size_t got = 0;

	while (got < size) {
		ssize_t n = read(fd, (char *)buf + got, size - got);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (!n)
			break;
		got += n;
	}
	return got;
}

ssize_t tar_reader__read(struct tar_reader *reader, void *buf, size_t size)
{
	size_t want = min_u64(size, reader->left);
	ssize_t n = read_full(reader->fd, buf, want);

	if (n < 0)
		return n;
	reader->left -= n;
	return (size_t)n < want ? -EBADMSG : n;
}

static int skip_rest(struct tar_reader *reader)
{
	char buf[1 << 14];
	ssize_t n = 1;

	reader->left += reader->pad;
	reader->pad = 0;
	while (reader->left && n > 0)
		n = tar_reader__read(reader, buf, sizeof(buf));
	return n < 0 ? n : 0;
}

static bool get_number(const char *field, size_t size, u64 *value)
{
	size_t i = 0;

	*value = 0;
	if (field[0] & 0x80) {
		*value = field[0] & 0x7f;
		for (i = 1; i < size; i++) {
			if (*value >> 55)
				return false;
			*value = *value << 8 | (u8)field[i];
		}
		return true;
	}
	while (i < size && field[i] == ' ')
		i++;
	for (; i < size && field[i] >= '0' && field[i] <= '7'; i++)
		*value = *value << 3 | (field[i] - '0');
	return i == size || !field[i] || field[i] == ' ';
}

/* A whole header: 1, 0 at the end, or a negative errno. */
static int read_header(struct tar_reader *reader, struct header *header, u64 *size)
{
	static const struct header zeros;
	ssize_t n = read_full(reader->fd, header, sizeof(*header));
	u64 sum;

	if (n < 0)
		return n;
	/* Two empty blocks end an archive; some writers leave them out. */
	if (!n || (n == sizeof(*header) && !memcmp(header, &zeros, sizeof(zeros))))
		return 0;
	if (n < (ssize_t)sizeof(*header) || !get_number(header->sum, sizeof(header->sum), &sum) ||
	    sum != sum_of(header) || !get_number(header->size, sizeof(header->size), size) ||
	    *size > INT64_MAX)
		return -EBADMSG;
	reader->left = *size;
	reader->pad = padding_of(*size);
	return 1;
}

static enum tar_type type_of(char type)
{
	switch (type) {
	case '0':
	case '7':
	case '\0':
		return TAR_FILE;
	case '1':
		return TAR_HARDLINK;
	case '2':
		return TAR_SYMLINK;
	case '5':
		return TAR_DIR;
	}
	return TAR_OTHER;
}

/* The content of a member is a text for @dst. */
static int read_text(struct tar_reader *reader, char dst[static TAR_NAME_MAX])
{
	if (reader->left >= TAR_NAME_MAX)
		return -EBADMSG;
	ssize_t n = tar_reader__read(reader, dst, TAR_NAME_MAX - 1);

	dst[n < 0 ? 0 : n] = '\0';
	return n < 0 ? n : 0;
}

static int take_value(char dst[static TAR_NAME_MAX], const char *value, size_t len)
{
	if (len >= TAR_NAME_MAX || memchr(value, 0, len))
		return -EBADMSG;
	memcpy(dst, value, len);
	dst[len] = '\0';
	return 0;
}

/* Records "LEN KEY=VALUE\n", LEN counting all of it. @size: that of the member behind, if told. */
static int read_pax(struct tar_reader *reader, u64 *size)
{
	char text[2 * TAR_NAME_MAX], *pos = text;
	int ret = 0;

	if (reader->left >= sizeof(text))
		return -EBADMSG;
	ssize_t n = tar_reader__read(reader, text, sizeof(text) - 1);

	if (n < 0)
		return n;
	for (text[n] = '\0'; !ret && pos < text + n;) {
		char *blank = memchr(pos, ' ', text + n - pos), *equals, *end;
		u64 len;

		if (!blank)
			return -EBADMSG;
		*blank = '\0';
		if (text__parse_u64(pos, &len) || len > (u64)(text + n - pos) ||
		    len < (u64)(blank + 3 - pos))
			return -EBADMSG;
		end = pos + len - 1;
		equals = memchr(blank + 1, '=', end - blank - 1);
		if (!equals || *end != '\n')
			return -EBADMSG;
		*equals = *end = '\0';
		if (!strcmp(blank + 1, "path"))
			ret = take_value(reader->name, equals + 1, end - equals - 1);
		else if (!strcmp(blank + 1, "linkpath"))
			ret = take_value(reader->target, equals + 1, end - equals - 1);
		else if (!strcmp(blank + 1, "size") && text__parse_u64(equals + 1, size))
			ret = -EBADMSG;
		pos = end + 1;
	}
	return ret;
}

static void take_names(struct tar_reader *reader, const struct header *header)
{
	bool ustar = !memcmp(header->magic, "ustar", sizeof(header->magic));

	if (!reader->name[0])
		snprintf(reader->name, sizeof(reader->name), "%.155s%s%.100s",
		         ustar ? header->prefix : "", ustar && header->prefix[0] ? "/" : "",
		         header->name);
	if (!reader->target[0])
		snprintf(reader->target, sizeof(reader->target), "%.100s", header->target);
}

static int take_member(struct tar_reader *reader, const struct header *header, u64 told_size)
{
	struct tar_member *member = &reader->member;
	u64 mode, uid, gid;

	*member = (struct tar_member){ .type = type_of(header->type),
		                       .name = reader->name,
		                       .target = reader->target };
	if (!get_number(header->mode, sizeof(header->mode), &mode) ||
	    !get_number(header->uid, sizeof(header->uid), &uid) ||
	    !get_number(header->gid, sizeof(header->gid), &gid) ||
	    !get_number(header->mtime, sizeof(header->mtime), &member->mtime))
		return -EBADMSG;
	member->mode = mode & 07777;
	member->uid = uid;
	member->gid = gid;
	take_names(reader, header);
	if (told_size != UINT64_MAX) {
		if (told_size > INT64_MAX)
			return -EBADMSG;
		reader->left = told_size;
		reader->pad = padding_of(told_size);
	}
	/* What stands behind other members is skipped all the same. */
	member->size = member->type == TAR_FILE ? reader->left : 0;
	return 1;
}

int tar_reader__next(struct tar_reader *reader)
{
	u64 told_size = UINT64_MAX, size;
	struct header header;
	int ret;

	reader->name[0] = reader->target[0] = '\0';
	for (;;) {
		ret = skip_rest(reader);
		if (!ret)
			ret = read_header(reader, &header, &size);
		if (ret <= 0)
			return ret;
		switch (header.type) {
		case 'L':
			ret = read_text(reader, reader->name);
			break;
		case 'K':
			ret = read_text(reader, reader->target);
			break;
		case 'x':
			ret = read_pax(reader, &told_size);
			break;
		case 'g': /* of all members: nothing that matters here */
			ret = 0;
			break;
		default:
			return take_member(reader, &header, told_size);
		}
		if (ret < 0)
			return ret;
	}
}
