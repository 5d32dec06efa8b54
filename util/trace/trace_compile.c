// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * From the tree that libtraceevent makes of a print format to the steps of trace_program.h. Numbers
 * mean what they mean there: all are unsigned and of 64 bits, a cast cuts bits off, and only the
 * conversion (%d) gives a sign. What the library gets wrong is put right: of a signed field of one
 * or two bytes it prints 65534 for -2; of probes it knows neither the elements of arrays ("s16
 * v[]") nor characters (%c), and of a string that could not be read it prints what is there
 * instead.
 */
#include "util/trace/trace_program_private.h"

#ifdef HAVE_LIBTRACEEVENT

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <traceevent/event-parse.h>

#define DEPTH_MAX 64   /* of trees; the kernel's have 10 */
#define DENSE_MAX 1024 /* values of a table that is looked up by index */

struct compiler {
	struct trace_program *program;
	struct tep_event *event;
	const struct trace_world *world;
	struct step *steps;
	size_t nr, cap;
	struct calc *calcs;
	size_t nr_calcs, calcs_cap;
	u32 stack, depth;
	bool is_probe;
	const char *why;
	char *literal; /* text not yet made a step */
	size_t literal_len, literal_cap;
};

static bool fail(struct compiler *c, const char *why)
{
	if (!c->why)
		c->why = why;
	return false;
}

static void reach(struct compiler *c, u32 end)
{
	if (c->program->reach < end)
		c->program->reach = end;
}

/* ---- numbers ---- */

static bool calc(struct compiler *c, const struct calc *step, int grows)
{
	c->stack += grows;
	if (c->stack > STACK_MAX)
		return fail(c, "an expression that is too deep");
	array__reserve(&c->calcs, &c->calcs_cap, c->nr_calcs + 1, sizeof(*c->calcs));
	c->calcs[c->nr_calcs++] = *step;
	return true;
}

static struct tep_format_field *field_of(struct compiler *c, struct tep_format_field *known,
                                         const char *name)
{
	struct tep_format_field *field = known ? known : tep_find_any_field(c->event, name);

	if (!field)
		fail(c, "a field that the event does not have");
	else if (field->offset < 0 || field->size < 0 || field->offset + field->size > UINT16_MAX)
		field = NULL;
	if (!field)
		fail(c, "a field beyond any record");
	return field;
}

static struct tep_format_field *field_of_arg(struct compiler *c, const struct tep_print_arg *arg)
{
	return field_of(c, arg->field.field, arg->field.name);
}

static struct tep_format_field *dynamic_of(struct compiler *c, struct tep_format_field *field)
{
	if (!field || field->size != 4 || field->offset < 0 || field->offset > UINT16_MAX - 4) {
		fail(c, "a dynamic array without its place");
		return NULL;
	}
	return field;
}

/* The bits that a cast to @type leaves. */
static u64 mask_of(const char *type)
{
	static const struct {
		const char *type;
		u64 mask;
	} masks[] = { { "u8", 0xff },    { "s8", 0xff },    { "char", 0xff },
		      { "u16", 0xffff }, { "s16", 0xffff }, { "short", 0xffff },
		      { "u32", ~0u },    { "s32", ~0u },    { "int", ~0u } };

	if (!strncmp(type, "unsigned ", 9))
		type += 9;
	for (unsigned i = 0; i < ARRAY_SIZE(masks); i++)
		if (!strcmp(type, masks[i].type))
			return masks[i].mask;
	return ~0ull;
}

static bool calc_cast(struct compiler *c, const char *type, bool pointer)
{
	char buf[64];
	size_t len = strlen(type);

	if (!len || len >= sizeof(buf))
		return fail(c, "a cast to a long type");
	bool is_pointer = type[len - 1] == '*';

	if (pointer != is_pointer || (is_pointer && len < 3))
		return true;
	memcpy(buf, type, len + 1);
	if (is_pointer)
		buf[len - 2] = '\0'; /* " *" */
	u64 mask = mask_of(buf);

	return mask == ~0ull || calc(c, &(struct calc){ .code = CALC_MASK, .value = mask }, 0);
}

static bool calc_arg(struct compiler *c, const struct tep_print_arg *arg);

/* The library takes elements of "s16 v[]" for things without a size. */
static u32 element_size(const struct compiler *c, const struct tep_format_field *array)
{
	return array->elementsize ? array->elementsize
	                          : trace_type__size(array->type, c->world->long_size);
}

/* Where the index is a constant, the place is fixed. False: it is not, or not of the array. */
static bool load_element(struct compiler *c, const struct tep_format_field *array, u32 first)
{
	struct calc *index = &c->calcs[first];
	u64 size = element_size(c, array), at;

	if (c->nr_calcs != first + 1 || index->code != CALC_CONST ||
	    __builtin_mul_overflow(index->value, size, &at) || at + size > (u64)array->size)
		return false;
	*index = (struct calc){ CALC_LOAD, size, array->offset + at, 0 };
	return true;
}

static bool calc_element(struct compiler *c, const struct tep_print_arg *arg)
{
	const struct tep_print_arg *array = arg->op.left, *cast = NULL;
	struct tep_format_field *field;
	u32 first = c->nr_calcs;

	for (; array->type == TEP_PRINT_TYPE; array = array->typecast.item)
		cast = cast ? cast : array;
	if (!calc_arg(c, arg->op.right))
		return false;
	if (array->type == TEP_PRINT_DYNAMIC_ARRAY) {
		field = dynamic_of(c, array->dynarray.field);
		if (!field)
			return false;
		u8 size = field->elementsize ? field->elementsize : c->world->long_size;

		reach(c, field->offset + field->size);
		if (!calc(c,
		          &(struct calc){ CALC_DYNAMIC_ELEMENT, size, field->offset,
		                          field->flags & TEP_FIELD_IS_RELATIVE },
		          0))
			return false;
	} else if (array->type == TEP_PRINT_FIELD) {
		field = field_of_arg(c, array);
		if (!field)
			return false;
		reach(c, field->offset + field->size);
		if (!load_element(c, field, first) &&
		    !calc(c,
		          &(struct calc){ CALC_ELEMENT, element_size(c, field), field->offset, 0 },
		          0))
			return false;
	} else {
		return fail(c, "an index into something else than a field");
	}
	return !cast || calc_cast(c, cast->typecast.type, true);
}

/* enum calc_code, or -1. */
static int code_of(const char *op)
{
	static const struct {
		const char *op;
		int code;
	} ops[] = { { "||", CALC_OR },          { "|", CALC_OR_BITS },
		    { "&&", CALC_AND },         { "&", CALC_AND_BITS },
		    { "<", CALC_LESS },         { "<<", CALC_SHIFT_LEFT },
		    { "<=", CALC_LESS_EQUAL },  { ">", CALC_GREATER },
		    { ">>", CALC_SHIFT_RIGHT }, { ">=", CALC_GREATER_EQUAL },
		    { "==", CALC_EQUAL },       { "!=", CALC_UNEQUAL },
		    { "+", CALC_PLUS },         { "-", CALC_MINUS },
		    { "*", CALC_TIMES },        { "/", CALC_DIVIDE },
		    { "%", CALC_REMAINDER } };

	for (unsigned i = 0; i < ARRAY_SIZE(ops); i++)
		if (!strcmp(op, ops[i].op))
			return ops[i].code;
	return -1;
}

static bool calc_op(struct compiler *c, const struct tep_print_arg *arg)
{
	const char *op = arg->op.op;

	if (!strcmp(op, "["))
		return calc_element(c, arg);
	if (!strcmp(op, "?")) {
		const struct tep_print_arg *both = arg->op.right;

		if (both->type != TEP_PRINT_OP)
			return fail(c, "a ? without its :");
		return calc_arg(c, arg->op.left) && calc_arg(c, both->op.left) &&
		       calc_arg(c, both->op.right) &&
		       calc(c, &(struct calc){ .code = CALC_SELECT }, -2);
	}
	if (!strcmp(op, "!") || !strcmp(op, "~"))
		return calc_arg(c, arg->op.right) &&
		       calc(c, &(struct calc){ .code = *op == '!' ? CALC_NOT : CALC_INVERT }, 0);
	int code = code_of(op);

	if (code < 0)
		return fail(c, "an unknown operator");
	return calc_arg(c, arg->op.left) && calc_arg(c, arg->op.right) &&
	       calc(c, &(struct calc){ .code = code }, -1);
}

static bool calc_leaf(struct compiler *c, const struct tep_print_arg *arg)
{
	struct calc step = { .code = CALC_CONST };
	struct tep_format_field *field;

	switch (arg->type) {
	case TEP_PRINT_ATOM:
		step.value = strtoll(arg->atom.atom, NULL, 0);
		break;
	case TEP_PRINT_FIELD:
		field = field_of_arg(c, arg);
		if (!field)
			return false;
		step = (struct calc){ CALC_LOAD, field->size <= 8 ? field->size : 0, field->offset,
			              0 };
		reach(c, field->offset + field->size);
		break;
	case TEP_PRINT_DYNAMIC_ARRAY_LEN:
		field = dynamic_of(c, arg->dynarray.field);
		if (!field)
			return false;
		step = (struct calc){ CALC_LENGTH, 4, field->offset, 0 };
		reach(c, field->offset + field->size);
		break;
	case TEP_PRINT_DYNAMIC_ARRAY:
		return fail(c, "the address of an array");
	case TEP_PRINT_FUNC:
		return fail(c, "a function");
	default:
		break; /* what is text counts as 0 */
	}
	return calc(c, &step, 1);
}

static bool calc_arg(struct compiler *c, const struct tep_print_arg *arg)
{
	bool ok;

	if (!arg)
		return fail(c, "a missing operand");
	if (++c->depth > DEPTH_MAX)
		return fail(c, "an expression that is too deep");
	if (arg->type == TEP_PRINT_OP)
		ok = calc_op(c, arg);
	else if (arg->type == TEP_PRINT_TYPE)
		ok = calc_arg(c, arg->typecast.item) && calc_cast(c, arg->typecast.type, false);
	else
		ok = calc_leaf(c, arg);
	c->depth--;
	return ok;
}

/* Bits that a number of @size bytes has. */
static u64 bits_of(u8 size)
{
	return size >= 8 ? ~0ull : (1ull << size * 8) - 1;
}

static bool value(struct compiler *c, const struct tep_print_arg *arg, struct value *v)
{
	u32 stack = c->stack;

	c->nr_calcs = 0;
	c->stack = 0;
	if (!calc_arg(c, arg))
		return false;
	c->stack = stack;
	/* Casts that cut nothing off. */
	while (c->nr_calcs == 2 && c->calcs[1].code == CALC_MASK && c->calcs[0].code == CALC_LOAD &&
	       !(bits_of(c->calcs[0].size) & ~c->calcs[1].value))
		c->nr_calcs--;
	const struct calc *first = c->calcs;

	*v = (struct value){ .kind = VALUE_CALC, .nr = c->nr_calcs };
	if (c->nr_calcs == 1 && first->code == CALC_CONST) {
		v->kind = VALUE_CONST;
		v->constant = first->value;
	} else if (c->nr_calcs == 1 && first->code == CALC_LOAD) {
		v->kind = VALUE_LOAD;
		v->size = first->size;
		v->offset = first->offset;
	} else {
		struct calc *copy = arena__alloc(&c->program->arena, c->nr_calcs * sizeof(*copy));

		memcpy(copy, c->calcs, c->nr_calcs * sizeof(*copy));
		v->calc = copy;
	}
	return true;
}

/* ---- steps ---- */

static const char *keep_text(struct compiler *c, const char *text)
{
	return arena__strndup(&c->program->arena, text, strlen(text));
}

static struct step *append(struct compiler *c, enum step_code code)
{
	array__reserve(&c->steps, &c->cap, c->nr + 1, sizeof(*c->steps));
	c->steps[c->nr] = (struct step){ .code = code };
	return &c->steps[c->nr++];
}

static void literally(struct compiler *c, char letter)
{
	array__reserve(&c->literal, &c->literal_cap, c->literal_len + 1, 1);
	c->literal[c->literal_len++] = letter;
}

static void end_literal(struct compiler *c)
{
	if (!c->literal_len)
		return;
	struct step *step = append(c, STEP_TEXT);

	step->text = arena__strndup(&c->program->arena, c->literal, c->literal_len);
	step->text_len = c->literal_len;
	c->literal_len = 0;
}

/* What the library makes of the value of a flag: the names that it knows, else the number. */
static s64 number_of_flag(const char *text)
{
	static const struct {
		const char *name;
		int value;
	} known[] = {
		{ "HI_SOFTIRQ", 0 },      { "TIMER_SOFTIRQ", 1 },     { "NET_TX_SOFTIRQ", 2 },
		{ "NET_RX_SOFTIRQ", 3 },  { "BLOCK_SOFTIRQ", 4 },     { "IRQ_POLL_SOFTIRQ", 5 },
		{ "TASKLET_SOFTIRQ", 6 }, { "SCHED_SOFTIRQ", 7 },     { "HRTIMER_SOFTIRQ", 8 },
		{ "RCU_SOFTIRQ", 9 },     { "HRTIMER_NORESTART", 0 }, { "HRTIMER_RESTART", 1 },
	};

	if (isdigit((u8)text[0]))
		return strtoull(text, NULL, 0);
	for (unsigned i = 0; i < ARRAY_SIZE(known); i++)
		if (!strcmp(known[i].name, text))
			return known[i].value;
	return -1;
}

static int by_value(const void *a, const void *b)
{
	const struct name *x = a, *y = b;

	if (x->value != y->value)
		return x->value < y->value ? -1 : 1;
	return x->order < y->order ? -1 : 1;
}

/* A table that is looked up by value: sorted, the first of equal ones. */
static void sort_names(struct compiler *c, struct names *names)
{
	u32 nr = 0;

	if (names->nr)
		qsort(names->names, names->nr, sizeof(*names->names), by_value);
	for (u32 i = 0; i < names->nr; i++)
		if (!nr || names->names[nr - 1].value != names->names[i].value)
			names->names[nr++] = names->names[i];
	names->nr = nr;
	if (!nr || names->names[nr - 1].value >= DENSE_MAX)
		return;
	names->nr_dense = names->names[nr - 1].value + 1;
	size_t size = names->nr_dense * sizeof(*names->by_value);

	names->by_value = arena__alloc(&c->program->arena, size);
	memset(names->by_value, 0, size);
	for (u32 i = 0; i < nr; i++)
		names->by_value[names->names[i].value] = &names->names[i];
}

static struct names *names_of(struct compiler *c, const struct tep_print_flag_sym *list)
{
	struct names *names = arena__alloc(&c->program->arena, sizeof(*names));
	u32 nr = 0;

	*names = (struct names){ .delimiter = "" };
	for (const struct tep_print_flag_sym *flag = list; flag; flag = flag->next)
		nr++;
	names->names = arena__alloc(&c->program->arena, nr * sizeof(*names->names));
	for (; list; list = list->next, names->nr++)
		names->names[names->nr] = (struct name){ .value = number_of_flag(list->value),
			                                 .text = keep_text(c, list->str),
			                                 .len = strlen(list->str),
			                                 .order = names->nr };
	return names;
}

static bool step_names(struct compiler *c, const struct tep_print_arg *arg,
                       const struct layout *layout)
{
	bool flags = arg->type == TEP_PRINT_FLAGS;
	struct names *names = names_of(c, flags ? arg->flags.flags : arg->symbol.symbols);
	struct value v;

	if (!value(c, flags ? arg->flags.field : arg->symbol.field, &v))
		return false;
	if (!flags) {
		sort_names(c, names);
	} else if (arg->flags.delim) {
		names->delimiter = keep_text(c, arg->flags.delim);
		names->delimiter_len = strlen(names->delimiter);
	}
	struct step *step = append(c, flags ? STEP_FLAGS : STEP_SYMBOLIC);

	step->value = v;
	step->names = names;
	step->layout = layout;
	return true;
}

/* The bytes that an argument names. */
static bool bytes_of(struct compiler *c, const struct tep_print_arg *arg, struct bytes *bytes)
{
	struct tep_format_field *field = NULL;
	bool dynamic = true;

	switch (arg->type) {
	case TEP_PRINT_DYNAMIC_ARRAY:
		field = dynamic_of(c, arg->dynarray.field);
		break;
	case TEP_PRINT_STRING:
		field = dynamic_of(c, field_of(c, arg->string.field, arg->string.string));
		break;
	case TEP_PRINT_BITMASK:
	case TEP_PRINT_CPUMASK:
		field = dynamic_of(c, field_of(c, arg->bitmask.field, arg->bitmask.bitmask));
		break;
	case TEP_PRINT_FIELD:
		field = field_of_arg(c, arg);
		dynamic = false;
		break;
	default:
		fail(c, "bytes of something else than a field");
	}
	if (!field)
		return false;
	*bytes = (struct bytes){
		.dynamic = dynamic,
		.relative = dynamic && field->flags & TEP_FIELD_IS_RELATIVE,
		.offset = field->offset,
		.size = field->size,
	};
	reach(c, field->offset + field->size);
	return true;
}

static bool step_array(struct compiler *c, const struct tep_print_arg *arg)
{
	bool hex = arg->type != TEP_PRINT_INT_ARRAY;
	const struct tep_print_arg *array = hex ? arg->hex.field : arg->int_array.field;
	struct step step = { .code = hex ? STEP_HEX : STEP_ARRAY, .text = "" };
	struct value size = { .kind = VALUE_CONST };

	if (!bytes_of(c, array, &step.bytes) ||
	    !value(c, hex ? arg->hex.size : arg->int_array.count, &step.value))
		return false;
	if (!hex && !value(c, arg->int_array.el_size, &size))
		return false;
	if (size.kind != VALUE_CONST)
		return fail(c, "an array of elements of no fixed size");
	step.element = size.constant <= 8 ? size.constant : 0;
	if (!hex && (!step.element || !strchr("\1\2\4\10", step.element)))
		return fail(c, "an array of elements of an odd size");
	step.text_len = arg->type == TEP_PRINT_HEX;
	*append(c, step.code) = step;
	return true;
}

static bool step_text(struct compiler *c, const struct tep_print_arg *arg,
                      const struct layout *layout);

/* Either of two texts. */
static bool step_either(struct compiler *c, const struct tep_print_arg *arg,
                        const struct layout *layout)
{
	const struct tep_print_arg *both = arg->op.right;
	struct value v;

	if (arg->op.op[0] != '?')
		return true; /* the library prints nothing */
	if (!both || both->type != TEP_PRINT_OP)
		return fail(c, "a ? without its :");
	if (!value(c, arg->op.left, &v))
		return false;
	size_t branch = c->nr;

	append(c, STEP_UNLESS)->value = v;
	if (!step_text(c, both->op.left, layout))
		return false;
	size_t end = c->nr;

	append(c, STEP_GO);
	c->steps[branch].target = c->nr;
	if (!step_text(c, both->op.right, layout))
		return false;
	c->steps[end].target = c->nr;
	return true;
}

static void step_word(struct compiler *c, const char *word, const struct layout *layout)
{
	struct step *step = append(c, STEP_WORD);

	step->text = keep_text(c, word);
	step->text_len = strlen(word);
	step->layout = layout;
}

/* A field of characters, or the address of text in the kernel. */
static bool step_string(struct compiler *c, const struct tep_print_arg *arg,
                        const struct layout *layout)
{
	enum step_code code = arg->type == TEP_PRINT_BITMASK   ? STEP_BITMASK
	                      : arg->type == TEP_PRINT_CPUMASK ? STEP_CPUMASK
	                                                       : STEP_STRING;
	struct bytes bytes;

	if (!bytes_of(c, arg, &bytes))
		return false;
	if (arg->type == TEP_PRINT_FIELD) {
		const struct tep_format_field *field = field_of_arg(c, arg);

		if (!(field->flags & TEP_FIELD_IS_ARRAY) &&
		    (unsigned)field->size == c->world->long_size)
			code = STEP_PRINTK;
		else if (!field->size)
			return fail(c, "a field without a size");
	}
	struct step *step = append(c, code);

	step->bytes = bytes;
	step->layout = layout;
	return true;
}

/* What %s prints of an argument. */
static bool step_text(struct compiler *c, const struct tep_print_arg *arg,
                      const struct layout *layout)
{
	bool ok = true;

	if (!arg)
		return fail(c, "a missing text");
	if (++c->depth > DEPTH_MAX)
		return fail(c, "an expression that is too deep");
	switch (arg->type) {
	case TEP_PRINT_ATOM:
		step_word(c, arg->atom.atom, layout);
		break;
	case TEP_PRINT_BSTRING:
		step_word(c, arg->string.string, layout);
		break;
	case TEP_PRINT_FIELD:
	case TEP_PRINT_STRING:
	case TEP_PRINT_BITMASK:
	case TEP_PRINT_CPUMASK:
		ok = step_string(c, arg, layout);
		break;
	case TEP_PRINT_FLAGS:
	case TEP_PRINT_SYMBOL:
		ok = step_names(c, arg, layout);
		break;
	case TEP_PRINT_HEX:
	case TEP_PRINT_HEX_STR:
	case TEP_PRINT_INT_ARRAY:
		ok = step_array(c, arg);
		break;
	case TEP_PRINT_OP:
		ok = step_either(c, arg, layout);
		break;
	case TEP_PRINT_FUNC:
		ok = fail(c, "a function");
		break;
	default:
		break; /* the library prints nothing */
	}
	c->depth--;
	return ok;
}

/* ---- the format ---- */

/* Bytes that a number keeps, by the letters of its length. */
static u8 size_of_length(int longs, unsigned long_size)
{
	return longs == -2 ? 1 : longs == -1 ? 2 : longs == 0 ? 4 : longs == 1 ? long_size : 8;
}

/* One conversion as it stands behind the %; *at is moved behind it. */
static bool take_layout(struct compiler *c, const char **at, const struct tep_print_arg **arg,
                        struct layout *l, int *longs)
{
	const char *start = *at, *p = start;
	char format[40];

	*l = (struct layout){ .precision = -1 };
	*longs = 0;
	for (; *p && strchr("-0#", *p); p++) {
		l->left |= *p == '-';
		l->zero |= *p == '0';
		l->alternative |= *p == '#';
	}
	for (bool dot = false; *p == '.' || *p == '*' || isdigit((u8)*p); p++) {
		if (*p == '.') {
			if (dot)
				return fail(c, "an unknown conversion");
			dot = true;
			l->precision = 0;
		} else if (*p == '*') {
			if (l->has_star || !*arg || !value(c, *arg, &l->star))
				return fail(c, "an unknown conversion");
			l->has_star = true;
			l->star_is_width = !dot;
			*arg = (*arg)->next;
		} else if (dot) {
			l->precision = l->precision * 10 + *p - '0';
		} else {
			l->width = l->width * 10 + *p - '0';
		}
		if (l->precision > 4096 || l->width > 4096)
			return fail(c, "a wide conversion");
	}
	size_t len = p - start;

	if (len > sizeof(format) - 6)
		return fail(c, "a long conversion");
	for (; *p && strchr("hlLzZ", *p); p++)
		*longs = *p == 'h' ? *longs - 1 : *p == 'l' ? *longs + 1 : *p == 'L' ? 2 : 1;
	if (*longs < -2 || *longs > 2 || !*p)
		return fail(c, "an unknown conversion");
	l->conversion = *p++;
	l->plain = !len && !l->has_star;
	format[0] = '%';
	memcpy(format + 1, start, len);
	if (strchr("diuxXo", l->conversion)) {
		memcpy(format + 1 + len, "ll", 2);
		len += 2;
	}
	format[len + 1] = l->conversion;
	format[len + 2] = '\0';
	l->format = keep_text(c, format);
	l->size = size_of_length(*longs, sizeof(long));
	*at = p;
	return true;
}

static bool step_number(struct compiler *c, const struct tep_print_arg *arg,
                        const struct layout *layout)
{
	struct value v;

	if (!value(c, arg, &v))
		return false;
	struct step *step = append(c, STEP_NUMBER);

	step->value = v;
	step->layout = layout;
	return true;
}

/* %pM, %pI4, %pISpc, %pU ... The letters are at *at, which is moved behind them. */
static bool step_address(struct compiler *c, const struct tep_print_arg *arg, const char **at)
{
	struct step step = { .variant = **at };
	const char *p = *at;

	if (*p == 'M' || *p == 'm') {
		step.code = STEP_MAC;
		if (*++p == 'F' || *p == 'R')
			step.order = *p++;
	} else if (*p == 'U') {
		step.code = STEP_UUID;
		if (*++p == 'b' || *p == 'B' || *p == 'l' || *p == 'L')
			step.order = *p++;
	} else {
		p++;
		if (*p != '4' && *p != '6' && *p != 'S')
			return fail(c, "%p of an unknown kind");
		step.code = *p == '4' ? STEP_IP4 : *p == '6' ? STEP_IP6 : STEP_SOCKET;
		p++;
		if (step.code == STEP_SOCKET && *p == 'p') {
			step.port = 'p';
			p++;
		}
		if (step.code != STEP_IP4 && *p == 'c') {
			step.order = 'c';
			p++;
		}
	}
	if (arg->type != TEP_PRINT_FIELD && arg->type != TEP_PRINT_DYNAMIC_ARRAY)
		return fail(c, "an address that is not a field");
	if (!bytes_of(c, arg, &step.bytes))
		return false;
	*append(c, step.code) = step;
	*at = p;
	return true;
}

static bool step_pointer(struct compiler *c, const struct tep_print_arg *arg, struct layout *layout,
                         const char **at)
{
	struct value v;

	if (**at && strchr("MmIiU", **at)) {
		return layout->plain ? step_address(c, arg, at) : fail(c, "%p of some width");
	} else if (**at && strchr("FfSsB", **at)) {
		if (!layout->plain)
			return fail(c, "%pS of some width");
		if (!value(c, arg, &v))
			return false;
		struct step *step = append(c, STEP_SYMBOL);

		step->value = v;
		step->variant = *(*at)++;
		return true;
	}
	if (isalnum((u8) * *at) || !layout->plain)
		return fail(c, "%p of an unknown kind");
	layout->conversion = 'p';
	layout->size = 8;
	return step_number(c, arg, layout);
}

/* The size of a signed field, or element of an array, that %d prints; 0: it is something else. */
static u32 signed_size(struct compiler *c, const struct tep_print_arg *arg)
{
	bool element = arg->type == TEP_PRINT_OP && !strcmp(arg->op.op, "[");

	if (element)
		arg = arg->op.left;
	if (arg->type != TEP_PRINT_FIELD)
		return 0;
	const struct tep_format_field *field = field_of_arg(c, arg);

	if (!field || !(field->flags & TEP_FIELD_IS_SIGNED))
		return 0;
	return element                             ? element_size(c, field)
	       : field->flags & TEP_FIELD_IS_ARRAY ? 0
	                                           : (u32)field->size;
}

static bool step_char(struct compiler *c, const struct tep_print_arg *arg)
{
	struct value v;

	if (!value(c, arg, &v))
		return false;
	append(c, STEP_CHAR)->value = v;
	return true;
}

/* Of a probe's string at p, "%s\"" behind a quote: where it ends; NULL: it is none. */
static const char *end_of_quoted(const struct compiler *c, const char *p,
                                 const struct tep_print_arg *arg)
{
	if (!c->is_probe || !arg || arg->type != TEP_PRINT_STRING || !c->literal_len ||
	    c->literal[c->literal_len - 1] != '"' || strncmp(p, "%s", 2) != 0)
		return NULL;
	p += 2 + (p[2] == '\\');
	return *p == '"' ? p + 1 : NULL;
}

/* Is it one of an array of strings (trace_text.c), and not the first? */
static bool is_later_element(const struct tep_format_field *field)
{
	return !(field->flags & TEP_FIELD_IS_SIGNED);
}

static bool leads_to_string(const struct tep_format_field *field)
{
	return field->flags & TEP_FIELD_IS_DYNAMIC && field->offset >= 0 &&
	       field->offset < UINT16_MAX;
}

/* Where the u32 of the next dynamic argument behind @field is: see struct trace_field. */
static u16 next_dynamic(const struct tep_format_field *field)
{
	for (field = field->next; field; field = field->next)
		if (leads_to_string(field) && !is_later_element(field))
			return field->offset;
	return UINT16_MAX;
}

/* Where that of the first one of its array is. */
static u16 first_of_array(const struct compiler *c, const struct tep_format_field *field)
{
	u16 first = field->offset;

	for (const struct tep_format_field *each = c->event->format.fields; each != field && each;
	     each = each->next)
		if (leads_to_string(each) && !is_later_element(each))
			first = each->offset;
	return is_later_element(field) ? first : field->offset;
}

static bool step_quoted(struct compiler *c, const struct tep_print_arg *arg)
{
	struct tep_format_field *field = field_of(c, arg->string.field, arg->string.string);
	struct bytes bytes;

	if (!field || !bytes_of(c, arg, &bytes))
		return false;
	bytes.quoted = true;
	bytes.first = first_of_array(c, field);
	bytes.next = next_dynamic(field);
	append(c, STEP_STRING)->bytes = bytes;
	return true;
}

static bool step_conversion(struct compiler *c, const char **at, const struct tep_print_arg **args)
{
	struct layout *layout = arena__alloc(&c->program->arena, sizeof(*layout));
	int longs;

	if (!take_layout(c, at, args, layout, &longs))
		return false;
	const struct tep_print_arg *arg = *args;

	if (c->is_probe && arg && layout->conversion == 'c' && layout->plain) {
		*args = arg->next;
		return step_char(c, arg);
	}
	if (strchr("c+ ", layout->conversion) && layout->plain) { /* unknown to the library */
		literally(c, '>');
		literally(c, layout->conversion);
		literally(c, '<');
		return true;
	}
	if (!arg)
		return fail(c, "a missing argument");
	*args = arg->next;
	switch (layout->conversion) {
	case 's':
		return step_text(c, arg, layout);
	case 'd':
	case 'i': {
		u32 size = signed_size(c, arg);

		if (size && size < layout->size)
			layout->size = size;
		return step_number(c, arg, layout);
	}
	case 'u':
	case 'x':
	case 'X':
	case 'o':
		return step_number(c, arg, layout);
	case 'p':
		return step_pointer(c, arg, layout, at);
	default:
		return fail(c, "an unknown conversion");
	}
}

static bool compile_format(struct compiler *c)
{
	const struct tep_print_arg *args = c->event->print_fmt.args;

	for (const char *p = c->event->print_fmt.format; *p;) {
		if (*p == '\\' && p[1]) {
			p++;
			literally(c, *p == 'n' ? '\n' : *p == 't' ? '\t' : *p == 'r' ? '\r' : *p);
			p++;
		} else if (*p == '%' && p[1] == '%') {
			literally(c, '%');
			p += 2;
		} else if (end_of_quoted(c, p, args)) {
			p = end_of_quoted(c, p, args);
			c->literal_len--;
			end_literal(c);
			if (!step_quoted(c, args))
				return false;
			args = args->next;
		} else if (*p == '%') {
			p++;
			end_literal(c);
			if (!step_conversion(c, &p, &args))
				return false;
		} else {
			literally(c, *p++);
		}
	}
	end_literal(c);
	return true;
}

struct trace_program *trace_program__new(struct tep_event *event, const struct trace_world *world,
                                         const char **why)
{
	struct trace_program *program = xcalloc(1, sizeof(*program));
	struct compiler c = { .program = program, .event = event, .world = world };
	bool ok = true;

	program->world = world;
	c.is_probe = tep_find_any_field(event, "__probe_ip") ||
	             tep_find_any_field(event, "__probe_func");
	if (event->flags & (TEP_EVENT_FL_FAILED | TEP_EVENT_FL_PRINTRAW | TEP_EVENT_FL_ISBPRINT))
		ok = fail(&c, "a format that libtraceevent cannot parse");
	else if (event->flags & TEP_EVENT_FL_ISFUNCENT || event->handler ||
	         !event->print_fmt.format)
		ok = fail(&c, "text that is not by its format");
	else
		ok = compile_format(&c);
	if (ok) {
		program->steps = c.steps;
		program->nr = c.nr;
	} else {
		free(c.steps);
		trace_program__delete(program);
		program = NULL;
	}
	free(c.calcs);
	free(c.literal);
	*why = c.why;
	return program;
}

void trace_program__delete(struct trace_program *program)
{
	if (!program)
		return;
	free(program->steps);
	arena__exit(&program->arena);
	free(program);
}

#endif
