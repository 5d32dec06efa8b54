// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/lib/json_read.h"

#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"

void json_reader__init(struct json_reader *reader, const char *text, size_t len)
{
	*reader = (struct json_reader){ .pos = text, .end = text + len, .line = 1 };
	array__reserve(&reader->key, &reader->key_cap, 64, 1);
	array__reserve(&reader->text, &reader->text_cap, 64, 1);
	*reader->key = *reader->text = '\0';
}

void json_reader__exit(struct json_reader *reader)
{
	free(reader->key);
	free(reader->text);
}

static enum json_token fail(struct json_reader *r, const char *error)
{
	if (!r->error)
		r->error = error;
	return JSON_ERROR;
}

/* The next byte that is no blank, or -1 at the end. */
static int peek(struct json_reader *r)
{
	for (; r->pos < r->end; r->pos++) {
		if (*r->pos == '\n')
			r->line++;
		else if (*r->pos != ' ' && *r->pos != '\t' && *r->pos != '\r')
			return (u8)*r->pos;
	}
	return -1;
}

/* --- strings --- */

/* Four hexadecimal digits at the position, or -1. */
static s32 take_hex(struct json_reader *r)
{
	s32 code = 0;

	if (r->end - r->pos < 4)
		return -1;
	for (int i = 0; i < 4; i++, r->pos++) {
		u8 c = *r->pos;
		int digit = c >= '0' && c <= '9'   ? c - '0'
		            : c >= 'a' && c <= 'f' ? c - 'a' + 10
		            : c >= 'A' && c <= 'F' ? c - 'A' + 10
		                                   : -1;

		if (digit < 0)
			return -1;
		code = code << 4 | digit;
	}
	return code;
}

/* The code point behind "\u", with the second half of a pair; 0: none that can be had. */
static u32 take_code(struct json_reader *r)
{
	s32 code = take_hex(r), low;

	if (code < 0xd800 || code > 0xdfff)
		return code > 0 ? code : 0;
	if (code > 0xdbff || r->end - r->pos < 2 || r->pos[0] != '\\' || r->pos[1] != 'u')
		return 0;
	r->pos += 2;
	low = take_hex(r);
	if (low < 0xdc00 || low > 0xdfff)
		return 0;
	return 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
}

static size_t put_utf8(char *to, u32 code)
{
	if (code < 0x80) {
		to[0] = code;
		return 1;
	}
	if (code < 0x800) {
		to[0] = 0xc0 | code >> 6;
		to[1] = 0x80 | (code & 0x3f);
		return 2;
	}
	if (code < 0x10000) {
		to[0] = 0xe0 | code >> 12;
		to[1] = 0x80 | (code >> 6 & 0x3f);
		to[2] = 0x80 | (code & 0x3f);
		return 3;
	}
	to[0] = 0xf0 | code >> 18;
	to[1] = 0x80 | (code >> 12 & 0x3f);
	to[2] = 0x80 | (code >> 6 & 0x3f);
	to[3] = 0x80 | (code & 0x3f);
	return 4;
}

/* What stands behind a backslash, into @to. Returns the bytes; 0: no escape of JSON. */
static size_t take_escape(struct json_reader *r, char *to)
{
	static const char letters[] = "\"\\/bfnrt", bytes[] = "\"\\/\b\f\n\r\t";
	const char *letter = r->pos < r->end && *r->pos ? strchr(letters, *r->pos) : NULL;
	u32 code;

	if (letter) {
		*to = bytes[letter - letters];
		r->pos++;
		return 1;
	}
	if (r->pos == r->end || *r->pos++ != 'u')
		return 0;
	code = take_code(r);
	return code ? put_utf8(to, code) : 0;
}

/* The string whose quote is at the position, decoded to *@to. False: it is broken. */
static bool take_string(struct json_reader *r, char **to, size_t *cap)
{
	size_t len = 0;

	for (r->pos++; r->pos < r->end && *r->pos != '"';) {
		array__reserve(to, cap, len + 5, 1);
		if ((u8)*r->pos < 0x20) {
			fail(r, "a string holds a control character, or does not end");
			return false;
		}
		if (*r->pos != '\\') {
			(*to)[len++] = *r->pos++;
			continue;
		}
		r->pos++;
		size_t n = take_escape(r, *to + len);

		if (!n) {
			fail(r, "a string has an escape that is none");
			return false;
		}
		len += n;
	}
	if (r->pos == r->end) {
		fail(r, "a string does not end");
		return false;
	}
	r->pos++;
	(*to)[len] = '\0';
	return true;
}

/* --- other values --- */

static size_t digits(const struct json_reader *r, const char *at)
{
	const char *s = at;

	while (s < r->end && *s >= '0' && *s <= '9')
		s++;
	return s - at;
}

static enum json_token take_number(struct json_reader *r)
{
	const char *s = r->pos;
	size_t nr;

	s += *s == '-';
	nr = digits(r, s);
	if (!nr || (nr > 1 && *s == '0'))
		return fail(r, nr ? "a number begins with 0" : "a value is missing");
	s += nr;
	if (s < r->end && *s == '.') {
		nr = digits(r, ++s);
		s += nr;
	}
	if (nr && s < r->end && (*s == 'e' || *s == 'E')) {
		s++;
		s += s < r->end && (*s == '-' || *s == '+');
		nr = digits(r, s);
		s += nr;
	}
	if (!nr)
		return fail(r, "a number lacks digits");
	array__reserve(&r->text, &r->text_cap, s - r->pos + 1, 1);
	memcpy(r->text, r->pos, s - r->pos);
	r->text[s - r->pos] = '\0';
	r->pos = s;
	return JSON_NUMBER;
}

static enum json_token take_word(struct json_reader *r)
{
	static const struct {
		const char *word;
		enum json_token token;
	} words[] = { { "true", JSON_TRUE }, { "false", JSON_FALSE }, { "null", JSON_NULL } };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		size_t len = strlen(words[i].word);

		if ((size_t)(r->end - r->pos) < len || memcmp(r->pos, words[i].word, len) != 0)
			continue;
		r->pos += len;
		return words[i].token;
	}
	return take_number(r);
}

static enum json_token open_value(struct json_reader *r, bool object)
{
	if (r->depth == JSON_DEPTH_MAX)
		return fail(r, "objects and arrays are too deep in each other");
	r->objects[r->depth++] = object;
	r->first = true;
	r->pos++;
	return object ? JSON_OBJECT : JSON_ARRAY;
}

static enum json_token close_value(struct json_reader *r)
{
	bool object = r->objects[--r->depth];

	r->first = false;
	r->pos++;
	*r->key = '\0';
	return object ? JSON_OBJECT_END : JSON_ARRAY_END;
}

static enum json_token take_value(struct json_reader *r, int c)
{
	r->first = false;
	switch (c) {
	case -1:
		return fail(r, "the text ends in the middle");
	case '{':
	case '[':
		return open_value(r, c == '{');
	case '"':
		return take_string(r, &r->text, &r->text_cap) ? JSON_STRING : JSON_ERROR;
	default:
		return take_word(r);
	}
}

/* "key": at the position @c. */
static bool take_key(struct json_reader *r, int c)
{
	if (c != '"') {
		fail(r, c < 0 ? "the text ends in the middle" : "a name in quotes is missing");
		return false;
	}
	if (!take_string(r, &r->key, &r->key_cap))
		return false;
	if (peek(r) != ':') {
		fail(r, "':' is missing after a name");
		return false;
	}
	r->pos++;
	return true;
}

enum json_token json_reader__next(struct json_reader *r)
{
	int c = peek(r);
	bool object = r->depth && r->objects[r->depth - 1];

	if (r->error)
		return JSON_ERROR;
	if (!r->depth) {
		if (!r->began) {
			r->began = true;
			return take_value(r, c);
		}
		return c < 0 ? JSON_END : fail(r, "something follows the end");
	}
	if (c == (object ? '}' : ']'))
		return close_value(r);
	if (!r->first) {
		if (c != ',')
			return fail(r, c < 0 ? "the text ends in the middle" : "',' is missing");
		r->pos++;
		c = peek(r);
	}
	if (!object) {
		*r->key = '\0';
		return take_value(r, c);
	}
	return take_key(r, c) ? take_value(r, peek(r)) : JSON_ERROR;
}

enum json_token json_reader__skip(struct json_reader *r, enum json_token token)
{
	u32 depth = r->depth;

	if (token != JSON_OBJECT && token != JSON_ARRAY)
		return token;
	while (token != JSON_ERROR && r->depth >= depth)
		token = json_reader__next(r);
	return token;
}
