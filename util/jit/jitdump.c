// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A compiler appends to its dump while it runs, so the last record may be incomplete. Lines and
 * unwind tables of a function come before its code, and are kept until the code comes.
 */
#include "util/jit/jitdump.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/lib/alloc.h"
#include "util/lib/cursor.h"
#include "util/lib/file.h"

#define MAGIC       0x4A695444u /* "JiTD" */
#define VERSION     1u
#define HEADER_SIZE 40u
#define PREFIX_SIZE 16u
#define MAX_RECORD  (64u << 20)
#define ARCH_CLOCK  1u /* flags: times are of the processor's counter */

enum { CODE_LOAD = 0, CODE_MOVE = 1, DEBUG_INFO = 2, CODE_CLOSE = 3, UNWINDING_INFO = 4 };

struct kept { /* a record's bytes, until the code comes */
	u8 *bytes;
	size_t cap, len;
};

struct reading {
	int fd;
	u64 at, size; /* in the file */
	struct kept record, debug, unwind;
	struct jitdump_line *lines;
	size_t lines_cap;
	const struct jitdump_handler *handler;
	struct jitdump_stats *stats;
};

static int read_at(const struct reading *r, u64 at, void *buf, size_t len)
{
	int ret = file__read_at(r->fd, buf, len, at);

	return ret == -ENODATA ? -EBADMSG : ret; /* it has become shorter */
}

static int read_header(struct reading *r, const char *path, struct jitdump_header *header,
                       struct error *err)
{
	const char *what = "cannot use the JIT dump";
	u8 bytes[HEADER_SIZE];
	int ret = r->size < HEADER_SIZE ? -EBADMSG : read_at(r, 0, bytes, sizeof(bytes));
	struct cursor c = cursor__make(bytes, sizeof(bytes), false);

	if (ret && ret != -EBADMSG)
		return error__set(err, ret, what, path, NULL);
	u32 magic = ret ? 0 : cursor__u32(&c);

	if (magic == __builtin_bswap32(MAGIC))
		return error__set(err, -EOPNOTSUPP, what, path,
		                  "it is of a machine with the other byte order");
	if (magic != MAGIC)
		return error__set(err, -EBADMSG, what, path, "it does not begin like one");
	u32 version = cursor__u32(&c), size = cursor__u32(&c);

	if (version != VERSION || size < HEADER_SIZE || size > r->size)
		return error__set(err, -EBADMSG, what, path,
		                  "its version is %u with a header of %u bytes: not 1 with 40",
		                  version, size);
	header->machine = cursor__u32(&c);
	cursor__u32(&c);
	header->pid = cursor__u32(&c);
	header->time = cursor__u64(&c);
	if (cursor__u64(&c) & ARCH_CLOCK) {
		error__set(err, -EOPNOTSUPP, what, path,
		           "its times are of the processor's counter, not CLOCK_MONOTONIC");
		return error__advise(err, "have the compiler use CLOCK_MONOTONIC, and: perf record "
		                          "-k mono");
	}
	r->at = size;
	return 0;
}

static void keep(struct kept *kept, const void *bytes, size_t len)
{
	array__reserve(&kept->bytes, &kept->cap, len + 1, 1);
	memcpy(kept->bytes, bytes, len);
	kept->bytes[len] = '\0';
	kept->len = len;
}

/* A text that ends inside of the record. */
static const char *text(struct cursor *c)
{
	size_t left = cursor__left(c);

	return cursor__str(c, left ? strnlen((const char *)c->pos, left) + 1 : 1);
}

/* The lines kept, if they are those of the code at @addr. Returns how many. */
static u32 take_lines(struct reading *r, u64 addr)
{
	struct cursor c = cursor__make(r->debug.bytes, r->debug.len, false);
	const char *file = "";
	u32 nr = 0;

	if (!r->debug.len || cursor__u64(&c) != addr)
		return 0;
	/* An entry has 17 bytes or more. */
	for (u64 left = cursor__u64(&c); left && cursor__left(&c) >= 17 && !c.failed; left--) {
		struct jitdump_line line = { .addr = cursor__u64(&c), .line = cursor__u32(&c) };

		cursor__u32(&c); /* discriminator */
		const char *name = text(&c);

		if (c.failed)
			break;
		if (strcmp(name, "\xff")) /* ff 00: the same as before */
			file = name;
		line.file = file;
		array__reserve(&r->lines, &r->lines_cap, nr + 1, sizeof(*r->lines));
		r->lines[nr++] = line;
	}
	return nr;
}

static void take_unwinding(struct reading *r, struct jitdump_code *code)
{
	struct cursor c = cursor__make(r->unwind.bytes, r->unwind.len, false);
	u64 size = cursor__u64(&c), header = cursor__u64(&c);

	cursor__u64(&c); /* how much of it was in memory */
	if (c.failed || !size || size > cursor__left(&c) || header > size)
		return;
	code->unwind = cursor__bytes(&c, size);
	code->unwind_size = size;
	code->eh_header_size = header;
}

static int take_code(struct reading *r, struct cursor *c, u64 time)
{
	struct jitdump_code code = { .time = time };

	code.pid = cursor__u32(c);
	code.tid = cursor__u32(c);
	cursor__u64(c); /* vma: as the address */
	code.addr = cursor__u64(c);
	code.size = cursor__u64(c);
	code.index = cursor__u64(c);
	code.name = text(c);
	code.code = code.size <= cursor__left(c) ? cursor__bytes(c, code.size) : NULL;
	if (c->failed || !code.code || !code.size || code.size > UINT64_MAX - code.addr) {
		r->stats->nr_broken++;
		return 0;
	}
	code.nr_lines = take_lines(r, code.addr);
	code.lines = r->lines;
	take_unwinding(r, &code);
	r->debug.len = r->unwind.len = 0;
	r->stats->nr_codes++;
	return r->handler->code(r->handler->ctx, &code);
}

static int take_move(struct reading *r, struct cursor *c, u64 time)
{
	struct jitdump_move move = { .time = time };

	move.pid = cursor__u32(c);
	move.tid = cursor__u32(c);
	cursor__u64(c); /* vma */
	move.from = cursor__u64(c);
	move.to = cursor__u64(c);
	move.size = cursor__u64(c);
	move.index = cursor__u64(c);
	if (c->failed || !move.size || move.size > UINT64_MAX - move.to) {
		r->stats->nr_broken++;
		return 0;
	}
	r->stats->nr_moves++;
	return r->handler->move(r->handler->ctx, &move);
}

static int take_record(struct reading *r, u32 id, u64 time, size_t len)
{
	struct cursor c = cursor__make(r->record.bytes, len, false);

	switch (id) {
	case CODE_LOAD:
		return take_code(r, &c, time);
	case CODE_MOVE:
		return take_move(r, &c, time);
	case DEBUG_INFO:
		keep(&r->debug, r->record.bytes, len);
		break;
	case UNWINDING_INFO:
		keep(&r->unwind, r->record.bytes, len);
		break;
	case CODE_CLOSE: /* the compiler ends, its code may run on */
	default:
		break;
	}
	return 0;
}

static int read_records(struct reading *r)
{
	u8 prefix[PREFIX_SIZE];
	int ret = 0;

	while (!ret && r->size - r->at >= PREFIX_SIZE) {
		ret = read_at(r, r->at, prefix, sizeof(prefix));
		if (ret)
			break;
		u32 size = load_u32(prefix + 4, false);

		if (size < PREFIX_SIZE || size > r->size - r->at || size > MAX_RECORD)
			break;
		size_t len = size - PREFIX_SIZE;

		array__reserve(&r->record.bytes, &r->record.cap, len + 1, 1);
		ret = read_at(r, r->at + PREFIX_SIZE, r->record.bytes, len);
		if (ret)
			break;
		r->at += size;
		ret = take_record(r, load_u32(prefix, false), load_u64(prefix + 8, false), len);
	}
	r->stats->cut = r->size - r->at;
	return ret == -EBADMSG ? 0 : ret;
}

int jitdump__read(int fd, const char *path, struct jitdump_header *header,
                  const struct jitdump_handler *handler, struct jitdump_stats *stats,
                  struct error *err)
{
	struct reading r = { .fd = fd, .handler = handler, .stats = stats };
	struct stat st;

	*stats = (struct jitdump_stats){ 0 };
	if (fstat(fd, &st))
		return error__set(err, -errno, "cannot read", path, NULL);
	r.size = st.st_size;
	int ret = read_header(&r, path, header, err);

	if (!ret) {
		ret = read_records(&r);
		if (ret < 0 && err && !err->code)
			error__set(err, ret, "cannot read", path, NULL);
	}
	free(r.record.bytes);
	free(r.debug.bytes);
	free(r.unwind.bytes);
	free(r.lines);
	return ret;
}
