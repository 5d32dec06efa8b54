// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/fetch/kernel_args.h"

#include <ctype.h>
#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/lib/text.h"
#include "util/options/nearest.h"

#define ELEMENTS_MAX   64 /* the kernel's MAX_ARRAY_LEN */
#define ARG_NAME_LIMIT 32 /* its MAX_ARG_NAME_LEN */

struct check {
	const struct probe_arg *arg;
	const struct kernel_rules *rules;
	struct error *err;
	bool is_memory; /* the value is read at an address */
	bool is_number; /* it is a number of the definition */
};

/* error__set() of this argument. */
#define refuse(check, ...)                                                                         \
	error__set((check)->err, -EINVAL, "cannot fetch", (check)->arg->text, __VA_ARGS__)

/* The number at *at, as the kernel reads it; *at goes behind it. */
static bool skip_number(const char **at)
{
	const char *digits = *at + (**at == '-' || **at == '+');
	char *end;

	if (!isdigit((u8)*digits))
		return false;
	errno = 0;
	(void)strtoull(digits, &end, 0);
	*at = end;
	return !errno;
}

/* ---- types ---- */

static int no_type(const struct check *check, const char *type)
{
	refuse(check, "the kernel has no type '%s'", type);
	return error__advise(check->err,
	                     "types are u8 to u64, s8 to s64, x8 to x64, char, string, ustring, "
	                     "bWIDTH@BIT/SIZE%s; and TYPE[COUNT], an array",
	                     check->rules->of_program ? "" : ", symbol, symstr");
}

/* "3@5/32" of "b3@5/32" */
static int check_bits(const struct check *check, const char *bits, const char *type)
{
	char *end;
	u64 width = strtoull(bits, &end, 0), first, size;

	if (!isdigit((u8)*bits) || *end != '@' || !isdigit((u8)end[1]))
		return no_type(check, type);
	first = strtoull(end + 1, &end, 0);
	if (*end != '/' || !isdigit((u8)end[1]))
		return no_type(check, type);
	size = strtoull(end + 1, &end, 0);
	if (*end || (size != 8 && size != 16 && size != 32 && size != 64))
		return no_type(check, type);
	if (!width || width > size || first > size - width)
		return refuse(check, "'%s' means bits that its container has not", type);
	return 0;
}

static bool is_one_of(const char *name, const char *const *names)
{
	for (; *names; names++)
		if (!strcmp(name, *names))
			return true;
	return false;
}

/* A type without its count. */
static int check_name(const struct check *check, const char *type)
{
	static const char *const all[] = { "u8",   "u16",    "u32",     "u64", "s8",  "s16",
		                           "s32",  "s64",    "x8",      "x16", "x32", "x64",
		                           "char", "string", "ustring", NULL };
	static const char *const kernels[] = { "symbol", "symstr", "%pd", "%pD", NULL };

	if (is_one_of(type, all))
		return 0;
	if (*type == 'b')
		return check_bits(check, type + 1, type);
	if (!is_one_of(type, kernels))
		return no_type(check, type);
	if (check->rules->of_program)
		return refuse(
		        check,
		        "'%s' is for the kernel's own probes: it knows no symbols of programs",
		        type);
	return 0;
}

static int check_type(const struct check *check, const char *type)
{
	size_t len = strcspn(type, "[");
	char *name = xasprintf("%.*s", (int)len, type), *end = name;
	bool text = !strcmp(name, "string") || !strcmp(name, "ustring");
	int ret = check_name(check, name);
	u64 count = 0;

	free(name);
	if (ret)
		return ret;
	if (type[len]) {
		count = isdigit((u8)type[len + 1]) ? strtoull(type + len + 1, &end, 0) : 0;
		if (!count || count > ELEMENTS_MAX || strcmp(end, "]") != 0)
			return refuse(check, "'%s' is no array of 1 to 64 elements", type);
	}
	if (check->is_number && count)
		return refuse(check, "a number of the definition is no array");
	if (check->is_memory || (!text && !count))
		return 0;
	refuse(check, "it is no memory, where %s could be", text ? "a text" : "an array");
	return error__advise(check->err,
	                     text ? "+0(VALUE):string is the text that a value points to"
	                          : "+0(VALUE):TYPE[COUNT] is the array that a value points to");
}

/* ---- values ---- */

#define X86_REGISTERS                                                                              \
	"ax", "bx", "cx", "dx", "si", "di", "bp", "sp", "ip", "flags", "cs", "ss", "orig_ax"

static const char *const x86_64_registers[] = { X86_REGISTERS, "r8",  "r9",  "r10", "r11",
	                                        "r12",         "r13", "r14", "r15", NULL };
/* A kernel of 64 bits runs such programs, too. */
static const char *const i386_registers[] = { X86_REGISTERS, "ds",  "es",  "fs",  "gs",
	                                      "r8",          "r9",  "r10", "r11", "r12",
	                                      "r13",         "r14", "r15", NULL };
static const char *const arm64_registers[] = {
	"x0",  "x1",  "x2",  "x3",  "x4",  "x5",  "x6",  "x7",  "x8",  "x9",  "x10",    "x11",
	"x12", "x13", "x14", "x15", "x16", "x17", "x18", "x19", "x20", "x21", "x22",    "x23",
	"x24", "x25", "x26", "x27", "x28", "x29", "x30", "lr",  "sp",  "pc",  "pstate", NULL
};
static const char *const riscv_registers[] = {
	"epc", "ra", "sp",     "gp",      "tp",    "t0",      "t1",  "t2",  "s0", "s1",
	"a0",  "a1", "a2",     "a3",      "a4",    "a5",      "a6",  "a7",  "s2", "s3",
	"s4",  "s5", "s6",     "s7",      "s8",    "s9",      "s10", "s11", "t3", "t4",
	"t5",  "t6", "status", "badaddr", "cause", "orig_a0", NULL
};

static const char *const *registers_of(u32 machine)
{
	switch (machine) {
	case EM_X86_64:
		return x86_64_registers;
	case EM_386:
		return i386_registers;
	case EM_AARCH64:
		return arm64_registers;
	case EM_RISCV:
		return riscv_registers;
	default: /* of others the kernel has the say */
		return NULL;
	}
}

static int check_register(const struct check *check, const char *name)
{
	const char *const *registers = registers_of(check->rules->machine);
	struct nearest near;
	char text[100];

	if (!registers || is_one_of(name, registers))
		return 0;
	nearest__init(&near, name);
	for (; *registers; registers++)
		nearest__offer(&near, *registers);
	refuse(check, "the kernel knows no register '%%%s' of this machine", name);
	nearest__text(&near, "%", text, sizeof(text));
	return *text ? error__advise(check->err, "%s", text) : -EINVAL;
}

static int check_special(const struct check *check, const char *name)
{
	bool arg = text__starts_with(name, "arg");
	const char *number = name + (arg ? 3 : text__starts_with(name, "stack") ? 5 : 0);

	if (!strcmp(name, "retval"))
		return check->rules->is_return
		               ? 0
		               : refuse(check, "there is no $retval before the function returns");
	if (!strcmp(name, "stack") || !strcmp(name, "comm"))
		return 0;
	if (arg && check->rules->of_program) {
		refuse(check, "the kernel knows no '$%s' of programs", name);
		return error__advise(check->err, "parameters have names there: perf probe --vars");
	}
	if (number > name &&
	    ((*number && !number[strspn(number, "0123456789")]) || (arg && !strcmp(number, "*"))))
		return arg && !strcmp(number, "0") ? refuse(check, "the first one is $arg1") : 0;
	refuse(check, "the kernel has no '$%s'", name);
	return error__advise(check->err, "there are $retval, $stack, $stackN, $comm%s",
	                     check->rules->of_program ? "" : ", $argN");
}

/* Behind '@'. */
static int check_address(const struct check *check, const char *text)
{
	const char *end = text;

	if (isdigit((u8)*text))
		return skip_number(&end) && !*end ? 0 : refuse(check, "'%s' is no address", text);
	if (*text == '+') {
		end++;
		if (!skip_number(&end) || *end)
			return refuse(check, "'%s' is no place in the file", text);
		return check->rules->of_program
		               ? 0
		               : refuse(check, "the kernel has no file: @%s is for programs", text);
	}
	if (check->rules->of_program) {
		refuse(check, "the kernel knows no symbols of programs");
		return error__advise(check->err, "a variable is named without '@'");
	}
	end = text + strcspn(text, "+-");
	if (end == text || (*end && (!skip_number(&end) || *end)))
		return refuse(check, "'%s' is no symbol and a number of bytes", text);
	return 0;
}

static int check_value(struct check *check, char *text);

/* "+OFFSET(VALUE)" */
static int check_memory(struct check *check, char *text)
{
	const char *at = text + 1 + (text[1] == 'u'), *digits = at;
	char *end = strrchr(text, ')');

	if (!skip_number(&at) || *at != '(' || !end || end[1])
		return refuse(check, "memory is written %cOFFSET(VALUE)", *text);
	*end = '\0';
	if (strtoull(digits, NULL, 0) > (u64)INT64_MAX + (*text == '-'))
		return refuse(check, "an offset has 63 bits and a sign");
	int ret = check_value(check, text + (at - text) + 1);

	if (!ret && !strcmp(at + 1, "$comm"))
		return refuse(check, "$comm is a text, and no address");
	check->is_memory = true;
	check->is_number = false;
	return ret;
}

static int check_value(struct check *check, char *text)
{
	const char *end = text + 1;

	check->is_memory = check->is_number = false;
	switch (*text) {
	case '%':
		return check_register(check, text + 1);
	case '$':
		check->is_memory = !strcmp(text, "$comm");
		return check_special(check, text + 1);
	case '@':
		check->is_memory = true;
		return check_address(check, text + 1);
	case '+':
	case '-':
		return check_memory(check, text);
	case '\\':
		check->is_memory = true; /* the kernel takes the number for an address */
		check->is_number = *end != '"';
		return *end == '"' || (skip_number(&end) && !*end)
		               ? 0
		               : refuse(check, "'%s' is no number", text + 1);
	default:
		return refuse(check, "'%s' is no value", text);
	}
}

int kernel_name__check(const char *name, struct error *err)
{
	static const char *const taken[] = {
		"common_type", "common_flags", "common_preempt_count", "common_pid", "common_tgid",
		"__probe_ip",  "__probe_func", "__probe_ret_ip",       NULL
	};
	int ret = 0;

	if (is_one_of(name, taken))
		ret = error__set(err, -EINVAL, "cannot name the argument", name,
		                 "each event has a field of this name");
	else if (strlen(name) > ARG_NAME_LIMIT)
		ret = error__set(err, -EINVAL, "cannot name the argument", name,
		                 "the kernel takes %d characters", ARG_NAME_LIMIT);
	return ret ? error__advise(err, "NAME=VALUE gives it another one") : 0;
}

int kernel_arg__check(const struct probe_arg *arg, const struct kernel_rules *rules,
                      struct error *err)
{
	struct check check = { arg, rules, err, .is_memory = true };

	if (arg->variable) /* its memory is looked for with the variable */
		return arg->type && (arg->type[1] || !strchr("usx", *arg->type))
		               ? check_type(&check, arg->type)
		               : 0;
	if (!strcmp(arg->text, "$vars") || !strcmp(arg->text, "$params"))
		return 0;
	char *text = xstrdup(arg->text);
	char *colon = text[0] == '\\' && text[1] == '"' ? NULL : strchr(text, ':');

	if (colon)
		*colon = '\0';
	int ret = check_value(&check, text);

	if (!ret && colon && !strcmp(text, "$comm") && strcmp(colon + 1, "string") != 0)
		ret = refuse(&check, "it is a text, whose type is 'string'");
	else if (!ret && colon)
		ret = check_type(&check, colon + 1);
	free(text);
	return ret;
}
