/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writing perf.data. The file form: header, ids, attrs; then data, appended as it comes; then the
 * feature table and sections, and the header once more with the true sizes. The stream form, for
 * pipes, has all of that in front (pipe_write.h) and ends where the data end.
 *
 * Until data_writer__finish() the header says "data size 0"; readers take that as "perf did not
 * end" and read to the end of the file. When the disk is full, the data ends at the last record
 * that is whole, and the file is finished from there.
 */
#ifndef PERF_UTIL_WRITER_WRITER_H
#define PERF_UTIL_WRITER_WRITER_H

#include <sys/uio.h>

#include "util/event/evsel.h"
#include "util/lib/error.h"
#include "util/lib/types.h"
#include "util/writer/feature_write.h"

struct data_writer; /* private */

/*
 * Open @path for a new recording, mode 0600. A recording that lies there already is renamed to
 * PATH.old (replacing an older one). Refused, with the reason in @err and before anything is moved:
 * files and folders that are neither empty nor recordings, there and at PATH.old (a recording
 * begins as one; a folder of one has no other files in it); other users' files, unless the folder
 * is ours alone; symbolic links that another user has planted; pipes and sockets; names that end in
 * '/'. NULL on failure.
 */
struct data_writer *data_writer__new(const char *path, struct error *err);

/*
 * The same, but what lies at @path stays until data_writer__put(); without it,
 * data_writer__delete() leaves nothing. For what can be written again when it fails.
 */
struct data_writer *data_writer__new_beside(const char *path, struct error *err);
int data_writer__put(struct data_writer *writer, struct error *err); /* 0 or a negative errno */

/*
 * The same for a folder (mode 0700) with the file `data`, which is what the other functions write,
 * and for each ring a part of its own: what the ring gave from byte 0 on, no header.
 */
struct data_writer *data_writer__new_folder(const char *path, struct error *err);

/*
 * The next file `data.N` of the folder of @writer, from `data.0` on. Of the functions below it
 * takes append, data_size, give_room, dropped_samples and delete; a thread may own each part.
 */
struct data_writer *data_writer__new_part(struct data_writer *writer, struct error *err);

/* See writer_output__add_kernel_folder(): in the folder of @writer. */
int data_writer__add_kernel_folder(struct data_writer *writer);

/*
 * A recording that goes out through @fd (a pipe, or whatever standard output is; closed with the
 * writer) as it comes: pipe_form__begin() instead of data_writer__start(), and no seal. @name is
 * for messages. -EPIPE from an append: the reader has gone.
 */
struct data_writer *data_writer__new_stream(int fd, const char *name);

/*
 * A stream, whose reader may stop reading: when @fd (borrowed) is readable, or after hurry, we are
 * to end, and a reader that takes nothing for some seconds makes append fail with -ETIMEDOUT.
 */
void data_writer__set_end(struct data_writer *writer, int fd);
void data_writer__hurry(struct data_writer *writer);

/* What writes; tests put full disks and short writes in the place of the system's calls. */
struct writer_calls {
	ssize_t (*pwrite)(int fd, const void *buf, size_t len, off_t offset);
	ssize_t (*writev)(int fd, const struct iovec *iov, int nr);
	int (*ftruncate)(int fd, off_t size);
};

void data_writer__set_calls(struct data_writer *writer, const struct writer_calls *calls);

/*
 * What a full disk leaves to be said. @gave_way is told of each record that makes room for the
 * features; @words appends the records, few, that are to stand behind the data then, if any.
 */
struct writer_last {
	void *ctx;
	void (*gave_way)(void *ctx, const u8 *record, size_t size);
	void (*words)(void *ctx, struct out *out);
};

void data_writer__set_last(struct data_writer *writer, struct writer_last last);

/* Write header, ids and attrs; @evlist (borrowed) has its ids. 0 or a negative errno. */
int data_writer__start(struct data_writer *writer, const struct evlist *evlist, struct error *err);

/*
 * Events may be added behind data_writer__start(), if it was told how many at most, with how many
 * ids: then @evlist, which had others at the start, describes the file. Whoever reads it finds the
 * old list, or the new one. Not of streams.
 */
void data_writer__leave_room(struct data_writer *writer, u32 nr_events, u32 nr_ids);
int data_writer__change_events(struct data_writer *writer, const struct evlist *evlist,
                               struct error *err);

/*
 * Append whole records (which may be split over the pieces of @iov). 0, or a negative errno that
 * stays: the file is full or broken, and all later calls return the same.
 */
int data_writer__append(struct data_writer *writer, const struct iovec *iov, int nr);
int data_writer__append_bytes(struct data_writer *writer, const void *data, size_t len);

u64 data_writer__data_size(const struct data_writer *writer);
u64 data_writer__data_end(const struct data_writer *writer); /* offset behind it in the file */
bool data_writer__is_file(
        const struct data_writer *writer); /* else a stream, /dev/null and the like */

/* May it be renamed? Not what is open already, and is called /dev/stdout or the like. */
bool data_writer__has_name(const struct data_writer *writer);

/*
 * Make what was appended so far readable for a reader of this process (the sizes in the header
 * are right afterwards; features are still missing).
 */
int data_writer__seal(struct data_writer *writer, struct error *err);

/*
 * Put a build-id into the MMAP2 record at file offset @offset, in the place of device and inode,
 * as the kernel itself can do it since 5.12. For files of one name that differ: the header knows
 * one build-id for a name. 0 or a negative errno (-EBADMSG: there is no such record).
 */
int data_writer__set_map_build_id(struct data_writer *writer, u64 offset, const u8 *id, u8 size);

/*
 * Write the features and the final header; of a stream, the mark that it has ended. On a full disk
 * some of the last records make room for them. What lacks records says so (@source->incomplete). 0
 * or a negative errno.
 */
int data_writer__finish(struct data_writer *writer, const struct feature_source *source,
                        struct error *err);

/* The disk is full: give up the youngest records of @part for @need bytes. False: too few. */
bool data_writer__give_room(struct data_writer *part, u64 need);

/* How many samples gave way to the features. */
u64 data_writer__dropped_samples(const struct data_writer *writer);

/*
 * Where the recording is now: under its path, or as PATH.old when somebody started another one
 * under that path. NULL: neither, it was removed or renamed. The caller frees it.
 */
char *data_writer__find(const struct data_writer *writer);

/*
 * A path under which this process can read this recording and no other, whatever has happened to
 * its name; NULL without such a path. The caller frees it.
 */
char *data_writer__path_to_read(const struct data_writer *writer);

/*
 * Give a finished file another name, which must be free (-EEXIST). -ESTALE: its own name belongs
 * to another file by now. 0 or a negative errno; the file keeps its name then.
 */
int data_writer__rename(struct data_writer *writer, const char *path, struct error *err);

/* Undo data_writer__new(): no new file stays, an older recording gets its name back. Frees. */
void data_writer__abandon(struct data_writer *writer);

void data_writer__delete(struct data_writer *writer); /* closes; a file not started is removed */

#endif
