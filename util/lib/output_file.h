/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The file that a command writes its result to, under a name that a user gave. perf is often run
 * by root in folders that others can write to, so what others have put there is not written to,
 * and the older result stays until the new one is complete.
 */
#ifndef PERF_UTIL_LIB_OUTPUT_FILE_H
#define PERF_UTIL_LIB_OUTPUT_FILE_H

#include <sys/stat.h>

#include "util/lib/error.h"
#include "util/lib/new_file.h"
#include "util/lib/types.h"

/* Files by device and inode: what a command reads, which it must not write over. */
struct file_ids {
	struct file_id {
		dev_t dev;
		ino_t ino;
	} * ids;
	u32 nr;
	size_t cap;
	mode_t mode; /* who may do what with all of them: the bits that each has */
};

/*
 * Add the file at @path ("-": standard input); of a folder, every file in it, too. What is not
 * there or no regular file or folder is nothing that can be written over.
 */
void file_ids__add(struct file_ids *files, const char *path);
bool file_ids__has(const struct file_ids *files, const struct stat *st);
void file_ids__exit(struct file_ids *files);

/* What a name leads to. */
struct output_place {
	char *path; /* behind all links; owned */
	bool there; /* something is */
	bool proc;  /* a link of /proc, to an open file: only to be opened by its name */
	struct stat st;
};

/*
 * Follow the links at @path, of which each must be root's or our own, as must those to folders on
 * the way that lie where everybody may write. 0 or a negative errno with @err; place->path is to be
 * freed in both cases.
 */
int output_place__find(struct output_place *place, const char *path, struct error *err);

enum output_file_flags {
	OUTPUT_FILE_REPLACE = 1u << 0, /* a regular file that is there gives way */
	OUTPUT_FILE_APPEND = 1u << 1,  /* ... or is written on at its end */
	OUTPUT_FILE_GROWS = 1u << 2,   /* readers watch it: in place, emptied at once */
};

struct output_file {
	int fd;
	bool in_place;       /* not written beside: a failure leaves a part of it */
	bool made;           /* in place, and new: goes away again when it is not kept */
	const char *path;    /* borrowed */
	struct new_file new; /* unless in place; new.at is owned */
	char *name;          /* its name in the folder new.at; owned */
};

/*
 * Open @path for writing. Unless APPEND or GROWS is given, the file is written beside and takes
 * its name in output_file__close(); a signal that ends perf before leaves nothing. Where no file
 * can be made beside, and for devices and pipes, it is written in place.
 *
 * Refused: what is one of @inputs (may be NULL) under any name; symbolic links of other users than
 * root, also to nothing; pipes of others; other users' files, unless root replaces them in
 * a folder that is its own alone; folders and sockets; and without REPLACE or APPEND what is there
 * (-EEXIST). What was opened is looked at again, so that nobody can put something else there in
 * between.
 *
 * @mode: of a new file, less the umask; one that is replaced keeps its mode, less what @mode does
 * not have. 0 or a negative errno with @err.
 */
int output_file__open(struct output_file *file, const char *path, unsigned flags, mode_t mode,
                      const struct file_ids *inputs, struct error *err);

/* @keep false: nothing of it stays, because it is not whole. 0 or a negative errno. */
int output_file__close(struct output_file *file, bool keep);

/* Nobody else can put something else into the folder of @path in the place of what is ours. */
bool output_file__in_our_folder(const char *path);

#endif
