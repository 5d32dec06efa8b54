// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>

#include "util/lib/alloc.h"
#include "util/lib/out.h"
#include "util/lib/strtab.h"
#include "util/lib/text.h"
#include "util/symindex/object_index.h"
#include "util/symindex/object_index_private.h"

/* One section: its texts stand before what refers to them, which is collected meanwhile. */
struct writer {
	struct strtab texts;
	struct out body;
};

static u32 text_id(struct writer *writer, const char *text)
{
	return text ? strtab__add(&writer->texts, text) : 0;
}

static void put_u32(struct out *out, u32 value)
{
	out__mem(out, &value, sizeof(value));
}

static void pad(struct out *out)
{
	static const u8 zeros[8];

	out__mem(out, zeros, -out->len & 7);
}

/* ---- what is in the sections ---- */

static void put_object(struct writer *writer, const struct object_index *index)
{
	struct index_object object = {
		.key = index->key,
		.id_size = index->id.size,
		.name = text_id(writer, index->name),
		.nr_files = index->trail.nr,
	};

	memcpy(object.id, index->id.data, sizeof(object.id));
	out__mem(&writer->body, &object, sizeof(object));
	for (u32 i = 0; i < index->trail.nr; i++) {
		const struct file_trail_entry *entry = &index->trail.entries[i];
		struct index_file file = { .path = text_id(writer, entry->path),
			                   .stamp = entry->stamp };

		out__mem(&writer->body, &file, sizeof(file));
	}
}

static void put_symbols(struct writer *writer, const struct symtab *table)
{
	struct index_symbols head = {
		.flags = (table->demangle ? INDEX_DEMANGLE : 0) |
		         (table->overlaps ? INDEX_OVERLAPS : 0) |
		         (table->runtime_addr ? INDEX_RUNTIME : 0) |
		         (table->pieces ? INDEX_PART : 0),
		.source = table->source,
		.path = text_id(writer, table->path),
		.nr_segments = table->nr_segments,
		.nr = table->nr,
		.nr_pieces = table->nr_pieces,
	};

	out__mem(&writer->body, &head, sizeof(head));
	out__mem(&writer->body, table->segments, table->nr_segments * sizeof(*table->segments));
	for (u32 i = 0; i < table->nr; i++) {
		const struct symbol *symbol = &table->symbols[i];
		struct index_symbol entry = { symbol->start, symbol->end,
			                      text_id(writer, symbol->name),
			                      (u8)symbol->binding |
			                              (symbol->data ? INDEX_DATA : 0) };

		out__mem(&writer->body, &entry, sizeof(entry));
	}
	for (u32 i = 0; i < table->nr_pieces; i++) {
		struct symtab_piece piece;

		memset(&piece, 0, sizeof(piece)); /* what lies between fields, too */
		piece.start = table->pieces[i].start;
		piece.end = table->pieces[i].end;
		piece.symbol = table->pieces[i].symbol;
		out__mem(&writer->body, &piece, sizeof(piece));
	}
}

/* Texts of a source, of which each is looked up once: its id in the index, 0 if it has none yet. */
struct source_texts {
	const struct debug_info *info;
	u32 *ids, nr;
};

static u32 source_text(struct writer *writer, struct source_texts *texts, u32 text)
{
	if (text >= texts->nr) /* "": where an index was forged */
		return text == ID_NONE ? ID_NONE : 0;
	if (!texts->ids[text])
		texts->ids[text] = text_id(writer, debug_info__text(texts->info, text));
	return texts->ids[text];
}

static void put_source(struct writer *writer, const struct debug_info *info)
{
	struct source_texts texts = { .info = info, .nr = debug_info__nr_texts(info) };
	struct source_tables tables;
	struct out *out = &writer->body;

	texts.ids = xcalloc(texts.nr, sizeof(*texts.ids));
	debug_info__export(info, &tables);
	struct index_source head = {
		.path = text_id(writer, debug_info__path(info)),
		.nr_extents = tables.nr_extents,
		.nr_rows = tables.nr_rows,
		.nr_segments = tables.nr_segments,
		.nr_frames = tables.nr_frames,
		.nr_files = tables.nr_files,
	};

	out__mem(out, &head, sizeof(head));
	out__mem(out, tables.extents, tables.nr_extents * sizeof(*tables.extents));
	out__mem(out, tables.rows, tables.nr_rows * sizeof(*tables.rows));
	out__mem(out, tables.segments, tables.nr_segments * sizeof(*tables.segments));
	for (u32 i = 0; i < tables.nr_frames; i++) {
		struct inline_frame frame = tables.frames[i];

		frame.function = source_text(writer, &texts, frame.function);
		frame.call_file = source_text(writer, &texts, frame.call_file);
		out__mem(out, &frame, sizeof(frame));
	}
	for (u32 i = 0; i < tables.nr_files; i++)
		put_u32(out, source_text(writer, &texts, tables.files[i]));
	source_tables__exit(&tables);
	free(texts.ids);
}

/* ---- sections ---- */

/* By text its readable form, which becomes a text, too; ID_NONE: none is known. */
static u32 *find_readable(struct writer *writer, const struct readable_names *names)
{
	u32 nr = writer->texts.nr;
	u32 *readable = xrealloc(NULL, 2 * (size_t)nr, sizeof(*readable));

	memset(readable, 0xff,
	       2 * (size_t)nr * sizeof(*readable)); /* those that are new have none */
	for (u32 i = 0; names && i < nr; i++) {
		const char *text = readable_names__find(names, strtab__get(&writer->texts, i));

		if (text && text__is_printable(text, strlen(text))) /* who reads it need not look */
			readable[i] = strtab__add(&writer->texts, text);
	}
	return readable;
}

static void put_texts(struct out *out, struct writer *writer, const struct readable_names *names)
{
	u32 *readable = find_readable(writer, names);
	u32 nr = writer->texts.nr, offset = 0;

	put_u32(out, nr);
	size_t size_at = out->len;

	put_u32(out, 0);
	for (u32 i = 0; i < nr; i++) {
		put_u32(out, offset);
		offset += strlen(strtab__get(&writer->texts, i)) + 1;
	}
	memcpy(out->buf + size_at, &offset, sizeof(offset));
	out__mem(out, readable, nr * sizeof(*readable));
	for (u32 i = 0; i < nr; i++) {
		const char *text = strtab__get(&writer->texts, i);

		out__mem(out, text, strlen(text) + 1);
	}
	pad(out);
	free(readable);
}

static void put_section(struct writer *writer, const struct object_index *index,
                        enum object_index_section section)
{
	switch (section) {
	case INDEX_OBJECT:
		put_object(writer, index);
		break;
	case INDEX_SYMBOLS:
		if (index->table)
			put_symbols(writer, index->table);
		break;
	case INDEX_SOURCE:
		if (index->source)
			put_source(writer, index->source);
		break;
	case INDEX_NR_SECTIONS:
		break;
	}
}

void object_index__write(const struct object_index *index, struct out *out)
{
	struct index_header header = { .magic = OBJECT_INDEX_MAGIC };
	size_t start = out->len;

	out__mem(out, &header, sizeof(header));
	for (unsigned i = 0; i < INDEX_NR_SECTIONS; i++) {
		struct writer writer;
		size_t before = out->len;

		strtab__init(&writer.texts);
		out__init(&writer.body, -1);
		put_section(&writer, index, i);
		if (writer.body.len) {
			put_texts(out, &writer, index->readable);
			out__mem(out, writer.body.buf, writer.body.len);
			pad(out);
		}
		header.sections[i].size = out->len - before;
		header.sections[i].checksum = hash__bytes(out->buf + before, out->len - before);
		out__exit(&writer.body);
		strtab__exit(&writer.texts);
	}
	header.size = out->len - start;
	header.checksum = index_header__checksum(&header);
	memcpy(out->buf + start, &header, sizeof(header));
}
