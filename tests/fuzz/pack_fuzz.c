// SPDX-License-Identifier: GPL-2.0-or-later
/* Any bytes in passes of any length, compressed: zstd gives them back, each pass at once. */
#include "util/writer/compress.h"

#include <stdlib.h>
#include <string.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#include "tests/fuzz/fuzz.h"

#ifdef HAVE_ZSTD
static void check(ZSTD_DStream *stream, const struct out *out, const u8 *bytes, size_t len)
{
	u8 *back = malloc(len + 1);
	ZSTD_outBuffer to = { back, len + 1, 0 };

	FUZZ_CHECK(back);
	for (size_t at = 0, size; at < out->len; at += size) {
		const u8 *record = (const u8 *)out->buf + at;

		size = record[6] | record[7] << 8;
		FUZZ_CHECK(size > 8 && at + size <= out->len);
		ZSTD_inBuffer from = { record + 8, size - 8, 0 };

		while (from.pos < from.size)
			FUZZ_CHECK(!ZSTD_isError(ZSTD_decompressStream(stream, &to, &from)));
	}
	FUZZ_CHECK(to.pos == len && !memcmp(back, bytes, len));
	free(back);
}

/* The first byte tells how long passes are and the level, the second how often the bytes come in
 * all. */
static void pack(const u8 *data, size_t size)
{
	size_t step = 1u << data[0] % 16, times = 1 + data[1] % 8;
	ZSTD_DStream *stream = ZSTD_createDStream();
	struct compressor compressor;
	struct out out;

	out__init(&out, -1);
	FUZZ_CHECK(!compressor__init(&compressor, 1 + data[0] / 16 % 4, NULL));
	for (; times; times--)
		for (size_t at = 2, len; at < size; at += len) {
			/* cut where two spans of a ring would be */
			struct iovec iov[2] = { { (u8 *)data + at, 0 } };

			len = min_u64(step, size - at);
			iov[0].iov_len = len / 3;
			iov[1] = (struct iovec){ (u8 *)data + at + len / 3, len - len / 3 };
			out.len = 0;
			FUZZ_CHECK(!compressor__add(&compressor, iov, 2, &out));
			check(stream, &out, data + at, len);
		}
	out.len = 0;
	FUZZ_CHECK(!compressor__end(&compressor, &out));
	fuzz__touch(out.buf, out.len);
	out__exit(&out);
	compressor__exit(&compressor);
	ZSTD_freeDStream(stream);
}
#endif

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
#ifdef HAVE_ZSTD
	if (size > 2)
		pack(data, size);
#else
	(void)data, (void)size;
#endif
	return 0;
}

void fuzz__seeds(void (*add)(const void *data, size_t size))
{
	u64 words[4000];

	for (u32 i = 0; i < ARRAY_SIZE(words); i++)
		words[i] = i % 9 < 3 ? i % 9 : 0x560000001000 + i * i % 977;
	memcpy(words, "\x0c\x03", 2);
	add(words, sizeof(words));
	memcpy(words, "\x0f\x01", 2);
	add(words, sizeof(words) / 7);
	memset(words, 7, sizeof(words));
	add(words, 3000);
	add("\x23\x02"
	    "abcabcabcabcabcdefdefdefabcabcabc",
	    35);
}
