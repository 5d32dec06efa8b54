// SPDX-License-Identifier: GPL-2.0-or-later
/* Packed records: whole, small enough, good up to each one, and checked. */
#include "tests/unit/unit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#include "util/format/record.h"
#include "util/lib/alloc.h"
#include "util/lib/cursor.h"
#include "util/lib/hash.h"
#include "util/writer/compress.h"

#ifdef HAVE_ZSTD

/*
 * Unpack all records of @out behind each other, of which each is a flush of its own. The bytes, or
 * -1: zstd found a mistake. @open: whether the last frame lacks its end.
 */
static ssize_t unpack(const struct out *out, u8 *into, size_t room, bool *open)
{
	ZSTD_DStream *stream = ZSTD_createDStream();
	size_t got = 0, at, size, left = 0;

	for (at = 0; at + 8 <= out->len && !ZSTD_isError(left); at += size) {
		const u8 *record = (const u8 *)out->buf + at;
		ZSTD_inBuffer from;
		ZSTD_outBuffer to = { into + got, room - got, 0 };

		size = record[6] | record[7] << 8;
		CHECK_EQ(load_u32(record, false), RECORD_COMPRESSED);
		CHECK(size > 8 && at + size <= out->len);
		from = (ZSTD_inBuffer){ record + 8, size - 8, 0 };
		do
			left = ZSTD_decompressStream(stream, &to, &from);
		while (from.pos < from.size && !ZSTD_isError(left));
		CHECK(to.pos <= COMPRESS_CHUNK);
		got += to.pos;
	}
	*open = left != 0;
	ZSTD_freeDStream(stream);
	return ZSTD_isError(left) ? -1 : (ssize_t)got;
}

/* Samples of 256 bytes: a header, times that go on, and 24 callers, the outer ones the same for
 * many. */
static void make_samples(u8 *bytes, size_t len)
{
	for (size_t i = 0; i < len / 8; i++) {
		u32 sample = i / 32, at = i % 32, chain = hash__u64(sample) % 4096;
		u64 word = at < 8 ? at
		                  : 0x560000000000 +
		                            hash__u64((chain >> (at - 8) / 2) * 32 + at) % 400000;

		if (at == 3)
			word = sample * 1000003ull;
		memcpy(bytes + i * 8, &word, 8);
	}
}

/* @bytes at @level, in passes of @pass bytes, with the end of the file behind them. */
static void compress(int level, const u8 *bytes, size_t len, size_t pass, struct out *out)
{
	struct compressor compressor;

	out__init(out, -1);
	CHECK_EQ(compressor__init(&compressor, level, NULL), 0);
	for (size_t at = 0; at < len; at += pass) {
		struct iovec iov = { (u8 *)bytes + at, min_u64(pass, len - at) };

		CHECK_EQ(compressor__add(&compressor, &iov, 1, out), 0);
	}
	CHECK_EQ(compressor__end(&compressor, out), 0);
	CHECK_EQ(compressor.bytes_out, out->len);
	compressor__exit(&compressor);
}

TEST(compressor_gives_back_every_byte)
{
	enum { SIZE = 300001 };
	static u8 noise[SIZE], back[SIZE + 1];
	struct iovec iov[3] = { { noise, 1 }, { noise + 1, 200000 }, { noise + 200001, 100000 } };
	struct compressor compressor;
	struct out out;
	bool open;
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
	CHECK(out.len < SIZE + 200); /* and they hardly grow */
	CHECK_EQ(unpack(&out, back, sizeof(back), &open), SIZE);
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
	bool open;

	memset(text, 'x', sizeof(text));
	out__init(&out, -1);
	CHECK_EQ(compressor__init(&compressor, 3, NULL), 0);
	for (u32 file = 0; file < 3; file++) {
		out.len = 0;
		compressor__restart(&compressor);
		CHECK_EQ(compressor__add(&compressor, &iov, 1, &out), 0);
		CHECK_EQ(compressor.bytes_in, sizeof(text));
		CHECK_EQ(unpack(&out, back, sizeof(back), &open), sizeof(text));
		CHECK(!memcmp(text, back, sizeof(text)));
	}
	out__exit(&out);
	compressor__exit(&compressor);
}

/* What is in a frame is in it to the last bit: the checksum tells. */
TEST(compressor_ends_with_a_checksum)
{
	enum { SIZE = 8192, NOTHING = 8 };
	static u8 bytes[SIZE], back[SIZE + NOTHING + 1];
	struct out out;
	bool open;

	make_samples(bytes, SIZE);
	for (int level = 1; level <= 3; level += 2) {
		compress(level, bytes, SIZE, 2048, &out);
		CHECK_EQ(unpack(&out, back, sizeof(back), &open), SIZE + NOTHING);
		CHECK(!open);
		CHECK_EQ(load_u32(back + SIZE, false), RECORD_FINISHED_INIT);
		for (size_t at = 0, end; at < out.len; at = end) {
			end = at + ((u8)out.buf[at + 6] | (u8)out.buf[at + 7] << 8);
			for (size_t byte = at + 8; byte < end; byte++) {
				out.buf[byte] ^= 1 << byte % 8;
				ssize_t got = unpack(&out, back, sizeof(back), &open);

				if (got >= 0 && !open &&
				    (got != SIZE + NOTHING || memcmp(back, bytes, SIZE)))
					unit__fail(__FILE__, __LINE__, "level %d, byte %zu", level,
					           byte);
				out.buf[byte] ^= 1 << byte % 8;
			}
		}
		out__exit(&out);
	}
}

/* The second frame of a long file can be read without the first, from the start of a record. */
TEST(compressor_begins_frames_in_records_of_their_own)
{
	enum { PASS = 100000 / 256 * 256, SIZE = 8 * PASS };
	u8 *bytes = xmalloc(SIZE), *back = xmalloc(SIZE + 16);
	struct out out, rest;
	u32 nr_frames = 0;
	bool open;

	make_samples(bytes, SIZE);
	compress(1, bytes, SIZE, PASS, &out);
	for (size_t at = 0; at < out.len; at += (u8)out.buf[at + 6] | (u8)out.buf[at + 7] << 8) {
		if (memcmp(out.buf + at + 8, "\x28\xb5\x2f\xfd", 4))
			continue;
		rest = (struct out){ .buf = out.buf + at, .len = out.len - at };
		ssize_t got = unpack(&rest, back, SIZE + 16, &open);

		CHECK(got >= 8 && (got - 8) % PASS == 0);
		CHECK(got >= 8 && !memcmp(bytes + SIZE - (got - 8), back, got - 8));
		nr_frames++;
	}
	CHECK_EQ(nr_frames, 3); /* of three passes each, the last of two */
	out__exit(&out);
	free(bytes);
	free(back);
}

/* What users expect of levels: a higher one makes no larger files. */
TEST(compressor_levels_are_in_order)
{
	static const int levels[] = { 1, 3, 9, 19 };
	enum { SIZE = 2000000 / 256 * 256 };
	u8 *bytes = xmalloc(SIZE);
	size_t before = SIZE / 3; /* of the first at most that */

	make_samples(bytes, SIZE);
	for (u32 i = 0; i < ARRAY_SIZE(levels); i++) {
		struct out out;

		compress(levels[i], bytes, SIZE, 65536, &out);
		if (out.len > before)
			unit__fail(__FILE__, __LINE__, "level %d: %zu after %zu", levels[i],
			           out.len, before);
		before = out.len;
		out__exit(&out);
	}
	free(bytes);
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
