// SPDX-License-Identifier: GPL-2.0-or-later
/* What was packed by words, unpacked by zstd itself. */
#include "tests/unit/unit.h"

#ifdef HAVE_ZSTD
#include <stdlib.h>
#include <zstd.h>

#include "util/lib/alloc.h"
#include "util/lib/hash.h"
#include "util/writer/zstd_encoder.h"

#define ROOM (4u << 20)

/* Chunks through a packer and zstd, as they come; what was packed is counted. */
struct line {
	struct zstd_encoder *packer;
	ZSTD_DStream *stream;
	u8 *packed, *back;
	u64 in, out;
};

static void line__init(struct line *line)
{
	*line = (struct line){ .packer = zstd_encoder__new(), .stream = ZSTD_createDStream() };
	line->packed = xmalloc(ZSTD_ENCODER_CHUNK + ZSTD_ENCODER_EXTRA);
	line->back = xmalloc(ZSTD_ENCODER_CHUNK + 1);
}

static void line__exit(struct line *line)
{
	zstd_encoder__delete(line->packer);
	ZSTD_freeDStream(line->stream);
	free(line->packed);
	free(line->back);
}

/* All that went in comes back at once: nothing waits for the next chunk. */
static bool line__takes(struct line *line, const u8 *bytes, size_t len)
{
	memcpy(zstd_encoder__room(line->packer), bytes, len);
	size_t size = zstd_encoder__pack(line->packer, len, line->packed);
	ZSTD_inBuffer from = { line->packed, size, 0 };
	ZSTD_outBuffer to = { line->back, len + 1, 0 };

	while (size <= len + ZSTD_ENCODER_EXTRA && from.pos < from.size)
		if (ZSTD_isError(ZSTD_decompressStream(line->stream, &to, &from)))
			return false;
	line->in += len;
	line->out += size;
	return to.pos == len && !memcmp(line->back, bytes, len);
}

/* @len bytes: words of @kinds different ones, runs, cut words, and noise, as @seed has it. */
static void make(u8 *bytes, size_t len, u32 seed, u32 kinds)
{
	for (size_t at = 0; at < len;) {
		u64 dice = hash__u64(seed++), word = hash__u64(dice % kinds);
		size_t n = dice >> 60 ? 8 : 1 + (dice >> 40) % 600;

		if (dice >> 61 == 1) /* as addresses: the ends differ */
			word = 0x7f0012345678ull ^ (dice >> 50);
		for (size_t i = 0; i < n && at < len; i++)
			bytes[at++] = word >> i % 8 * 8;
	}
}

TEST(zstd_encoder_gives_back_every_byte)
{
	static const u32 kinds[] = { 1, 7, 300, 5000, 2000000000 };
	static const size_t lens[] = { ZSTD_ENCODER_CHUNK, 8, 1, 24, 1024, 63992, 7, 31000, 3 };
	u8 *bytes = xmalloc(ROOM);

	for (u32 kind = 0; kind < ARRAY_SIZE(kinds); kind++) {
		struct line line;
		size_t at = 0;
		bool good = true;

		make(bytes, ROOM, kind * 1000000, kinds[kind]);
		line__init(&line);
		for (u32 i = 0; good && at + ZSTD_ENCODER_CHUNK <= ROOM; i++) {
			size_t len = lens[i % ARRAY_SIZE(lens)];

			good = line__takes(&line, bytes + at, len);
			at += len;
		}
		if (!good)
			unit__fail(__FILE__, __LINE__, "%u kinds, before byte %zu", kinds[kind],
			           at);
		line__exit(&line);
	}
	free(bytes);
}

/* Lengths at each border between the codes, of literals and of matches. */
TEST(zstd_encoder_codes_every_length)
{
	u8 *bytes = xmalloc(ZSTD_ENCODER_CHUNK);
	bool good = true;

	for (u32 len = 8; good && len <= ZSTD_ENCODER_CHUNK;
	     len = len < 300 ? len + 1 : len * 5 / 3) {
		struct line line;

		line__init(&line);
		for (u32 i = 0; i < len; i++)
			bytes[i] = hash__u64(i) >> 13;
		good = line__takes(&line, bytes, len);         /* literals, */
		good = good && line__takes(&line, bytes, len); /* and all of them again */
		if (len * 2 <= ZSTD_ENCODER_CHUNK) {
			memcpy(bytes + len, bytes, len);
			good = good && line__takes(&line, bytes, 2 * len);
		}
		if (!good)
			unit__fail(__FILE__, __LINE__, "length %u", len);
		line__exit(&line);
	}
	free(bytes);
}

TEST(zstd_encoder_begins_anew)
{
	struct line line;
	u8 bytes[4096];

	line__init(&line);
	make(bytes, sizeof(bytes), 1, 50);
	CHECK(line__takes(&line, bytes, sizeof(bytes)));
	zstd_encoder__restart(line.packer);
	ZSTD_initDStream(line.stream);
	CHECK(line__takes(&line, bytes, sizeof(bytes)));
	line__exit(&line);
}

/* Samples with chains of 24 out of some thousand addresses; noise costs next to nothing. */
TEST(zstd_encoder_makes_records_small)
{
	u8 *bytes = xmalloc(ZSTD_ENCODER_CHUNK);
	struct line line;

	line__init(&line);
	for (u32 chunk = 0; chunk < 20; chunk++) {
		for (u32 i = 0; i < ZSTD_ENCODER_CHUNK / 8; i++) {
			u64 word = i % 32 < 8
			                   ? i % 32 + (i % 32 == 3) * (i * 1000003ull)
			                   : 0x560000000000 +
			                             hash__u64(hash__u64(chunk * 8000 + i) % 3000) %
			                                     40000;

			memcpy(bytes + i * 8, &word, 8);
		}
		CHECK(line__takes(&line, bytes, ZSTD_ENCODER_CHUNK));
	}
	CHECK(line.out < line.in / 3);
	line__exit(&line);
	line__init(&line);
	make(bytes, ZSTD_ENCODER_CHUNK, 5, 2000000000);
	for (u32 i = 0; i < ZSTD_ENCODER_CHUNK; i++)
		bytes[i] = hash__u64(i);
	CHECK(line__takes(&line, bytes, ZSTD_ENCODER_CHUNK));
	CHECK(line.out < line.in + 16);
	line__exit(&line);
	free(bytes);
}

#endif
