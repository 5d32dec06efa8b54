/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inside of the build-id cache: how its folders are reached.
 */
#ifndef PERF_UTIL_SYMBOL_BUILD_ID_CACHE_PRIVATE_H
#define PERF_UTIL_SYMBOL_BUILD_ID_CACHE_PRIVATE_H

#include "util/lib/types.h"

/*
 * Enter the folder @path ("/usr/bin/ls", "[vdso]/ID", ".build-id/ab") below the cache's root @dir,
 * part by part: links are not followed, ".." is refused, folders of other users are not used. With
 * @make what is missing is made. A descriptor or a negative errno.
 */
int build_id_cache__enter(const char *dir, const char *path, bool make);

#endif
