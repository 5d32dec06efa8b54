// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A parser that writes while it reads. Where the text has another order than the name (the name has
 * a function's result behind its parameters), parts of the written text are swapped.
 */
#include "util/symtab/demangle_d.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/symtab/demangle_d_private.h"

static void put_identifier(struct d_parser *p, const char *text, size_t len)
{
	static const char *const special[][2] = { { "__ctor", "this" }, { "__dtor", "~this" } };

	for (size_t i = 0; i < sizeof(special) / sizeof(*special); i++)
		if (strlen(special[i][0]) == len && !memcmp(text, special[i][0], len)) {
			d__put(p, special[i][1]);
			return;
		}
	d__put_mem(p, text, len);
}

/* "3foo" */
static void parse_identifier(struct d_parser *p)
{
	size_t len = d__number(p);

	if (p->failed || !len || len > (size_t)(p->end - p->at)) {
		p->failed = true;
		return;
	}
	put_identifier(p, p->at, len);
	p->at += len;
}

/* A string's characters, as two hexadecimal digits each. */
static void parse_string(struct d_parser *p)
{
	char kind = *p->at++;
	size_t len = d__number(p);

	if (!d__take(p, "_") || len > (size_t)(p->end - p->at) / 2) {
		p->failed = true;
		return;
	}
	d__put(p, "\"");
	for (; len && !p->failed; len--, p->at += 2) {
		char digits[3] = { p->at[0], p->at[1] }, text[8], *end;
		unsigned long value = strtoul(digits, &end, 16);

		p->failed |= *end != '\0' || !isxdigit((unsigned char)digits[0]);
		if (value >= 0x20 && value < 0x7f)
			snprintf(text, sizeof(text), "%c", (int)value);
		else if (value >= '\t' && value <= '\r')
			snprintf(text, sizeof(text), "\\%c", "tnvfr"[value - '\t']);
		else
			snprintf(text, sizeof(text), "\\x%02lx", value);
		d__put(p, text);
	}
	d__put(p, "\"");
	if (kind != 'a')
		d__put_mem(p, &kind, 1);
}

static void put_integer(struct d_parser *p, const char *digits, size_t len, char type)
{
	const char *suffix = strchr("htk", type) ? "u"
	                     : type == 'l'       ? "L"
	                     : type == 'm'       ? "uL"
	                                         : "";
	char text[32];

	if (type == 'b' && len == 1) {
		d__put(p, *digits == '0' ? "false" : "true");
	} else if (strchr("auw", type) && len < 10) {
		long value = strtol(digits, NULL, 10); /* it ends before the next letter */

		if (value >= 0x20 && value < 0x7f)
			snprintf(text, sizeof(text), "'%c'", (int)value);
		else
			snprintf(text, sizeof(text), "'\\x%02lx'", value);
		d__put(p, text);
	} else {
		d__put_mem(p, digits, len);
		d__put(p, suffix);
	}
}

/* "8P1" is 0x8p+1, "18N3" is 0x1.8p-3; also NAN, INF, NINF. */
static void parse_real(struct d_parser *p)
{
	const char *from;
	char first;

	if (d__take(p, "NAN") || d__take(p, "INF") || d__take(p, "NINF")) {
		d__put(p, p->at[-1] == 'N' ? "NaN" : p->at[-4] == 'N' ? "-Inf" : "Inf");
		return;
	}
	d__put(p, d__take(p, "N") ? "-0x" : "0x");
	first = d__next(p);
	p->failed |= !isxdigit((unsigned char)first);
	d__put_mem(p, &first, 1);
	d__put(p, ".");
	for (from = p->at; isxdigit((unsigned char)d__peek(p)); p->at++)
		;
	d__put_mem(p, from, p->at - from);
	if (!d__take(p, "P"))
		p->failed = true;
	d__put(p, d__take(p, "N") ? "p-" : "p");
	from = p->at;
	d__put_mem(p, from, d__skip_digits(p));
}

/* A whole name behind its "_D"; its type, or a function's result, is not shown. */
static void parse_with_type(struct d_parser *p)
{
	d__qualified(p);
	if (d__take(p, "Z")) /* the compiler's own data have none */
		return;
	p->mute++;
	d__type(p);
	p->mute--;
}

/* The value of a template's argument; @type: what its type begins with. */
static void parse_value(struct d_parser *p, char type);

/* "3i1i2i3", between brackets; pairs of keys and values in the array of type H. */
static void parse_values(struct d_parser *p, const char *open, bool pairs, const char *close)
{
	size_t nr;

	p->at++;
	nr = d__number(p);
	d__put(p, open);
	for (size_t i = 0; i < nr && !p->failed; i++) {
		if (i)
			d__put(p, ", ");
		parse_value(p, '\0');
		if (pairs) {
			d__put(p, ":");
			parse_value(p, '\0');
		}
	}
	d__put(p, close);
}

static void parse_value(struct d_parser *p, char type)
{
	const char *digits;
	char c = d__peek(p);

	if (!d__enter(p)) {
	} else if (c == 'A') {
		parse_values(p, "[", type == 'H', "]");
	} else if (c == 'S') {
		parse_values(p, "(", false, ")");
	} else if (c == 'a' || c == 'w' || c == 'd') {
		parse_string(p);
	} else if (d__take(p, "n")) {
		d__put(p, "null");
	} else if (d__take(p, "e")) {
		parse_real(p);
	} else if (d__take(p, "c")) {
		parse_real(p);
		d__put(p, "+");
		p->failed |= !d__take(p, "c");
		parse_real(p);
		d__put(p, "i");
	} else if (d__take(p, "f_D")) {
		parse_with_type(p);
	} else {
		if (d__take(p, "N"))
			d__put(p, "-");
		else
			d__take(p, "i");
		digits = p->at;
		put_integer(p, digits, d__skip_digits(p), type ? type : ' ');
	}
	p->depth--;
}

static void parse_value_argument(struct d_parser *p)
{
	char type = d__peek(p) == 'Q' ? d__peek_back(p) : d__peek(p);
	size_t before = p->len;

	d__type(p);
	if (!p->mute && !p->failed && d__peek(p) != 'S') { /* a struct's value has its name */
		p->len = before;
		p->out[before] = '\0';
	}
	parse_value(p, type);
}

static void parse_argument(struct d_parser *p)
{
	d__take(p, "H"); /* a specialization */
	if (d__take(p, "T")) {
		d__type(p);
	} else if (d__take(p, "V")) {
		parse_value_argument(p);
	} else if (d__take(p, "S_D")) {
		parse_with_type(p);
	} else if (d__take(p, "S")) {
		d__qualified(p);
	} else if (d__take(p, "X")) {
		size_t len = d__number(p);

		if (len > (size_t)(p->end - p->at))
			p->failed = true;
		d__put_mem(p, p->at, p->failed ? 0 : len);
		p->at += p->failed ? 0 : len;
	} else {
		p->failed = true;
	}
}

static void parse_symbol(struct d_parser *p);

/* "__T3fooTiZ" is foo!(int) */
static void parse_template(struct d_parser *p)
{
	p->at += 3;
	parse_symbol(p);
	d__put(p, "!(");
	for (unsigned i = 0; !p->failed && !d__take(p, "Z"); i++) {
		if (i)
			d__put(p, ", ");
		parse_argument(p);
	}
	d__put(p, ")");
}

static bool is_template(const struct d_parser *p)
{
	return d__starts(p, "__T") || d__starts(p, "__U");
}

/* In older names a template has its length in front, as an identifier. */
static bool parse_measured_template(struct d_parser *p)
{
	struct d_parser before = *p;
	size_t len = d__number(p);
	const char *end = p->at + len;

	if (!p->failed && len <= (size_t)(p->end - p->at) && is_template(p)) {
		parse_template(p);
		if (!p->failed && p->at == end)
			return true;
	}
	p->at = before.at;
	p->len = before.len;
	p->failed = before.failed || p->steps > D_MAX_STEPS;
	return false;
}

/* One part of a qualified name. */
static void parse_symbol(struct d_parser *p)
{
	if (!d__enter(p)) {
	} else if (d__peek(p) == 'Q') {
		const char *target = d__back(p), *behind = p->at;

		if (target && isdigit((unsigned char)*target)) {
			p->at = target;
			parse_identifier(p);
			p->at = behind;
		} else {
			p->failed = true;
		}
	} else if (is_template(p)) {
		parse_template(p);
	} else if (!parse_measured_template(p)) {
		parse_identifier(p);
	}
	p->depth--;
}

static bool is_symbol(const struct d_parser *p)
{
	return isdigit((unsigned char)d__peek(p)) || is_template(p) ||
	       (d__peek(p) == 'Q' && isdigit((unsigned char)d__peek_back(p)));
}

/* ---- functions and whole names ---- */

/* The parameters of a symbol that is a function; all is as before when there are none. */
static void parse_own_parameters(struct d_parser *p)
{
	struct d_parser before = *p;
	size_t start = p->len, middle;

	p->mute += !p->signature;
	if (d__take(p, "M"))
		d__modifiers(p);
	middle = p->len;
	if (d__linkage(d__peek(p))) {
		p->at++;
		p->mute++;
		d__attributes(p);
		p->mute--;
		d__parameters(p);
		d__swap_parts(p, start, middle);
		if (!p->mute && p->depth > 1) /* they belong to whole names */
			p->len -= middle - start;
	} else {
		p->failed = true;
	}
	p->mute = before.mute;
	if (p->failed) {
		p->at = before.at;
		p->len = before.len;
		p->depth = before.depth;
		p->failed = before.failed || p->steps > D_MAX_STEPS;
	}
}

/*
 * What the compiler adds to each module, class and struct says whose it is: @start is where that
 * was written. The Z behind is left.
 */
static bool parse_compilers_own(struct d_parser *p, size_t start)
{
	static const char *const names[][2] = { { "6__initZ", "initializer for " },
		                                { "6__vtblZ", "vtable for " },
		                                { "7__ClassZ", "ClassInfo for " },
		                                { "11__InterfaceZ", "Interface for " },
		                                { "12__ModuleInfoZ", "ModuleInfo for " } };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (d__starts(p, names[i][0])) {
			size_t middle = p->len;

			p->at += strlen(names[i][0]) - 1;
			d__put(p, names[i][1]);
			d__swap_parts(p, start, middle);
			return true;
		}
	return false;
}

/* A copy's constructor is written as it is in the source, not called like a function. */
static bool parse_postblit(struct d_parser *p)
{
	if (!d__take(p, "10__postblitMFZ"))
		return false;
	d__put(p, "this(this)");
	return true;
}

void d__qualified(struct d_parser *p)
{
	size_t start = p->len;

	if (d__enter(p))
		for (unsigned i = 0; !p->failed && (!i || is_symbol(p)); i++) {
			if (i && parse_compilers_own(p, start))
				break;
			if (i)
				d__put(p, ".");
			while (d__take(p, "0")) /* a place without a name */
				;
			if (parse_postblit(p))
				break;
			parse_symbol(p);
			parse_own_parameters(p);
		}
	p->depth--;
}

char *demangle_d(const char *name, bool signature, unsigned long max)
{
	/* Behind a dot stands what the compiler did: ".part.0". */
	struct d_parser p = { .start = name, .end = name + strcspn(name, "."), .max = max };

	if (!strcmp(name, "_Dmain"))
		return strdup("D main");
	if (strncmp(name, "_D", 2) != 0)
		return NULL;
	p.at = name + 2;
	p.signature = signature;
	parse_with_type(&p);
	p.failed |= p.at != p.end;
	if (signature && *p.end) {
		d__put(&p, " [clone ");
		d__put(&p, p.end);
		d__put(&p, "]");
	}
	if (!p.failed && p.len)
		return p.out;
	free(p.out);
	return NULL;
}
