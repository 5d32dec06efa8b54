/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files that an answer depends on: every path looked at, and what was found there, even
 * nothing. While all of them are unchanged, the answer still holds; a debug file installed later,
 * or a program that was built again, is noticed.
 *
 * A file is unchanged if device, inode, size and mtime are equal, and its build-id is, too; without
 * a build-id its ctime must be equal. (mtime can be set back, but ctime also changes by chmod and
 * by a link, and the build-id cache makes a link to each object.) A change within one clock step
 * after the look would not be noticed, so a file that was changed just now spoils the trail: it
 * never holds.
 *
 * Used by one thread at a time.
 */
#ifndef PERF_UTIL_ELF_FILE_TRAIL_H
#define PERF_UTIL_ELF_FILE_TRAIL_H

#include "util/elf/build_id.h"
#include "util/lib/types.h"

/* What is at a path; all 0: nothing. */
struct file_stamp {
	u64 dev, ino, size;
	u64 changed, changed_ns; /* st_ctim */
	u64 written, written_ns; /* st_mtim */
	struct build_id id;      /* size 0: none, or not read */
	u8 zeros[3];             /* the struct is stored as it is */
};

struct file_trail_entry {
	char *path;
	struct file_stamp stamp;
};

struct file_trail {
	struct file_trail_entry *entries;
	u32 nr;
	size_t cap;
	bool spoiled; /* never holds */
};

void file_trail__exit(struct file_trail *trail);

/*
 * Take the stamp of @path, without the build-id. That of /proc/kallsyms depends on the boot, the
 * modules, and which addresses we may see.
 */
void file_stamp__take(const char *path, struct file_stamp *stamp);
bool file_stamp__equal(const struct file_stamp *a, const struct file_stamp *b);

/* Note what is at @path now, before it is opened. A NULL @trail is fine here and below. */
void file_trail__note(struct file_trail *trail, const char *path);

/*
 * Add a stamp of @path that was taken elsewhere. If the trail has another one for @path, it is
 * spoiled.
 */
void file_trail__add(struct file_trail *trail, const char *path, const struct file_stamp *stamp);
void file_trail__join(struct file_trail *trail, const struct file_trail *other);

/* The answer depends on something that leaves no trail. */
void file_trail__spoil(struct file_trail *trail);

/* Is everything unchanged? Renews the stamps of files that changed only in ctime. */
bool file_trail__holds(struct file_trail *trail);

#endif
