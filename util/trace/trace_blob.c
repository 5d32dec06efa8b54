// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/trace/trace_blob.h"

#include <ctype.h>
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

/* ---- format files ---- */

struct line {
	const char *text;
	size_t len;
};

static bool next_line(const char **at, const char *end, struct line *line)
{
	if (*at >= end)
		return false;
	const char *newline = memchr(*at, '\n', end - *at);

	line->text = *at;
	line->len = (newline ? newline : end) - *at;
	*at += line->len + 1;
	return true;
}

static bool starts(const struct line *line, const char *word)
{
	return line->len > strlen(word) && !memcmp(line->text, word, strlen(word));
}

bool trace_format__id(const char *text, size_t size, u64 *id)
{
	struct line line;

	for (const char *at = text; next_line(&at, text + size, &line);) {
		if (!starts(&line, "ID:"))
			continue;
		size_t i = 3;

		while (i < line.len && line.text[i] == ' ')
			i++;
		size_t digits = i;

		for (*id = 0; i < line.len && isdigit((u8)line.text[i]); i++)
			*id = *id * 10 + (line.text[i] - '0');
		return i > digits;
	}
	return false;
}

/* "field:char comm[16];..." is comm: the last word in front of the semicolon and of brackets. */
static struct line field_name(const struct line *line, const char *word)
{
	const char *start = line->text + strlen(word);
	const char *end = memchr(start, ';', line->text + line->len - start);

	if (!end)
		return (struct line){ start, 0 };
	while (end > start && end[-1] == ']') {
		while (end > start && end[-1] != '[')
			end--;
		end -= end > start;
	}
	while (end > start && !isalnum((u8)end[-1]) && end[-1] != '_')
		end--;
	const char *name = end;

	while (name > start && (isalnum((u8)name[-1]) || name[-1] == '_'))
		name--;
	return (struct line){ name, end - name };
}

void trace_format__fields(struct out *out, const char *text, size_t size)
{
	static const char word[] = "\tfield:", special[] = "\tfield special:";
	bool common = true, first = true;
	struct line line, name;

	for (const char *at = text; next_line(&at, text + size, &line);) {
		bool field = starts(&line, word) || starts(&line, special);

		if (!field || common) {
			/* An empty line ends the fields that all events have. */
			common = common && (field || line.len || at - text < 8);
			continue;
		}
		name = field_name(&line, starts(&line, word) ? word : special);
		if (!name.len)
			continue;
		if (!first)
			out__char(out, ',');
		out__mem(out, name.text, name.len);
		first = false;
	}
}

/* The number behind "KEY:" in a line. */
static bool number_of(const struct line *line, const char *key, u32 *value)
{
	const char *at = memmem(line->text, line->len, key, strlen(key));
	u64 number = 0;

	if (!at)
		return false;
	for (at += strlen(key); at < line->text + line->len && isdigit((u8)*at); at++) {
		number = number * 10 + (*at - '0');
		if (number > UINT16_MAX) /* a record ends before */
			return false;
	}
	*value = number;
	return true;
}

bool trace_format__field(const char *text, size_t size, const char *name, u32 *offset, u32 *len)
{
	static const char word[] = "\tfield:";
	struct line line;

	for (const char *at = text; next_line(&at, text + size, &line);) {
		if (!starts(&line, word))
			continue;
		struct line field = field_name(&line, word);

		if (field.len == strlen(name) && !memcmp(field.text, name, field.len))
			return number_of(&line, "\toffset:", offset) &&
			       number_of(&line, "\tsize:", len);
	}
	return false;
}
