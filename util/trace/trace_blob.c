// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/trace/trace_blob.h"

#include <errno.h>

#include "util/lib/cursor.h"

/* A file of the blob: its size as u32 or u64, then its bytes; NULL when it is cut. */
static const char *take_file(struct cursor *c, bool wide, size_t *size)
{
	*size = wide ? cursor__u64(c) : cursor__u32(c);
	return cursor__bytes(c, *size);
}

static const char *take_name(struct cursor *c)
{
	size_t len = strnlen((const char *)c->pos, cursor__left(c));

	return cursor__str(c, len < cursor__left(c) ? len + 1 : cursor__left(c));
}

static void read_system(const struct trace_blob_reader *reader, struct cursor *c,
                        const char *system)
{
	size_t size;

	for (u32 nr = cursor__u32(c); nr && !c->failed; nr--) {
		const char *text = take_file(c, true, &size);

		if (text && reader->format)
			reader->format(reader->ctx, system, text, size);
	}
}

static void read_formats(const struct trace_blob_reader *reader, struct cursor *c)
{
	read_system(reader, c, "ftrace");
	for (u32 systems = cursor__u32(c); systems && !c->failed; systems--) {
		const char *system = take_name(c);

		if (!c->failed)
			read_system(reader, c, system);
	}
}

int trace_blob__read(const void *blob, size_t size, const struct trace_blob_reader *reader)
{
	static const char magic[] = "\027\010\104tracing";
	struct cursor c = cursor__make(blob, size, false);
	const char *start = cursor__bytes(&c, sizeof(magic) - 1), *text;
	size_t len;

	if (!start || memcmp(start, magic, sizeof(magic) - 1))
		return -EBADMSG;
	take_name(&c); /* version */
	bool big_endian = cursor__u8(&c);
	u8 long_size = cursor__u8(&c);

	c.swap = big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	if (long_size != 4 && long_size != 8)
		return -EBADMSG;
	u32 page_size = cursor__u32(&c);

	if (reader->machine)
		reader->machine(reader->ctx, big_endian, long_size, page_size);
	for (int i = 0; i < 2; i++) { /* header_page and header_event: not needed for samples */
		take_name(&c);
		take_file(&c, true, &len);
	}
	read_formats(reader, &c);
	take_file(&c, false, &len); /* kallsyms of old files: the symbols come from elsewhere */
	text = take_file(&c, false, &len);
	if (text && reader->printk_formats)
		reader->printk_formats(reader->ctx, text, len);
	return c.failed ? -EBADMSG : 0;
}
