/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Adds objects to the build-id cache: files, the running kernel's symbols and its vdso. The
 * separate debug file and the static probe points of an object go along.
 */
#ifndef PERF_UTIL_ARCHIVE_BUILD_ID_CACHE_ADD_H
#define PERF_UTIL_ARCHIVE_BUILD_ID_CACHE_ADD_H

#include "util/buildid/build_id_cache.h"
#include "util/lib/error.h"

/*
 * Add an object to the cache. @path: as recorded ("[kernel.kallsyms]" and "[vdso]" are taken from
 * the running kernel, which must have that @id). @root: the process that sees the file under that
 * path, -1 for us (util/symtab/mapped_file.h). An object that is in the cache is left as it is.
 * Files are hard-linked if possible, else copied; the separate debug file and the list of static
 * probe points go along; kernel symbols have mode 0600. Folders and files appear whole or not at
 * all, links inside the cache are not followed, and folders of other users are not used.
 */
int build_id_cache__add(const char *dir, const char *path, s32 root, const struct build_id *id,
                        enum build_id_cache_kind kind, struct error *err);

#endif
