// SPDX-License-Identifier: GPL-2.0-or-later
/* Input and output of the D demangler. */
#include "util/symtab/demangle_d_private.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DEPTH 200u

char d__peek(const struct d_parser *p)
{
	return p->at < p->end ? *p->at : '\0';
}

char d__next(struct d_parser *p)
{
	return p->at < p->end ? *p->at++ : '\0';
}

bool d__starts(const struct d_parser *p, const char *text)
{
	size_t len = strlen(text);

	return (size_t)(p->end - p->at) >= len && !memcmp(p->at, text, len);
}

bool d__take(struct d_parser *p, const char *text)
{
	if (!d__starts(p, text))
		return false;
	p->at += strlen(text);
	return true;
}

void d__put_mem(struct d_parser *p, const char *text, size_t len)
{
	if (p->failed || p->mute)
		return;
	if (len >= p->max - p->len) {
		p->failed = true;
		return;
	}
	if (p->len + len >= p->cap) {
		size_t cap = 2 * (p->len + len + 32);
		char *out = realloc(p->out, cap);

		if (!out) {
			p->failed = true;
			return;
		}
		p->out = out;
		p->cap = cap;
	}
	memcpy(p->out + p->len, text, len);
	p->len += len;
	p->out[p->len] = '\0';
}

void d__put(struct d_parser *p, const char *text)
{
	d__put_mem(p, text, strlen(text));
}

static void reverse(char *from, char *to)
{
	while (from + 1 < to) {
		char c = *from;

		*from++ = *--to;
		*to = c;
	}
}

void d__swap_parts(struct d_parser *p, size_t first, size_t middle)
{
	if (p->failed || p->mute)
		return;
	reverse(p->out + first, p->out + middle);
	reverse(p->out + middle, p->out + p->len);
	reverse(p->out + first, p->out + p->len);
}

bool d__enter(struct d_parser *p)
{
	if (++p->depth > MAX_DEPTH || ++p->steps > D_MAX_STEPS)
		p->failed = true;
	return !p->failed;
}

size_t d__skip_digits(struct d_parser *p)
{
	const char *from = p->at;

	while (isdigit((unsigned char)d__peek(p)))
		p->at++;
	p->failed |= p->at == from;
	return p->at - from;
}

size_t d__number(struct d_parser *p)
{
	const char *from = p->at;
	size_t value = 0;

	if (d__skip_digits(p) > 9)
		p->failed = true;
	for (; from < p->at && !p->failed; from++)
		value = 10 * value + (*from - '0');
	return value;
}

const char *d__back(struct d_parser *p)
{
	const char *here = p->at++;
	size_t back = 0;

	for (; isupper((unsigned char)d__peek(p)); p->at++)
		back = min_u64(26 * back + (*p->at - 'A'), INT32_MAX);
	if (!islower((unsigned char)d__peek(p))) {
		p->failed = true;
		return NULL;
	}
	back = 26 * back + (*p->at++ - 'a');
	if (back && back <= (size_t)(here - p->start))
		return here - back;
	p->failed = true;
	return NULL;
}

char d__peek_back(const struct d_parser *p)
{
	struct d_parser copy = *p;
	const char *target = d__back(&copy);

	return target ? *target : '\0';
}
