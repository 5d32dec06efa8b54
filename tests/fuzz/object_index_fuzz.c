// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A symbol index of any bytes. Its header is made right first, else nothing behind the checksum
 * would be reached. What is read must hold together, and must be the same when written and read.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/index_bytes.h"
#include "tests/unit/index_source.h"
#include "util/lib/alloc.h"
#include "util/lib/hash.h"
#include "util/lib/out.h"
#include "util/symindex/object_index.h"

static void check_table(const struct symtab *table)
{
	for (u32 i = 0; i < table->nr; i++) {
		const struct symbol *s = &table->symbols[i];
		u32 found = symtab__find(table, s->start);

		fuzz__touch(s->name, strlen(s->name));
		FUZZ_CHECK(found == ID_NONE || found < table->nr);
	}
	for (u32 i = 0; i < table->nr_pieces; i++) {
		const struct symtab_piece *piece = &table->pieces[i];

		FUZZ_CHECK(symtab__find(table, piece->start) == piece->symbol);
		FUZZ_CHECK(symtab__find(table, piece->end - 1) == piece->symbol);
	}
	fuzz__touch(table->segments, table->nr_segments * sizeof(*table->segments));
}

/* A hash of what is said of some address. */
static u64 answer(struct debug_info *info, u64 addr)
{
	struct source_frame frames[SOURCE_FRAMES_MAX];
	u32 nr = debug_info__frames(info, addr, frames, SOURCE_FRAMES_MAX);
	u64 hash = nr;

	for (u32 i = 0; i < nr; i++) {
		const u32 ids[] = { frames[i].function, frames[i].file };

		for (unsigned k = 0; k < ARRAY_SIZE(ids); k++) {
			const char *text = ids[k] == ID_NONE ? "" : debug_info__text(info, ids[k]);

			hash = hash__add(hash, hash__bytes(text, strlen(text)));
		}
		hash = hash__add(hash, frames[i].line);
	}
	return hash;
}

static void check_source(struct debug_info *info, struct debug_info *again)
{
	FUZZ_CHECK(again && info->known.nr_extents >= again->known.nr_extents);
	/* What is not sound is left out when it is written. */
	bool same = info->known.nr_extents == again->known.nr_extents;

	for (u32 i = 0; i < info->known.nr_extents; i++) {
		const struct source_extent *extent = &info->known.extents[i];
		u64 step = (extent->end - extent->start) / 16 + 1;

		for (u64 at = extent->start; at < extent->end && at >= extent->start; at += step) {
			u64 first = answer(info, at), second = answer(again, at);

			FUZZ_CHECK(first == second || !same);
		}
	}
}

static void check_again(const struct object_index *index)
{
	struct object_index again;
	struct out out;

	out__init(&out, -1);
	object_index__write(index, &out);
	FUZZ_CHECK(
	        !object_index__read(&again, memcpy(xmalloc(out.len), out.buf, out.len), out.len));
	FUZZ_CHECK(!object_index__read_source(&again));
	FUZZ_CHECK(!index->table == !again.table);
	FUZZ_CHECK(!index->table || (index->table->nr == again.table->nr &&
	                             index->table->nr_pieces == again.table->nr_pieces));
	FUZZ_CHECK(again.trail.nr == index->trail.nr && !strcmp(again.name, index->name));
	if (index->source)
		check_source(index->source, again.source);
	object_index__exit(&again);
	out__exit(&out);
}

static void check_readable(const struct object_index *index)
{
	struct readable_names names = { .cap = 0 };

	object_index__copy_readable(index, &names);
	for (u32 i = 0; i < readable_names__nr(&names); i++)
		fuzz__touch(names.readable[i], strlen(names.readable[i]));
	readable_names__exit(&names);
	for (u32 i = 0; index->table && i < index->table->nr; i++)
		object_index__readable(index, index->table->symbols[i].name);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct object_index index;
	u8 *copy = xmalloc(size);

	if (size)
		memcpy(copy, data, size);
	index_bytes__mend(copy, size);
	if (object_index__read(&index, copy, size))
		return 0;
	object_index__read_source(&index);
	if (index.source) /* what the input names is not to be opened */
		debug_info__forget_file(index.source);
	if (index.table)
		check_table(index.table);
	check_readable(&index);
	check_again(&index);
	object_index__exit(&index);
	return 0;
}

void fuzz__seeds(void (*add)(const void *data, size_t size))
{
	struct symtab all = { .source = SYMTAB_ELF }, part;
	static const u64 addrs[] = { 0x1010, 0x1500, 0x2010 };
	struct segment segment = { 0x1000, 0x2000, 0x401000 };
	struct object_index index = { .id = { .size = 20 }, .name = "/usr/bin/x", .key = 7 };
	struct readable_names names = { .cap = 0 };
	struct out out;

	symtab__add(&all, 0x1000, 0x1100, "outer", 'g');
	symtab__add(&all, 0x2000, 0x3000, "big", 'l');
	symtab__add(&all, 0x2010, 0x2020, "nested", 'w');
	symtab__fixup(&all);
	all.segments = &segment;
	all.nr_segments = 1;
	symtab__part(&all, addrs, ARRAY_SIZE(addrs), &part);
	file_trail__note(&index.trail, "/");
	file_trail__note(&index.trail, "/nonexistent");
	index.source = index_source__make();
	readable_names__add(&names, "outer", "a::outer");
	readable_names__add(&names, "inner", "");
	index.readable = &names;
	for (unsigned i = 0; i < 3; i++) {
		index.table = i == 0 ? &all : i == 1 ? &part : NULL;
		out__init(&out, -1);
		object_index__write(&index, &out);
		add(out.buf, out.len);
		out__exit(&out);
	}
	all.segments = NULL;
	debug_info__delete(index.source);
	readable_names__exit(&names);
	symtab__exit(&all);
	symtab__exit(&part);
	file_trail__exit(&index.trail);
}
