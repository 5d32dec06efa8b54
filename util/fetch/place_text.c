// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/fetch/place_text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"
#include "util/lib/text.h"
#include "util/lib/types.h"
#include "util/symtab/demangle.h"

#define BRACKETS_MAX 64

static bool is_word(char c)
{
	return isalnum((u8)c) || c == '_';
}

/*
 * The signs at @at that an operator of C++ has, the most of them: "++" of "+++8". A letter or digit
 * behind them tells that they are not, or fewer: "<" of "<<int>".
 */
static size_t longest_operator(const char *at)
{
	static const char *const operators[] = { "->*", "<<=", ">>=", "<=>", "++", "--", "+=", "-=",
		                                 "*=",  "/=",  "%=",  "^=",  "&=", "|=", "<<", ">>",
		                                 "<=",  ">=",  "==",  "!=",  "&&", "||", "->", "+",
		                                 "-",   "*",   "/",   "%",   "^",  "&",  "|",  "~",
		                                 "!",   "=",   "<",   ">",   "," };

	for (u32 i = 0; i < ARRAY_SIZE(operators); i++)
		if (text__starts_with(at, operators[i]) && !is_word(at[strlen(operators[i])]))
			return strlen(operators[i]);
	return 0;
}

/*
 * How many signs at @at are an operator's, whose name begins at or behind @start. A letter or digit
 * behind them tells that it is none, but a function "operator" of C: "operator+8", "operator=f".
 */
static size_t operator_signs(const char *start, const char *at)
{
	static const char word[] = "operator";
	size_t len = sizeof(word) - 1, signs;

	if ((size_t)(at - start) < len || strncmp(at - len, word, len) != 0 ||
	    ((size_t)(at - start) > len && is_word(at[-(ptrdiff_t)len - 1])))
		return 0;
	signs = longest_operator(at);
	if (!signs && (!strncmp(at, "()", 2) || !strncmp(at, "[]", 2)))
		signs = 2;
	if (!signs && (!strncmp(at, " new", 4) || !strncmp(at, " delete", 7))) {
		signs = at[1] == 'n' ? 4 : 7;
		signs += !strncmp(at + signs, "[]", 2) ? 2 : 0;
	}
	return is_word(at[signs]) ? 0 : signs;
}

static char closing(char c)
{
	static const char pairs[] = "<>(){}[]";
	const char *found = c ? strchr(pairs, c) : NULL;

	return found && !((found - pairs) % 2) ? found[1] : '\0';
}

/*
 * Behind the bracket that closes the one at @at; NULL: none does. Of < that none closes inside of
 * others nobody minds: it is an operator.
 */
static const char *skip_brackets(const char *start, const char *at)
{
	char open[BRACKETS_MAX];
	u32 depth = 0;

	for (; *at; at++) {
		size_t signs = operator_signs(start, at);
		char close = closing(*at);
		u32 of = depth;

		if (signs) {
			at += signs - 1;
			continue;
		}
		if (close && depth == BRACKETS_MAX)
			return NULL;
		if (close)
			open[depth++] = close;
		if (close || !strchr(">)}]", *at) || (*at == '>' && at[-1] == '-'))
			continue;
		while (of > 1 && open[of - 1] != *at && open[of - 1] == '>')
			of--;
		if (open[of - 1] != *at) {
			if (*at == '>') /* is greater than */
				continue;
			return NULL;
		}
		depth = of - 1;
		if (!depth)
			return at + 1;
	}
	return NULL;
}

/* Behind what at @at is part of a name by itself: signs and brackets. NULL: it is not. */
static const char *skip_part(const char *start, const char *at)
{
	size_t signs = operator_signs(start, at);

	return signs ? at + signs : closing(*at) ? skip_brackets(start, at) : NULL;
}

const char *place_text__special(const char *s, const char *set)
{
	const char *start = s;

	while (*s) {
		const char *behind = skip_part(start, s);

		if (behind) {
			s = behind;
			continue;
		}
		if (*s == '\\' && s[1] && !strchr(set, '\\'))
			s++;
		else if (s[0] == ':' && s[1] == ':')
			s++;
		else if (strchr(set, *s))
			break;
		s++;
	}
	return s;
}

size_t place_text__length(const char *s)
{
	const char *start = s, *name = s;
	bool in_name = true;

	while (*s) {
		const char *behind = in_name ? skip_part(name, s) : NULL;

		if (!behind && strchr(" \t\n", *s))
			break;
		if (*s == ';') /* a pattern of source text is the rest of the word */
			return s - start + strcspn(s, " \t\n");
		in_name &= *s != '@';
		s = behind ? behind : s + (*s == '\\' && s[1] ? 2 : 1);
	}
	return s - start;
}

void place_text__unescape(char *text)
{
	char *copy = xstrdup(text), *to = text;

	for (const char *from = copy; *from;) {
		const char *behind = skip_part(copy, from);

		from += !behind && *from == '\\' && from[1];
		size_t len = behind ? (size_t)(behind - from) : 1;

		memcpy(to, from, len);
		to += len;
		from += len;
	}
	*to = '\0';
	free(copy);
}

char *place_text__of_name(const char *name)
{
	char *text = xmalloc(2 * strlen(name) + 1), *to = text;

	for (const char *from = name; *from;) {
		const char *at = place_text__special(from, PLACE_SPECIAL "= \t\n\\");

		memcpy(to, from, at - from);
		to += at - from;
		if (*at) {
			*to++ = '\\';
			*to++ = *at++;
		}
		from = at;
	}
	*to = '\0';
	return text;
}

const char *place_text__last(const char *name)
{
	const char *last = name;

	for (const char *at = name; *at;) {
		const char *behind = skip_part(name, at);

		if (behind) {
			at = behind;
		} else if (at[0] == ':' && at[1] == ':') {
			at += 2;
			if (*at != '<') /* Rust's "parse::<Type>" */
				last = at;
		} else {
			at++;
		}
	}
	return *last ? last : name;
}

/* Between brackets only a star that is all of an argument is a glob: others are pointers. */
static bool has_free_star(const char *from, const char *to)
{
	for (const char *at = from; *from == '<' && at < to; at++)
		if (*at == '*' && strchr("<, ", at[-1]) && strchr(">,", at[1]))
			return true;
	return false;
}

bool place_text__is_glob(const char *name)
{
	for (const char *at = name; *at;) {
		const char *behind = skip_part(name, at);
		bool glob_class =
		        *at == '[' && strncmp(at, "[abi:", 5) != 0 && !operator_signs(name, at);

		if (glob_class || (behind && has_free_star(at, behind)) ||
		    (!behind && strchr("*?", *at)))
			return true;
		at = behind ? behind : at + 1;
	}
	return false;
}

bool place_text__same(const char *a, const char *b)
{
	for (; *a || *b; a++, b++) {
		a += strspn(a, " ");
		b += strspn(b, " ");
		if (*a != *b)
			return false;
		if (!*a)
			return true;
	}
	return true;
}

bool place_text__fits(const char *wanted, const char *name)
{
	return place_text__is_glob(wanted) ? text__glob(wanted, name)
	                                   : place_text__same(wanted, name);
}

/* "int ns::f<int>(int) const [clone .cold]": from its name on, which is @readable, up to ")". */
static bool fits_signature(const char *wanted, const char *mangled, const char *readable)
{
	char *signature = demangle_signature(mangled);
	char *from = signature ? strstr(signature, readable) : NULL, *end;
	bool fits = from && place_text__fits(wanted, from);

	end = from ? strstr(from, " [clone ") : NULL;
	if (end)
		*end = '\0';
	end = from ? strrchr(from, ')') : NULL;
	if (end)
		end[1] = '\0';
	fits |= from && place_text__fits(wanted, from);
	free(signature);
	return fits;
}

bool place_text__fits_symbol(const char *wanted, const char *mangled)
{
	char *readable = demangle(mangled);
	bool fits = readable &&
	            (place_text__fits(wanted, readable) ||
	             (strchr(wanted, '(') && fits_signature(wanted, mangled, readable)) ||
	             (demangle__drop_brackets(readable) && place_text__fits(wanted, readable)));

	free(readable);
	return fits;
}
