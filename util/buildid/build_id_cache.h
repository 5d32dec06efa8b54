/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The build-id cache (default ~/.debug): its folder, what it holds, listing and removal. Its layout
 * is that of Linux's perf:
 *	CACHE/.build-id/XX/REST -> ../../PATH/FULLID	(symlink to a folder)
 *	CACHE/PATH/FULLID/{elf,debug,kallsyms,vdso,probes}
 */
#ifndef PERF_UTIL_BUILDID_BUILD_ID_CACHE_H
#define PERF_UTIL_BUILDID_BUILD_ID_CACHE_H

#include "util/elf/build_id.h"

/*
 * The cache folder: @option (--buildid-dir or the configuration's buildid.dir) if not NULL, else
 * .debug below @symfs (--symfs, outside of which nothing is used; NULL or "" for none), else
 * PERF_BUILDID_DIR, else ~/.debug. NULL without a home. malloc'ed.
 */
char *build_id_cache__dir(const char *option, const char *symfs);

enum build_id_cache_kind {
	CACHE_ELF,
	CACHE_KALLSYMS,
	CACHE_VDSO,
	CACHE_PROBES, /* stored beside an ELF file: see sdt.h */
};

/* The kind of the object called @name: "[kernel.kallsyms]", "[vdso]", a path. */
enum build_id_cache_kind build_id_cache__kind_of(const char *name);

/*
 * "DIR/.build-id/XX/REST/elf" (or kallsyms, vdso, probes), malloc'ed; NULL: the id is too short.
 */
char *build_id_cache__path(const char *dir, const struct build_id *id,
                           enum build_id_cache_kind kind);

/* The same if it exists, else NULL. A kallsyms file that we own is made readable for us alone. */
char *build_id_cache__find(const char *dir, const struct build_id *id,
                           enum build_id_cache_kind kind);

/* An object that the cache holds. */
struct build_id_cache_entry {
	struct build_id id;
	const char *name; /* its path or bracket name, from a link: not to be trusted */
	bool valid;       /* its file exists and has this build-id; never true of a vdso */
};

/*
 * Call @each for every object that has a link for its build-id, in the order of the build-ids.
 * @each may remove it. 0, also when there is no cache, or a negative errno.
 */
int build_id_cache__list(const char *dir,
                         void (*each)(void *ctx, const struct build_id_cache_entry *entry),
                         void *ctx);

/*
 * Remove the object with that build-id: its link, and the folder it leads to. -ENOENT: it is not
 * there. -EPERM, with nothing removed: the link leads out of the cache, or the folder is another
 * user's.
 */
int build_id_cache__remove(const char *dir, const struct build_id *id);

/* Remove all that was cached of @name, whatever the build-id. -ENOENT: nothing was. */
int build_id_cache__purge(const char *dir, const char *name);

#endif
