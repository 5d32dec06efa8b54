/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What `-o` of a recording does with what exists already: uses it (empty), moves it to PATH.old (a
 * recording) or refuses; and the new file or folder. All of it is done in the folder that was found
 * once, and new files are made with O_EXCL: perf is often run by root where others can write.
 *
 * The file is locked (flock) while it is written, so that two recorders with the same path get
 * separate files: the later one treats a locked file as an older recording, even if it is empty.
 */
#ifndef PERF_UTIL_WRITER_WRITER_OUTPUT_H
#define PERF_UTIL_WRITER_WRITER_OUTPUT_H

#include "util/lib/error.h"
#include "util/lib/new_file.h"
#include "util/lib/output_path.h"
#include "util/lib/types.h"

struct writer_output {
	int fd;                   /* of the file; in a folder, of `data` */
	int folder;               /* -1: none */
	struct output_path where; /* as it was found; given.name is what it is called now; owned */
	bool moved;               /* an older recording went to PATH.old */
	char *aside; /* the name of what was PATH.old before that, until it is settled; NULL: none
	              */
	bool kept;   /* an empty file or folder that was there is used */
	struct new_file beside; /* at -1: none; else fd is a duplicate of its descriptor */
};

#define WRITER_OUTPUT_NONE                                                                         \
	((struct writer_output){ .fd = -1,                                                         \
	                         .folder = -1,                                                     \
	                         .where = { .given.at = -1, .end.at = -1 },                        \
	                         .beside.at = -1 })

/*
 * Make a new, empty, locked file at @path, mode 0600; with @folder a new folder, mode 0700, with
 * the file `data` in it. Refused: see data_writer__new(). 0, or a negative errno with @err and
 * nothing left behind.
 */
int writer_output__make(struct writer_output *output, const char *path, bool folder,
                        struct error *err);

/*
 * Make a new file beside @path; what is at @path stays until writer_output__end_beside(). The same
 * is refused. For devices, and in folders in which no file can be made, it is at @path at once, as
 * above.
 */
int writer_output__make_beside(struct writer_output *output, const char *path, struct error *err);

/*
 * Give that file its name; a recording that is there becomes PATH.old. With @keep false remove the
 * file. 0, or a negative errno with @err and the file removed.
 */
int writer_output__end_beside(struct writer_output *output, bool keep, struct error *err);

/*
 * Where it is now: at PATH, or at PATH.old when somebody started another recording at PATH. 0 and a
 * place to be freed; -ESTALE: neither, it was removed or renamed.
 */
int writer_output__find(const struct writer_output *output, struct dir_entry *found);

/* Give it the last name of @path, in the folder that it is in; see data_writer__rename(). */
int writer_output__rename(struct writer_output *output, const char *path);

/*
 * There will be a recording: what was PATH.old before is removed. Until then it lies beside it, as
 * PATH.old.PID; where that name cannot be had it was removed at once.
 */
void writer_output__settle(struct writer_output *output);

/* As if writer_output__make() had never been; what others have put there meanwhile stays. */
void writer_output__undo(struct writer_output *output);

/*
 * Make the folder kcore_dir in the folder, for a copy of the kernel (util/archive/kernel_copy.h)
 * that the caller puts there. Its descriptor, or a negative errno.
 */
int writer_output__add_kernel_folder(int folder);

/* Remove all files that a recording can have from the folder. 0; -ENOTEMPTY: there were others. */
int writer_output__empty(int folder);

/* Make one more file in the folder. Its descriptor, or a negative errno. */
int writer_output__add(int folder, const char *name);

#endif
