// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Chunks are so small that even incompressible bytes, with zstd's overhead, fit into one record: no
 * flush is ever spread over two records.
 */
#include "util/writer/compress.h"

#include <errno.h>
#include <string.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#include "util/format/record.h"

#define RECORD_BODY_MAX (0xffff - RECORD_HEADER_SIZE)

/* A body of a record while it is made. */
struct body {
	size_t len;
	u8 bytes[RECORD_BODY_MAX];
};

#ifdef HAVE_ZSTD

_Static_assert(ZSTD_COMPRESSBOUND(COMPRESS_CHUNK) + 64 <= RECORD_BODY_MAX, "a flush fits");

/*
 * The data of a frame. A new frame cannot refer to the ones before: at level 1, whose window is 128
 * kB, that costs 1 to 4 % of the size. Higher levels have windows of megabytes, and large tables
 * that are cleared for each frame.
 */
#define QUICK_FRAME (256u << 10)
#define FRAME       (16u << 20)

/*
 * What level 1 differs in from zstd's own. Records are words of eight bytes, many of which occurred
 * a few records ago: tables that fit into the first cache, and matches of seven bytes and more,
 * find as much; the other bytes are hardly worth a code of their own, and with a target length zstd
 * leaves them as they are.
 */
static const struct {
	ZSTD_cParameter parameter;
	int value;
} quick[] = {
	{ ZSTD_c_strategy, ZSTD_fast }, { ZSTD_c_windowLog, 17 },   { ZSTD_c_hashLog, 13 },
	{ ZSTD_c_minMatch, 7 },         { ZSTD_c_targetLength, 2 },
};

int compressor__init(struct compressor *compressor, int level, struct error *err)
{
	ZSTD_CStream *stream = ZSTD_createCStream();
	size_t ret;

	*compressor = (struct compressor){ .level = level, .stream = stream };
	if (!stream)
		return error__set(err, -ENOMEM, "cannot compress", NULL, NULL);
	ret = ZSTD_CCtx_setParameter(stream, ZSTD_c_compressionLevel, level);
	if (!ZSTD_isError(ret))
		ret = ZSTD_CCtx_setParameter(stream, ZSTD_c_checksumFlag, 1);
	for (u32 i = 0; level == 1 && i < ARRAY_SIZE(quick) && !ZSTD_isError(ret); i++)
		ret = ZSTD_CCtx_setParameter(stream, quick[i].parameter, quick[i].value);
	if (!ZSTD_isError(ret))
		return 0;
	compressor__exit(compressor);
	return error__set(err, -EINVAL, "cannot compress", NULL, "%s", ZSTD_getErrorName(ret));
}

void compressor__exit(struct compressor *compressor)
{
	ZSTD_freeCStream(compressor->stream);
	*compressor = (struct compressor){ 0 };
}

void compressor__restart(struct compressor *compressor)
{
	ZSTD_CCtx_reset(compressor->stream, ZSTD_reset_session_only);
	compressor->bytes_in = compressor->bytes_out = compressor->frame = 0;
}

static int pack(struct compressor *compressor, const void *bytes, size_t len,
                ZSTD_EndDirective what, struct body *body)
{
	ZSTD_inBuffer from = { bytes, len, 0 };
	ZSTD_outBuffer to = { body->bytes, sizeof(body->bytes), body->len };
	size_t left = ZSTD_compressStream2(compressor->stream, &to, &from, what);

	body->len = to.pos;
	return ZSTD_isError(left) || from.pos != len || (what != ZSTD_e_continue && left) ? -EIO
	                                                                                  : 0;
}

static int add_bytes(struct compressor *compressor, const void *bytes, size_t len,
                     struct body *body)
{
	compressor->bytes_in += len;
	compressor->frame += len;
	return pack(compressor, bytes, len, ZSTD_e_continue, body);
}

static bool frame_is_full(const struct compressor *compressor)
{
	return compressor->frame >= (compressor->level == 1 ? QUICK_FRAME : FRAME);
}

/* All that was added must be in @body; @end: so must the end of the frame. */
static int flush(struct compressor *compressor, bool end, struct body *body)
{
	if (end)
		compressor->frame = 0;
	return pack(compressor, NULL, 0, end ? ZSTD_e_end : ZSTD_e_flush, body);
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
	compressor->bytes_in = compressor->bytes_out = compressor->frame = 0;
}

static int add_bytes(struct compressor *compressor, const void *bytes, size_t len,
                     struct body *body)
{
	(void)compressor, (void)bytes, (void)len, (void)body;
	return -EOPNOTSUPP;
}

static bool frame_is_full(const struct compressor *compressor)
{
	(void)compressor;
	return false;
}

static int flush(struct compressor *compressor, bool end, struct body *body)
{
	(void)compressor, (void)end, (void)body;
	return -EOPNOTSUPP;
}

#endif

static int put_record(struct compressor *compressor, bool end, struct body *body, struct out *out)
{
	int ret = flush(compressor, end, body);
	struct perf_event_header header = { .type = RECORD_COMPRESSED };

	if (ret)
		return ret;
	header.size = sizeof(header) + body->len;
	out__mem(out, &header, sizeof(header));
	out__mem(out, body->bytes, body->len);
	compressor->bytes_out += header.size;
	body->len = 0;
	return 0;
}

/* All but the last chunk of a pass, which is where a frame may end, are flushed here. */
static int add_piece(struct compressor *compressor, const struct iovec *piece, size_t *filled,
                     struct body *body, struct out *out)
{
	const u8 *from = piece->iov_base;
	size_t left = piece->iov_len;
	int ret = 0;

	while (left && !ret) {
		if (*filled == COMPRESS_CHUNK) {
			ret = put_record(compressor, false, body, out);
			*filled = 0;
			continue;
		}
		size_t n = min_u64(left, COMPRESS_CHUNK - *filled);

		ret = add_bytes(compressor, from, n, body);
		*filled += n;
		from += n;
		left -= n;
	}
	return ret;
}

int compressor__add(struct compressor *compressor, const struct iovec *iov, int nr, struct out *out)
{
	struct body body;
	size_t filled = 0;
	int ret = 0;

	body.len = 0;
	for (int i = 0; i < nr && !ret; i++)
		ret = add_piece(compressor, &iov[i], &filled, &body, out);
	if (ret || !filled)
		return ret;
	return put_record(compressor, frame_is_full(compressor), &body, out);
}

int compressor__end(struct compressor *compressor, struct out *out)
{
	static const struct perf_event_header nothing = { .type = RECORD_FINISHED_INIT,
		                                          .size = sizeof(nothing) };
	struct body body;

	body.len = 0;
	if (!compressor->frame)
		return 0;
	int ret = add_bytes(compressor, &nothing, sizeof(nothing), &body);

	return ret ? ret : put_record(compressor, true, &body, out);
}
