/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tar archives, as a stream: what archives of the build-id cache need. Written are headers as GNU
 * tar's own format has them (long names in members of their own); read are those, the older v7 ones
 * and POSIX's (ustar and pax). Source: POSIX.1-2001, pax(1), and "Basic Tar Format" of the manual
 * of GNU tar.
 *
 * Names are handed on as they stand in the archive: who reads them must see to it where they lead.
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
	const char *name;   /* of a folder: ends with '/' when it is written */
	const char *target; /* of links; else "" */
	u64 size;           /* of what stands behind the header */
	u32 mode, uid, gid;
	u64 mtime;
};

/* 0 or a negative errno of writing; -ENAMETOOLONG. */
int tar__write_header(int fd, const struct tar_member *member);

/*
 * The header, and member->size bytes of @from. Where that has fewer the rest is zeros, so that the
 * archive stays whole, and -ENODATA is returned.
 */
int tar__write_file(int fd, const struct tar_member *member, int from);

int tar__write_end(int fd);

struct tar_reader {
	int fd;   /* not owned */
	u64 left; /* private: what is unread of the member */
	u32 pad;  /* private: zeros behind it */
	struct tar_member member;
	char name[TAR_NAME_MAX], target[TAR_NAME_MAX];
};

void tar_reader__init(struct tar_reader *reader, int fd);

/*
 * Go to the next member, whatever was read of the last one. 1: reader->member is it, valid until
 * the next call. 0: the archive ended. -EBADMSG: it is damaged, cut off, or no tar archive; or a
 * negative errno of reading.
 */
int tar_reader__next(struct tar_reader *reader);

/* Bytes of the member: their number, 0 at its end, -EBADMSG where the archive is cut off, or
 * -errno. */
ssize_t tar_reader__read(struct tar_reader *reader, void *buf, size_t size);

#endif
