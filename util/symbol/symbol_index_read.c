// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/symbol/symbol_index.h"

#include <errno.h>
#include <stdlib.h>

#include "util/lib/cursor.h"
#include "util/lib/hash.h"
#include "util/symbol/debug_info_private.h"
#include "util/symbol/symbol_index_private.h"

struct reader {
	struct cursor in;
	const char **texts; /* into the bytes */
	u32 nr_texts;
	u32 *ids; /* by text: of the source's texts; ID_NONE: not there yet */
};

/* As many as are said to be there, if the bytes can hold them; else 0 and failed. */
static u32 get_count(struct reader *reader, size_t size)
{
	u32 nr = cursor__u32(&reader->in);

	if (nr > cursor__left(&reader->in) / size) {
		reader->in.failed = true;
		return 0;
	}
	return nr;
}

static const char *get_text(struct reader *reader)
{
	u32 id = cursor__u32(&reader->in);

	if (id < reader->nr_texts)
		return reader->texts[id];
	reader->in.failed = true;
	return "";
}

static void get_texts(struct reader *reader)
{
	u32 nr = get_count(reader, 1);
	u32 size = cursor__u32(&reader->in);
	const char *bytes = cursor__bytes(&reader->in, size);

	if (!bytes || !nr || !size || bytes[size - 1]) {
		reader->in.failed = true;
		return;
	}
	const char *end = bytes + size;

	reader->texts = xrealloc(NULL, nr, sizeof(*reader->texts));
	for (; reader->nr_texts < nr && bytes < end; bytes += strlen(bytes) + 1)
		reader->texts[reader->nr_texts++] = bytes;
	reader->in.failed |= reader->nr_texts != nr || bytes != end || *reader->texts[0];
}

static void get_trail(struct reader *reader, struct file_trail *trail)
{
	u32 nr = get_count(reader, 4 + sizeof(struct file_stamp));

	for (u32 i = 0; i < nr && !reader->in.failed; i++) {
		const char *path = get_text(reader);
		const void *bytes = cursor__bytes(&reader->in, sizeof(struct file_stamp));
		struct file_stamp stamp;

		if (!bytes)
			return;
		memcpy(&stamp, bytes, sizeof(stamp));
		file_trail__add(trail, path, &stamp);
	}
}

/* ---- symbols ---- */

static void get_symbol(struct reader *reader, struct symtab *table)
{
	u64 start = cursor__u64(&reader->in);
	u64 end = cursor__u64(&reader->in);
	const char *name = get_text(reader);
	u32 binding = cursor__u32(&reader->in);

	reader->in.failed |= end < start || binding > 0x7f ||
	                     (table->nr && start <= table->symbols[table->nr - 1].start);
	if (!reader->in.failed)
		symtab__add(table, start, end, name, binding);
}

static void get_pieces(struct reader *reader, struct symtab *table, u32 nr)
{
	/* Not NULL, even without any: it is a part then. */
	table->pieces = xcalloc((size_t)nr + 1, sizeof(*table->pieces));
	for (u32 i = 0; i < nr; i++) {
		struct symtab_piece *piece = &table->pieces[i];

		piece->start = cursor__u64(&reader->in);
		piece->end = cursor__u64(&reader->in);
		piece->symbol = cursor__u32(&reader->in);
		reader->in.failed |= piece->start >= piece->end ||
		                     (i && piece->start < piece[-1].end) ||
		                     (piece->symbol != ID_NONE && piece->symbol >= table->nr);
		if (reader->in.failed)
			return;
	}
	table->nr_pieces = nr;
}

static void get_segments(struct reader *reader, struct symtab *table, u32 nr)
{
	table->segments = xcalloc(nr, sizeof(*table->segments));
	table->nr_segments = nr;
	for (u32 i = 0; i < nr; i++) {
		struct segment *segment = &table->segments[i];

		segment->offset = cursor__u64(&reader->in);
		segment->size = cursor__u64(&reader->in);
		segment->vaddr = cursor__u64(&reader->in);
	}
}

static void get_symbols(struct reader *reader, struct symtab *table, u32 flags)
{
	u32 source = cursor__u32(&reader->in);
	const char *path = get_text(reader);
	/* Each number is bounded by what all the bytes could hold, and then by reading them. */
	u32 nr_segments = get_count(reader, sizeof(struct segment));
	u32 nr = get_count(reader, 24);
	u32 nr_pieces = get_count(reader, 20);

	reader->in.failed |= source > SYMTAB_PERF_MAP || (nr_pieces && !(flags & INDEX_PART));
	if (reader->in.failed)
		return;
	table->demangle = flags & INDEX_DEMANGLE;
	table->overlaps = flags & INDEX_OVERLAPS;
	table->runtime_addr = flags & INDEX_RUNTIME;
	table->source = source;
	table->path = *path ? xstrdup(path) : NULL;
	get_segments(reader, table, nr_segments);
	if (nr)
		array__reserve(&table->symbols, &table->cap, nr, sizeof(*table->symbols));
	for (u32 i = 0; i < nr && !reader->in.failed; i++)
		get_symbol(reader, table);
	if (flags & INDEX_PART)
		get_pieces(reader, table, nr_pieces);
}

/* The names go with the table when the bytes do not; they lie together, mostly. */
static void keep_names(struct symtab *table)
{
	const char *first = table->nr ? table->symbols[0].name : "", *last = first;

	for (u32 i = 1; i < table->nr; i++) {
		first = table->symbols[i].name < first ? table->symbols[i].name : first;
		last = table->symbols[i].name > last ? table->symbols[i].name : last;
	}
	size_t size = last + strlen(last) + 1 - first;
	char *copy = arena__alloc(&table->arena, size);

	memcpy(copy, first, size);
	for (u32 i = 0; i < table->nr; i++)
		table->symbols[i].name = copy + (table->symbols[i].name - first);
}

/* ---- source ---- */

/* @first, @nr of @total: inside? */
static bool fits(u32 first, u32 nr, u32 total)
{
	return first <= total && nr <= total - first;
}

static bool extent_is_sound(const struct source_tables *tables, const struct source_extent *extent)
{
	if (extent->start >= extent->end ||
	    !fits(extent->first_row, extent->nr_rows, tables->nr_rows) ||
	    !fits(extent->first_segment, extent->nr_segments, tables->nr_segments) ||
	    !fits(extent->first_file, extent->nr_files, tables->nr_files))
		return false;
	for (u32 i = 0; i < extent->nr_rows; i++) {
		const struct line_row *row = &tables->rows[extent->first_row + i];
		u32 file = row->place >> LINE_BITS;

		if ((i && row->offset <= row[-1].offset) || (file && file >= extent->nr_files))
			return false;
	}
	for (u32 i = 0; i < extent->nr_segments; i++) {
		const struct inline_segment *segment = &tables->segments[extent->first_segment + i];

		if ((i && segment->offset <= segment[-1].offset) ||
		    (segment->frame != ID_NONE && segment->frame >= tables->nr_frames))
			return false;
	}
	return true;
}

static void get_extents(struct reader *reader, struct source_tables *tables)
{
	for (u32 i = 0; i < tables->nr_extents; i++) {
		struct source_extent *extent = &tables->extents[i];

		extent->start = cursor__u64(&reader->in);
		extent->end = cursor__u64(&reader->in);
		extent->first_row = cursor__u32(&reader->in);
		extent->nr_rows = cursor__u32(&reader->in);
		extent->first_segment = cursor__u32(&reader->in);
		extent->nr_segments = cursor__u32(&reader->in);
		extent->first_file = cursor__u32(&reader->in);
		extent->nr_files = cursor__u32(&reader->in);
	}
}

/* Texts are numbers of ours here, and of the source's after use_texts(). */
static u32 get_text_id(struct reader *reader)
{
	u32 id = cursor__u32(&reader->in);

	reader->in.failed |= id != ID_NONE && id >= reader->nr_texts;
	return id;
}

static void get_tables(struct reader *reader, struct source_tables *tables)
{
	const void *rows, *segments;

	get_extents(reader, tables);
	rows = cursor__bytes(&reader->in, tables->nr_rows * sizeof(*tables->rows));
	segments = cursor__bytes(&reader->in, tables->nr_segments * sizeof(*tables->segments));
	if (!rows || !segments)
		return;
	memcpy(tables->rows, rows, tables->nr_rows * sizeof(*tables->rows));
	memcpy(tables->segments, segments, tables->nr_segments * sizeof(*tables->segments));
	for (u32 i = 0; i < tables->nr_files; i++)
		tables->files[i] = get_text_id(reader);
	for (u32 i = 0; i < tables->nr_frames; i++) {
		struct inline_frame *frame = &tables->frames[i];

		frame->parent = cursor__u32(&reader->in);
		frame->function = get_text_id(reader);
		frame->call_file = get_text_id(reader);
		frame->call_line = cursor__u32(&reader->in);
		reader->in.failed |= frame->parent != ID_NONE && frame->parent >= i;
	}
	for (u32 i = 0; i < tables->nr_extents && !reader->in.failed; i++)
		reader->in.failed = !extent_is_sound(tables, &tables->extents[i]) ||
		                    (i && tables->extents[i].start < tables->extents[i - 1].end);
}

static u32 use_text(struct reader *reader, struct debug_info *info, u32 text)
{
	if (text == ID_NONE)
		return ID_NONE;
	if (reader->ids[text] == ID_NONE)
		reader->ids[text] = strtab__add(&info->texts, reader->texts[text]);
	return reader->ids[text];
}

static void use_texts(struct reader *reader, struct debug_info *info)
{
	reader->ids = xrealloc(NULL, reader->nr_texts, sizeof(*reader->ids));
	memset(reader->ids, 0xff, reader->nr_texts * sizeof(*reader->ids));
	for (u32 i = 0; i < info->known.nr_files; i++)
		info->known.files[i] = use_text(reader, info, info->known.files[i]);
	for (u32 i = 0; i < info->nr_frames; i++) {
		info->frames[i].function = use_text(reader, info, info->frames[i].function);
		info->frames[i].call_file = use_text(reader, info, info->frames[i].call_file);
	}
	free(reader->ids);
}

static struct debug_info *get_source(struct reader *reader)
{
	const char *path = get_text(reader);
	struct source_tables tables = { .nr_extents = get_count(reader, 40) };
	struct debug_info *info = NULL;

	tables.nr_rows = get_count(reader, sizeof(struct line_row));
	tables.nr_segments = get_count(reader, sizeof(struct inline_segment));
	tables.nr_files = get_count(reader, 4);
	tables.nr_frames = get_count(reader, sizeof(struct inline_frame));
	if (reader->in.failed)
		return NULL;
	tables.extents = xcalloc(tables.nr_extents, sizeof(*tables.extents));
	tables.rows = xcalloc(tables.nr_rows, sizeof(*tables.rows));
	tables.segments = xcalloc(tables.nr_segments, sizeof(*tables.segments));
	tables.files = xcalloc(tables.nr_files, sizeof(*tables.files));
	tables.frames = xcalloc(tables.nr_frames, sizeof(*tables.frames));
	tables.cap_frames = tables.nr_frames;
	get_tables(reader, &tables);
	if (!reader->in.failed)
		info = debug_info__import(&tables, *path ? path : NULL);
	source_tables__exit(&tables);
	if (info)
		use_texts(reader, info);
	return info;
}

static struct readable_names *get_readable(struct reader *reader)
{
	struct readable_names *names = xcalloc(1, sizeof(*names));
	u32 nr = get_count(reader, 8);

	for (u32 i = 0; i < nr && !reader->in.failed; i++) {
		const char *mangled = get_text(reader);

		readable_names__add(names, mangled, get_text(reader));
	}
	reader->in.failed |= readable_names__nr(names) != nr;
	names->nr_restored = nr;
	return names;
}

/* ---- all ---- */

u64 symbol_index__size(const void *data, size_t len)
{
	u64 header[2];

	if (len < SYMBOL_INDEX_HEADER)
		return 0;
	memcpy(header, data, sizeof(header));
	return header[0] == SYMBOL_INDEX_MAGIC && header[1] >= SYMBOL_INDEX_HEADER &&
	                       header[1] <= min_u64(len, SYMBOL_INDEX_MAX)
	               ? header[1]
	               : 0;
}

static bool header_is_sound(const void *data, size_t len)
{
	u64 header[3];

	if (len < sizeof(header) || symbol_index__size(data, len) != len)
		return false;
	memcpy(header, data, sizeof(header));
	return header[2] == hash__bytes((const u8 *)data + sizeof(header), len - sizeof(header));
}

static void get_index(struct reader *reader, struct symbol_index *index)
{
	const void *id;
	const char *name;
	u32 flags, size;

	get_texts(reader);
	size = cursor__u32(&reader->in);
	id = cursor__bytes(&reader->in, sizeof(index->id.data));
	if (!id || size > sizeof(index->id.data)) {
		reader->in.failed = true;
		return;
	}
	index->id.size = size;
	memcpy(index->id.data, id, sizeof(index->id.data));
	name = get_text(reader);
	index->name = arena__strndup(&index->texts, name, strlen(name));
	index->key = cursor__u64(&reader->in);
	get_trail(reader, &index->trail);
	flags = cursor__u32(&reader->in);
	if (flags & INDEX_SYMBOLS && !reader->in.failed) {
		index->table = xcalloc(1, sizeof(*index->table));
		get_symbols(reader, index->table, flags);
	}
	if (flags & INDEX_SOURCE && !reader->in.failed)
		index->source = get_source(reader);
	if (flags & INDEX_READABLE && !reader->in.failed)
		index->readable = get_readable(reader);
	reader->in.failed |= cursor__left(&reader->in) != 0;
}

int symbol_index__read(struct symbol_index *index, const void *data, size_t len)
{
	struct reader reader = { .nr_texts = 0 };

	*index = (struct symbol_index){ .key = 0 };
	if (!header_is_sound(data, len))
		return -EBADMSG;
	reader.in = cursor__make((const u8 *)data + SYMBOL_INDEX_HEADER, len - SYMBOL_INDEX_HEADER,
	                         false);
	get_index(&reader, index);
	if (!reader.in.failed && index->table)
		keep_names(index->table);
	free(reader.texts);
	if (!reader.in.failed)
		return 0;
	symbol_index__exit(index);
	return -EBADMSG;
}

void symbol_index__exit(struct symbol_index *index)
{
	file_trail__exit(&index->trail);
	if (index->table)
		symtab__exit(index->table);
	free(index->table);
	debug_info__delete(index->source);
	if (index->readable)
		readable_names__exit(index->readable);
	free(index->readable);
	arena__exit(&index->texts);
	*index = (struct symbol_index){ .key = 0 };
}
