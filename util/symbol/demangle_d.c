// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A parser that writes while it reads. Where the text has another order than the name (the result
 * of a function stands behind its parameters there), what was written is turned around.
 */
#include "util/symbol/demangle_d.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/lib/types.h"

#define MAX_DEPTH 200
#define MAX_STEPS 50000 /* types and symbols read; what is referred to is read again each time */

struct d_parser {
	const char *start, *end, *at;
	char *out; /* malloc'ed */
	size_t len, cap, max;
	unsigned depth, steps;
	unsigned mute; /* above 0: read only */
	bool failed, signature;
};

static void parse_type(struct d_parser *p);
static void parse_qualified(struct d_parser *p);

/* ---- reading and writing ---- */

static char peek(const struct d_parser *p)
{
	return p->at < p->end ? *p->at : '\0';
}

static char next(struct d_parser *p)
{
	return p->at < p->end ? *p->at++ : '\0';
}

static bool starts(const struct d_parser *p, const char *text)
{
	size_t len = strlen(text);

	return (size_t)(p->end - p->at) >= len && !memcmp(p->at, text, len);
}

static bool take(struct d_parser *p, const char *text)
{
	if (!starts(p, text))
		return false;
	p->at += strlen(text);
	return true;
}

static void put_mem(struct d_parser *p, const char *text, size_t len)
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

static void put(struct d_parser *p, const char *text)
{
	put_mem(p, text, strlen(text));
}

static void reverse(char *from, char *to)
{
	while (from + 1 < to) {
		char c = *from;

		*from++ = *--to;
		*to = c;
	}
}

/* What was written from @middle on goes before what was written from @first on. */
static void swap_parts(struct d_parser *p, size_t first, size_t middle)
{
	if (p->failed || p->mute)
		return;
	reverse(p->out + first, p->out + middle);
	reverse(p->out + middle, p->out + p->len);
	reverse(p->out + first, p->out + p->len);
}

/* One level deeper, if that is allowed; ends with p->depth--. */
static bool enter(struct d_parser *p)
{
	if (++p->depth > MAX_DEPTH || ++p->steps > MAX_STEPS)
		p->failed = true;
	return !p->failed;
}

/* Digits, as they are: their length; 0 and failed where there are none. */
static size_t skip_digits(struct d_parser *p)
{
	const char *from = p->at;

	while (isdigit((unsigned char)peek(p)))
		p->at++;
	p->failed |= p->at == from;
	return p->at - from;
}

static size_t parse_number(struct d_parser *p)
{
	const char *from = p->at;
	size_t value = 0;

	if (skip_digits(p) > 9)
		p->failed = true;
	for (; from < p->at && !p->failed; from++)
		value = 10 * value + (*from - '0');
	return value;
}

/* "Qb": how far back it is, in letters, the last a small one. NULL: it leads nowhere. */
static const char *parse_back(struct d_parser *p)
{
	const char *here = p->at++;
	size_t back = 0;

	for (; isupper((unsigned char)peek(p)); p->at++)
		back = min_u64(26 * back + (*p->at - 'A'), INT32_MAX);
	if (!islower((unsigned char)peek(p))) {
		p->failed = true;
		return NULL;
	}
	back = 26 * back + (*p->at++ - 'a');
	if (back && back <= (size_t)(here - p->start))
		return here - back;
	p->failed = true;
	return NULL;
}

/* The character that a reference back at p->at leads to; 0: none. */
static char peek_back(const struct d_parser *p)
{
	struct d_parser copy = *p;
	const char *target = parse_back(&copy);

	return target ? *target : '\0';
}

/* ---- symbols ---- */

static void put_identifier(struct d_parser *p, const char *text, size_t len)
{
	static const char *const special[][2] = { { "__ctor", "this" }, { "__dtor", "~this" } };

	for (size_t i = 0; i < sizeof(special) / sizeof(*special); i++)
		if (strlen(special[i][0]) == len && !memcmp(text, special[i][0], len)) {
			put(p, special[i][1]);
			return;
		}
	put_mem(p, text, len);
}

/* "3foo" */
static void parse_identifier(struct d_parser *p)
{
	size_t len = parse_number(p);

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
	size_t len = parse_number(p);

	if (!take(p, "_") || len > (size_t)(p->end - p->at) / 2) {
		p->failed = true;
		return;
	}
	put(p, "\"");
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
		put(p, text);
	}
	put(p, "\"");
	if (kind != 'a')
		put_mem(p, &kind, 1);
}

static void put_integer(struct d_parser *p, const char *digits, size_t len, char type)
{
	const char *suffix = strchr("htk", type) ? "u"
	                     : type == 'l'       ? "L"
	                     : type == 'm'       ? "uL"
	                                         : "";
	char text[32];

	if (type == 'b' && len == 1) {
		put(p, *digits == '0' ? "false" : "true");
	} else if (strchr("auw", type) && len < 10) {
		long value = strtol(digits, NULL, 10); /* it ends before the next letter */

		if (value >= 0x20 && value < 0x7f)
			snprintf(text, sizeof(text), "'%c'", (int)value);
		else
			snprintf(text, sizeof(text), "'\\x%02lx'", value);
		put(p, text);
	} else {
		put_mem(p, digits, len);
		put(p, suffix);
	}
}

/* "8P1" is 0x8p+1, "18N3" is 0x1.8p-3; also NAN, INF, NINF. */
static void parse_real(struct d_parser *p)
{
	const char *from;
	char first;

	if (take(p, "NAN") || take(p, "INF") || take(p, "NINF")) {
		put(p, p->at[-1] == 'N' ? "NaN" : p->at[-4] == 'N' ? "-Inf" : "Inf");
		return;
	}
	put(p, take(p, "N") ? "-0x" : "0x");
	first = next(p);
	p->failed |= !isxdigit((unsigned char)first);
	put_mem(p, &first, 1);
	put(p, ".");
	for (from = p->at; isxdigit((unsigned char)peek(p)); p->at++)
		;
	put_mem(p, from, p->at - from);
	if (!take(p, "P"))
		p->failed = true;
	put(p, take(p, "N") ? "p-" : "p");
	from = p->at;
	put_mem(p, from, skip_digits(p));
}

/* A whole name behind its "_D"; its type, or a function's result, is not shown. */
static void parse_with_type(struct d_parser *p)
{
	parse_qualified(p);
	if (take(p, "Z")) /* the compiler's own data have none */
		return;
	p->mute++;
	parse_type(p);
	p->mute--;
}

/* The value of a template's argument; @type: what its type begins with. */
static void parse_value(struct d_parser *p, char type);

/* "3i1i2i3", between brackets; pairs of keys and values in the array of type H. */
static void parse_values(struct d_parser *p, const char *open, bool pairs, const char *close)
{
	size_t nr;

	p->at++;
	nr = parse_number(p);
	put(p, open);
	for (size_t i = 0; i < nr && !p->failed; i++) {
		if (i)
			put(p, ", ");
		parse_value(p, '\0');
		if (pairs) {
			put(p, ":");
			parse_value(p, '\0');
		}
	}
	put(p, close);
}

static void parse_value(struct d_parser *p, char type)
{
	const char *digits;
	char c = peek(p);

	if (!enter(p)) {
	} else if (c == 'A') {
		parse_values(p, "[", type == 'H', "]");
	} else if (c == 'S') {
		parse_values(p, "(", false, ")");
	} else if (c == 'a' || c == 'w' || c == 'd') {
		parse_string(p);
	} else if (take(p, "n")) {
		put(p, "null");
	} else if (take(p, "e")) {
		parse_real(p);
	} else if (take(p, "c")) {
		parse_real(p);
		put(p, "+");
		p->failed |= !take(p, "c");
		parse_real(p);
		put(p, "i");
	} else if (take(p, "f_D")) {
		parse_with_type(p);
	} else {
		if (take(p, "N"))
			put(p, "-");
		else
			take(p, "i");
		digits = p->at;
		put_integer(p, digits, skip_digits(p), type ? type : ' ');
	}
	p->depth--;
}

static void parse_value_argument(struct d_parser *p)
{
	char type = peek(p) == 'Q' ? peek_back(p) : peek(p);
	size_t before = p->len;

	parse_type(p);
	if (!p->mute && !p->failed && peek(p) != 'S') { /* a struct's value has its name */
		p->len = before;
		p->out[before] = '\0';
	}
	parse_value(p, type);
}

static void parse_argument(struct d_parser *p)
{
	take(p, "H"); /* a specialization */
	if (take(p, "T")) {
		parse_type(p);
	} else if (take(p, "V")) {
		parse_value_argument(p);
	} else if (take(p, "S_D")) {
		parse_with_type(p);
	} else if (take(p, "S")) {
		parse_qualified(p);
	} else if (take(p, "X")) {
		size_t len = parse_number(p);

		if (len > (size_t)(p->end - p->at))
			p->failed = true;
		put_mem(p, p->at, p->failed ? 0 : len);
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
	put(p, "!(");
	for (unsigned i = 0; !p->failed && !take(p, "Z"); i++) {
		if (i)
			put(p, ", ");
		parse_argument(p);
	}
	put(p, ")");
}

static bool is_template(const struct d_parser *p)
{
	return starts(p, "__T") || starts(p, "__U");
}

/* In older names a template has its length in front, as an identifier. */
static bool parse_measured_template(struct d_parser *p)
{
	struct d_parser before = *p;
	size_t len = parse_number(p);
	const char *end = p->at + len;

	if (!p->failed && len <= (size_t)(p->end - p->at) && is_template(p)) {
		parse_template(p);
		if (!p->failed && p->at == end)
			return true;
	}
	p->at = before.at;
	p->len = before.len;
	p->failed = before.failed || p->steps > MAX_STEPS;
	return false;
}

/* One part of a qualified name. */
static void parse_symbol(struct d_parser *p)
{
	if (!enter(p)) {
	} else if (peek(p) == 'Q') {
		const char *target = parse_back(p), *behind = p->at;

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
	return isdigit((unsigned char)peek(p)) || is_template(p) ||
	       (peek(p) == 'Q' && isdigit((unsigned char)peek_back(p)));
}

/* ---- functions ---- */

static const char *linkage(char c)
{
	switch (c) {
	case 'F':
		return "";
	case 'U':
		return "extern(C) ";
	case 'W':
		return "extern(Windows) ";
	case 'V':
		return "extern(Pascal) ";
	case 'R':
		return "extern(C++) ";
	case 'Y':
		return "extern(Objective-C) ";
	default:
		return NULL;
	}
}

/* Written with a blank in front of each. */
static void parse_attributes(struct d_parser *p)
{
	static const char *const words[] = {
		['a'] = "pure",     ['b'] = "nothrow", ['c'] = "ref",   ['d'] = "@property",
		['e'] = "@trusted", ['f'] = "@safe",   ['i'] = "@nogc", ['j'] = "return",
		['l'] = "scope",    ['m'] = "@live"
	};

	while (peek(p) == 'N' && p->at + 1 < p->end && (unsigned char)p->at[1] <= 'm' &&
	       words[(unsigned char)p->at[1]]) {
		put(p, " ");
		put(p, words[(unsigned char)p->at[1]]);
		p->at += 2;
	}
}

static void parse_parameter(struct d_parser *p)
{
	static const char *const storage[][2] = { { "M", "scope " }, { "Nk", "return " },
		                                  { "I", "in " },    { "J", "out " },
		                                  { "K", "ref " },   { "L", "lazy " } };

	for (size_t i = 0; i < sizeof(storage) / sizeof(*storage); i++)
		if (take(p, storage[i][0])) {
			put(p, storage[i][1]);
			i = -1; /* in any order */
		}
	parse_type(p);
}

/* "iAaZ" is (int, char[]) */
static void parse_parameters(struct d_parser *p)
{
	put(p, "(");
	for (unsigned i = 0; !p->failed && !take(p, "Z"); i++) {
		if (take(p, "X")) {
			put(p, "...");
			break;
		}
		if (i)
			put(p, ", ");
		if (take(p, "Y")) {
			put(p, "...");
			break;
		}
		parse_parameter(p);
	}
	put(p, ")");
}

/* "xFiZ" behind 'M': const methods. Written behind the parameters. */
static void parse_modifiers(struct d_parser *p)
{
	for (;;) {
		if (take(p, "Ng"))
			put(p, " inout");
		else if (take(p, "x"))
			put(p, " const");
		else if (take(p, "y"))
			put(p, " immutable");
		else if (take(p, "O"))
			put(p, " shared");
		else
			return;
	}
}

/* The parameters of a symbol that is a function; all is as before when there are none. */
static void parse_own_parameters(struct d_parser *p)
{
	struct d_parser before = *p;
	size_t start = p->len, middle;

	p->mute += !p->signature;
	if (take(p, "M"))
		parse_modifiers(p);
	middle = p->len;
	if (linkage(peek(p))) {
		p->at++;
		p->mute++;
		parse_attributes(p);
		p->mute--;
		parse_parameters(p);
		swap_parts(p, start, middle);
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
		p->failed = before.failed || p->steps > MAX_STEPS;
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
		if (starts(p, names[i][0])) {
			size_t middle = p->len;

			p->at += strlen(names[i][0]) - 1;
			put(p, names[i][1]);
			swap_parts(p, start, middle);
			return true;
		}
	return false;
}

/* A copy's constructor is written as it is in the source, not called like a function. */
static bool parse_postblit(struct d_parser *p)
{
	if (!take(p, "10__postblitMFZ"))
		return false;
	put(p, "this(this)");
	return true;
}

static void parse_qualified(struct d_parser *p)
{
	size_t start = p->len;

	if (enter(p))
		for (unsigned i = 0; !p->failed && (!i || is_symbol(p)); i++) {
			if (i && parse_compilers_own(p, start))
				break;
			if (i)
				put(p, ".");
			while (take(p, "0")) /* a place without a name */
				;
			if (parse_postblit(p))
				break;
			parse_symbol(p);
			parse_own_parameters(p);
		}
	p->depth--;
}

/* ---- types ---- */

/* "FNaiZv" is void(int) pure */
static void parse_function(struct d_parser *p)
{
	const char *extern_c = linkage(peek(p));
	size_t attributes = p->len, start, end;

	if (!extern_c) {
		p->failed = true;
		return;
	}
	p->at++;
	parse_attributes(p);
	start = p->len;
	parse_parameters(p);
	swap_parts(p, attributes, start); /* (int) pure */
	end = p->len;
	put(p, extern_c);
	parse_type(p);
	swap_parts(p, attributes, end);
}

static void parse_delegate(struct d_parser *p)
{
	size_t start = p->len, middle;

	put(p, " delegate");
	parse_modifiers(p);
	middle = p->len;
	if (peek(p) == 'Q') {
		parse_type(p);
	} else {
		parse_function(p);
	}
	swap_parts(p, start, middle);
}

static void parse_wrapped(struct d_parser *p, const char *before, const char *behind)
{
	put(p, before);
	parse_type(p);
	put(p, behind);
}

/* "Hki" is int[uint] */
static void parse_map(struct d_parser *p)
{
	size_t start = p->len, middle;

	put(p, "[");
	parse_type(p);
	put(p, "]");
	middle = p->len;
	parse_type(p);
	swap_parts(p, start, middle);
}

static void parse_fixed_array(struct d_parser *p)
{
	const char *digits = p->at;
	size_t len = skip_digits(p);

	parse_type(p);
	put(p, "[");
	put_mem(p, digits, len);
	put(p, "]");
}

static void parse_tuple(struct d_parser *p)
{
	size_t nr = parse_number(p);

	put(p, "Tuple!(");
	for (size_t i = 0; i < nr && !p->failed; i++) {
		if (i)
			put(p, ", ");
		parse_type(p);
	}
	put(p, ")");
}

static void parse_pointer(struct d_parser *p)
{
	if (linkage(peek(p))) {
		parse_function(p);
		put(p, " function");
	} else {
		parse_wrapped(p, "", "*");
	}
}

static void parse_type_back(struct d_parser *p)
{
	const char *target = parse_back(p), *behind = p->at;

	if (!target)
		return;
	p->at = target;
	parse_type(p);
	p->at = behind;
}

static const char *basic_type(char c)
{
	static const char *const names[] = {
		['a'] = "char",   ['b'] = "bool",         ['c'] = "creal",  ['d'] = "double",
		['e'] = "real",   ['f'] = "float",        ['g'] = "byte",   ['h'] = "ubyte",
		['i'] = "int",    ['j'] = "ireal",        ['k'] = "uint",   ['l'] = "long",
		['m'] = "ulong",  ['n'] = "typeof(null)", ['o'] = "ifloat", ['p'] = "idouble",
		['q'] = "cfloat", ['r'] = "cdouble",      ['s'] = "short",  ['t'] = "ushort",
		['u'] = "wchar",  ['v'] = "void",         ['w'] = "dchar",
	};

	return (unsigned char)c < sizeof(names) / sizeof(*names) ? names[(unsigned char)c] : NULL;
}

static void parse_long_type(struct d_parser *p)
{
	if (take(p, "zi"))
		put(p, "cent");
	else if (take(p, "zk"))
		put(p, "ucent");
	else if (take(p, "Nn"))
		put(p, "noreturn");
	else if (take(p, "Ng"))
		parse_wrapped(p, "inout(", ")");
	else if (take(p, "Nh"))
		parse_wrapped(p, "__vector(", ")");
	else
		p->failed = true;
}

static void parse_compound_type(struct d_parser *p)
{
	char c = peek(p);

	if (c == 'z' || c == 'N') {
		parse_long_type(p);
		return;
	}
	if (linkage(c)) {
		parse_function(p);
		return;
	}
	if (c == 'Q') {
		parse_type_back(p);
		return;
	}
	next(p);
	switch (c) {
	case 'x':
		parse_wrapped(p, "const(", ")");
		return;
	case 'y':
		parse_wrapped(p, "immutable(", ")");
		return;
	case 'O':
		parse_wrapped(p, "shared(", ")");
		return;
	case 'A':
		parse_wrapped(p, "", "[]");
		return;
	case 'G':
		parse_fixed_array(p);
		return;
	case 'H':
		parse_map(p);
		return;
	case 'P':
		parse_pointer(p);
		return;
	case 'D':
		parse_delegate(p);
		return;
	case 'B':
		parse_tuple(p);
		return;
	case 'C':
	case 'S':
	case 'E':
	case 'T':
	case 'I':
		parse_qualified(p);
		return;
	default:
		p->failed = true;
	}
}

static void parse_type(struct d_parser *p)
{
	const char *basic = basic_type(peek(p));

	if (!enter(p)) {
	} else if (basic) {
		put(p, basic);
		p->at++;
	} else {
		parse_compound_type(p);
	}
	p->depth--;
}

/* ---- a name ---- */

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
		put(&p, " [clone ");
		put(&p, p.end);
		put(&p, "]");
	}
	if (!p.failed && p.len)
		return p.out;
	free(p.out);
	return NULL;
}
