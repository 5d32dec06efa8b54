/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The user's cache of symbol indexes, in $XDG_CACHE_HOME/perf/symbols or else
 * ~/.cache/perf/symbols. It has a file BUILDID-KEY (none-KEY without a build-id) for each object
 * and set of options; see object_index.h.
 *
 * Files appear whole or not at all, by rename(), so any number of readers and writers need no lock.
 * They are read, not mapped: a truncated file is an error at most. All folders from the cache on
 * must be ours (so root with a user's HOME, as by sudo, neither writes nor reads any), only we may
 * write to those of perf, and links are not followed.
 *
 * For any thread.
 */
#ifndef PERF_UTIL_SYMINDEX_INDEX_CACHE_H
#define PERF_UTIL_SYMINDEX_INDEX_CACHE_H

#include "util/lib/error.h"
#include "util/symindex/object_index.h"

#define INDEX_CACHE_MAX (256ull << 20) /* bytes of all files, unless configured */

/* The user's cache folder, in which perf's is made, from the environment; malloc'ed. NULL: none. */
char *index_cache__dir(void);

/*
 * Read the index of that object and key. 0 with @index filled: all that it was made from is
 * unchanged. Else a negative errno: -ENOENT, -EPERM (another user's), -ESTALE, -EBADMSG; stale and
 * damaged files are removed.
 */
int index_cache__read(const char *dir, const struct build_id *id, u64 key,
                      struct object_index *index);

/*
 * Keep @index, and remove the least recently used files beyond @max bytes. 0 or a negative errno
 * with @err; nothing is left behind then.
 */
int index_cache__write(const char *dir, const struct object_index *index, u64 max,
                       struct error *err);

/* Remove all indexes, and files left by writers that were killed. 0, also without any. */
int index_cache__purge(const char *dir, u32 *nr, struct error *err);

#endif
