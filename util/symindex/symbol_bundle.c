// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/symindex/symbol_bundle.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/lib/alloc.h"
#include "util/lib/file.h"
#include "util/lib/hash.h"
#include "util/lib/out.h"
#include "util/symindex/object_index_private.h"

/* "PERFBNDL", where the lowest byte comes first. */
#define MAGIC   0x4c444e4246524550ull
#define VERSION 1u

struct trailer {
	u64 size;
	u32 nr, version;
	u64 checksum, magic;
};

static u64 checksum_of(const struct trailer *trailer)
{
	return hash__bytes(trailer, 16);
}

/* ---- reading ---- */

static int damaged(struct error *err, const char *path)
{
	return error__set(err, -EBADMSG, "not using the symbols that come with", path,
	                  "they are damaged, or of another version of perf");
}

/* The bytes before the trailer, malloc'ed; NULL: see symbol_bundle__open(). */
static void *read_entries(int fd, const char *path, struct trailer *trailer, u64 *start,
                          struct error *err)
{
	struct stat st;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || (u64)st.st_size < sizeof(*trailer) ||
	    file__read_at(fd, trailer, sizeof(*trailer), st.st_size - sizeof(*trailer)) ||
	    trailer->magic != MAGIC)
		return NULL;
	u64 room = st.st_size - sizeof(*trailer);

	if (trailer->checksum != checksum_of(trailer) || trailer->version != VERSION ||
	    trailer->size > room || trailer->size > SYMBOL_BUNDLE_MAX ||
	    trailer->nr > SYMBOL_BUNDLE_OBJECTS_MAX) {
		damaged(err, path);
		return NULL;
	}
	void *bytes = xmalloc(trailer->size);

	*start = room - trailer->size;
	if (!file__read_at(fd, bytes, trailer->size, room - trailer->size))
		return bytes;
	free(bytes);
	damaged(err, path);
	return NULL;
}

static void *load(const char *path, struct trailer *trailer, u64 *start, struct error *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	void *bytes = NULL;

	err->code = 0;
	if (fd >= 0) {
		bytes = read_entries(fd, path, trailer, start, err);
		close(fd);
	}
	return bytes;
}

static int compare_objects(const void *a, const void *b)
{
	const struct object_index *x = a, *y = b;

	return strcmp(x->name, y->name);
}

static bool parse(struct symbol_bundle *bundle, const u8 *bytes, const struct trailer *trailer)
{
	const u8 *end = bytes + trailer->size;

	bundle->objects = xcalloc(trailer->nr, sizeof(*bundle->objects));
	while (bundle->nr < trailer->nr) {
		struct object_index *object = &bundle->objects[bundle->nr];
		u64 size = object_index__size(bytes, end - bytes);

		if (!size || object_index__read(object, memcpy(xmalloc(size), bytes, size), size) ||
		    object_index__read_source(object)) {
			object_index__exit(object);
			return false;
		}
		/* What is not in it is not to be looked for in the files of this machine. */
		if (object->source)
			debug_info__forget_file(object->source);
		bundle->nr++;
		bytes += size;
	}
	if (bundle->nr)
		qsort(bundle->objects, bundle->nr, sizeof(*bundle->objects), compare_objects);
	return bytes == end;
}

struct symbol_bundle *symbol_bundle__open(const char *path, struct error *err)
{
	struct trailer trailer;
	u64 start;
	void *bytes = load(path, &trailer, &start, err);

	if (!bytes)
		return NULL;
	struct symbol_bundle *bundle = xcalloc(1, sizeof(*bundle));

	bundle->path = xstrdup(path);
	bundle->start = start;
	if (!parse(bundle, bytes, &trailer)) {
		symbol_bundle__delete(bundle);
		bundle = NULL;
		damaged(err, path);
	}
	free(bytes);
	return bundle;
}

int symbol_bundle__was_cut(const char *path, u64 behind, struct error *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	u64 magic = 0;

	if (fd < 0)
		return 0;
	bool cut = !file__read_at(fd, &magic, sizeof(magic), behind) &&
	           (magic == OBJECT_INDEX_MAGIC || magic == CODE_BUNDLE_MAGIC);

	close(fd);
	return !cut ? 0
	            : error__set(err, -EBADMSG, "not using the symbols that come with", path,
	                         "the end of the file is missing");
}

void symbol_bundle__delete(struct symbol_bundle *bundle)
{
	if (!bundle)
		return;
	for (u32 i = 0; i < bundle->nr; i++)
		object_index__exit(&bundle->objects[i]);
	free(bundle->objects);
	free(bundle->path);
	code_bundle__delete(bundle->code);
	free(bundle);
}

/* Of files without a build-id the inode tells which of one name it is; of JIT code the process. */
u64 symbol_bundle__key(const struct dso *dso)
{
	return dso->kind == DSO_ANON ? (u32)dso->pid : dso->inode.ino;
}

struct object_index *symbol_bundle__find(const struct symbol_bundle *bundle, const struct dso *dso,
                                         const char *name)
{
	u32 from = 0, to = bundle->nr;

	while (from < to) { /* the first of that name */
		u32 middle = from + (to - from) / 2;

		if (strcmp(bundle->objects[middle].name, name) < 0)
			from = middle + 1;
		else
			to = middle;
	}
	for (; from < bundle->nr; from++) {
		struct object_index *object = &bundle->objects[from];

		if (strcmp(object->name, name) != 0)
			break;
		if (object->id.size != dso->build_id_size ||
		    memcmp(object->id.data, dso->build_id, object->id.size) != 0)
			continue;
		if (object->id.size || object->key == symbol_bundle__key(dso))
			return object;
	}
	return NULL;
}

const struct code_bundle_function *symbol_bundle__code(struct symbol_bundle *bundle,
                                                       const struct dso *dso, const char *name,
                                                       u64 addr, struct error *err)
{
	if (!bundle->code_read) {
		int fd = open(bundle->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

		bundle->code_read = true;
		if (fd >= 0) {
			bundle->code = code_bundle__read(fd, bundle->start, bundle->path, err);
			close(fd);
		}
	}
	return bundle->code
	               ? code_bundle__find(bundle->code, dso, symbol_bundle__key(dso), name, addr)
	               : NULL;
}

/* ---- writing ---- */

void symbol_bundle__add(struct symbol_bundle_writer *writer, const struct dso *dso,
                        const char *name, struct symtab *table, struct debug_info *source)
{
	struct object_index index = {
		.name = name, .key = symbol_bundle__key(dso), .table = table, .source = source
	};
	size_t before = writer->out->len;

	index.id.size = dso->build_id_size;
	memcpy(index.id.data, dso->build_id, dso->build_id_size);
	object_index__write(&index, writer->out);
	if (writer->out->len > SYMBOL_BUNDLE_MAX || writer->nr == SYMBOL_BUNDLE_OBJECTS_MAX) {
		writer->out->len = before;
		writer->nr_left_out++;
		return;
	}
	writer->nr++;
}

void symbol_bundle__end(struct symbol_bundle_writer *writer)
{
	struct trailer trailer = {
		.size = writer->out->len, .nr = writer->nr, .version = VERSION, .magic = MAGIC
	};

	trailer.checksum = checksum_of(&trailer);
	out__mem(writer->out, &trailer, sizeof(trailer));
}

static int append(const char *path, const void *bytes, size_t size)
{
	int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC), ret;
	struct stat st;

	if (fd < 0)
		return -errno;
	ret = fstat(fd, &st) ? -errno : S_ISREG(st.st_mode) ? 0 : -EINVAL;
	if (!ret) {
		ret = file__write_all(fd, bytes, size);
		if (ret && ftruncate(fd, st.st_size))
			ret = -errno;
	}
	if (close(fd) && !ret)
		ret = -errno;
	return ret;
}

static int cannot_append(int ret, const char *path, struct error *err)
{
	return error__set(err, ret, "cannot put the symbols into", path, NULL);
}

int symbol_bundle__append(const char *path, const struct out *bytes, struct error *err)
{
	int ret = append(path, bytes->buf, bytes->len);

	return ret ? cannot_append(ret, path, err) : 0;
}

/* The code that ends at @start, malloc'ed, and its *size; NULL: there is none. */
static void *load_code(const char *path, u64 start, u64 *size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	void *code = NULL;

	*size = fd >= 0 ? code_bundle__size(fd, start) : 0;
	if (*size) {
		code = xmalloc(*size);
		if (file__read_at(fd, code, *size, start - *size))
			*size = 0;
	}
	if (fd >= 0)
		close(fd);
	return code;
}

int symbol_bundle__copy(const char *from, const char *to, struct error *err)
{
	struct trailer trailer;
	u64 start, code_size;
	char *bytes = load(from, &trailer, &start, err);

	if (!bytes)
		return err->code;
	char *code = load_code(from, start, &code_size);
	u64 size = code_size + trailer.size + sizeof(trailer);

	code = xrealloc(code, size, 1);
	memcpy(code + code_size, bytes, trailer.size);
	memcpy(code + code_size + trailer.size, &trailer, sizeof(trailer));
	int ret = append(to, code, size);

	free(bytes);
	free(code);
	return ret ? cannot_append(ret, to, err) : 1;
}
