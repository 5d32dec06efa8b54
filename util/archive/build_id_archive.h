/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Objects of the build-id cache in a tar archive, as `perf archive` of Linux's perf packs them: for
 * each its link .build-id/XX/REST, then its folder PATH/FULLID/ with what is in it. `tar x` in a
 * cache puts them there, and so does build_id_archive__unpack(), which looks at what it unpacks.
 */
#ifndef PERF_UTIL_ARCHIVE_BUILD_ID_ARCHIVE_H
#define PERF_UTIL_ARCHIVE_BUILD_ID_ARCHIVE_H

#include "util/elf/build_id.h"
#include "util/lib/error.h"

/*
 * Write the members of one object to @fd. -ENOENT: the cache @dir does not hold it, nothing was
 * written. -EPERM: its link leads out of the cache, or its folder is another user's; likewise.
 * Any other negative errno: the archive is of no use any more.
 */
int build_id_archive__pack(int fd, const char *dir, const struct build_id *id);
int build_id_archive__end(int fd);

/*
 * Put what the archive on @fd (unpacked already) holds into the cache @dir, which is made if it is
 * not there. Files appear whole or not at all; what is there already stays. An archive with members
 * that are none of a cache (absolute or upward paths, links that lead elsewhere, devices) is
 * refused at the first of them. *nr: objects. 0 or a negative errno with @err.
 */
int build_id_archive__unpack(int fd, const char *dir, u32 *nr, struct error *err);

#endif
