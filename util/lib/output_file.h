/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What `-o` of all other commands does with what exists already: replaces, appends or refuses. perf
 * is often run by root in folders that others can write to, so it does not write to what others
 * have put there. An older result stays until the new one is complete.
 */
#ifndef PERF_UTIL_LIB_OUTPUT_FILE_H
#define PERF_UTIL_LIB_OUTPUT_FILE_H

#include <sys/stat.h>

#include "util/lib/error.h"
#include "util/lib/new_file.h"
#include "util/lib/output_path.h"
#include "util/lib/types.h"

/* A command's input files, by device and inode: it must not write over them. */
struct file_ids {
	struct file_id {
		dev_t dev;
		ino_t ino;
	} * ids;
	u32 nr;
	size_t cap;
	mode_t mode; /* the permission bits that all of them have */
};

/*
 * Add the file at @path ("-": standard input), or a folder and every file in it. What does not
 * exist, or is neither, is not added: it cannot be written over.
 */
void file_ids__add(struct file_ids *files, const char *path);
bool file_ids__has(const struct file_ids *files, const struct stat *st);
void file_ids__exit(struct file_ids *files);

enum output_file_flags {
	OUTPUT_FILE_REPLACE = 1u << 0, /* an existing regular file is replaced */
	OUTPUT_FILE_APPEND = 1u << 1,  /* ... or appended to */
	OUTPUT_FILE_GROWS = 1u << 2,   /* readers watch it: written in place, emptied at once */
};

struct output_file {
	int fd;
	bool in_place;          /* no temporary file: a failure leaves a part of it */
	bool made;              /* in place, and new: removed when it is not kept */
	const char *path;       /* borrowed */
	struct dir_entry entry; /* owned */
	struct new_file new;    /* unless in place */
};

/*
 * Open @path for writing. Unless APPEND or GROWS is given, a temporary file beside it is written,
 * which takes the name in output_file__close(); a signal that ends perf before leaves nothing. If
 * no file can be made there, and for devices and pipes, @path is written in place.
 *
 * Refused: any of @inputs (may be NULL), under any name; other users' symbolic links, even dangling
 * ones, except root's; other users' pipes; other users' files, unless root replaces them in a
 * folder that only root can write to; folders and sockets; without REPLACE or APPEND, whatever
 * exists (-EEXIST). The opened file is checked again, so that nobody can swap it in between.
 *
 * @mode: of a new file, less the umask; a replaced file keeps its mode, less what @mode does not
 * have. 0 or a negative errno with @err.
 */
int output_file__open(struct output_file *file, const char *path, unsigned flags, mode_t mode,
                      const struct file_ids *inputs, struct error *err);

/* @keep false: it is incomplete; a new file is removed. 0 or a negative errno. */
int output_file__close(struct output_file *file, bool keep);

#endif
