// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/lib/words.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"

struct split {
	const char *text, *at;
	char *word; /* room for the whole text */
	size_t len;
	struct error *err;
};

static int fail(struct split *s, const char *at, const char *cause)
{
	int ret = error__set(s->err, -EINVAL, "cannot split", s->text, "%s", cause);

	if (s->err)
		s->err->column = at - s->text + 1;
	return ret;
}

static void take(struct split *s)
{
	s->word[s->len++] = *s->at++;
}

/* s->at is behind the opening quote. */
static int take_quoted(struct split *s, char quote)
{
	const char *opened = s->at - 1;

	while (*s->at && *s->at != quote) {
		if (quote == '"' && s->at[0] == '\\' && s->at[1] && strchr("\"\\$`", s->at[1]))
			s->at++;
		else if (quote == '"' && (*s->at == '$' || *s->at == '`'))
			return fail(s, s->at, "no shell is there to expand this; see sh -c '...'");
		take(s);
	}
	if (!*s->at)
		return fail(s, opened, "this quote is not closed");
	s->at++;
	return 0;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n';
}

static int take_word(struct split *s)
{
	const char *start = s->at;
	int ret = 0;

	s->len = 0;
	while (!ret && *s->at && !is_blank(*s->at)) {
		char c = *s->at;

		if (c == '\'' || c == '"') {
			s->at++;
			ret = take_quoted(s, c);
		} else if (c == '\\' && !s->at[1]) {
			return fail(s, s->at, "nothing follows the backslash");
		} else if (c == '\\') {
			s->at++;
			take(s);
		} else if (strchr("|&;<>()$`*?[", c) || (strchr("#~", c) && s->at == start)) {
			return fail(s, s->at,
			            "no shell is there to act on this; quote it, or use "
			            "sh -c '...'");
		} else {
			take(s);
		}
	}
	s->word[s->len] = '\0';
	return ret;
}

int words__split(struct words *words, const char *text, struct error *err)
{
	struct split s = { .text = text, .at = text, .err = err };
	int ret = 0;

	*words = (struct words){ .words = NULL };
	s.word = xmalloc(strlen(text) + 1);
	while (!ret) {
		while (is_blank(*s.at))
			s.at++;
		array__reserve(&words->words, &words->cap, words->nr + 1, sizeof(*words->words));
		words->words[words->nr] = NULL;
		if (!*s.at)
			break;
		ret = take_word(&s);
		if (!ret)
			words->words[words->nr++] = xstrdup(s.word);
	}
	free(s.word);
	if (!ret && !words->nr)
		ret = error__set(err, -EINVAL, "cannot split", text, "there is no command in it");
	if (ret)
		words__exit(words);
	return ret;
}

void words__exit(struct words *words)
{
	for (u32 i = 0; i < words->nr; i++)
		free(words->words[i]);
	free(words->words);
	*words = (struct words){ .words = NULL };
}
