// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * libiberty demangles C++ and Rust here, D in demangle_d.c; OCaml this file itself. libiberty.h
 * declares x* functions that clash with those of util/lib/alloc.h: so this file uses neither, and
 * only those entry points of libiberty that work with malloc alone.
 */
#include "util/symtab/demangle.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_DEMANGLE
#include <libiberty/demangle.h>
#endif

#include "util/symtab/demangle_d.h"

#define MAX_MANGLED   8192
#define MAX_DEMANGLED (128u * 1024)

#ifdef HAVE_DEMANGLE
/*
 * A short name can stand for gigabytes (a type made of two of the type before, thirty times over),
 * and names can be an attacker's: so the text is taken piece by piece, and when it is too long
 * the demangler is left by a jump. Its C++ half allocates nothing that would be lost by that.
 */
struct text {
	char *data; /* malloc'ed; NULL: memory was short */
	size_t len, cap;
	jmp_buf too_long;
};

static void append(const char *piece, size_t len, void *opaque)
{
	struct text *text = opaque;

	if (!len)
		return;
	if (len >= MAX_DEMANGLED - text->len)
		longjmp(text->too_long, 1);
	if (text->len + len >= text->cap) {
		text->cap = 2 * (text->len + len + 64);
		char *data = realloc(text->data, text->cap);

		if (!data)
			longjmp(text->too_long, 1);
		text->data = data;
	}
	memcpy(text->data + text->len, piece, len);
	text->len += len;
	text->data[text->len] = '\0';
}

static char *demangle_native(const char *name, bool signature)
{
	struct text text = { .data = NULL };
	int ok = 0;

	if (name[0] != '_')
		return NULL;
	if (!setjmp(text.too_long)) {
		/* Rust's older names are valid C++ names too: ask Rust first. */
		ok = (name[1] == 'R' || name[1] == 'Z') &&
		     rust_demangle_callback(name, DMGL_NO_OPTS, append, &text);
		if (!ok) {
			text.len = 0;
			ok = cplus_demangle_v3_callback(
			        name, signature ? DMGL_PARAMS | DMGL_ANSI : DMGL_NO_OPTS, append,
			        &text);
		}
	} else {
		ok = 0;
	}
	if (ok && text.len)
		return text.data;
	free(text.data);
	return NULL;
}
#else
static char *demangle_native(const char *name, bool signature)
{
	(void)name;
	(void)signature;
	return NULL;
}
#endif

static int lower_hex(char c)
{
	return isdigit((unsigned char)c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* camlModule__function_12: "__" stands for a dot, $xx for the character of that code. */
static char *demangle_ocaml(const char *name)
{
	char *text = malloc(strlen(name) + 1), *out = text;

	for (const char *p = name + 4; text && *p;) {
		int high = p[0] == '$' && p[1] ? lower_hex(p[1]) : -1;
		int low = high >= 0 && p[2] ? lower_hex(p[2]) : -1;

		if (p[0] == '_' && p[1] == '_') {
			*out++ = '.';
			p += 2;
		} else if (low >= 0) {
			*out++ = high << 4 | low;
			p += 3;
		} else {
			*out++ = *p++;
		}
	}
	if (text)
		*out = '\0';
	return text;
}

static char *demangle_plain(const char *name, bool signature)
{
	if (!strncmp(name, "caml", 4) && isupper((unsigned char)name[4]))
		return demangle_ocaml(name);
	if (name[0] == '_' && name[1] == 'D')
		return demangle_d(name, signature, MAX_DEMANGLED);
	return demangle_native(name, signature);
}

static char *demangle_any(const char *name, bool signature)
{
	size_t len = strlen(name);

	if (len < 3 || len > MAX_MANGLED || (name[0] != '_' && name[0] != 'c'))
		return NULL;
	if (len < 8 || strcmp(name + len - 4, "@plt"))
		return demangle_plain(name, signature);
	char *base = strndup(name, len - 4);
	char *text = base ? demangle_plain(base, signature) : NULL, *result = NULL;

	if (text && asprintf(&result, "%s@plt", text) < 0)
		result = NULL;
	free(text);
	free(base);
	return result;
}

char *demangle(const char *name)
{
	return demangle_any(name, false);
}

char *demangle_signature(const char *name)
{
	return demangle_any(name, true);
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* How long the operator is that "operator" in front of @p names, if it has angle brackets. */
static size_t operator_length(const char *start, const char *p)
{
	static const char word[] = "operator";
	size_t len = sizeof(word) - 1;

	if ((size_t)(p - start) < len || memcmp(p - len, word, len) ||
	    ((size_t)(p - start) > len && is_word(p[-(ptrdiff_t)len - 1])))
		return 0;
	return strspn(p, "<>=-*");
}

/* The place behind the list of arguments that begins at @p with '<', or NULL. */
static const char *skip_arguments(const char *start, const char *p)
{
	size_t skip;

	for (unsigned depth = 0; *p; p++) {
		skip = operator_length(start, p);
		if (skip)
			p += skip - 1;
		else if (*p == '<')
			depth++;
		else if (*p == '>' && p[-1] != '-' && !--depth)
			return p + 1;
	}
	return NULL;
}

void demangle__shorten(char *name)
{
	const char *const dots = "<...>";
	char *copy = strdup(name), *out = name;

	for (const char *p = copy; p && *p;) {
		size_t skip = operator_length(copy, p);
		const char *end =
		        !skip && *p == '<' && p > copy && (is_word(p[-1]) || strchr(":)]", p[-1]))
		                ? skip_arguments(copy, p)
		                : NULL;

		if (end && end - p > 5) {
			memcpy(out, dots, 5);
			out += 5;
			p = end;
			continue;
		}
		if (!skip)
			skip = 1;
		memcpy(out, p, skip);
		out += skip;
		p += skip;
	}
	if (copy)
		*out = '\0';
	free(copy);
}

bool demangle__drop_brackets(char *name)
{
	unsigned depth = 0;

	if (*name != '<')
		return false;
	for (char *at = name; *at; at++) {
		depth += *at == '<';
		if (depth == 1 && !strncmp(at, " as ", 4))
			return false;
		if (*at != '>' || --depth)
			continue;
		memmove(at, at + 1, strlen(at));
		memmove(name, name + 1, strlen(name));
		return true;
	}
	return false;
}
