// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/symindex/code_bundle.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"
#include "util/lib/cursor.h"
#include "util/lib/file.h"
#include "util/lib/hash.h"
#include "util/lib/out.h"

#define END_MAGIC 0x444e454346524550ull
#define VERSION   1u

struct code_end {
	u64 size;
	u32 nr, version;
	u64 checksum, magic;
};

_Static_assert(sizeof(struct code_end) == CODE_BUNDLE_END_SIZE &&
                       sizeof(struct code_bundle_entry) == 88,
               "the layout of a bundle");

static u64 checksum_of(const void *bytes, const struct code_end *end)
{
	return hash__add(hash__bytes(bytes, end->size), hash__bytes(end, 16));
}

/* ---- reading ---- */

static bool read_end(int fd, u64 at, struct code_end *end)
{
	return at >= sizeof(*end) && !file__read_at(fd, end, sizeof(*end), at - sizeof(*end)) &&
	       end->magic == END_MAGIC && end->size <= at - sizeof(*end) &&
	       end->size <= CODE_BUNDLE_MAX && end->size >= sizeof(u64);
}

u64 code_bundle__size(int fd, u64 at)
{
	struct code_end end;

	return read_end(fd, at, &end) ? end.size + sizeof(end) : 0;
}

static bool parse(struct code_bundle *bundle, const struct code_end *end)
{
	u64 at = sizeof(u64), padded;

	/* No entry is smaller: their number is bounded by the bytes that are there. */
	if (end->nr > end->size / sizeof(struct code_bundle_entry))
		return false;
	bundle->functions = xcalloc(end->nr, sizeof(*bundle->functions));
	for (; bundle->nr < end->nr; at += padded) {
		struct code_bundle_function *f = &bundle->functions[bundle->nr];

		if (end->size - at < sizeof(f->entry))
			return false;
		memcpy(&f->entry, bundle->bytes + at, sizeof(f->entry));
		at += sizeof(f->entry);
		if (f->entry.size > end->size || f->entry.name_size > end->size ||
		    f->entry.id_size > sizeof(f->entry.id))
			return false;
		padded = round_up_u64(f->entry.name_size + f->entry.size, 8);
		if (padded > end->size - at)
			return false;
		f->entry.section[sizeof(f->entry.section) - 1] = '\0';
		f->name = (const char *)bundle->bytes + at;
		f->bytes = bundle->bytes + at + f->entry.name_size;
		bundle->nr++;
	}
	return true;
}

struct code_bundle *code_bundle__read(int fd, u64 at, const char *path, struct error *err)
{
	struct code_bundle *bundle;
	struct code_end end;

	if (!read_end(fd, at, &end))
		return NULL;
	bundle = xcalloc(1, sizeof(*bundle));
	bundle->bytes = xmalloc(end.size);
	if (!file__read_at(fd, bundle->bytes, end.size, at - sizeof(end) - end.size) &&
	    end.version == VERSION && checksum_of(bundle->bytes, &end) == end.checksum &&
	    parse(bundle, &end))
		return bundle;
	code_bundle__delete(bundle);
	error__set(err, -EBADMSG, "not using the code that comes with", path,
	           "it is damaged, or of another version of perf");
	return NULL;
}

void code_bundle__delete(struct code_bundle *bundle)
{
	if (!bundle)
		return;
	free(bundle->functions);
	free(bundle->bytes);
	free(bundle);
}

const struct code_bundle_function *code_bundle__find(const struct code_bundle *bundle,
                                                     const struct dso *dso, u64 key,
                                                     const char *name, u64 addr)
{
	size_t len = strlen(name);

	for (u32 i = 0; i < bundle->nr; i++) {
		const struct code_bundle_function *f = &bundle->functions[i];
		const struct code_bundle_entry *entry = &f->entry;

		if (addr < entry->start || addr - entry->start >= entry->size ||
		    entry->name_size != len || memcmp(f->name, name, len) != 0 ||
		    entry->id_size != dso->build_id_size ||
		    memcmp(entry->id, dso->build_id, entry->id_size) != 0)
			continue;
		if (entry->id_size || entry->key == key)
			return f;
	}
	return NULL;
}

/* ---- writing ---- */

void code_bundle__add(struct code_bundle_writer *writer, const struct code_bundle_entry *given,
                      const char *name, const u8 *bytes)
{
	struct code_bundle_entry entry = *given;
	u64 magic = CODE_BUNDLE_MAGIC;

	entry.size = min_u64(entry.size, CODE_BUNDLE_FUNCTION_MAX);
	entry.name_size = (u32)strlen(name);
	if (writer->out->len + sizeof(entry) + entry.name_size + entry.size + 16 > CODE_BUNDLE_MAX)
		return;
	if (!writer->nr++)
		out__mem(writer->out, &magic, sizeof(magic));
	out__mem(writer->out, &entry, sizeof(entry));
	out__mem(writer->out, name, entry.name_size);
	out__mem(writer->out, bytes, entry.size);
	out__fill(writer->out, 0, (int)(round_up_u64(writer->out->len, 8) - writer->out->len));
}

void code_bundle__end(struct code_bundle_writer *writer)
{
	struct code_end end = {
		.size = writer->out->len, .nr = writer->nr, .version = VERSION, .magic = END_MAGIC
	};

	if (!writer->nr)
		return;
	end.checksum = checksum_of(writer->out->buf, &end);
	out__mem(writer->out, &end, sizeof(end));
}
