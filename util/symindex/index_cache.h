/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The user's cache of symbol indexes (object_index.h): $XDG_CACHE_HOME/perf/symbols, else
 * ~/.cache/perf/symbols, a file for each object and way to look at it, BUILDID-KEY (none-KEY
 * without a build-id).
 *
 * Files appear whole or not at all, by rename(), so any number of readers and writers need no lock.
 * They are read, not mapped: cutting one short is an error at most. All folders from the cache on
 * must be ours (root with a user's HOME, as by sudo, keeps nothing and believes nothing), those of
 * perf are for us only, and links are not followed.
 *
 * Any thread.
 */
#ifndef PERF_UTIL_SYMINDEX_INDEX_CACHE_H
#define PERF_UTIL_SYMINDEX_INDEX_CACHE_H

#include "util/lib/error.h"
#include "util/symindex/object_index.h"

#define INDEX_CACHE_MAX (256ull << 20) /* bytes of all files, unless configured */

/* The folder that perf's shall be made in, by the environment; malloc'ed. NULL: none. */
char *index_cache__dir(void);

/*
 * The index of that object and key: 0 with @index filled, all that it was made from unchanged. Else
 * a negative errno: -ENOENT, -EPERM (somebody else's), -ESTALE, -EBADMSG. What is of no use any
 * more is removed.
 */
int index_cache__read(const char *dir, const struct build_id *id, u64 key,
                      struct object_index *index);

/*
 * Keep @index, and drop the files that were not used for longest beyond @max bytes. 0 or a negative
 * errno with @err; nothing is left behind then.
 */
int index_cache__write(const char *dir, const struct object_index *index, u64 max,
                       struct error *err);

/* Remove all of them, and what writers left that were killed. 0, also without any. */
int index_cache__purge(const char *dir, u32 *nr, struct error *err);

#endif
