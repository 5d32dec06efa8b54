/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads and writes tar archives as streams, as far as archives of the build-id cache need it.
 * Writes headers in GNU tar's format (long names in separate members); reads those, the older v7
 * ones and POSIX's (ustar and pax). Source: POSIX.1-2001, pax(1), and "Basic Tar Format" in the GNU
 * tar manual.
 *
 * Names are passed on as the archive has them: the caller must check where they lead.
 */
#ifndef PERF_UTIL_LIB_TAR_H
#define PERF_UTIL_LIB_TAR_H

#include <sys/types.h>

#include "util/lib/error.h"
#include "util/lib/types.h"

#define TAR_NAME_MAX 4096 /* longer names are refused */

enum tar_type { TAR_FILE, TAR_DIR, TAR_SYMLINK, TAR_HARDLINK, TAR_OTHER };

struct tar_member {
	enum tar_type type;
	const char *name;   /* a folder's ends with '/' when written */
	const char *target; /* of links; else "" */
	u64 size;           /* bytes of data after the header */
	u32 mode, uid, gid;
	u64 mtime;
};

/* 0 or a negative errno of writing; -ENAMETOOLONG. */
int tar__write_header(int fd, const struct tar_member *member);

/*
 * Write the header and member->size bytes of @from. If @from has fewer, the rest is filled with
 * zeros, so that the archive stays valid, and -ENODATA is returned.
 */
int tar__write_file(int fd, const struct tar_member *member, int from);

int tar__write_end(int fd);

struct tar_reader {
	int fd;   /* not owned */
	u64 left; /* private: unread bytes of the member */
	u32 pad;  /* private: zeros after it */
	struct tar_member member;
	char name[TAR_NAME_MAX], target[TAR_NAME_MAX];
};

void tar_reader__init(struct tar_reader *reader, int fd);

/*
 * Go to the next member, even if the last one was not read to its end. 1: reader->member describes
 * it, until the next call. 0: the archive ended. -EBADMSG: it is damaged, cut off, or not a tar
 * archive; or a negative errno of reading.
 */
int tar_reader__next(struct tar_reader *reader);

/*
 * Read the member. Returns the number of bytes, 0 at its end, -EBADMSG if the archive is cut off,
 * or another negative errno.
 */
ssize_t tar_reader__read(struct tar_reader *reader, void *buf, size_t size);

#endif
