// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/symindex/object_index.h"

#include <errno.h>
#include <stdlib.h>

#include "util/lib/cursor.h"
#include "util/symindex/object_index_private.h"

/* What is left of a section, and its texts. */
struct reader {
	struct cursor in;
	struct index_texts texts;
};

/* @nr things of @size bytes where they lie; NULL and failed: there are not so many. */
static const void *get(struct reader *reader, u32 nr, size_t size)
{
	return cursor__bytes(&reader->in, nr * size);
}

static const char *text_of(struct reader *reader, u32 id)
{
	reader->in.failed |= id >= reader->texts.nr;
	return index_texts__get(&reader->texts, id);
}

static const u8 *section_at(const struct object_index *index, enum object_index_section section)
{
	const struct index_header *header = index->bytes;
	const u8 *at = (const u8 *)(header + 1);

	for (unsigned i = 0; i < section; i++)
		at += header->sections[i].size;
	return at;
}

/* Where the section begins that is not missing, with its texts in @index. False: it is damaged. */
static bool open_section(struct object_index *index, enum object_index_section section,
                         struct reader *reader)
{
	const struct index_header *header = index->bytes;
	const u8 *at = section_at(index, section);
	u64 size = header->sections[section].size;

	if (hash__bytes(at, size) != header->sections[section].checksum)
		return false;
	*reader = (struct reader){ .in = cursor__make(at, size, false) };
	struct index_texts *texts = &reader->texts;
	const u32 *numbers = get(reader, 2, sizeof(u32));

	texts->nr = numbers ? numbers[0] : 0;
	texts->size = numbers ? numbers[1] : 0;
	texts->offsets = get(reader, texts->nr, sizeof(u32));
	texts->readable = get(reader, texts->nr, sizeof(u32));
	texts->bytes = get(reader, texts->size, 1);
	get(reader, -texts->size & 7, 1);
	if (reader->in.failed || !texts->size || texts->bytes[texts->size - 1])
		return false;
	index->texts[section] = *texts;
	return true;
}

/* ---- the object ---- */

static bool read_object(struct object_index *index)
{
	struct reader reader;

	if (!open_section(index, INDEX_OBJECT, &reader))
		return false;
	const struct index_object *object = get(&reader, 1, sizeof(*object));

	if (!object || object->id_size > sizeof(index->id.data))
		return false;
	index->key = object->key;
	index->id.size = object->id_size;
	memcpy(index->id.data, object->id, sizeof(object->id));
	index->name = text_of(&reader, object->name);
	const struct index_file *files = get(&reader, object->nr_files, sizeof(*files));

	for (u32 i = 0; i < object->nr_files && !reader.in.failed; i++) {
		if (files[i].stamp.id.size > sizeof(files[i].stamp.id.data))
			return false;
		file_trail__add(&index->trail, text_of(&reader, files[i].path), &files[i].stamp);
	}
	return !reader.in.failed && !cursor__left(&reader.in);
}

/* ---- symbols ---- */

static void add_symbols(struct reader *reader, struct symtab *table, u32 nr)
{
	const struct index_symbol *entries = get(reader, nr, sizeof(*entries));

	if (!entries || !nr)
		return;
	array__reserve(&table->symbols, &table->cap, nr, sizeof(*table->symbols));
	for (u32 i = 0; i < nr; i++) {
		const struct index_symbol *entry = &entries[i];

		reader->in.failed |= entry->end < entry->start || entry->binding > 0xff ||
		                     (i && entry->start <= entry[-1].start);
		table->symbols[i] =
		        (struct symbol){ entry->start, entry->end, text_of(reader, entry->name),
			                 entry->binding & ~INDEX_DATA,
			                 entry->binding & INDEX_DATA };
	}
	table->nr = nr;
}

static void add_pieces(struct reader *reader, struct symtab *table, u32 nr)
{
	const struct symtab_piece *pieces = get(reader, nr, sizeof(*pieces));

	for (u32 i = 0; i < nr && !reader->in.failed; i++)
		reader->in.failed |= pieces[i].start >= pieces[i].end ||
		                     (i && pieces[i].start < pieces[i - 1].end) ||
		                     (pieces[i].symbol != ID_NONE && pieces[i].symbol >= table->nr);
	if (reader->in.failed)
		return;
	/* Not NULL, even without any: it is a part then. */
	table->pieces = xcalloc((size_t)nr + 1, sizeof(*pieces));
	memcpy(table->pieces, pieces, nr * sizeof(*pieces));
	table->nr_pieces = nr;
}

static void add_segments(struct reader *reader, struct symtab *table, u32 nr)
{
	const struct segment *segments = get(reader, nr, sizeof(*segments));

	if (!segments || !nr)
		return;
	table->segments = xrealloc(NULL, nr, sizeof(*segments));
	memcpy(table->segments, segments, nr * sizeof(*segments));
	table->nr_segments = nr;
}

static bool read_symbols(struct object_index *index)
{
	struct reader reader;

	if (!open_section(index, INDEX_SYMBOLS, &reader))
		return false;
	const struct index_symbols *head = get(&reader, 1, sizeof(*head));

	if (!head || head->source > SYMTAB_PERF_MAP ||
	    (head->nr_pieces && !(head->flags & INDEX_PART)))
		return false;
	struct symtab *table = index->table = xcalloc(1, sizeof(*table));
	const char *path = text_of(&reader, head->path);

	table->demangle = head->flags & INDEX_DEMANGLE;
	table->overlaps = head->flags & INDEX_OVERLAPS;
	table->runtime_addr = head->flags & INDEX_RUNTIME;
	table->source = head->source;
	table->path = *path ? xstrdup(path) : NULL;
	add_segments(&reader, table, head->nr_segments);
	add_symbols(&reader, table, head->nr);
	if (head->flags & INDEX_PART)
		add_pieces(&reader, table, head->nr_pieces);
	return !reader.in.failed && !cursor__left(&reader.in);
}

/* ---- source ---- */

static bool extents_are_sound(const struct source_extent *extents, u32 nr)
{
	bool sound = true;

	for (u32 i = 0; i < nr; i++)
		sound &= extents[i].start < extents[i].end &&
		         (!i || extents[i].start >= extents[i - 1].end);
	return sound;
}

int object_index__read_source(struct object_index *index)
{
	const struct index_header *header = index->bytes;
	struct reader reader;

	if (index->source || !header || !header->sections[INDEX_SOURCE].size)
		return 0;
	if (!open_section(index, INDEX_SOURCE, &reader))
		return -EBADMSG;
	const struct index_source *head = get(&reader, 1, sizeof(*head));

	if (!head)
		return -EBADMSG;
	struct source_tables tables = {
		.nr_extents = head->nr_extents,
		.nr_rows = head->nr_rows,
		.nr_segments = head->nr_segments,
		.nr_frames = head->nr_frames,
		.nr_files = head->nr_files,
	};

	tables.extents = (void *)get(&reader, head->nr_extents, sizeof(*tables.extents));
	tables.rows = (void *)get(&reader, head->nr_rows, sizeof(*tables.rows));
	tables.segments = (void *)get(&reader, head->nr_segments, sizeof(*tables.segments));
	tables.frames = (void *)get(&reader, head->nr_frames, sizeof(*tables.frames));
	tables.files = (void *)get(&reader, head->nr_files, sizeof(*tables.files));
	const char *path = text_of(&reader, head->path);

	get(&reader, cursor__left(&reader.in) & 4, 1);
	if (reader.in.failed || cursor__left(&reader.in) ||
	    !extents_are_sound(tables.extents, tables.nr_extents))
		return -EBADMSG;
	index->source = debug_info__import(&tables, &reader.texts, *path ? path : NULL);
	return 0;
}

/* ---- readable names ---- */

static const char *readable_of(const struct index_texts *texts, u32 id)
{
	u32 readable = texts->readable[id];

	return readable == ID_NONE ? NULL : index_texts__get(texts, readable);
}

const char *object_index__readable(const struct object_index *index, const char *name)
{
	for (unsigned i = INDEX_SYMBOLS; i <= INDEX_SOURCE; i++) {
		u32 id = index_texts__id(&index->texts[i], name);

		if (id != ID_NONE)
			return readable_of(&index->texts[i], id);
	}
	return NULL;
}

void object_index__copy_readable(const struct object_index *index, struct readable_names *names)
{
	for (unsigned section = INDEX_SYMBOLS; section <= INDEX_SOURCE; section++) {
		const struct index_texts *texts = &index->texts[section];

		for (u32 i = 0; i < texts->nr; i++) {
			const char *readable = readable_of(texts, i);

			if (readable)
				readable_names__add(names, index_texts__get(texts, i), readable);
		}
	}
}

/* ---- all ---- */

u64 object_index__size(const void *data, size_t len)
{
	u64 header[2]; /* need not be aligned */

	if (len < sizeof(struct index_header))
		return 0;
	memcpy(header, data, sizeof(header));
	return header[0] == OBJECT_INDEX_MAGIC && header[1] >= sizeof(struct index_header) &&
	                       header[1] <= min_u64(len, OBJECT_INDEX_MAX)
	               ? header[1]
	               : 0;
}

static bool header_is_sound(const struct index_header *header, size_t len)
{
	u64 left = len - sizeof(*header);

	if (!len || object_index__size(header, len) != len ||
	    header->checksum != index_header__checksum(header))
		return false;
	for (unsigned i = 0; i < INDEX_NR_SECTIONS; i++) {
		if (header->sections[i].size > left || header->sections[i].size & 7)
			return false;
		left -= header->sections[i].size;
	}
	return !left;
}

int object_index__read(struct object_index *index, void *bytes, size_t len)
{
	const struct index_header *header = bytes;

	*index = (struct object_index){ .bytes = bytes };
	if (header_is_sound(header, len) && read_object(index) &&
	    (!header->sections[INDEX_SYMBOLS].size || read_symbols(index)))
		return 0;
	object_index__exit(index);
	return -EBADMSG;
}

void object_index__exit(struct object_index *index)
{
	file_trail__exit(&index->trail);
	if (index->table)
		symtab__exit(index->table);
	free(index->table);
	debug_info__delete(index->source);
	free(index->bytes);
	*index = (struct object_index){ .key = 0 };
}
