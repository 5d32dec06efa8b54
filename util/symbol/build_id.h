/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Build-ids: the NT_GNU_BUILD_ID note of ELF files and of the running kernel, and the build-id
 * cache (default ~/.debug), laid out as Linux's perf does:
 *	CACHE/.build-id/XX/REST -> ../../PATH/FULLID	(symlink to a folder)
 *	CACHE/PATH/FULLID/{elf,debug,kallsyms,vdso,probes}
 */
#ifndef PERF_UTIL_SYMBOL_BUILD_ID_H
#define PERF_UTIL_SYMBOL_BUILD_ID_H

#include <string.h>

#include "util/lib/error.h"
#include "util/lib/types.h"

struct build_id {
	u8 size; /* 0: none */
	u8 data[20];
};

#define BUILD_ID_HEX_SIZE 41

static inline bool build_id__equal(const struct build_id *a, const struct build_id *b)
{
	return a->size == b->size && !memcmp(a->data, b->data, a->size);
}

const char *build_id__hex(const struct build_id *id, char buf[static BUILD_ID_HEX_SIZE]);
bool build_id__parse(const char *hex, size_t len, struct build_id *id); /* else false, size 0 */

/* Of an ELF file; mostly one read. -ENODATA: it has none; -ENOEXEC: it is something else. */
int build_id__of_file(const char *path, struct build_id *id);
struct elf_file;
bool elf_file__build_id(struct elf_file *elf, struct build_id *id); /* false: size 0 */
int build_id__of_kernel(struct build_id *id);                       /* /sys/kernel/notes */
int build_id__of_module(const char *name, struct build_id *id);     /* /sys/module/NAME/notes */
int build_id__of_notes(const void *notes, size_t len, bool swap, struct build_id *id);

/* The image of our own vdso (the running kernel's); NULL where there is none. */
const void *build_id__own_vdso(size_t *size);

/*
 * The cache folder: @option (--buildid-dir or the configuration's buildid.dir) if not NULL, else
 * .debug below @symfs (--symfs; NULL or "" for none: what is not there shall not be used), else
 * PERF_BUILDID_DIR, else ~/.debug. NULL without a home. malloc'ed.
 */
char *build_id_cache__dir(const char *option, const char *symfs);

enum build_id_cache_kind {
	CACHE_ELF,
	CACHE_KALLSYMS,
	CACHE_VDSO,
	CACHE_PROBES, /* goes along with an ELF file: see sdt.h */
};

/* What the cache holds of an object of that name: "[kernel.kallsyms]", "[vdso]", a path. */
enum build_id_cache_kind build_id_cache__kind_of(const char *name);

/*
 * Put an object into the cache: @path as recorded ("[kernel.kallsyms]", "[vdso]" for those
 * kinds: taken from the running kernel, which must be the one with that @id). @root: the process
 * that sees the file under that path, -1 for us (util/symbol/mapped_file.h). Already there:
 * nothing is done. Files are hard-linked if possible, else copied; the separate debug file and
 * the list of static probe points go along; kernel symbols have mode 0600. Folders and files appear
 * whole or not at all, links inside the cache are not followed, and folders of other users are not
 * used.
 */
int build_id_cache__add(const char *dir, const char *path, s32 root, const struct build_id *id,
                        enum build_id_cache_kind kind, struct error *err);

/* "DIR/.build-id/XX/REST/elf" (or kallsyms, vdso, probes), malloc'ed; NULL: not with such an id. */
char *build_id_cache__path(const char *dir, const struct build_id *id,
                           enum build_id_cache_kind kind);

/* The same if it exists; else NULL. A list of kernel symbols of ours is made readable for us alone.
 */
char *build_id_cache__find(const char *dir, const struct build_id *id,
                           enum build_id_cache_kind kind);

/* An object that the cache holds. */
struct build_id_cache_entry {
	struct build_id id;
	const char *name; /* its path or bracket name; as it stands in a link: anything */
	bool valid;       /* its file is there and has this build-id; a vdso never counts as one */
};

/*
 * Call @each for every object that can be found by its build-id, in the order of the build-ids.
 * @each may remove it. 0, also when there is no cache, or a negative errno.
 */
int build_id_cache__list(const char *dir,
                         void (*each)(void *ctx, const struct build_id_cache_entry *entry),
                         void *ctx);

/*
 * Take the object with that build-id out of the cache: its link, and the folder it leads to.
 * -ENOENT: it is not there. -EPERM: the link leads out of the cache, or the folder is somebody
 * else's; nothing was removed then.
 */
int build_id_cache__remove(const char *dir, const struct build_id *id);

/* All that was cached of @name, whatever the build-id. -ENOENT: nothing was. */
int build_id_cache__purge(const char *dir, const char *name);

#endif
