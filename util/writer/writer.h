/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes perf.data, as a file or as a stream. The file form: header, ids, attrs; then data,
 * appended as they come; then the feature table and sections, and the header once more with the
 * true sizes. The stream form, for pipes, has all of that in front (pipe_write.h) and ends where
 * the data end.
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
 * Open @path for a new recording, mode 0600. An existing recording is renamed to PATH.old
 * (replacing an older one). Refused, with the reason in @err and before anything is moved: files
 * and folders, there and at PATH.old, that are neither empty nor recordings (a recording has its
 * magic; its folder has no other files); other users' files, unless only we can write to the
 * folder; symbolic links planted by another user; pipes and sockets; names that end in '/'. NULL on
 * failure.
 */
struct data_writer *data_writer__new(const char *path, struct error *err);

/*
 * The same, but what is at @path stays until data_writer__put(); without that call
 * data_writer__delete() removes the new file. For files that can be written again after a failure.
 */
struct data_writer *data_writer__new_beside(const char *path, struct error *err);
int data_writer__put(struct data_writer *writer, struct error *err); /* 0 or a negative errno */

/*
 * The same for a folder (mode 0700). The other functions write its file `data`; each ring has a
 * part of its own, which holds the ring's bytes from byte 0 on, without a header.
 */
struct data_writer *data_writer__new_folder(const char *path, struct error *err);

/*
 * Make the next file `data.N` in the folder of @writer, from `data.0` on. Of the functions below
 * only append, data_size, give_room, dropped_samples and delete take it; each part may be owned by
 * another thread.
 */
struct data_writer *data_writer__new_part(struct data_writer *writer, struct error *err);

/* See writer_output__add_kernel_folder(): in the folder of @writer. */
int data_writer__add_kernel_folder(struct data_writer *writer);

/*
 * Write a recording as a stream to @fd (a pipe, or whatever standard output is; closed with the
 * writer): use pipe_form__begin() instead of data_writer__start(), and no seal. @name is for
 * messages. -EPIPE from an append: the reader has gone.
 */
struct data_writer *data_writer__new_stream(int fd, const char *name);

/*
 * For a stream whose reader may stop reading. Once @fd (borrowed) is readable, or hurry was called,
 * we are to end: append then fails with -ETIMEDOUT if the reader takes nothing for some seconds.
 */
void data_writer__set_end(struct data_writer *writer, int fd);
void data_writer__hurry(struct data_writer *writer);

/* The system calls that write; tests replace them to play full disks and short writes. */
struct writer_calls {
	ssize_t (*pwrite)(int fd, const void *buf, size_t len, off_t offset);
	ssize_t (*writev)(int fd, const struct iovec *iov, int nr);
	int (*ftruncate)(int fd, off_t size);
};

void data_writer__set_calls(struct data_writer *writer, const struct writer_calls *calls);

/*
 * Reports on a full disk. @gave_way is called for each record that is dropped to make room for the
 * features; @words appends the records, few if any, that then follow the data.
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
 * Change the events after data_writer__start(). leave_room, called before it, reserves room for
 * @nr_events with @nr_ids at most; change_events then makes @evlist the list of the file. A reader
 * finds the old list or the new one. Not for streams.
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
u64 data_writer__data_end(const struct data_writer *writer); /* offset of its end in the file */
bool data_writer__is_file(
        const struct data_writer *writer); /* else a stream, /dev/null and the like */

/* May it be renamed? Not if it was open already and is called /dev/stdout or the like. */
bool data_writer__has_name(const struct data_writer *writer);

/*
 * Make what was appended so far readable for a reader of this process (the sizes in the header
 * are right afterwards; features are still missing).
 */
int data_writer__seal(struct data_writer *writer, struct error *err);

/*
 * Put a build-id into the MMAP2 record at file offset @offset, instead of device and inode, as the
 * kernel itself can do it since 5.12. For different files of the same name: the header has one
 * build-id for a name. 0 or a negative errno (-EBADMSG: there is no such record).
 */
int data_writer__set_map_build_id(struct data_writer *writer, u64 offset, const u8 *id, u8 size);

/*
 * Write the features and the final header; for a stream, the mark that it has ended. On a full disk
 * some of the last records are dropped to make room. A recording that lacks records is marked so
 * (@source->incomplete). 0 or a negative errno.
 */
int data_writer__finish(struct data_writer *writer, const struct feature_source *source,
                        struct error *err);

/* The disk is full: drop the newest records of @part to free @need bytes. False: too few. */
bool data_writer__give_room(struct data_writer *part, u64 need);

/* How many samples were dropped to make room for the features. */
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
 * Give a finished file another name in its folder, which must be free (-EEXIST). -ESTALE: its own
 * name belongs to another file by now. 0 or a negative errno; the file keeps its name then.
 */
int data_writer__rename(struct data_writer *writer, const char *path, struct error *err);

/* Remove a file of that folder that an earlier recording was renamed to. It may be gone already. */
void data_writer__remove_older(struct data_writer *writer, const char *path);

/*
 * What is written is worth a recording: the one before the older one, which PATH.old was, is
 * removed. Finishing does so, too; until then it lies beside the others as PATH.old.PID.
 */
void data_writer__settle(struct data_writer *writer);

/*
 * Undo data_writer__new(): remove the new file, give older recordings their names back. An empty
 * file or folder that was there is empty again. Frees.
 */
void data_writer__abandon(struct data_writer *writer);

void data_writer__delete(struct data_writer *writer); /* closes; if not started, as abandon */

#endif
