// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/symtab/object_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/buildid/build_id_cache.h"
#include "util/elf/build_id.h"
#include "util/elf/file_trail.h"
#include "util/lib/alloc.h"
#include "util/symtab/debug_file.h"
#include "util/symtab/mapped_file.h"
#include "util/symtab/vdso.h"

/* Open @path if it is the wanted object. 0, -errno, or -ESTALE when the build-id differs. */
static int open_matching(struct elf_file *elf, const char *path, const struct build_id *want,
                         struct build_id *have)
{
	int ret = elf_file__open(elf, path);

	if (ret)
		return ret;
	elf_file__build_id(elf, have);
	if (want->size && have->size && !build_id__equal(want, have)) {
		elf_file__close(elf);
		return -ESTALE;
	}
	return 0;
}

static int describe(struct error *err, int code, const char *path, const struct build_id *want,
                    const struct build_id *have)
{
	char a[BUILD_ID_HEX_SIZE], b[BUILD_ID_HEX_SIZE];

	switch (code) {
	case -ESTALE:
		error__set(
		        err, code, "not using", path,
		        "it was replaced since the recording: its build-id is %s, recorded was %s",
		        build_id__hex(have, b), build_id__hex(want, a));
		return error__advise(err, "restore the recorded file, or: perf buildid-cache --add "
		                          "FILE with that build-id");
	case -ENOEXEC:
		return error__set(err, code, "no symbols found in", path, "it is not an ELF file");
	case -EBADMSG:
		return error__set(err, code, "no symbols found in", path,
		                  "the ELF file is damaged or cut off");
	}
	return error__set(err, code, "cannot read symbols of", path, NULL);
}

int object_file__open(struct elf_file *elf, const struct object_file_request *request,
                      struct error *err)
{
	char *path = xasprintf("%s%s", request->symfs ? request->symfs : "", request->path);
	struct build_id want = build_id__of_bytes(request->build_id, request->build_id_size);
	struct build_id have = { .size = 0 }, other;

	file_trail__note(request->trail, path);
	int ret = open_matching(elf, path, &want, &have);

	if (ret && want.size && request->cache_dir) {
		char *cached = build_id_cache__path(request->cache_dir, &want, CACHE_ELF);

		if (cached)
			file_trail__note(request->trail, cached);
		if (cached && !open_matching(elf, cached, &want, &other))
			ret = 0;
		free(cached);
	}
	if (ret)
		describe(err, ret, path, &want, &have);
	free(path);
	return ret;
}

static void open_debug(struct object_files *files, const struct object_file_request *request)
{
	struct debug_file_request debug = { .path = request->path,
		                            .symfs = request->symfs,
		                            .cache_dir = request->cache_dir,
		                            .debug_dir = request->debug_dir };

	elf_file__build_id(&files->elf, &debug.build_id);
	char *path = debug_file__open(&files->debug, &files->elf, &debug);

	files->has_debug = path;
	free(path);
}

bool object_files__recorded_here(const struct symbol_config *config)
{
	return !config->no_live_kernel && !*config->symfs;
}

/*
 * The root of the process that has mapped @dso, if that is another than ours and the file in it may
 * be the mapped one: there the path means what it meant to the process. Or NULL.
 */
static char *root_of_mapping(const struct dso *dso, const char *path)
{
	if (!process_root__differs(dso->mapped_by))
		return NULL;
	char *root = xasprintf("/proc/%d/root", dso->mapped_by);
	char *inside = xasprintf("%s%s", root, path);
	enum mapped_file is = mapped_file__check(inside, &dso->inode);

	free(inside);
	if (is == MAPPED_FILE_SAME || is == MAPPED_FILE_UNKNOWN)
		return root;
	free(root);
	return NULL;
}

/* Nothing may be concluded from a path when another inode was mapped from it. */
static void not_the_mapped(struct error *err, const char *path)
{
	error__set(err, -ESTALE, "not using", path,
	           "it is not the file that was mapped (another inode): it was replaced since, or "
	           "the process ran in a container or chroot");
	error__advise(err, "record with build-ids (without -B, -N) while the "
	                   "process lives");
}

char *object_files__prefix(const struct symbol_config *config, const struct dso *dso,
                           const char *path, struct error *err)
{
	if (dso->build_id_size || !object_files__recorded_here(config))
		return xstrdup(config->symfs);
	char *root = root_of_mapping(dso, path);

	if (root)
		return root;
	if (mapped_file__check(path, &dso->inode) != MAPPED_FILE_OTHER)
		return xstrdup("");
	not_the_mapped(err, path);
	return NULL;
}

char *object_files__other_prefix(const struct symbol_config *config, const struct dso *dso)
{
	return dso->build_id_size && object_files__recorded_here(config) &&
	                       process_root__differs(dso->mapped_by)
	               ? xasprintf("/proc/%d/root", dso->mapped_by)
	               : NULL;
}

static int open_user(struct object_files *files, const struct dsos *dsos, const struct dso *dso,
                     const struct symbol_config *config, bool want_debug, struct error *err)
{
	const char *path = strtab__get(dsos->strings, dso->name);
	char *prefix = object_files__prefix(config, dso, path, err);
	struct object_file_request request = {
		.path = path,
		.symfs = prefix,
		.build_id = dso->build_id,
		.build_id_size = dso->build_id_size,
		.cache_dir = config->cache_dir,
		.debug_dir = "/usr/lib/debug",
	};

	if (!prefix)
		return -ESTALE;
	int ret = object_file__open(&files->elf, &request, err);
	char *other = ret ? object_files__other_prefix(config, dso) : NULL;

	if (other) {
		request.symfs = other;
		ret = object_file__open(&files->elf, &request, err);
	}
	files->has_elf = !ret;
	if (!ret && want_debug)
		open_debug(files, &request);
	free(prefix);
	free(other);
	return ret;
}

int object_files__open(struct object_files *files, const struct dsos *dsos, u32 dso,
                       const struct symbol_config *config, bool want_debug, struct error *err)
{
	const struct dso *object = dsos__at(dsos, dso);

	*files = (struct object_files){ .has_elf = false };
	if (object->kind == DSO_USER)
		return open_user(files, dsos, object, config, want_debug, err);
	if (object->kind != DSO_VDSO)
		return -ENOENT;
	int ret = vdso__open(&files->elf, config, object, NULL);

	files->has_elf = !ret;
	return ret ? error__set(err, ret, "cannot read", "[vdso]", "it is of another kernel") : 0;
}

void object_files__close(struct object_files *files)
{
	if (files->has_elf)
		elf_file__close(&files->elf);
	if (files->has_debug)
		elf_file__close(&files->debug);
}
