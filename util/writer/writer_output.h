/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The place of a new recording: what lies at the path is looked at, moved away by name, and the
 * new file is made with O_EXCL; perf is often run by root in folders that others can write to.
 *
 * The file is locked (flock) while it is written, so that two recorders that are given one name
 * each get a file of their own: the later one takes what is locked for an older recording, empty
 * as it may be.
 */
#ifndef PERF_UTIL_WRITER_WRITER_OUTPUT_H
#define PERF_UTIL_WRITER_WRITER_OUTPUT_H

#include "util/lib/error.h"
#include "util/lib/new_file.h"
#include "util/lib/types.h"

struct writer_output {
	int fd;                 /* of the file; in a folder, of `data` */
	int folder;             /* -1: none */
	bool moved;             /* an older recording went to PATH.old */
	bool given;             /* PATH leads to an open file: it is nobody's to be renamed */
	char *target;           /* of make_beside: PATH is a link that leads there; owned */
	struct new_file beside; /* at -1: none; else fd is a duplicate of its descriptor */
};

/*
 * A new, empty, locked file at @path, mode 0600; with @folder a new folder, mode 0700, with the
 * file `data` in it. Refused: what data_writer__new() says. 0 or a negative errno with @err;
 * nothing is left behind then.
 */
int writer_output__make(struct writer_output *output, const char *path, bool folder,
                        struct error *err);

/*
 * A new file that is beside @path until writer_output__end_beside(): what lies there stays until
 * then. Refused is the same. Devices, and folders in which no file can be made, have it at @path at
 * once, as above.
 */
int writer_output__make_beside(struct writer_output *output, const char *path, struct error *err);

/*
 * It takes its name, and a recording that lies there goes to PATH.old; or (@keep false) it goes. 0
 * or a negative errno with @err; it is gone then.
 */
int writer_output__end_beside(struct writer_output *output, const char *path, bool keep,
                              struct error *err);

/*
 * The folder kcore_dir in the folder, with a copy of the kernel (util/archive/kernel_copy.h), which
 * the caller puts there. Its descriptor, or a negative errno.
 */
int writer_output__add_kernel_folder(int folder);

/* Take all files that a recording can have out of the folder. 0; -ENOTEMPTY: there were others. */
int writer_output__empty(int folder);

/* One more file in the folder. Its descriptor, or a negative errno. */
int writer_output__add(int folder, const char *name);

/* Is @fd (a file or folder) what lies at @path? */
bool writer_output__is_at(int fd, const char *path);

#endif
