// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/lib/json_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/unit.h"

/* All tokens in one text: "{a=[1 's' t f n]}"; an error ends it with "!LINE". */
static const char *tokens(const char *text, size_t len, char *buf, size_t size)
{
	struct json_reader reader;
	enum json_token token;
	size_t used = 0;

	*buf = '\0';
	json_reader__init(&reader, text, len);
	do {
		static const char *const marks[] = { "!", "", "{", "}", "[", "]",
			                             "'", "", "t", "f", "n" };

		token = json_reader__next(&reader);
		used += snprintf(buf + used, size - used, "%s%s%s", reader.key,
		                 *reader.key ? "=" : "", marks[token]);
		if (token == JSON_STRING || token == JSON_NUMBER)
			used += snprintf(buf + used, size - used, "%s ", reader.text);
		if (token == JSON_ERROR)
			snprintf(buf + used, size - used, "%u", reader.line);
	} while (token != JSON_END && token != JSON_ERROR);
	CHECK_EQ(token == JSON_ERROR, reader.error != NULL);
	CHECK_EQ(json_reader__next(&reader), token);
	json_reader__exit(&reader);
	return buf;
}

TEST(json_read_tokens)
{
	static const char *const rows[][2] = {
		{ "[]", "[]" },
		{ " { } ", "{}" },
		{ "{\"a\": [1, \"s\", true, false, null], \"b\":-0.5e+3}",
		  "{a=[1 's tfn]b=-0.5e+3 }" },
		{ "[{\"x\":{}},[[]]]", "[{x={}}[[]]]" },
		{ "\"\\u00e4\\ud83d\\ude00\\n\\\"\\/\"", "'\u00e4\U0001f600\n\"/ " },
		{ "\"\"", "' " },
		{ "0", "0 " },
	};
	char buf[200];

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		CHECK_STR(tokens(rows[i][0], strlen(rows[i][0]), buf, sizeof(buf)), rows[i][1]);
}

TEST(json_read_refuses_what_is_none)
{
	static const char *const rows[] = {
		"",
		"[",
		"[1",
		"[1,",
		"[1,]",
		"[1 2]",
		"{",
		"{\"a\"",
		"{\"a\":",
		"{\"a\":1,}",
		"{a:1}",
		"{\"a\" 1}",
		"[}",
		"{]",
		"[] []",
		"tru",
		"01",
		"-",
		"1.",
		"1e",
		"+1",
		"\"a",
		"\"a\nb\"",
		"\"\\x\"",
		"\"\\u12\"",
		"\"\\u0000\"",
		"\"\\ud800\"",
		"\"\\ud800\\u0041\"",
		"\"\\udc00\"",
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct json_reader reader;
		enum json_token token;
		/* No byte behind the end is looked at: the sanitizers see the end of this. */
		char *exact = strndup(rows[i], strlen(rows[i]));

		json_reader__init(&reader, exact, strlen(rows[i]));
		do
			token = json_reader__next(&reader);
		while (token != JSON_ERROR && token != JSON_END);
		if (token != JSON_ERROR)
			CHECK_STR(rows[i], "");
		json_reader__exit(&reader);
		free(exact);
	}
}

TEST(json_read_says_the_line)
{
	char buf[200];

	CHECK_STR(tokens("[\n1,\n\n2 3]", 11, buf, sizeof(buf)), "[1 2 !4");
	CHECK_STR(tokens("{\n\"a\"\n:\n}", 9, buf, sizeof(buf)), "{a=!4");
}

TEST(json_read_depth_is_bounded)
{
	char text[JSON_DEPTH_MAX + 2], buf[200];

	memset(text, '[', sizeof(text));
	tokens(text, JSON_DEPTH_MAX + 1, buf, sizeof(buf));
	CHECK_EQ(strlen(buf), JSON_DEPTH_MAX + strlen("!1"));
}

TEST(json_read_skips_values)
{
	static const char text[] = "[{\"a\":[1,{\"b\":2}]},7]";
	struct json_reader reader;

	json_reader__init(&reader, text, strlen(text));
	CHECK_EQ(json_reader__next(&reader), JSON_ARRAY);
	CHECK_EQ(json_reader__skip(&reader, json_reader__next(&reader)), JSON_OBJECT_END);
	CHECK_EQ(json_reader__next(&reader), JSON_NUMBER);
	CHECK_STR(reader.text, "7");
	CHECK_EQ(json_reader__skip(&reader, JSON_NUMBER), JSON_NUMBER);
	CHECK_EQ(json_reader__next(&reader), JSON_ARRAY_END);
	CHECK_EQ(json_reader__next(&reader), JSON_END);
	json_reader__exit(&reader);
}
