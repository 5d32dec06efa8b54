// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/lib/md5.h"

#include <string.h>

/* floor(2^32 * |sin(i + 1)|) */
static const u32 sines[64] = {
	0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613,
	0xfd469501, 0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193,
	0xa679438e, 0x49b40821, 0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d,
	0x02441453, 0xd8a1e681, 0xe7d3fbc8, 0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed,
	0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a, 0xfffa3942, 0x8771f681, 0x6d9d6122,
	0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70, 0x289b7ec6, 0xeaa127fa,
	0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665, 0xf4292244,
	0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
	0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb,
	0xeb86d391,
};

static const u8 turns[4][4] = {
	{ 7, 12, 17, 22 }, { 5, 9, 14, 20 }, { 4, 11, 16, 23 }, { 6, 10, 15, 21 }
};

static u32 rotate(u32 value, u32 bits)
{
	return value << bits | value >> (32 - bits);
}

static u32 word_of(const u8 *block, u32 i)
{
	const u8 *at = block + (size_t)4 * i;

	return at[0] | (u32)at[1] << 8 | (u32)at[2] << 16 | (u32)at[3] << 24;
}

static void take_block(struct md5 *md5, const u8 *block)
{
	u32 a = md5->state[0], b = md5->state[1], c = md5->state[2], d = md5->state[3];

	for (u32 i = 0; i < 64; i++) {
		u32 mixed, word;

		switch (i / 16) {
		case 0:
			mixed = (b & c) | (~b & d);
			word = i;
			break;
		case 1:
			mixed = (d & b) | (~d & c);
			word = 5 * i + 1;
			break;
		case 2:
			mixed = b ^ c ^ d;
			word = 3 * i + 5;
			break;
		default:
			mixed = c ^ (b | ~d);
			word = 7 * i;
			break;
		}
		u32 sum = a + mixed + sines[i] + word_of(block, word % 16);

		a = d;
		d = c;
		c = b;
		b += rotate(sum, turns[i / 16][i % 4]);
	}
	md5->state[0] += a;
	md5->state[1] += b;
	md5->state[2] += c;
	md5->state[3] += d;
}

void md5__init(struct md5 *md5)
{
	*md5 = (struct md5){ .state = { 0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476 } };
}

void md5__add(struct md5 *md5, const void *data, size_t len)
{
	const u8 *from = data;

	while (len) {
		u32 filled = md5->length % 64;
		size_t part = min_u64(len, 64 - filled);

		memcpy(md5->block + filled, from, part);
		md5->length += part;
		from += part;
		len -= part;
		if (filled + part == 64)
			take_block(md5, md5->block);
	}
}

void md5__end(struct md5 *md5, u8 sum[MD5_SIZE])
{
	static const u8 padding[64] = { 0x80 };
	u64 bits = 8 * md5->length;
	u32 filled = md5->length % 64;
	u8 length[8];

	for (u32 i = 0; i < sizeof(length); i++)
		length[i] = bits >> 8 * i;
	md5__add(md5, padding, (filled < 56 ? 56 : 120) - filled);
	md5__add(md5, length, sizeof(length));
	for (u32 i = 0; i < MD5_SIZE; i++)
		sum[i] = md5->state[i / 4] >> 8 * (i % 4);
}
