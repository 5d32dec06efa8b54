/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compresses ring data (record -z): one zstd stream for each data file, cut into COMPRESSED
 * records. Documentation/perf.data-file-format.txt, "Compressed".
 *
 * Each record ends with a flush: its bytes can be unpacked without later records, so a recording
 * that was killed is good to its last whole record.
 */
#ifndef PERF_UTIL_WRITER_COMPRESS_H
#define PERF_UTIL_WRITER_COMPRESS_H

#include <sys/uio.h>

#include "util/lib/error.h"
#include "util/lib/out.h"
#include "util/lib/types.h"
#include "util/writer/zstd_encoder.h"

#define COMPRESS_LEVEL_MAX 22

/* The most bytes that one record unpacks to. */
#define COMPRESS_CHUNK ZSTD_ENCODER_CHUNK

struct compressor {
	u64 bytes_in, bytes_out; /* since the start of the file; bytes_out includes the records'
	                            headers */
	int level;
	/* Private. */
	struct zstd_encoder *words; /* level 1 */
	void *stream;               /* of zstd: other levels */
	u8 *chunk;                  /* where its pieces are gathered */
};

/*
 * @level 1 to 22, as for zstd, but level 1 uses zstd_encoder.h. -EOPNOTSUPP: this perf was built
 * without zstd, so it could not read the result; -ENOMEM.
 */
int compressor__init(struct compressor *compressor, int level, struct error *err);
void compressor__exit(struct compressor *compressor); /* also one that was only zeroed */

/* Start a new file: nothing in it may refer to the one before. */
void compressor__restart(struct compressor *compressor);

/* Append the bytes of @iov to @out as whole COMPRESSED records. 0, or -EIO when zstd fails. */
int compressor__add(struct compressor *compressor, const struct iovec *iov, int nr,
                    struct out *out);

#endif
