// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/sdt/sdt_args.h"

#include <ctype.h>
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/lib/types.h"

static const char damaged[] = "it is damaged";
static const char no_register[] = "it names no register that probes see";
static const char vector[] = "probes do not see registers of vectors and floating point";
static const char indexed[] = "probes add no more than a number to a register";
static const char of_symbol[] = "probes do not know the addresses of symbols";
static const char thread[] = "it is of each thread by itself";
static const char too_large[] = "its number is too large";

static void refuse(struct sdt_arg *arg, const char *why)
{
	arg->kind = SDT_REFUSED;
	arg->why = why;
}

/* ---- numbers ---- */

static bool is_symbol_char(char c)
{
	return isalnum((u8)c) || c == '_' || c == '.' || c == '$';
}

/*
 * One term of a sum: a number (sums go around at 64 bits, as the assembler's), or the name of a
 * symbol, of which there is one at most. NULL: it is neither, or refused.
 */
static const char *read_term(struct sdt_arg *arg, const char *s, const char *end)
{
	bool minus = *s == '-';
	const char *name;

	s += minus || *s == '+';
	if (s < end && isdigit((u8)*s)) {
		char *behind;

		errno = 0;
		u64 number = strtoull(s, &behind, 0);

		if (errno)
			return refuse(arg, too_large), NULL;
		arg->offset = (s64)((u64)arg->offset + (minus ? -number : number));
		return behind;
	}
	for (name = s; s < end && is_symbol_char(*s);)
		s++;
	if (s == name || minus || arg->symbol)
		return refuse(arg, damaged), NULL;
	arg->symbol = name;
	arg->symbol_len = s - name;
	if (s < end && *s == '@')
		return refuse(arg, memmem(s, end - s, "tpoff", 5) ? thread : of_symbol), NULL;
	return s;
}

/* "-4+8", "x+8", and nothing at all: returns what is behind it; NULL: refused. */
static const char *read_sum(struct sdt_arg *arg, const char *s, const char *end)
{
	bool first = true;

	for (; s && s < end && (first ? *s != '(' && *s != ']' : *s == '+' || *s == '-');
	     first = false)
		s = read_term(arg, s, end);
	return s;
}

/* A number and nothing else. */
static void read_constant(struct sdt_arg *arg, const char *s, const char *end)
{
	const char *behind = read_sum(arg, s, end);

	if (!behind)
		return;
	if (behind != end || behind == s)
		refuse(arg, damaged);
	else if (arg->symbol)
		refuse(arg, of_symbol);
	else
		arg->kind = SDT_CONSTANT;
}

/* The kernel keeps 32 bits of how far memory is off a register. */
static void set_memory(struct sdt_arg *arg)
{
	arg->kind = SDT_MEMORY;
	if (arg->offset < INT32_MIN || arg->offset > INT32_MAX)
		refuse(arg, too_large);
}

/* ---- x86 ---- */

/* "rdi", "edi", "di", "dil" are all "di", "r8d" is "r8", "ah" the upper byte of "ax". */
static bool x86_register(struct sdt_arg *arg, const char *name, size_t len, bool *upper)
{
	static const char *const bases[] = { "ax", "bx", "cx", "dx", "si", "di", "sp", "bp", "ip" };
	char own[4];

	*upper = false;
	if (len < 2 || len > 4)
		return false;
	if (name[0] == 'r' && isdigit((u8)name[1])) {
		len -= strchr("dwb", name[len - 1]) != NULL;
		bool known =
		        len == 2 ? name[1] >= '8'
		                 : len == 3 && name[1] == '1' && name[2] >= '0' && name[2] <= '5';

		snprintf(arg->reg, sizeof(arg->reg), "%.*s", (int)len, name);
		return known;
	}
	snprintf(own, sizeof(own), "%.*s", (int)len, name);
	if (len == 2 && strchr("abcd", own[0]) && strchr("lh", own[1])) {
		*upper = own[1] == 'h';
		own[1] = 'x';
	} else if (len == 3 && own[2] == 'l' && strchr("ip", own[1])) {
		own[2] = '\0';
	} else if (len == 3 && strchr("re", own[0])) {
		memmove(own, own + 1, 3);
	}
	for (size_t i = 0; i < ARRAY_SIZE(bases); i++)
		if (!strcmp(own, bases[i])) {
			memcpy(arg->reg, own, 3);
			return true;
		}
	return false;
}

/* "xmm1", "st(1)", "k1" */
static bool is_x86_vector(const char *name, size_t len)
{
	return (len > 3 && strchr("xyz", *name) && !memcmp(name + 1, "mm", 2)) ||
	       (len > 2 && !memcmp(name, "mm", 2)) || (len > 1 && !memcmp(name, "st", 2)) ||
	       (len == 2 && *name == 'k' && isdigit((u8)name[1]));
}

/* Behind the % of a register: its end. */
static const char *x86_register_end(const char *s, const char *end)
{
	while (s < end && isalnum((u8)*s))
		s++;
	return s;
}

static void read_x86_register(struct sdt_arg *arg, const char *s, const char *end)
{
	const char *behind = x86_register_end(s, end);
	bool upper;

	if (behind < end && *behind == ':')
		return refuse(arg, thread);
	if (is_x86_vector(s, behind - s))
		return refuse(arg, vector);
	if (behind != end || !x86_register(arg, s, behind - s, &upper))
		return refuse(arg, no_register);
	if (upper && arg->type[1] == 's')
		return refuse(arg, "probes read the upper byte of a register without its sign");
	if (upper)
		snprintf(arg->type, sizeof(arg->type), ":b8@8/16");
	arg->kind = SDT_REGISTER;
}

/* "(%rdi)" and what is in front of it is in @arg. */
static void read_x86_base(struct sdt_arg *arg, const char *s, const char *end)
{
	const char *name = s + 2, *behind;
	bool upper;

	if (end[-1] != ')' || memchr(s, ')', end - s) != end - 1)
		return refuse(arg, damaged);
	if (memchr(s, ',', end - s))
		return refuse(arg, indexed);
	if (s[1] != '%')
		return refuse(arg, damaged);
	behind = x86_register_end(name, end);
	if (behind != end - 1 || !x86_register(arg, name, behind - name, &upper) || upper)
		return refuse(arg, no_register);
	bool ip = !strcmp(arg->reg, "ip");

	if (ip && arg->symbol)
		arg->kind = SDT_SYMBOL;
	else if (ip)
		refuse(arg, "it is relative to an instruction that is not known");
	else if (arg->symbol)
		refuse(arg, indexed);
	else
		set_memory(arg);
}

static void read_x86(struct sdt_arg *arg, const char *s, const char *end)
{
	if (s < end && *s == '%')
		return read_x86_register(arg, s + 1, end);
	if (s < end && *s == '$')
		return read_constant(arg, s + 1, end);
	const char *behind = read_sum(arg, s, end);

	if (!behind)
		return;
	if (behind < end && *behind == '(')
		read_x86_base(arg, behind, end);
	else if (behind != end || behind == s)
		refuse(arg, damaged);
	else if (arg->symbol)
		arg->kind = SDT_SYMBOL;
	else
		refuse(arg, "a number without $ is a constant or an address");
}

/* ---- arm64 ---- */

/* "x0" and "w0" are "x0"; xzr is the constant 0. */
static bool arm64_register(struct sdt_arg *arg, const char *name, size_t len)
{
	static const char *const others[][2] = {
		{ "sp", "sp" },
		{ "wsp", "sp" },
		{ "fp", "x29" },
		{ "lr", "x30" },
	};
	u32 number = 0;

	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (len == strlen(others[i][0]) && !memcmp(name, others[i][0], len)) {
			snprintf(arg->reg, sizeof(arg->reg), "%s", others[i][1]);
			return true;
		}
	if (len < 2 || len > 3 || !strchr("xw", *name) || (len == 3 && name[1] == '0'))
		return false;
	for (size_t i = 1; i < len; i++) {
		if (!isdigit((u8)name[i]))
			return false;
		number = 10 * number + name[i] - '0';
	}
	snprintf(arg->reg, sizeof(arg->reg), "x%u", number);
	return number <= 30;
}

static const char *arm64_word_end(const char *s, const char *end)
{
	while (s < end && isalnum((u8)*s))
		s++;
	return s;
}

/* "[x0, #16]" from behind the bracket. */
static void read_arm64_memory(struct sdt_arg *arg, const char *s, const char *end)
{
	const char *behind = arm64_word_end(s, end);

	if (!arm64_register(arg, s, behind - s))
		return refuse(arg, no_register);
	if (behind < end && *behind == ',') {
		s = behind + 1 + strspn(behind + 1, " ");
		s += s < end && *s == '#';
		if (s < end && *s == ':') /* :lo12:symbol */
			return refuse(arg, of_symbol);
		behind = read_sum(arg, s, end);
		if (!behind)
			return;
		if (arg->symbol)
			return refuse(arg, indexed);
		if (behind == s)
			return refuse(arg, damaged);
	}
	if (behind == end || *behind != ']' || behind + 1 != end)
		return refuse(arg, damaged);
	set_memory(arg);
}

static void read_arm64(struct sdt_arg *arg, const char *s, const char *end)
{
	size_t len = end - s;

	if (len && *s == '[')
		return read_arm64_memory(arg, s + 1, end);
	if (len && (isdigit((u8)*s) || strchr("#-+", *s)))
		return read_constant(arg, s + (*s == '#'), end);
	if (arm64_register(arg, s, len))
		arg->kind = SDT_REGISTER;
	else if (len == 3 && strchr("xw", *s) && !memcmp(s + 1, "zr", 2))
		arg->kind = SDT_CONSTANT;
	else if (len > 1 && strchr("vqdshb", *s) && isdigit((u8)s[1]))
		refuse(arg, vector);
	else if (len && (isalpha((u8)*s) || strchr("_.:", *s)) && arm64_word_end(s, end) != end)
		refuse(arg, of_symbol);
	else
		refuse(arg, no_register);
}

/* ---- arguments ---- */

/* "-4@": a size that the kernel knows gives a type. "4f@" is a float, of which it has the bits. */
static const char *read_size(struct sdt_arg *arg)
{
	const char *s = arg->text, *digits = s + (*s == '-'), *p = digits;

	while (isdigit((u8)*p))
		p++;
	size_t len = p - digits;

	p += *p == 'f';
	if (*p != '@')
		return s;
	if (len == 1 && strchr("1248", *digits))
		snprintf(arg->type, sizeof(arg->type), ":%c%d", *s == '-' ? 's' : 'u',
		         8 * (*digits - '0'));
	return p + 1;
}

/* In brackets there may be blanks. */
static size_t length_of(const char *args, u16 machine)
{
	size_t len = strcspn(args, machine == EM_AARCH64 ? " [" : " ");

	if (args[len] == '[') {
		len += strcspn(args + len, "]");
		len += strcspn(args + len, " ");
	}
	return len;
}

const char *sdt_arg__next(struct sdt_arg *arg, const char *args, u16 machine)
{
	args += strspn(args, " ");
	if (!*args)
		return NULL;
	*arg = (struct sdt_arg){ .text = args, .len = length_of(args, machine) };
	const char *end = args + arg->len, *operand = read_size(arg);

	if (machine == EM_X86_64 || machine == EM_386)
		read_x86(arg, operand, end);
	else if (machine == EM_AARCH64)
		read_arm64(arg, operand, end);
	else
		refuse(arg, "the arguments of this architecture are not known");
	return end;
}
