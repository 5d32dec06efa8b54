// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/options/config.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "util/lib/out.h"
#include "util/lib/text.h"

struct parser {
	const char *text, *at, *end;
	u32 line; /* of the last byte read */
	bool new_line;
	struct out section; /* "report.", in lower case but for a subsection */
	struct out word;
	const char *cause; /* of the mistake */
};

#define END -1

/* The next byte; "\r\n" is one newline. */
static int next(struct parser *p)
{
	int c = END;

	p->line += p->new_line;
	if (p->at < p->end)
		c = (unsigned char)*p->at++;
	if (c == '\r' && p->at < p->end && *p->at == '\n')
		c = *p->at++;
	p->new_line = c == '\n';
	return c;
}

static int peek(const struct parser *p)
{
	if (p->end - p->at >= 2 && p->at[0] == '\r' && p->at[1] == '\n')
		return '\n';
	return p->at < p->end ? (unsigned char)*p->at : END;
}

static int fail(struct parser *p, const char *cause)
{
	p->cause = cause;
	return -EINVAL;
}

static void start_text(struct out *out)
{
	out->len = 0;
}

/* Up to the newline, which is not read: it may end more than the comment. */
static void skip_comment(struct parser *p)
{
	while (peek(p) != '\n' && peek(p) != END)
		next(p);
}

static int read_subsection(struct parser *p)
{
	int c;

	while ((c = next(p)) != '"') {
		if (c == '\\')
			c = next(p);
		if (c == '\n' || c == END || !c)
			return fail(p, "the quote of the section's name is not closed");
		out__char(&p->section, c);
	}
	return next(p) == ']' ? 0 : fail(p, "a ']' is missing after the section's name");
}

static int read_section(struct parser *p)
{
	int c, ret = 0;

	start_text(&p->section);
	while ((c = next(p)) != ']' && c != ' ' && c != '\t') {
		if (c == '\n' || c == END)
			return fail(p, "a ']' is missing after the section's name");
		if (!isalnum(c) && c != '-' && c != '.' && c != '_')
			return fail(p, "a section's name is made of letters, digits, '-' and '.'");
		out__char(&p->section, tolower(c));
	}
	if (!p->section.len)
		return fail(p, "the section has no name");
	if (c != ']') {
		out__char(&p->section, '.');
		while (peek(p) == ' ' || peek(p) == '\t')
			next(p);
		ret = next(p) == '"' ? read_subsection(p)
		                     : fail(p, "a subsection's name must be quoted");
	}
	out__char(&p->section, '.');
	return ret;
}

static int unescape(int c)
{
	switch (c) {
	case 't':
		return '\t';
	case 'b':
		return '\b';
	case 'n':
		return '\n';
	case '\\':
	case '"':
		return c;
	default:
		return END;
	}
}

/* Behind the '=': up to the end of the line, or of the last one that a backslash joins. */
static int read_value(struct parser *p)
{
	bool quoted = false, blank = false;

	for (;;) {
		int c = next(p);

		if (c == '\n' || c == END)
			return quoted ? fail(p, "a quote is not closed") : 0;
		if (!c)
			return fail(p, "there is a zero byte in the value");
		if (!quoted && (c == ' ' || c == '\t')) {
			blank = p->word.len > 0;
			continue;
		}
		if (!quoted && (c == '#' || c == ';')) {
			skip_comment(p);
			continue;
		}
		if (c == '\\' && peek(p) == '\n') {
			next(p);
			continue;
		}
		if (blank)
			out__char(&p->word, ' ');
		blank = false;
		if (c == '"') {
			quoted = !quoted;
			continue;
		}
		if (c == '\\' && (c = unescape(next(p))) == END)
			return fail(p, "a backslash precedes a character that needs none");
		out__char(&p->word, c);
	}
}

static bool is_name_byte(int c)
{
	return isalnum(c) || c == '-' || c == '_' || c == '.';
}

/* The variable that starts with the byte just read. */
static int read_variable(struct parser *p, int c, struct config *config, struct config_entry *entry)
{
	const char *start = p->at - 1;
	int ret;

	if (!p->section.len)
		return fail(p, "a variable precedes the first [section]");
	entry->line = p->line;
	start_text(&p->word);
	out__mem(&p->word, p->section.buf, p->section.len);
	out__char(&p->word, tolower(c));
	while (is_name_byte(peek(p)))
		out__char(&p->word, tolower(next(p)));
	entry->name = arena__strndup(&config->arena, p->word.buf, p->word.len);
	while (peek(p) == ' ' || peek(p) == '\t')
		next(p);
	if (peek(p) != '=')
		return fail(p, "a '=' is missing after the variable's name");
	next(p);
	start_text(&p->word);
	ret = read_value(p);
	if (ret)
		return ret;
	entry->value = arena__strndup(&config->arena, p->word.buf, p->word.len);
	entry->start = start - p->text;
	entry->end = p->at - p->text;
	array__reserve(&config->entries, &config->cap, config->nr + 1, sizeof(*entry));
	config->entries[config->nr++] = *entry;
	return 0;
}

static int parse(struct parser *p, struct config *config, struct config_entry *entry)
{
	int c, ret = 0;

	if (p->end - p->at >= 3 && !memcmp(p->at, "\xef\xbb\xbf", 3))
		p->at += 3; /* the mark that some editors put in front of UTF-8 */
	while (!ret && (c = next(p)) != END) {
		if (c == '\n' || c == ' ' || c == '\t')
			continue;
		if (c == '#' || c == ';')
			skip_comment(p);
		else if (c == '[')
			ret = read_section(p);
		else if (isalpha(c))
			ret = read_variable(p, c, config, entry);
		else
			ret = fail(p, "a line starts with '[', a letter or '#'");
	}
	return ret;
}

int config__parse(struct config *config, const char *text, size_t len, const char *file,
                  enum config_source source, struct error *err)
{
	struct config_entry entry = { .source = source };
	struct parser p = { .text = text, .at = text, .end = text + len, .line = 1 };
	char position[300];
	int ret;

	entry.file = arena__strndup(&config->arena, file, strlen(file));
	out__init(&p.section, -1);
	out__init(&p.word, -1);
	ret = parse(&p, config, &entry);
	out__exit(&p.section);
	out__exit(&p.word);
	if (!ret)
		return 0;
	snprintf(position, sizeof(position), "%s:%u", file, p.line);
	return error__set(err, ret, "bad configuration", position, "%s", p.cause);
}

void config__exit(struct config *config)
{
	free(config->entries);
	arena__exit(&config->arena);
	*config = (struct config)CONFIG_INIT;
}

static char folded(char c)
{
	return c == '-' ? '_' : tolower((unsigned char)c);
}

static bool same_name(const char *a, const char *b)
{
	while (*a && folded(*a) == folded(*b))
		a++, b++;
	return folded(*a) == folded(*b);
}

const struct config_entry *config__find(const struct config *config, const char *name)
{
	for (size_t i = config->nr; i-- > 0;)
		if (same_name(config->entries[i].name, name))
			return &config->entries[i];
	return NULL;
}

int config__bool(const char *value, bool *result)
{
	static const char *const yes[] = { "true", "yes", "on" };
	static const char *const no[] = { "false", "no", "off", "" };
	u64 number;

	for (size_t i = 0; i < ARRAY_SIZE(yes); i++)
		if (!strcasecmp(value, yes[i])) {
			*result = true;
			return 0;
		}
	for (size_t i = 0; i < ARRAY_SIZE(no); i++)
		if (!strcasecmp(value, no[i])) {
			*result = false;
			return 0;
		}
	if (text__parse_u64(value, &number))
		return -EINVAL;
	*result = number != 0;
	return 0;
}

static int apply_one(const struct option *key, const struct config_entry *entry, struct error *err)
{
	if (key->type != OPTION_BOOL)
		return options__assign(key, key->name, entry->value, err);
	if (!config__bool(entry->value, key->value))
		return 0;
	return error__set(err, -EINVAL, "not true or false", entry->value, "%s", "");
}

int config__apply(const struct config *config, const struct option *keys, struct error *err)
{
	for (const struct option *key = keys; key->type != OPTION_END; key++) {
		const struct config_entry *entry = config__find(config, key->name);
		struct error why = ERROR_INIT;
		char position[300], text[sizeof(why.cause) - 64];
		int ret = entry ? apply_one(key, entry, &why) : 0;

		if (!ret)
			continue;
		snprintf(position, sizeof(position), "%s:%u", entry->file, entry->line);
		error__text(&why, text, sizeof(text));
		text[strcspn(text, "\n")] = '\0';
		return error__set(err, ret, "bad configuration", position, "%.60s: %s", key->name,
		                  text);
	}
	return 0;
}
