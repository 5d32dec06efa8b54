// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/symtab/debug_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "util/elf/file_trail.h"
#include "util/elf/packed.h"
#include "util/lib/alloc.h"
#include "util/lib/cursor.h"
#include "util/lib/text.h"
#include "util/symtab/elf_symbols.h"

/* An embedded table that unpacks to more than this is an attack, not a symbol table. */
#define MAX_EMBEDDED (256u << 20)

/* CRC-32 as in .gnu_debuglink (polynomial 0xedb88320). */
static u32 crc32(u32 crc, const u8 *data, size_t len)
{
	u32 table[256];

	for (u32 i = 0; i < 256; i++) {
		u32 c = i;

		for (unsigned bit = 0; bit < 8; bit++)
			c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
		table[i] = c;
	}
	crc = ~crc;
	for (size_t i = 0; i < len; i++)
		crc = table[(crc ^ data[i]) & 0xff] ^ crc >> 8;
	return ~crc;
}

static bool file_has_crc(const struct elf_file *elf, u32 want)
{
	enum { CHUNK = 1 << 20 };
	u8 *buf = xmalloc(CHUNK);
	u32 crc = 0;
	u64 offset = 0;
	bool ok = true;

	while (ok && offset < elf->size) {
		size_t n = min_u64(CHUNK, elf->size - offset);

		ok = !elf_file__read(elf, offset, buf, n);
		crc = ok ? crc32(crc, buf, n) : 0;
		offset += n;
	}
	free(buf);
	return ok && crc == want;
}

static void refuse(const struct debug_file_request *r, const char *path,
                   const struct build_id *have)
{
	char a[BUILD_ID_HEX_SIZE], b[BUILD_ID_HEX_SIZE];

	if (!r->refused || r->refused->code)
		return;
	if (have->size && r->build_id.size)
		error__set(r->refused, -ESTALE, "not using the debug file", path,
		           "it is of another build of '%.80s': its build-id is %s, not %s",
		           text__basename(r->path), build_id__hex(have, a),
		           build_id__hex(&r->build_id, b));
	else
		error__set(r->refused, -ESTALE, "not using the debug file", path,
		           "it is of another build of '%.80s': its checksum is not the one that "
		           "is noted there",
		           text__basename(r->path));
	error__advise(r->refused, "install the debug package of the same version");
}

/* @crc NULL: the build-id must be equal. Takes @path over. */
static char *try_path(struct elf_file *debug, char *path, const struct debug_file_request *r,
                      const u32 *crc)
{
	const struct build_id *want = &r->build_id;
	struct build_id have;

	file_trail__note(r->trail, path);
	if (elf_file__open(debug, path)) {
		free(path);
		return NULL;
	}
	elf_file__build_id(debug, &have);
	bool fits = have.size && want->size ? build_id__equal(&have, want)
	                                    : crc && file_has_crc(debug, *crc);

	if (fits && elf_file__section_of_type(debug, SHT_SYMTAB))
		return path;
	if (!fits)
		refuse(r, path, &have);
	elf_file__close(debug);
	free(path);
	return NULL;
}

static char *open_by_build_id(struct elf_file *debug, const struct debug_file_request *r)
{
	char hex[BUILD_ID_HEX_SIZE], *found = NULL;

	if (r->build_id.size < 2)
		return NULL;
	build_id__hex(&r->build_id, hex);
	if (r->cache_dir)
		found = try_path(
		        debug, xasprintf("%s/.build-id/%.2s/%s/debug", r->cache_dir, hex, hex + 2),
		        r, NULL);
	/* The program as it was recorded may have been stripped since: same build-id. */
	if (!found && r->cache_dir)
		found = try_path(debug,
		                 xasprintf("%s/.build-id/%.2s/%s/elf", r->cache_dir, hex, hex + 2),
		                 r, NULL);
	if (!found && r->debug_dir)
		found = try_path(debug,
		                 xasprintf("%s%s/.build-id/%.2s/%s.debug", r->symfs, r->debug_dir,
		                           hex, hex + 2),
		                 r, NULL);
	return found;
}

/* .gnu_debuglink: a file name, zeros up to a multiple of 4, then the CRC of that file. */
static const char *load_debuglink(struct elf_file *elf, u32 *crc)
{
	struct elf_section *section = elf_file__section(elf, ".gnu_debuglink");
	const Elf_Data *data =
	        section && section->header.sh_size <= 4096 ? elf_file__data(elf, section) : NULL;

	if (!data)
		return NULL;
	const char *name = data->d_buf;
	size_t at = round_up_u64(strnlen(name, data->d_size) + 1, 4);

	if (at + 4 > data->d_size || !*name || strchr(name, '/'))
		return NULL;
	*crc = load_u32(name + at, elf->swap);
	return name;
}

static char *open_by_debuglink(struct elf_file *debug, struct elf_file *elf,
                               const struct debug_file_request *r)
{
	u32 crc;
	const char *name = load_debuglink(elf, &crc);
	char *found = NULL;
	int dir_len = text__basename(r->path) - r->path; /* with the final slash */
	struct stat own, other;

	if (!name)
		return NULL;
	const char *const subdirs[] = { "", ".debug/" };

	for (unsigned i = 0; i < ARRAY_SIZE(subdirs) && !found; i++) {
		char *path = xasprintf("%s%.*s%s%s", r->symfs, dir_len, r->path, subdirs[i], name);

		/* A link that names the object itself is no debug file. */
		if (elf->fd >= 0 && !fstat(elf->fd, &own) && !stat(path, &other) &&
		    own.st_ino == other.st_ino && own.st_dev == other.st_dev)
			free(path);
		else
			found = try_path(debug, path, r, &crc);
	}
	if (!found && r->debug_dir)
		found = try_path(
		        debug,
		        xasprintf("%s%s/%.*s%s", r->symfs, r->debug_dir, dir_len, r->path, name), r,
		        &crc);
	return found;
}

/* Debian's packages have those of kernel modules there, without links of build-ids. */
static char *open_by_path(struct elf_file *debug, const struct debug_file_request *r)
{
	if (!r->debug_dir || *r->path != '/' || !r->build_id.size)
		return NULL;
	return try_path(debug, xasprintf("%s%s%s", r->symfs, r->debug_dir, r->path), r, NULL);
}

char *debug_file__open(struct elf_file *debug, struct elf_file *elf,
                       const struct debug_file_request *request)
{
	char *found = open_by_build_id(debug, request);

	if (!found && elf)
		found = open_by_debuglink(debug, elf, request);
	if (!found)
		found = open_by_path(debug, request);
	if (!found && request->debuginfod) {
		file_trail__spoil(request->trail);
		char *path = debuginfod__find(request->debuginfod, &request->build_id,
		                              text__basename(request->path));

		found = path ? try_path(debug, path, request, NULL) : NULL;
	}
	return found;
}

/* With @elf NULL by its build-id alone. */
static char *debug_path(struct elf_file *elf, const struct debug_file_request *request)
{
	struct elf_file debug;
	char *found = debug_file__open(&debug, elf, request);

	if (found)
		elf_file__close(&debug);
	return found;
}

char *debug_file__of_dwarf(const char *path, const struct debug_file_request *request)
{
	struct debug_file_request by_id = *request;
	struct elf_file elf;
	struct build_id have;
	char *found;

	if (path)
		file_trail__note(request->trail, path);
	if (!path || elf_file__open(&elf, path))
		return debug_path(NULL, request);
	elf_file__build_id(&elf, &have);
	const struct elf_section *section = elf_file__section(&elf, ".debug_info");

	if (!by_id.build_id.size)
		by_id.build_id = have;
	if (have.size && !build_id__equal(&have, &by_id.build_id))
		found = debug_path(NULL, request); /* replaced since */
	else if (section && section->header.sh_type != SHT_NOBITS)
		found = xstrdup(path);
	else
		found = debug_path(&elf, &by_id);
	elf_file__close(&elf);
	return found;
}

u32 debug_file__add_embedded(struct symtab *symtab, struct elf_file *elf)
{
	struct elf_section *section = elf_file__section(elf, ".gnu_debugdata");
	const Elf_Data *packed = section ? elf_file__data(elf, section) : NULL;
	struct elf_file inner;
	u32 added = 0;
	size_t size = 0;

	if (!packed)
		return 0;
	u8 *data = packed__unpack(packed->d_buf, packed->d_size, MAX_EMBEDDED, &size);

	if (data && !elf_file__open_memory(&inner, data, size)) {
		added = elf_symbols__add(symtab, &inner, SHT_SYMTAB);
		elf_file__close(&inner);
	}
	free(data);
	return added;
}
