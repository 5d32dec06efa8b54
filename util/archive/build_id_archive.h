/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packs objects of the build-id cache into a tar archive, as Linux's `perf archive` does, and
 * unpacks it. Each object has its link .build-id/XX/REST, then its folder PATH/FULLID/ with what is
 * in it. `tar x` in a cache adds them to it, and so does build_id_archive__unpack(), which checks
 * what it unpacks.
 */
#ifndef PERF_UTIL_ARCHIVE_BUILD_ID_ARCHIVE_H
#define PERF_UTIL_ARCHIVE_BUILD_ID_ARCHIVE_H

#include "util/elf/build_id.h"
#include "util/lib/error.h"

/*
 * Write the members of one object to @fd. With nothing written: -ENOENT: the cache @dir does not
 * hold it; -EPERM: its link leads out of the cache, or its folder is another user's. Any other
 * negative errno: the archive is unusable.
 */
int build_id_archive__pack(int fd, const char *dir, const struct build_id *id);
int build_id_archive__end(int fd);

/*
 * Put the objects of the tar archive on @fd (uncompressed) into the cache @dir, which is made if it
 * is missing. Files appear whole or not at all; existing ones stay. An archive is refused at the
 * first member that does not belong into a cache (absolute or upward paths, links that lead
 * elsewhere, devices). *nr: objects. 0 or a negative errno with @err.
 */
int build_id_archive__unpack(int fd, const char *dir, u32 *nr, struct error *err);

#endif
