/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which files an answer came from: every path that was looked at on the way to it, and what was
 * there then, "nothing" included. As long as all of that is so the answer would come out the same:
 * a debug file that is installed later, or a program that was built again, shows here.
 *
 * A file is told from another by device, inode, size, the time it was last written, and its
 * build-id; without one by the time of any change: a file written in its place can be given an
 * older time, but a link (the build-id cache makes one for each object) or chmod is a change, too.
 * A change within the clock's step after a file was looked at would not show; so files that were
 * changed just now make a trail that holds for nothing.
 *
 * Of one thread at a time.
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
	struct build_id id;      /* size 0: it has none, or was not asked for it */
	u8 zeros[3];             /* it goes to disk as it is */
};

struct file_trail_entry {
	char *path;
	struct file_stamp stamp;
};

struct file_trail {
	struct file_trail_entry *entries;
	u32 nr;
	size_t cap;
	bool spoiled; /* holds for nothing */
};

void file_trail__exit(struct file_trail *trail);

/*
 * Without the build-id. /proc/kallsyms has a stamp of its own: of this boot, its modules, and what
 * it lets us see.
 */
void file_stamp__take(const char *path, struct file_stamp *stamp);
bool file_stamp__equal(const struct file_stamp *a, const struct file_stamp *b);

/* Note what is at @path now, before it is opened. A NULL @trail is fine here and below. */
void file_trail__note(struct file_trail *trail, const char *path);

/* Add what was at @path when it was noted elsewhere; not what it was said to be: spoiled. */
void file_trail__add(struct file_trail *trail, const char *path, const struct file_stamp *stamp);
void file_trail__join(struct file_trail *trail, const struct file_trail *other);

/* The answer came from something that leaves no trail. */
void file_trail__spoil(struct file_trail *trail);

/* Is all as it was? Then stamps are those of now, where a file was changed but is the same. */
bool file_trail__holds(struct file_trail *trail);

#endif
