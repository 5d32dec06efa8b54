// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/archive/build_id_cache_add.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/buildid/build_id_cache_private.h"
#include "util/lib/file.h"
#include "util/lib/out.h"
#include "util/sdt/sdt.h"
#include "util/symtab/debug_file.h"
#include "util/symtab/kallsyms.h"
#include "util/symtab/mapped_file.h"

/* Hard link if the file system allows it, else a copy. */
static int link_or_copy(int at, const char *name, const char *from)
{
	struct cache_source source = { .mode = 0755 };
	struct stat st;

	if (lstat(from, &st))
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -EINVAL;
	if (!linkat(AT_FDCWD, from, at, name, 0) || errno == EEXIST)
		return 0;
	source.fd = open(from, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (source.fd < 0)
		return -errno;
	int ret = build_id_cache__make_file(at, name, &source);

	close(source.fd);
	return ret;
}

/* The list of the object's static probe points; an empty one says "looked for, none". */
static void add_probes(int at, struct elf_file *elf, const char *path)
{
	struct cache_source source = { .mode = 0644, .kind = CACHE_PROBES };
	struct sdt_probes probes;
	struct out text;

	sdt_probes__read(&probes, elf);
	out__init(&text, -1);
	sdt_probes__write(&probes, path, &text);
	source.data = out__take(&text);
	source.size = text.len;
	build_id_cache__make_file(at, build_id_cache__file_name(CACHE_PROBES), &source);
	out__exit(&text);
	sdt_probes__exit(&probes);
}

static void add_debug_file(int at, struct elf_file *elf, const char *path,
                           const struct build_id *id)
{
	struct debug_file_request request = {
		.path = path, .symfs = "", .debug_dir = "/usr/lib/debug", .build_id = *id
	};
	struct elf_file debug;

	/* An object with a symbol table of its own needs none, and mostly has none. */
	if (elf_file__section_of_type(elf, SHT_SYMTAB))
		return;
	char *found = debug_file__open(&debug, elf, &request);

	if (!found)
		return;
	char *real = realpath(found, NULL);

	if (real)
		link_or_copy(at, "debug", real);
	free(real);
	elf_file__close(&debug);
	free(found);
}

static int add_kallsyms(int at)
{
	struct cache_source source = { .mode = 0600, .kind = CACHE_KALLSYMS };

	source.fd = open("/proc/kallsyms", O_RDONLY | O_CLOEXEC);
	if (source.fd < 0)
		return -errno;
	int ret = build_id_cache__make_file(at, build_id_cache__file_name(CACHE_KALLSYMS), &source);

	close(source.fd);
	return ret;
}

static int add_vdso(int at)
{
	struct cache_source source = { .mode = 0600, .kind = CACHE_VDSO };
	struct elf_file elf;

	source.data = build_id__own_vdso(&source.size);
	if (!source.data)
		return -ENOENT;
	int ret = build_id_cache__make_file(at, build_id_cache__file_name(CACHE_VDSO), &source);

	if (!ret && !elf_file__open_memory(&elf, source.data, source.size)) {
		add_probes(at, &elf, "[vdso]");
		elf_file__close(&elf);
	}
	return ret;
}

/* A copy of what process @root sees under @path. */
static int copy_from_root(int at, const char *path, s32 root)
{
	struct cache_source source = { .mode = 0755, .fd = process_root__open(root, path) };

	if (source.fd < 0)
		return source.fd;
	int ret = build_id_cache__make_file(at, build_id_cache__file_name(CACHE_ELF), &source);

	close(source.fd);
	return ret;
}

static int add_elf(int at, const char *path, s32 root, const struct build_id *id)
{
	if (root >= 0)
		return copy_from_root(at, path, root);
	int ret = link_or_copy(at, build_id_cache__file_name(CACHE_ELF), path);
	struct elf_file elf;

	if (ret || elf_file__open(&elf, path))
		return ret;
	add_debug_file(at, &elf, path, id);
	add_probes(at, &elf, path);
	elf_file__close(&elf);
	return 0;
}

static int add(const char *dir, const char *path, s32 root, const struct build_id *id,
               enum build_id_cache_kind kind)
{
	char hex[BUILD_ID_HEX_SIZE];

	build_id__hex(id, hex);
	char *folder = xasprintf("%s/%s", path, hex);
	int at = build_id_cache__enter(dir, folder, true), ret = at;

	if (at >= 0) {
		ret = kind == CACHE_KALLSYMS ? add_kallsyms(at)
		      : kind == CACHE_VDSO   ? add_vdso(at)
		                             : add_elf(at, path, root, id);
		close(at);
	}
	if (ret >= 0)
		ret = build_id_cache__make_link(dir, path, hex);
	free(folder);
	return ret;
}

int build_id_cache__add(const char *dir, const char *path, s32 root, const struct build_id *id,
                        enum build_id_cache_kind kind, struct error *err)
{
	if (id->size < 2)
		return error__set(err, -EINVAL, "cannot cache", path, "it has no build-id");
	char *present = build_id_cache__find(dir, id, kind);

	if (present) {
		free(present);
		return 0;
	}
	/* The file's own place, not that of a link to it: so each object is there once. */
	char *real = kind == CACHE_ELF && root < 0 ? realpath(path, NULL) : xstrdup(path);
	int ret = real ? add(dir, real, root, id, kind) : -errno;

	free(real);
	if (!ret)
		return 0;
	if (ret == -ENODATA && kind == CACHE_KALLSYMS)
		return kallsyms__explain_hidden("/proc/kallsyms", -EACCES, "not keeping a copy of",
		                                err);
	error__set(err, ret, "cannot add to the build-id cache", path, "%s: %s", dir,
	           strerror(-ret));
	return error__advise(err, "symbols of a later version of this file will not fit; choose "
	                          "another folder with --buildid-dir");
}
