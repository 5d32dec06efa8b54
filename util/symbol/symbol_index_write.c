// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>

#include "util/lib/alloc.h"
#include "util/lib/hash.h"
#include "util/lib/out.h"
#include "util/lib/strtab.h"
#include "util/symbol/debug_info_private.h"
#include "util/symbol/symbol_index.h"
#include "util/symbol/symbol_index_private.h"

/* The texts stand before what refers to them: that is collected meanwhile. */
struct writer {
	struct strtab texts;
	struct out body;
};

static void put_u32(struct writer *writer, u32 value)
{
	out__mem(&writer->body, &value, sizeof(value));
}

static void put_u64(struct writer *writer, u64 value)
{
	out__mem(&writer->body, &value, sizeof(value));
}

static void put_text(struct writer *writer, const char *text)
{
	put_u32(writer, text ? strtab__add(&writer->texts, text) : 0);
}

static void put_trail(struct writer *writer, const struct file_trail *trail)
{
	put_u32(writer, trail->nr);
	for (u32 i = 0; i < trail->nr; i++) {
		put_text(writer, trail->entries[i].path);
		out__mem(&writer->body, &trail->entries[i].stamp, sizeof(trail->entries[i].stamp));
	}
}

static void put_symbols(struct writer *writer, const struct symtab *table)
{
	put_u32(writer, table->source);
	put_text(writer, table->path);
	put_u32(writer, table->nr_segments);
	put_u32(writer, table->nr);
	put_u32(writer, table->nr_pieces);
	for (u32 i = 0; i < table->nr_segments; i++) {
		put_u64(writer, table->segments[i].offset);
		put_u64(writer, table->segments[i].size);
		put_u64(writer, table->segments[i].vaddr);
	}
	for (u32 i = 0; i < table->nr; i++) {
		put_u64(writer, table->symbols[i].start);
		put_u64(writer, table->symbols[i].end);
		put_text(writer, table->symbols[i].name);
		put_u32(writer, (u8)table->symbols[i].binding);
	}
	for (u32 i = 0; i < table->nr_pieces; i++) {
		put_u64(writer, table->pieces[i].start);
		put_u64(writer, table->pieces[i].end);
		put_u32(writer, table->pieces[i].symbol);
	}
}

/* @ids: of the texts of @info that have one in the index already; others have 0. */
static void put_id(struct writer *writer, const struct debug_info *info, u32 text, u32 *ids)
{
	if (text == ID_NONE) {
		put_u32(writer, ID_NONE);
		return;
	}
	if (!ids[text])
		ids[text] = strtab__add(&writer->texts, debug_info__text(info, text));
	put_u32(writer, ids[text]);
}

static void put_source(struct writer *writer, const struct debug_info *info)
{
	u32 *ids = xcalloc(info->texts.nr, sizeof(*ids));
	struct source_tables tables;

	debug_info__export(info, &tables);
	put_text(writer, info->path);
	put_u32(writer, tables.nr_extents);
	put_u32(writer, tables.nr_rows);
	put_u32(writer, tables.nr_segments);
	put_u32(writer, tables.nr_files);
	put_u32(writer, tables.nr_frames);
	for (u32 i = 0; i < tables.nr_extents; i++) {
		const struct source_extent *extent = &tables.extents[i];

		put_u64(writer, extent->start);
		put_u64(writer, extent->end);
		put_u32(writer, extent->first_row);
		put_u32(writer, extent->nr_rows);
		put_u32(writer, extent->first_segment);
		put_u32(writer, extent->nr_segments);
		put_u32(writer, extent->first_file);
		put_u32(writer, extent->nr_files);
	}
	out__mem(&writer->body, tables.rows, tables.nr_rows * sizeof(*tables.rows));
	out__mem(&writer->body, tables.segments, tables.nr_segments * sizeof(*tables.segments));
	for (u32 i = 0; i < tables.nr_files; i++)
		put_id(writer, info, tables.files[i], ids);
	for (u32 i = 0; i < tables.nr_frames; i++) {
		put_u32(writer, tables.frames[i].parent);
		put_id(writer, info, tables.frames[i].function, ids);
		put_id(writer, info, tables.frames[i].call_file, ids);
		put_u32(writer, tables.frames[i].call_line);
	}
	source_tables__exit(&tables);
	free(ids);
}

static void put_readable(struct writer *writer, const struct readable_names *names)
{
	u32 nr = readable_names__nr(names);

	put_u32(writer, nr);
	for (u32 i = 0; i < nr; i++) {
		put_text(writer, strtab__get(&names->mangled, i));
		put_text(writer, names->readable[i]);
	}
}

static u32 flags_of(const struct symbol_index *index)
{
	const struct symtab *table = index->table;
	u32 flags = (index->source ? INDEX_SOURCE : 0) | (index->readable ? INDEX_READABLE : 0);

	if (!table)
		return flags;
	return flags | INDEX_SYMBOLS | (table->demangle ? INDEX_DEMANGLE : 0) |
	       (table->overlaps ? INDEX_OVERLAPS : 0) | (table->runtime_addr ? INDEX_RUNTIME : 0) |
	       (table->pieces ? INDEX_PART : 0);
}

static void put_texts(struct out *out, const struct strtab *texts)
{
	u32 nr = texts->nr, bytes = 0;

	for (u32 i = 0; i < nr; i++)
		bytes += strlen(strtab__get(texts, i)) + 1;
	out__mem(out, &nr, sizeof(nr));
	out__mem(out, &bytes, sizeof(bytes));
	for (u32 i = 0; i < nr; i++)
		out__mem(out, strtab__get(texts, i), strlen(strtab__get(texts, i)) + 1);
}

void symbol_index__write(const struct symbol_index *index, struct out *out)
{
	struct writer writer;
	size_t start = out->len;
	u64 header[3] = { SYMBOL_INDEX_MAGIC };

	strtab__init(&writer.texts);
	out__init(&writer.body, -1);
	put_u32(&writer, index->id.size);
	out__mem(&writer.body, index->id.data, sizeof(index->id.data));
	put_text(&writer, index->name);
	put_u64(&writer, index->key);
	put_trail(&writer, &index->trail);
	put_u32(&writer, flags_of(index));
	if (index->table)
		put_symbols(&writer, index->table);
	if (index->source)
		put_source(&writer, index->source);
	if (index->readable)
		put_readable(&writer, index->readable);

	out__mem(out, header, sizeof(header));
	put_texts(out, &writer.texts);
	out__mem(out, writer.body.buf, writer.body.len);
	header[1] = out->len - start;
	header[2] = hash__bytes(out->buf + start + sizeof(header), header[1] - sizeof(header));
	memcpy(out->buf + start, header, sizeof(header));
	out__exit(&writer.body);
	strtab__exit(&writer.texts);
}
