// SPDX-License-Identifier: GPL-2.0-or-later
/* Any bytes in chunks of any length, packed by words: zstd gives them back, each chunk at once. */
#include "util/writer/zstd_encoder.h"

#include <stdlib.h>
#include <string.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#include "tests/fuzz/fuzz.h"

#ifdef HAVE_ZSTD
static void check(ZSTD_DStream *stream, const u8 *packed, size_t size, const u8 *bytes, size_t len)
{
	u8 back[ZSTD_ENCODER_CHUNK + 1];
	ZSTD_inBuffer from = { packed, size, 0 };
	ZSTD_outBuffer to = { back, sizeof(back), 0 };

	while (from.pos < from.size)
		FUZZ_CHECK(!ZSTD_isError(ZSTD_decompressStream(stream, &to, &from)));
	FUZZ_CHECK(to.pos == len && !memcmp(back, bytes, len));
}
#endif

/* The first byte tells how long chunks are, the second how often the bytes come in all. */
int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static u8 packed[ZSTD_ENCODER_CHUNK + ZSTD_ENCODER_EXTRA];
	struct zstd_encoder *packer = zstd_encoder__new();
	size_t step = size > 2 ? 1u << data[0] % 16 : 1, times = size > 2 ? 1 + data[1] % 8 : 0;

#ifdef HAVE_ZSTD
	ZSTD_DStream *stream = ZSTD_createDStream();
#endif
	for (; times; times--)
		for (size_t at = 2, len; at < size; at += len) {
			len = min_u64(step, size - at);
			memcpy(zstd_encoder__room(packer), data + at, len);
			size_t n = zstd_encoder__pack(packer, len, packed);

			FUZZ_CHECK(n <= len + ZSTD_ENCODER_EXTRA);
#ifdef HAVE_ZSTD
			check(stream, packed, n, data + at, len);
#endif
			fuzz__touch(packed, n);
		}
#ifdef HAVE_ZSTD
	ZSTD_freeDStream(stream);
#endif
	zstd_encoder__delete(packer);
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
	add("\x03\x02"
	    "abcabcabcabcabcdefdefdefabcabcabc",
	    35);
}
