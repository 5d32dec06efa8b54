// SPDX-License-Identifier: GPL-2.0-or-later
/* D types, and the parameters of functions. */
#include "util/symtab/demangle_d_private.h"

#include <string.h>

const char *d__linkage(char c)
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

void d__attributes(struct d_parser *p)
{
	static const char *const words[] = {
		['a'] = "pure",     ['b'] = "nothrow", ['c'] = "ref",   ['d'] = "@property",
		['e'] = "@trusted", ['f'] = "@safe",   ['i'] = "@nogc", ['j'] = "return",
		['l'] = "scope",    ['m'] = "@live"
	};

	while (d__peek(p) == 'N' && p->at + 1 < p->end && (unsigned char)p->at[1] <= 'm' &&
	       words[(unsigned char)p->at[1]]) {
		d__put(p, " ");
		d__put(p, words[(unsigned char)p->at[1]]);
		p->at += 2;
	}
}

static void parse_parameter(struct d_parser *p)
{
	static const char *const storage[][2] = { { "M", "scope " }, { "Nk", "return " },
		                                  { "I", "in " },    { "J", "out " },
		                                  { "K", "ref " },   { "L", "lazy " } };

	for (size_t i = 0; i < sizeof(storage) / sizeof(*storage); i++)
		if (d__take(p, storage[i][0])) {
			d__put(p, storage[i][1]);
			i = -1; /* in any order */
		}
	d__type(p);
}

void d__parameters(struct d_parser *p)
{
	d__put(p, "(");
	for (unsigned i = 0; !p->failed && !d__take(p, "Z"); i++) {
		if (d__take(p, "X")) {
			d__put(p, "...");
			break;
		}
		if (i)
			d__put(p, ", ");
		if (d__take(p, "Y")) {
			d__put(p, "...");
			break;
		}
		parse_parameter(p);
	}
	d__put(p, ")");
}

/* "xFiZ" behind 'M': const methods. Written behind the parameters. */
void d__modifiers(struct d_parser *p)
{
	for (;;) {
		if (d__take(p, "Ng"))
			d__put(p, " inout");
		else if (d__take(p, "x"))
			d__put(p, " const");
		else if (d__take(p, "y"))
			d__put(p, " immutable");
		else if (d__take(p, "O"))
			d__put(p, " shared");
		else
			return;
	}
}

/* "FNaiZv" is void(int) pure */
static void parse_function(struct d_parser *p)
{
	const char *extern_c = d__linkage(d__peek(p));
	size_t attributes = p->len, start, end;

	if (!extern_c) {
		p->failed = true;
		return;
	}
	p->at++;
	d__attributes(p);
	start = p->len;
	d__parameters(p);
	d__swap_parts(p, attributes, start); /* (int) pure */
	end = p->len;
	d__put(p, extern_c);
	d__type(p);
	d__swap_parts(p, attributes, end);
}

static void parse_delegate(struct d_parser *p)
{
	size_t start = p->len, middle;

	d__put(p, " delegate");
	d__modifiers(p);
	middle = p->len;
	if (d__peek(p) == 'Q') {
		d__type(p);
	} else {
		parse_function(p);
	}
	d__swap_parts(p, start, middle);
}

static void parse_wrapped(struct d_parser *p, const char *before, const char *behind)
{
	d__put(p, before);
	d__type(p);
	d__put(p, behind);
}

/* "Hki" is int[uint] */
static void parse_map(struct d_parser *p)
{
	size_t start = p->len, middle;

	d__put(p, "[");
	d__type(p);
	d__put(p, "]");
	middle = p->len;
	d__type(p);
	d__swap_parts(p, start, middle);
}

static void parse_fixed_array(struct d_parser *p)
{
	const char *digits = p->at;
	size_t len = d__skip_digits(p);

	d__type(p);
	d__put(p, "[");
	d__put_mem(p, digits, len);
	d__put(p, "]");
}

static void parse_tuple(struct d_parser *p)
{
	size_t nr = d__number(p);

	d__put(p, "Tuple!(");
	for (size_t i = 0; i < nr && !p->failed; i++) {
		if (i)
			d__put(p, ", ");
		d__type(p);
	}
	d__put(p, ")");
}

static void parse_pointer(struct d_parser *p)
{
	if (d__linkage(d__peek(p))) {
		parse_function(p);
		d__put(p, " function");
	} else {
		parse_wrapped(p, "", "*");
	}
}

static void parse_type_back(struct d_parser *p)
{
	const char *target = d__back(p), *behind = p->at;

	if (!target)
		return;
	p->at = target;
	d__type(p);
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
	if (d__take(p, "zi"))
		d__put(p, "cent");
	else if (d__take(p, "zk"))
		d__put(p, "ucent");
	else if (d__take(p, "Nn"))
		d__put(p, "noreturn");
	else if (d__take(p, "Ng"))
		parse_wrapped(p, "inout(", ")");
	else if (d__take(p, "Nh"))
		parse_wrapped(p, "__vector(", ")");
	else
		p->failed = true;
}

static void parse_compound_type(struct d_parser *p)
{
	char c = d__peek(p);

	if (c == 'z' || c == 'N') {
		parse_long_type(p);
		return;
	}
	if (d__linkage(c)) {
		parse_function(p);
		return;
	}
	if (c == 'Q') {
		parse_type_back(p);
		return;
	}
	d__next(p);
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
		d__qualified(p);
		return;
	default:
		p->failed = true;
	}
}

void d__type(struct d_parser *p)
{
	const char *basic = basic_type(d__peek(p));

	if (!d__enter(p)) {
	} else if (basic) {
		d__put(p, basic);
		p->at++;
	} else {
		parse_compound_type(p);
	}
	p->depth--;
}
