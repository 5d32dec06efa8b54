/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading small files of /proc and /sys, whose size is not known before they are read. Bounded
 * everywhere: a file that is larger than the caller expects is cut, or refused. And reading and
 * writing the whole of something, the limit of file sizes, and the descriptors 0, 1 and 2.
 */
#ifndef PERF_UTIL_LIB_FILE_H
#define PERF_UTIL_LIB_FILE_H

#include "util/lib/types.h"

/*
 * Open for reading what somebody else may have named: a plain file, because a FIFO would wait, and
 * a device never end. A descriptor, or a negative errno; -EINVAL: it is no plain file.
 */
int file__open_plain(const char *path);

/*
 * Read the beginning of @path into @buf of @size bytes as text: always ended by a NUL, a final
 * newline taken off. Returns the length or a negative errno (then @buf is "").
 */
int file__read_text(const char *path, char *buf, size_t size);

/* A number (decimal, 0x hex) in a file of its own. 0 or a negative errno. */
int file__read_u64(const char *path, u64 *value);

/*
 * The whole of @path, at most @max bytes, with a NUL behind: malloc'ed, *len its length without
 * the NUL. NULL with errno set on failure (EFBIG: larger than @max).
 */
char *file__read_all(const char *path, size_t max, size_t *len);

/* All of it, also where the kernel takes it in parts. 0 or a negative errno. */
int file__write_all(int fd, const void *data, size_t len);

/* @len bytes at @offset. 0 or a negative errno; -ENODATA: the file ends before. */
int file__read_at(int fd, void *buf, size_t len, u64 offset);

/*
 * Whoever starts perf with descriptor 0, 1 or 2 closed must not get the next file that is opened in
 * its place: messages would be written into it. Such a descriptor becomes one on which every read
 * and write fails with EBADF, and which programs that perf starts do not have. Called before
 * anything is opened.
 */
void file__hold_standard(void);

/*
 * A limit of file sizes (ulimit -f) makes a write fail with EFBIG instead of ending perf by
 * SIGXFSZ. By a handler, so programs that perf starts have the signal as it was.
 */
void file__outlive_limit(void);

#endif
