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

/* Of several files of the object the one that tells most is taken. */
struct search {
	const struct debug_file_request *request;
	bool for_dwarf; /* debug information counts more than symbols */
	struct elf_file *best;
	char *path;        /* of it; NULL: none yet */
	u64 symbols, info; /* sizes of its sections */
};

static u64 section_size(const struct elf_section *section)
{
	return section && section->header.sh_type != SHT_NOBITS ? section->header.sh_size : 0;
}

static u64 size_of_info(struct elf_file *elf)
{
	u64 size = section_size(elf_file__section(elf, ".debug_info"));

	return size ? size : section_size(elf_file__section(elf, ".zdebug_info"));
}

/* Copies that were stripped of less than all have symbols, and hide nothing. */
static bool is_better(const struct search *search, u64 symbols, u64 info)
{
	if (!search->path)
		return symbols || (search->for_dwarf && info);
	if (search->for_dwarf && info != search->info)
		return info > search->info;
	return symbols > search->symbols;
}

/* With symbols and debug information: nothing better is to be found. */
static bool is_whole(const struct search *search)
{
	return search->path && search->symbols && search->info;
}

/* Takes @path over. @crc NULL: the build-id must be equal. */
static void try_path(struct search *search, char *path, const u32 *crc)
{
	const struct debug_file_request *r = search->request;
	const struct build_id *want = &r->build_id;
	struct build_id have;
	struct elf_file debug;

	file_trail__note(r->trail, path);
	if (elf_file__open(&debug, path)) {
		free(path);
		return;
	}
	elf_file__build_id(&debug, &have);
	bool fits = have.size && want->size ? build_id__equal(&have, want)
	                                    : crc && file_has_crc(&debug, *crc);
	u64 symbols = section_size(elf_file__section_of_type(&debug, SHT_SYMTAB));
	u64 info = size_of_info(&debug);

	if (!fits)
		refuse(r, path, &have);
	if (!fits || !is_better(search, symbols, info)) {
		elf_file__close(&debug);
		free(path);
		return;
	}
	if (search->path)
		elf_file__close(search->best);
	free(search->path);
	*search->best = debug;
	search->path = path;
	search->symbols = symbols;
	search->info = info;
}

static void search_by_build_id(struct search *search)
{
	const struct debug_file_request *r = search->request;
	char hex[BUILD_ID_HEX_SIZE];

	if (r->build_id.size < 2)
		return;
	build_id__hex(&r->build_id, hex);
	if (r->cache_dir)
		try_path(search,
		         xasprintf("%s/.build-id/%.2s/%s/debug", r->cache_dir, hex, hex + 2), NULL);
	/* The program as it was recorded may have been stripped since: same build-id. */
	if (!is_whole(search) && r->cache_dir)
		try_path(search, xasprintf("%s/.build-id/%.2s/%s/elf", r->cache_dir, hex, hex + 2),
		         NULL);
	if (!is_whole(search) && r->debug_dir)
		try_path(search,
		         xasprintf("%s%s/.build-id/%.2s/%s.debug", r->symfs, r->debug_dir, hex,
		                   hex + 2),
		         NULL);
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

static void search_by_debuglink(struct search *search, struct elf_file *elf)
{
	const struct debug_file_request *r = search->request;
	u32 crc;
	const char *name = load_debuglink(elf, &crc);
	int dir_len = text__basename(r->path) - r->path; /* with the final slash */
	struct stat own, other;

	if (!name)
		return;
	const char *const subdirs[] = { "", ".debug/" };

	for (unsigned i = 0; i < ARRAY_SIZE(subdirs) && !is_whole(search); i++) {
		char *path = xasprintf("%s%.*s%s%s", r->symfs, dir_len, r->path, subdirs[i], name);

		/* A link that names the object itself is no debug file. */
		if (elf->fd >= 0 && !fstat(elf->fd, &own) && !stat(path, &other) &&
		    own.st_ino == other.st_ino && own.st_dev == other.st_dev)
			free(path);
		else
			try_path(search, path, &crc);
	}
	if (!is_whole(search) && r->debug_dir)
		try_path(search,
		         xasprintf("%s%s/%.*s%s", r->symfs, r->debug_dir, dir_len, r->path, name),
		         &crc);
}

/* Debian's packages have those of kernel modules there, without links of build-ids. */
static void search_by_path(struct search *search)
{
	const struct debug_file_request *r = search->request;

	if (r->debug_dir && *r->path == '/' && r->build_id.size)
		try_path(search, xasprintf("%s%s%s", r->symfs, r->debug_dir, r->path), NULL);
}

/* A server is asked for what is not there at all. */
static void search_server(struct search *search)
{
	const struct debug_file_request *r = search->request;

	file_trail__spoil(r->trail);
	char *path = debuginfod__find(r->debuginfod, &r->build_id, text__basename(r->path));

	if (path)
		try_path(search, path, NULL);
}

static char *search_all(struct elf_file *debug, struct elf_file *elf,
                        const struct debug_file_request *request, bool for_dwarf)
{
	struct search search = { .request = request, .for_dwarf = for_dwarf, .best = debug };

	search_by_build_id(&search);
	if (!is_whole(&search) && elf)
		search_by_debuglink(&search, elf);
	if (!is_whole(&search))
		search_by_path(&search);
	if (request->debuginfod && (!search.path || (for_dwarf && !search.info)))
		search_server(&search);
	return search.path;
}

char *debug_file__open(struct elf_file *debug, struct elf_file *elf,
                       const struct debug_file_request *request)
{
	return search_all(debug, elf, request, false);
}

/* With @elf NULL by its build-id alone. */
static char *debug_path(struct elf_file *elf, const struct debug_file_request *request)
{
	struct elf_file debug;
	char *found = search_all(&debug, elf, request, true);

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
