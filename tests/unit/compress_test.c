// SPDX-License-Identifier: GPL-2.0-or-later
/* Packed records: whole, small enough, and good up to each one. */
#include "tests/unit/unit.h"

#include <errno.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#include "util/format/record.h"
#include "util/lib/cursor.h"
#include "util/writer/compress.h"

#ifdef HAVE_ZSTD

/* Unpack all records of @out behind each other; CHECKs that each is a flush of its own. */
static size_t unpack(const struct out *out, u8 *into, size_t room)
{
	ZSTD_DStream *stream = ZSTD_createDStream();
	size_t got = 0, at, size;

	for (at = 0; at + 8 <= out->len; at += size) {
		const u8 *record = (const u8 *)out->buf + at;
		ZSTD_inBuffer from;
		ZSTD_outBuffer to = { into + got, room - got, 0 };

		size = record[6] | record[7] << 8;
		CHECK_EQ(load_u32(record, false), RECORD_COMPRESSED);
		CHECK(size > 8 && at + size <= out->len);
		from = (ZSTD_inBuffer){ record + 8, size - 8, 0 };
		while (from.pos < from.size &&
		       !ZSTD_isError(ZSTD_decompressStream(stream, &to, &from)))
			;
		CHECK_EQ(from.pos, from.size);
		CHECK(to.pos > 0 && to.pos <= COMPRESS_CHUNK);
		got += to.pos;
	}
	CHECK_EQ(at, out->len);
	ZSTD_freeDStream(stream);
	return got;
}

TEST(compressor_gives_back_every_byte)
{
	enum { SIZE = 300001 };
	static u8 noise[SIZE], back[SIZE + 1];
	struct iovec iov[3] = { { noise, 1 }, { noise + 1, 200000 }, { noise + 200001, 100000 } };
	struct compressor compressor;
	struct out out;
	u64 state = 88172645463325252ull;

	out__init(&out, -1);
	CHECK_EQ(compressor__init(&compressor, 1, NULL), 0);
	for (u32 i = 0; i < SIZE; i++) { /* nothing that can be packed: the largest records */
		state ^= state << 13;
		state ^= state >> 7;
		state ^= state << 17;
		noise[i] = state;
	}
	CHECK_EQ(compressor__add(&compressor, iov, 3, &out), 0);
	CHECK_EQ(compressor.bytes_in, SIZE);
	CHECK_EQ(compressor.bytes_out, out.len);
	CHECK_EQ(unpack(&out, back, sizeof(back)), SIZE);
	CHECK(!memcmp(noise, back, SIZE));
	CHECK_EQ(compressor__add(&compressor, iov, 0, &out), 0); /* nothing: no record */
	CHECK_EQ(compressor.bytes_out, out.len);
	out__exit(&out);
	compressor__exit(&compressor);
}

TEST(compressor_starts_each_file_anew)
{
	u8 text[4096], back[4097];
	struct iovec iov = { text, sizeof(text) };
	struct compressor compressor;
	struct out out;

	memset(text, 'x', sizeof(text));
	out__init(&out, -1);
	CHECK_EQ(compressor__init(&compressor, 3, NULL), 0);
	for (u32 file = 0; file < 3; file++) {
		out.len = 0;
		compressor__restart(&compressor);
		CHECK_EQ(compressor__add(&compressor, &iov, 1, &out), 0);
		CHECK_EQ(compressor.bytes_in, sizeof(text));
		CHECK_EQ(unpack(&out, back, sizeof(back)), sizeof(text));
		CHECK(!memcmp(text, back, sizeof(text)));
	}
	out__exit(&out);
	compressor__exit(&compressor);
}

#else

TEST(compressor_says_that_it_was_not_built)
{
	struct compressor compressor;
	struct error err = ERROR_INIT;

	CHECK_EQ(compressor__init(&compressor, 1, &err), -EOPNOTSUPP);
	CHECK(strstr(err.cause, "without zstd"));
	compressor__exit(&compressor);
}

#endif
