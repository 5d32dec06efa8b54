/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The build-id cache (default ~/.debug): its folder, what it holds, listing and removal. It is laid
 * out as Linux's perf does:
 *	CACHE/.build-id/XX/REST -> ../../PATH/FULLID	(symlink to a folder)
 *	CACHE/PATH/FULLID/{elf,debug,kallsyms,vdso,probes}
 */
#ifndef PERF_UTIL_BUILDID_BUILD_ID_CACHE_H
#define PERF_UTIL_BUILDID_BUILD_ID_CACHE_H

#include "util/elf/build_id.h"

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
