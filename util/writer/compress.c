// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Chunks are so small that even incompressible bytes, with zstd's overhead, fit into one record: no
 * flush is ever spread over two records.
 */
#include "util/writer/compress.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#include "util/format/record.h"
#include "util/lib/alloc.h"

#define RECORD_BODY_MAX (0xffff - RECORD_HEADER_SIZE)

#ifdef HAVE_ZSTD

_Static_assert(ZSTD_COMPRESSBOUND(COMPRESS_CHUNK) + 64 <= RECORD_BODY_MAX, "a flush fits");
_Static_assert(COMPRESS_CHUNK + ZSTD_ENCODER_EXTRA <= RECORD_BODY_MAX, "a block fits");

int compressor__init(struct compressor *compressor, int level, struct error *err)
{
	*compressor = (struct compressor){ .level = level };
	if (level == 1) {
		compressor->words = zstd_encoder__new();
		return 0;
	}
	ZSTD_CStream *stream = ZSTD_createCStream();

	if (!stream || ZSTD_isError(ZSTD_initCStream(stream, level))) {
		ZSTD_freeCStream(stream);
		return error__set(err, -ENOMEM, "cannot compress", NULL, NULL);
	}
	compressor->stream = stream;
	compressor->chunk = xmalloc(COMPRESS_CHUNK);
	return 0;
}

void compressor__exit(struct compressor *compressor)
{
	zstd_encoder__delete(compressor->words);
	ZSTD_freeCStream(compressor->stream);
	free(compressor->chunk);
	*compressor = (struct compressor){ 0 };
}

void compressor__restart(struct compressor *compressor)
{
	if (compressor->words)
		zstd_encoder__restart(compressor->words);
	else
		ZSTD_CCtx_reset(compressor->stream, ZSTD_reset_session_only);
	compressor->bytes_in = compressor->bytes_out = 0;
}

/* @len bytes of the chunk into @body, of RECORD_BODY_MAX. The size, or -EIO. */
static ssize_t pack(struct compressor *compressor, size_t len, u8 *body)
{
	if (compressor->words)
		return zstd_encoder__pack(compressor->words, len, body);
	ZSTD_inBuffer from = { compressor->chunk, len, 0 };
	ZSTD_outBuffer to = { body, RECORD_BODY_MAX, 0 };
	size_t left = ZSTD_compressStream2(compressor->stream, &to, &from, ZSTD_e_flush);

	return ZSTD_isError(left) || left || from.pos != len ? -EIO : (ssize_t)to.pos;
}

#else

int compressor__init(struct compressor *compressor, int level, struct error *err)
{
	*compressor = (struct compressor){ .level = level };
	error__set(err, -EOPNOTSUPP, "cannot compress", NULL, "this perf was built without zstd");
	return error__advise(err, "leave out -z, or build perf where libzstd is installed");
}

void compressor__exit(struct compressor *compressor)
{
	*compressor = (struct compressor){ 0 };
}

void compressor__restart(struct compressor *compressor)
{
	compressor->bytes_in = compressor->bytes_out = 0;
}

static ssize_t pack(struct compressor *compressor, size_t len, u8 *body)
{
	(void)compressor;
	(void)len;
	(void)body;
	return -EOPNOTSUPP;
}

#endif

static int put_record(struct compressor *compressor, size_t len, struct out *out)
{
	u8 body[RECORD_BODY_MAX];
	ssize_t packed = pack(compressor, len, body);
	struct perf_event_header header = { .type = RECORD_COMPRESSED };

	if (packed < 0)
		return packed;
	header.size = sizeof(header) + packed;
	out__mem(out, &header, sizeof(header));
	out__mem(out, body, packed);
	compressor->bytes_in += len;
	compressor->bytes_out += header.size;
	return 0;
}

static u8 *chunk_of(struct compressor *compressor)
{
	return compressor->words ? zstd_encoder__room(compressor->words) : compressor->chunk;
}

int compressor__add(struct compressor *compressor, const struct iovec *iov, int nr, struct out *out)
{
	u8 *chunk = chunk_of(compressor);
	size_t filled = 0;
	int ret = 0;

	for (int i = 0; i < nr; i++) {
		const u8 *from = iov[i].iov_base;
		size_t left = iov[i].iov_len;

		while (left && !ret) {
			size_t n = min_u64(left, COMPRESS_CHUNK - filled);

			memcpy(chunk + filled, from, n);
			filled += n;
			from += n;
			left -= n;
			if (filled < COMPRESS_CHUNK)
				continue;
			ret = put_record(compressor, filled, out);
			chunk = chunk_of(compressor);
			filled = 0;
		}
	}
	return ret || !filled ? ret : put_record(compressor, filled, out);
}
