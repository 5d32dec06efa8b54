/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compresses ring data (record -z): zstd frames behind each other in each data file, cut into
 * COMPRESSED records. Documentation/perf.data-file-format.txt, "Compressed".
 *
 * Each record ends with a flush: its bytes can be unpacked without later records, so a recording
 * that was killed is good to its last whole record. Each frame ends with a checksum of what is in
 * it, and the next one begins in a record of its own and refers to nothing before it: a flipped bit
 * is found, and costs one frame.
 */
#ifndef PERF_UTIL_WRITER_COMPRESS_H
#define PERF_UTIL_WRITER_COMPRESS_H

#include <sys/uio.h>

#include "util/lib/error.h"
#include "util/lib/out.h"
#include "util/lib/types.h"

#define COMPRESS_LEVEL_MAX 22

/* The most bytes that one record unpacks to. */
#define COMPRESS_CHUNK 64000

struct compressor {
	u64 bytes_in, bytes_out; /* since the start of the file; bytes_out includes the records'
	                            headers */
	int level;
	/* Private. */
	void *stream; /* of zstd */
	u64 frame;    /* bytes in the frame that is open; 0: none is */
};

/*
 * @level 1 to 22, as for zstd: the higher, the smaller and the slower. Level 1 searches less than
 * zstd's own. -EOPNOTSUPP: this perf was built without zstd, so it could not read the result;
 * -ENOMEM.
 */
int compressor__init(struct compressor *compressor, int level, struct error *err);
void compressor__exit(struct compressor *compressor); /* also one that was only zeroed */

/* Start a new file: nothing in it may refer to the one before. */
void compressor__restart(struct compressor *compressor);

/*
 * Append the bytes of @iov, whole records of the kernel, to @out as whole COMPRESSED records. 0, or
 * -EIO when zstd fails.
 */
int compressor__add(struct compressor *compressor, const struct iovec *iov, int nr,
                    struct out *out);

/*
 * The file ends: append the end of its last frame, if one is open, to @out. It takes a record, and
 * Linux's perf refuses one that unpacks to nothing: FINISHED_INIT, which tells nothing, is in it. 0
 * or -EIO.
 */
int compressor__end(struct compressor *compressor, struct out *out);

#endif
