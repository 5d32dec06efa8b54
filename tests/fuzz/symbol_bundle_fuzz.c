// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The end of a recording with symbols of any bytes: as they are, and with sizes and checksums made
 * right, else little behind them would be reached.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/index_bytes.h"
#include "util/lib/alloc.h"
#include "util/lib/hash.h"
#include "util/lib/out.h"
#include "util/symindex/symbol_bundle.h"

#define TRAILER 32

static void look(struct symbol_bundle *bundle)
{
	struct dso dso = { .kind = DSO_USER };
	struct error err = ERROR_INIT;

	FUZZ_CHECK(bundle->nr <= SYMBOL_BUNDLE_OBJECTS_MAX);
	for (u32 i = 0; i < bundle->nr; i++) {
		struct object_index *object = &bundle->objects[i];

		dso.build_id_size = object->id.size;
		memcpy(dso.build_id, object->id.data, sizeof(dso.build_id));
		dso.inode.ino = object->key;
		FUZZ_CHECK(symbol_bundle__find(bundle, &dso, object->name));
		if (object->table && object->table->nr)
			symtab__find(object->table, object->table->symbols[0].start);
		const struct code_bundle_function *code =
		        symbol_bundle__code(bundle, &dso, object->name, 0x1000, &err);

		FUZZ_CHECK(!code || !err.code);
		if (object->source) {
			struct source_frame frame;

			debug_info__frames(object->source, 0x1000, &frame, 1);
		}
	}
	const struct object_index *other = symbol_bundle__find(bundle, &dso, "/no such\n");

	FUZZ_CHECK(!other || !strcmp(other->name, "/no such\n"));
}

/* Behind another recording, an empty one; what cannot be read may be copied, too. */
static void copy(const char *path, bool has)
{
	static const char *const files[] = { "/copy" };
	static char *other;
	struct error err = ERROR_INIT;

	if (!other)
		other = xasprintf("%s/copy", fuzz__folder(files, 1));
	fuzz__fill((const u8 *)"", 0);
	int ret = symbol_bundle__copy(path, other, &err);

	FUZZ_CHECK(ret <= 1 && (ret < 0) == !!err.code && (!has || ret == 1));
}

static void read_bytes(const u8 *data, size_t size)
{
	struct error err = ERROR_INIT;
	const char *path = fuzz__file(data, size);
	struct symbol_bundle *bundle = symbol_bundle__open(path, &err);

	FUZZ_CHECK(!bundle || !err.code);
	copy(path, bundle != NULL);
	symbol_bundle__was_cut(path, 0, NULL);
	symbol_bundle__was_cut(path, size / 2, NULL);
	if (bundle)
		look(bundle);
	symbol_bundle__delete(bundle);
}

/* Magic and checksums, from the front and from the end; sizes and numbers stay what they are. */
static void mend(u8 *data, size_t size)
{
	u64 checksum = hash__bytes(data + size - TRAILER, 16);

	memcpy(data + size - 16, &checksum, 8);
	memcpy(data + size - 8, "PERFBNDL", 8);
	for (size_t at = 0, left = size - TRAILER;;) {
		u64 length = object_index__size(data + at, left);

		if (!length)
			return;
		index_bytes__mend(data + at, length);
		at += length;
		left -= length;
	}
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	read_bytes(data, size);
	if (size < TRAILER)
		return 0;
	u8 *copy = xmalloc(size);

	memcpy(copy, data, size);
	mend(copy, size);
	read_bytes(copy, size);
	free(copy);
	return 0;
}

void fuzz__seeds(void (*add)(const void *data, size_t size))
{
	struct symtab table = { .source = SYMTAB_ELF };
	struct out out;
	struct symbol_bundle_writer writer = { .out = &out };
	struct dso dso = { .kind = DSO_USER, .build_id_size = 20, .inode.ino = 7 };

	symtab__add(&table, 0x1000, 0x1100, "main", 'g');
	symtab__add(&table, 0x1100, 0x1140, "work", 'l');
	symtab__fixup(&table);
	out__init(&out, -1);
	symbol_bundle__end(&writer);
	add(out.buf, out.len);
	out.len = 0;
	symbol_bundle__add(&writer, &dso, "/bin/prog", &table, NULL);
	dso.build_id_size = 0;
	symbol_bundle__add(&writer, &dso, "/lib/libx.so", &table, NULL);
	dso.inode.ino = 8;
	symbol_bundle__add(&writer, &dso, "/lib/libx.so", &table, NULL);
	symbol_bundle__end(&writer);
	add(out.buf, out.len);
	out__exit(&out);
	symtab__exit(&table);
}
