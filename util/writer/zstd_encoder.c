// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A block is literals (bytes as they are) and sequences. A sequence is a number of literals, then
 * the length of a match and its distance back. Sequences are found from the front, and coded from
 * the end.
 *
 * The frequencies of lengths and distances are counted in a block now and then; blocks in between
 * use the same codes. Literals are not coded: there are few.
 */
#include "util/writer/zstd_encoder.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"
#include "util/writer/sequence_code.h"

#define WORD        8
#define WINDOW_LOG  17
#define WINDOW      (1u << WINDOW_LOG)
#define LOOK_UP_LOG 14
#define OVERHANG    16 /* bytes that copies may read and write too many */
#define LEARN_AGAIN (1u << 20)

#define LITERAL_CODES 35 /* of lengths up to 65535 */
#define MATCH_CODES   53
#define BACK_CODES    18 /* of distances up to the window */
#define MATCH_MIN     3

/* 3.1.1.3.2: 8 literals and more, and longer matches, share codes, which bits of their own follow.
 */
#define SMALL_LITERALS 64 /* above: a code for each power of two */
#define SMALL_MATCH    131

enum { MODES_LEARNT = 0xa8, MODES_AS_BEFORE = 0xfc }; /* of all three codes */

enum block_type { BLOCK_RAW = 0, BLOCK_PACKED = 2 };

struct sequence {
	u16 literals, match;
	u32 back; /* 1, 2: as far as the last, the last but one; else 3 + the distance */
};

struct codes {
	struct sequence_code literals, match, back;
};

struct zstd_encoder {
	bool begun;
	u32 back[2];     /* the last two distances */
	u64 size, learn; /* of what was packed; learn again from there */
	u32 end;         /* of the bytes in buf that were packed */
	u32 nr;          /* sequences of this block */
	struct sequence sequences[ZSTD_ENCODER_CHUNK / WORD + 1];
	struct codes codes;
	u8 literals_code[SMALL_LITERALS], match_code[SMALL_MATCH];
	u32 position[1u << LOOK_UP_LOG]; /* of a word in buf, by its hash; 0: none */
	/* A word of nothing, what was packed last, and room. */
	u8 buf[WORD + 3 * WINDOW + ZSTD_ENCODER_CHUNK + OVERHANG];
};

static const u32 literals_base[LITERAL_CODES + 1] = {
	0,  1,  2,  3,  4,  5,  6,  7,  8,   9,   10,  11,   12,   13,   14,   15,    16,    18,
	20, 22, 24, 28, 32, 40, 48, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536,
};

static const u32 match_base[MATCH_CODES + 1] = {
	3,  4,   5,   6,   7,    8,    9,    10,   11,    12,    13,    14,     15, 16,
	17, 18,  19,  20,  21,   22,   23,   24,   25,    26,    27,    28,     29, 30,
	31, 32,  33,  34,  35,   37,   39,   41,   43,    47,    51,    59,     67, 83,
	99, 131, 259, 515, 1027, 2051, 4099, 8195, 16387, 32771, 65539, 131075,
};

static u32 log_of(u32 x)
{
	return 31 - __builtin_clz(x);
}

static void list_codes(u8 *code_of, u32 from, u32 end, const u32 *base)
{
	for (u32 value = from, code = 0; value < end; value++) {
		while (base[code + 1] <= value)
			code++;
		code_of[value] = code;
	}
}

struct zstd_encoder *zstd_encoder__new(void)
{
	struct zstd_encoder *encoder = xcalloc(1, sizeof(*encoder));

	encoder->codes.literals.nr = LITERAL_CODES;
	encoder->codes.literals.log = 7;
	encoder->codes.match.nr = MATCH_CODES;
	encoder->codes.match.log = 8;
	encoder->codes.back.nr = BACK_CODES;
	encoder->codes.back.log = 7;
	list_codes(encoder->literals_code, 0, SMALL_LITERALS, literals_base);
	list_codes(encoder->match_code, MATCH_MIN, SMALL_MATCH, match_base);
	zstd_encoder__restart(encoder);
	return encoder;
}

void zstd_encoder__delete(struct zstd_encoder *encoder)
{
	free(encoder);
}

void zstd_encoder__restart(struct zstd_encoder *encoder)
{
	encoder->begun = false;
	encoder->back[0] = 1; /* 3.1.1.5: what a frame begins with */
	encoder->back[1] = 4;
	encoder->size = encoder->learn = 0;
	encoder->end = WORD;
	memset(encoder->position, 0, sizeof(encoder->position));
}

u8 *zstd_encoder__room(struct zstd_encoder *encoder)
{
	if (encoder->end + ZSTD_ENCODER_CHUNK + OVERHANG <= sizeof(encoder->buf))
		return encoder->buf + encoder->end;
	u32 cut = encoder->end - WINDOW - WORD;

	memmove(encoder->buf + WORD, encoder->buf + WORD + cut, WINDOW);
	encoder->end -= cut;
	for (u32 i = 0; i < ARRAY_SIZE(encoder->position); i++)
		encoder->position[i] =
		        encoder->position[i] < cut + WORD ? 0 : encoder->position[i] - cut;
	return encoder->buf + encoder->end;
}

/* ---- finding ---- */

static u64 load(const u8 *at)
{
	u64 word;

	memcpy(&word, at, sizeof(word));
	return le64toh(word);
}

/* How far from @at on the bytes are those @back before; the first word is known to be. */
static u32 match_end(const u8 *buf, u32 at, u32 end, u32 back)
{
	for (at += WORD; at + WORD <= end; at += WORD) {
		u64 differ = load(buf + at) ^ load(buf + at - back);

		if (differ)
			return at + __builtin_ctzll(differ) / 8;
	}
	return at;
}

/* How many of the bytes in front of @at are, too; less than a word. */
static u32 match_before(const u8 *buf, u32 at, u32 back, u32 most)
{
	u64 differ = load(buf + at - WORD) ^ load(buf + at - WORD - back);

	return min_u64(differ ? __builtin_clzll(differ) / 8 : WORD - 1, most);
}

/* The distance as sequences tell it, and the last two distances from then on. */
static u32 tell_back(struct zstd_encoder *encoder, u32 back, bool literals)
{
	u32 told = back + 3;

	if (back == encoder->back[0] && literals)
		return 1;
	if (back == encoder->back[1])
		told = literals ? 2 : 1; /* without literals it cannot be the last */
	encoder->back[1] = encoder->back[0];
	encoder->back[0] = back;
	return told;
}

/*
 * The sequences of the bytes of buf from packer->end to @end, and their literals, which go to @to.
 * Returns the end of the literals.
 */
static u8 *find_sequences(struct zstd_encoder *encoder, u32 end, u8 *to)
{
	const u8 *buf = encoder->buf;
	u32 first = end - WORD > WINDOW ? end - WINDOW : WORD; /* what may be referred to */
	u32 at = encoder->end, from = at;                      /* literals are from there on */

	encoder->nr = 0;
	while (at + WORD <= end) {
		u64 word = load(buf + at);
		u32 *latest =
		        &encoder->position[word * 0x9e3779b97f4a7c15ull >> (64 - LOOK_UP_LOG)];
		u32 back = encoder->back[0], old = *latest;

		*latest = at;
		if (at < first + back || load(buf + at - back) != word) {
			if (old < first || load(buf + old) != word) {
				at += WORD;
				continue;
			}
			back = at - old;
		}
		u32 start = at - match_before(buf, at, back, min_u64(at - from, at - back - first));
		u32 literals = start - from;

		memcpy(to, buf + from, OVERHANG);
		if (literals > OVERHANG)
			memcpy(to, buf + from, literals);
		to += literals;
		from = match_end(buf, at, end, back);
		encoder->sequences[encoder->nr++] =
		        (struct sequence){ literals, from - start,
			                   tell_back(encoder, back, literals) };
		at = (from + WORD - 1) & ~(WORD - 1);
	}
	memcpy(to, buf + from, end - from);
	return to + (end - from);
}

/* ---- coding ---- */

static u32 code_of_literals(const struct zstd_encoder *encoder, u32 value)
{
	return value < SMALL_LITERALS ? encoder->literals_code[value] : log_of(value) + 19;
}

static u32 code_of_match(const struct zstd_encoder *encoder, u32 value)
{
	return value < SMALL_MATCH ? encoder->match_code[value] : log_of(value - MATCH_MIN) + 36;
}

static void learn(struct zstd_encoder *encoder)
{
	u32 literals[LITERAL_CODES] = { 0 }, match[MATCH_CODES] = { 0 }, back[BACK_CODES] = { 0 };

	for (u32 i = 0; i < encoder->nr; i++) {
		const struct sequence *sequence = &encoder->sequences[i];

		literals[code_of_literals(encoder, sequence->literals)]++;
		match[code_of_match(encoder, sequence->match)]++;
		back[log_of(sequence->back)]++;
	}
	sequence_code__suit(&encoder->codes.literals, literals);
	sequence_code__suit(&encoder->codes.match, match);
	sequence_code__suit(&encoder->codes.back, back);
}

/* Bits, the first in the lowest. */
struct bits {
	u64 bits;
	u32 nr; /* up to 63 */
	u8 *to;
};

static inline void put(struct bits *bits, u64 value, u32 nr)
{
	bits->bits |= value << bits->nr;
	bits->nr += nr;
}

/* Leaves fewer than 8. */
static inline void flush(struct bits *bits)
{
	u64 word = htole64(bits->bits);

	memcpy(bits->to, &word, sizeof(word));
	bits->to += bits->nr / 8;
	bits->bits >>= bits->nr & ~7u;
	bits->nr &= 7;
}

/* One step back: @symbol, with the decoder in state @behind afterwards. Returns its state. */
static inline u32 step(struct bits *bits, const struct sequence_code *code, u32 symbol, u32 behind)
{
	u32 state = code->before[symbol][behind];

	put(bits, behind - code->base[state], code->bits[state]);
	return state;
}

/* 3.1.1.3.2.1: read from the end, so written from the last sequence to the first. */
static u8 *code_sequences(const struct zstd_encoder *encoder, u8 *to)
{
	const struct codes *codes = &encoder->codes;
	struct bits bits = { .to = to };
	u32 literals = 0, match = 0, back = 0; /* states */

	for (u32 i = encoder->nr; i--;) {
		const struct sequence *sequence = &encoder->sequences[i];
		u32 literals_code = code_of_literals(encoder, sequence->literals);
		u32 match_code = code_of_match(encoder, sequence->match);
		u32 back_code = log_of(sequence->back);

		if (i + 1 == encoder->nr) { /* nothing is behind: any state will do */
			literals = codes->literals.before[literals_code][0];
			match = codes->match.before[match_code][0];
			back = codes->back.before[back_code][0];
		} else {
			back = step(&bits, &codes->back, back_code, back);
			match = step(&bits, &codes->match, match_code, match);
			literals = step(&bits, &codes->literals, literals_code, literals);
		}
		/* At most 7 + 22 + 15 + 15 up to here. */
		put(&bits, sequence->literals - literals_base[literals_code],
		    log_of(literals_base[literals_code + 1] - literals_base[literals_code]));
		put(&bits, sequence->match - match_base[match_code],
		    log_of(match_base[match_code + 1] - match_base[match_code]));
		flush(&bits);
		put(&bits, sequence->back - (1u << back_code), back_code);
		flush(&bits);
	}
	put(&bits, match, codes->match.log);
	put(&bits, back, codes->back.log);
	put(&bits, literals, codes->literals.log);
	put(&bits, 1, 1);
	flush(&bits);
	*bits.to = bits.bits;
	return bits.to + (bits.nr > 0);
}

static void store24(u8 *to, u32 value)
{
	to[0] = value;
	to[1] = value >> 8;
	to[2] = value >> 16;
}

/* Sequences behind the literals: how many, which codes, and they. */
static u8 *put_sequences(struct zstd_encoder *encoder, u8 *to)
{
	if (encoder->nr >= 128)
		*to++ = 128 + (encoder->nr >> 8);
	*to++ = encoder->nr;
	if (!encoder->nr)
		return to;
	if (encoder->size < encoder->learn) {
		*to++ = MODES_AS_BEFORE;
		return code_sequences(encoder, to);
	}
	learn(encoder);
	encoder->learn = encoder->size + min_u64(max_u64(encoder->size, 1), LEARN_AGAIN);
	*to++ = MODES_LEARNT;
	to = sequence_code__describe(&encoder->codes.literals, to);
	to = sequence_code__describe(&encoder->codes.back, to);
	to = sequence_code__describe(&encoder->codes.match, to);
	return code_sequences(encoder, to);
}

size_t zstd_encoder__pack(struct zstd_encoder *encoder, size_t len, u8 *to)
{
	static const u8 frame[] = { 0x28, 0xb5, 0x2f, 0xfd, 0, (WINDOW_LOG - 10) << 3 };
	u32 back[2] = { encoder->back[0], encoder->back[1] }, size;
	u8 *start = to, *block, *literals, *at;

	if (!encoder->begun) {
		memcpy(to, frame, sizeof(frame));
		to += sizeof(frame);
	}
	encoder->begun = true;
	block = to;
	literals = block + 3 + 3;
	at = find_sequences(encoder, encoder->end + len, literals);
	store24(literals - 3, (at - literals) << 4 | 3 << 2); /* as they are, 20 bits of length */
	at = put_sequences(encoder, at);
	size = at - block - 3;
	store24(block, size << 3 | BLOCK_PACKED << 1);
	if (size >= len) { /* the decoder will not see these distances and codes */
		memcpy(block + 3, encoder->buf + encoder->end, len);
		store24(block, len << 3 | BLOCK_RAW << 1);
		at = block + 3 + len;
		encoder->back[0] = back[0];
		encoder->back[1] = back[1];
		encoder->learn = 0;
	}
	encoder->end += len;
	encoder->size += len;
	return at - start;
}
