// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/lib/md5.h"

#include <stdio.h>
#include <string.h>

#include "tests/unit/unit.h"

/* In pieces of @step bytes. */
static const char *sum_of(const char *text, size_t len, size_t step)
{
	static char hex[2 * MD5_SIZE + 1];
	u8 sum[MD5_SIZE];
	struct md5 md5;

	md5__init(&md5);
	for (size_t at = 0; at < len; at += step)
		md5__add(&md5, text + at, min_u64(step, len - at));
	md5__end(&md5, sum);
	for (u32 i = 0; i < MD5_SIZE; i++)
		snprintf(hex + 2 * (size_t)i, 3, "%02x", sum[i]);
	return hex;
}

/* Those of RFC 1321, and lengths around the padding (by md5sum). */
TEST(md5_sums)
{
	static const struct {
		const char *text, *sum;
	} known[] = {
		{ "", "d41d8cd98f00b204e9800998ecf8427e" },
		{ "a", "0cc175b9c0f1b6a831c399e269772661" },
		{ "abc", "900150983cd24fb0d6963f7d28e17f72" },
		{ "message digest", "f96b697d7cb7938d525a2f31aaf161d0" },
		{ "abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b" },
		{ "1234567890123456789012345678901234567890123456789012345678901234567890123456789"
		  "0",
		  "57edf4a22be3c955ac49da2e2107b67a" },
	};
	char bytes[130];

	for (u32 i = 0; i < ARRAY_SIZE(known); i++)
		for (size_t step = 1; step < 90; step += 7)
			CHECK_STR(sum_of(known[i].text, strlen(known[i].text), step), known[i].sum);
	memset(bytes, 'x', sizeof(bytes));
	CHECK_STR(sum_of(bytes, 55, 17), "04364420e25c512fd958a70738aa8f72");
	CHECK_STR(sum_of(bytes, 56, 17), "668a72d5ba17f08e62dabcafad6db14b");
	CHECK_STR(sum_of(bytes, 63, 17), "7dc2ca208106a2f703567bdff99d8981");
	CHECK_STR(sum_of(bytes, 64, 17), "c1bb4f81d892b2d57947682aeb252456");
	CHECK_STR(sum_of(bytes, 65, 17), "1bc932052302d074bdec39795fe00cf6");
	CHECK_STR(sum_of(bytes, 119, 17), "ab347a5f68c8a443cfcddc633f12c24f");
	CHECK_STR(sum_of(bytes, 120, 17), "fb98667f98096de92620b64f46e1c5b5");
	CHECK_STR(sum_of(bytes, 128, 17), "d69cb61a6ee87200676eb0d4b90edbcb");
}
