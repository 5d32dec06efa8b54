/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading files whose size is not known in advance (/proc, /sys), and reading and writing in full.
 * Reads are bounded: a file larger than the caller expects is cut or refused. Also here: the
 * file-size limit, and descriptors 0, 1 and 2.
 */
#ifndef PERF_UTIL_LIB_FILE_H
#define PERF_UTIL_LIB_FILE_H

#include <sys/types.h>

#include "util/lib/types.h"

/*
 * Open a file that somebody else may have named, for reading. Only a plain file: a FIFO would
 * block, and a device might never end. A descriptor, or a negative errno; -EINVAL: not a plain
 * file.
 */
int file__open_plain(const char *path);

/*
 * Read the beginning of @path into @buf of @size bytes as text: always NUL-ended, without a final
 * newline. Returns the length or a negative errno (then @buf is "").
 */
int file__read_text(const char *path, char *buf, size_t size);

/* Read a file that holds one number (decimal, 0x hex). 0 or a negative errno. */
int file__read_u64(const char *path, u64 *value);

/*
 * Read all of @path, at most @max bytes: malloc'ed and NUL-ended, *len without the NUL. NULL with
 * errno set on failure (EFBIG: larger than @max).
 */
char *file__read_all(const char *path, size_t max, size_t *len);

/* Write all @len bytes, even if the kernel takes them in parts. 0 or a negative errno. */
int file__write_all(int fd, const void *data, size_t len);

/*
 * Read up to @len bytes at @offset, fewer only where the file ends. Their number or a negative
 * errno.
 */
ssize_t file__read_some(int fd, void *buf, size_t len, u64 offset);

/* Read @len bytes at @offset. 0 or a negative errno; -ENODATA: the file ends earlier. */
int file__read_at(int fd, void *buf, size_t len, u64 offset);

/*
 * If perf was started with descriptor 0, 1 or 2 closed, the next file it opens would get that
 * number, and messages would be written into it. Replace each closed one by a descriptor on which
 * every read and write fails with EBADF, and which is closed on exec. Call this before opening
 * anything.
 */
void file__hold_standard(void);

/*
 * Let a write beyond the file-size limit (ulimit -f) fail with EFBIG instead of ending perf by
 * SIGXFSZ. Done by a handler, so programs that perf starts have the signal as it was.
 */
void file__outlive_limit(void);

#endif
