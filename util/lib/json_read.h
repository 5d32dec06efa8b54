/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads JSON (RFC 8259) token by token: no tree is built, only the last key and text are kept.
 * Strict and bounded: nesting deeper than JSON_DEPTH_MAX is refused. Text that is not UTF-8 passes
 * unchanged; a NUL in a string ("\u0000") is refused, because strings here are NUL-ended.
 */
#ifndef PERF_UTIL_LIB_JSON_READ_H
#define PERF_UTIL_LIB_JSON_READ_H

#include "util/lib/types.h"

#define JSON_DEPTH_MAX 32

enum json_token {
	JSON_ERROR, /* reader.error says why, reader.line where; all later tokens are JSON_ERROR */
	JSON_END,   /* after the text's single value */
	JSON_OBJECT,
	JSON_OBJECT_END,
	JSON_ARRAY,
	JSON_ARRAY_END,
	JSON_STRING, /* reader.text */
	JSON_NUMBER, /* reader.text, as written */
	JSON_TRUE,
	JSON_FALSE,
	JSON_NULL,
};

struct json_reader {
	/* Of the last token; the texts are valid until the next. */
	char *key;         /* of a member of an object; "" for others */
	char *text;        /* of JSON_STRING and JSON_NUMBER */
	u32 line;          /* from 1 */
	const char *error; /* static */
	/* private */
	const char *pos, *end;
	size_t key_cap, text_cap;
	u32 depth;
	bool objects[JSON_DEPTH_MAX]; /* by depth: an object, else an array */
	bool began, first; /* the text began; nothing yet in the innermost object or array */
};

/* @text of @len bytes must outlive the reader. */
void json_reader__init(struct json_reader *reader, const char *text, size_t len);
void json_reader__exit(struct json_reader *reader);

enum json_token json_reader__next(struct json_reader *reader);

/* Skip the rest of the value that @token began. Returns JSON_ERROR, or any other token. */
enum json_token json_reader__skip(struct json_reader *reader, enum json_token token);

#endif
