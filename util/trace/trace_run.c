// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs the steps of a program over one record. The caller's one check makes all loads of fixed
 * places safe: a record that is shorter than the reach is copied in front of zeros. What a record
 * itself leads to (dynamic arrays, indexes, counts) is checked where it is used.
 */
#include "util/trace/trace_program_private.h"

#include <stdlib.h>
#include <string.h>

#define WORD_BITS 64

/* ---- numbers ---- */

static u64 element(const struct calc *step, u64 offset, u64 index, const struct run *run)
{
	u64 at;

	if (__builtin_mul_overflow(index, (u64)step->size, &at) ||
	    __builtin_add_overflow(at, offset, &at) || at > run->size ||
	    step->size > run->size - at)
		return 0;
	return trace_calc__load(run->raw + at, step->size, run->swap);
}

static u64 dynamic_element(const struct calc *step, u64 index, const struct run *run)
{
	u32 place = load_u32(run->raw + step->offset, run->swap) & 0xffff;

	if (step->value) /* relative */
		place += step->offset + sizeof(u32);
	/* The library adds the index without the size of an element. */
	return index <= run->size ? element(step, place + index, 0, run) : 0;
}

static inline u64 shift_left(u64 value, u64 by)
{
	return value << (by % WORD_BITS); /* as the processors of the library do */
}

static u64 binary(u8 code, u64 a, u64 b)
{
	switch (code) {
	case CALC_OR:
		return a || b;
	case CALC_OR_BITS:
		return a | b;
	case CALC_AND:
		return a && b;
	case CALC_AND_BITS:
		return a & b;
	case CALC_LESS:
		return a < b;
	case CALC_SHIFT_LEFT:
		return shift_left(a, b);
	case CALC_LESS_EQUAL:
		return a <= b;
	case CALC_GREATER:
		return a > b;
	case CALC_SHIFT_RIGHT:
		return a >> (b % WORD_BITS);
	case CALC_GREATER_EQUAL:
		return a >= b;
	case CALC_EQUAL:
		return a == b;
	case CALC_UNEQUAL:
		return a != b;
	case CALC_PLUS:
		return a + b;
	case CALC_MINUS:
		return a - b;
	case CALC_TIMES:
		return a * b;
	case CALC_DIVIDE:
		return b ? a / b : 0;
	default:
		return b ? a % b : 0;
	}
}

u64 trace_calc__value(const struct value *value, const struct run *run)
{
	u64 stack[STACK_MAX + 1], *top = stack; /* top: the first free one */

	for (const struct calc *step = value->calc, *end = step + value->nr; step < end; step++) {
		switch (step->code) {
		case CALC_CONST:
			*top++ = step->value;
			break;
		case CALC_LOAD:
			*top++ = trace_calc__load(run->raw + step->offset, step->size, run->swap);
			break;
		case CALC_LENGTH:
			*top++ = load_u32(run->raw + step->offset, run->swap) >> 16;
			break;
		case CALC_ELEMENT:
			top[-1] = element(step, step->offset, top[-1], run);
			break;
		case CALC_DYNAMIC_ELEMENT:
			top[-1] = dynamic_element(step, top[-1], run);
			break;
		case CALC_MASK:
			top[-1] &= step->value;
			break;
		case CALC_NOT:
			top[-1] = !top[-1];
			break;
		case CALC_INVERT:
			top[-1] = ~top[-1];
			break;
		case CALC_SELECT:
			top -= 2;
			top[-1] = top[-1] ? top[0] : top[1];
			break;
		default:
			top--;
			top[-1] = binary(step->code, top[-1], top[0]);
		}
	}
	return top[-1];
}

/* ---- text ---- */

/* Bounded, as it may come from the sample. */
static int star_of(const struct run *run, const struct layout *layout)
{
	int star = (int)value_of(&layout->star, run);

	return star > UINT16_MAX ? UINT16_MAX : star < -UINT16_MAX ? -UINT16_MAX : star;
}

void trace_run__text(const struct run *run, const struct layout *layout, const char *text, u32 len)
{
	struct out *out = run->out;
	s64 width, precision;
	bool left;

	if (likely(layout->plain)) {
		out__mem(out, text, len);
		return;
	}
	width = layout->width;
	precision = layout->precision;
	left = layout->left;
	if (layout->has_star && layout->star_is_width) {
		width = star_of(run, layout);
		left |= width < 0;
		width = width < 0 ? -width : width;
	} else if (layout->has_star) {
		precision = star_of(run, layout);
	}
	if (precision >= 0 && len > precision)
		len = precision;
	width = width > UINT16_MAX ? UINT16_MAX : width;
	if (!left)
		out__fill(out, ' ', width - (s64)len);
	out__mem(out, text, len);
	if (left)
		out__fill(out, ' ', width - (s64)len);
}

/* The value cut to its size; with a sign where the conversion has one. */
static u64 cut(u64 value, const struct layout *layout)
{
	bool has_sign = layout->conversion == 'd' || layout->conversion == 'i';

	switch (layout->size) {
	case 1:
		return has_sign ? (u64)(signed char)value : (u8)value;
	case 2:
		return has_sign ? (u64)(s16)value : (u16)value;
	case 4:
		return has_sign ? (u64)(s32)value : (u32)value;
	default:
		return value;
	}
}

/* The usual ones without printf: "%08lx", "%3d", "%#x". False: another kind. */
static bool print_padded(struct out *out, const struct layout *layout, u64 value)
{
	bool has_sign = layout->conversion == 'd' || layout->conversion == 'i';

	if (layout->has_star || layout->left || layout->precision >= 0 ||
	    (has_sign && (s64)value < 0))
		return false;
	if (layout->alternative) {
		if (layout->conversion != 'x' || layout->width)
			return false;
		out__str(out, value ? "0x" : "");
		out__hex(out, value, 0);
	} else if (layout->conversion == 'x') {
		(layout->zero ? out__hex0 : out__hex)(out, value, layout->width);
	} else if (has_sign || layout->conversion == 'u') {
		(layout->zero ? out__dec0 : out__dec)(out, value, layout->width);
	} else {
		return false;
	}
	return true;
}

static void print_number(const struct run *run, const struct step *step)
{
	const struct layout *layout = step->layout;
	u64 value = cut(value_of(&step->value, run), layout);
	struct out *out = run->out;

	if (layout->conversion == 'p') {
		out__str(out, value ? "0x" : "(nil)");
		if (value)
			out__hex(out, value, 0);
		return;
	}
	if (likely(layout->plain)) {
		switch (layout->conversion) {
		case 'd':
		case 'i':
			out__sdec(out, (s64)value);
			return;
		case 'u':
			out__dec(out, value, 0);
			return;
		case 'x':
			out__hex(out, value, 0);
			return;
		}
	}
	if (print_padded(out, layout, value))
		return;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	if (layout->has_star)
		out__printf(out, layout->format, star_of(run, layout), value);
	else
		out__printf(out, layout->format, value);
#pragma GCC diagnostic pop
}

const u8 *trace_run__bytes(const struct run *run, const struct bytes *bytes, u32 *len)
{
	u32 offset = bytes->offset;

	*len = bytes->size;
	if (bytes->dynamic) {
		u32 place = load_u32(run->raw + offset, run->swap);

		offset = (place & 0xffff) + (bytes->relative ? offset + sizeof(u32) : 0);
		*len = place >> 16;
	}
	if (offset >= run->size) {
		*len = 0;
		return NULL;
	}
	if (*len > run->size - offset)
		*len = run->size - offset;
	return run->raw + offset;
}

/* As the kernel prints it, which may be told apart from a string of these letters by the quotes. */
static void print_quoted(const struct run *run, const struct step *step)
{
	const struct bytes *bytes = &step->bytes;
	u32 len;
	const u8 *text = trace_run__bytes(run, bytes, &len);
	const struct trace_string string = { bytes->offset, bytes->first, bytes->next };

	if (trace__is_fault(run->raw, run->size, &string, run->swap)) {
		out__str(run->out, TRACE_FAULT);
		return;
	}
	out__char(run->out, '"');
	if (text)
		out__mem(run->out, text, strnlen((const char *)text, len));
	out__char(run->out, '"');
}

/* What is no character of ASCII by its number: a line of text ends at a NUL. */
static void print_char(const struct run *run, const struct step *step)
{
	u8 letter = value_of(&step->value, run);

	if (letter >= ' ' && letter < 0x7f) {
		out__char(run->out, letter);
		return;
	}
	out__str(run->out, "\\x");
	out__hex0(run->out, letter, 2);
}

/* Characters up to a NUL. The library believes dynamic strings to end with one. */
static void print_string(const struct run *run, const struct step *step)
{
	u32 len;
	const u8 *text = trace_run__bytes(run, &step->bytes, &len);

	if (step->bytes.quoted) {
		print_quoted(run, step);
		return;
	}
	if (step->bytes.dynamic && !len)
		return; /* not even blanks */
	if (step->bytes.dynamic)
		len = run->size - (text - run->raw);
	if (text)
		len = strnlen((const char *)text, len);
	trace_run__text(run, step->layout, (const char *)text, len);
}

static void print_printk(const struct run *run, const struct step *step)
{
	u64 addr =
	        trace_calc__load(run->raw + step->bytes.offset, run->world->long_size, run->swap);
	u32 at = u64map__get(&run->world->printk, addr);

	if (at != ID_NONE)
		out__str(run->out, run->world->texts[at]);
	else
		out__hex(run->out, addr, 0);
}

static void print_flags(const struct run *run, const struct step *step)
{
	const struct names *names = step->names;
	u64 value = value_of(&step->value, run);
	bool any = false;

	for (const struct name *name = names->names, *end = name + names->nr; name < end; name++) {
		if (!value && (s64)name->value < 0) {
			trace_run__text(run, step->layout, name->text, name->len);
			any = true;
			break;
		}
		if ((s64)name->value <= 0 || (value & name->value) != name->value)
			continue;
		if (any)
			out__mem(run->out, names->delimiter, names->delimiter_len);
		trace_run__text(run, step->layout, name->text, name->len);
		any = true;
		value &= ~name->value;
	}
	if (!value)
		return;
	if (any)
		out__mem(run->out, names->delimiter, names->delimiter_len);
	out__mem(run->out, "0x", 2);
	out__hex(run->out, value, 0);
}

static const struct name *find_name(const struct names *names, u64 value)
{
	if (value < names->nr_dense)
		return names->by_value[value];
	for (u32 low = 0, high = names->nr_dense ? 0 : names->nr; low < high;) {
		u32 middle = low + (high - low) / 2;
		const struct name *name = &names->names[middle];

		if (name->value == value)
			return name;
		if (name->value < value)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

static void print_symbolic(const struct run *run, const struct step *step)
{
	u64 value = value_of(&step->value, run);
	const struct name *name = find_name(step->names, value);

	if (likely(name)) {
		trace_run__text(run, step->layout, name->text, name->len);
		return;
	}
	out__mem(run->out, "0x", 2);
	out__hex(run->out, value, 0);
}

/* ---- arrays ---- */

/* As many bytes as @count says, if the record has them. */
static void print_hex(const struct run *run, const struct step *step)
{
	u32 len;
	const u8 *bytes = trace_run__bytes(run, &step->bytes, &len);
	s64 count = (s32)value_of(&step->value, run);

	len = bytes ? run->size - (bytes - run->raw) : 0;
	for (s64 i = 0; i < count && i < len; i++) {
		if (i && step->text_len)
			out__char(run->out, ' ');
		out__hex0(run->out, bytes[i], 2);
	}
}

static void print_array(const struct run *run, const struct step *step)
{
	u32 len, size = step->element;
	const u8 *bytes = trace_run__bytes(run, &step->bytes, &len);
	s64 count = (s32)value_of(&step->value, run);

	len = bytes ? run->size - (bytes - run->raw) : 0;
	for (s64 i = 0; i < count && (i + 1) * size <= len; i++) {
		if (i)
			out__char(run->out, ' ');
		out__dec(run->out, trace_calc__load(bytes + i * size, size, run->swap), 0);
	}
}

/* Byte @i of a mask, counted from the lowest bits. */
static u8 mask_byte(const struct run *run, const u8 *bytes, u32 len, u32 i)
{
	bool big = run->swap == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);

	return big ? bytes[len - 1 - i] : bytes[i];
}

/* Groups of 32 bits: "00000001,ffffffff". */
static void print_bitmask(const struct run *run, const struct step *step)
{
	struct out text;
	u32 len;
	const u8 *bytes = trace_run__bytes(run, &step->bytes, &len);

	out__init(&text, -1);
	for (u32 i = len; i-- > 0;) {
		out__hex0(&text, mask_byte(run, bytes, len, i), 2);
		if (i && !(i % 4))
			out__char(&text, ',');
	}
	trace_run__text(run, step->layout, text.buf, text.len);
	out__exit(&text);
}

static bool mask_bit(const struct run *run, const u8 *bytes, u32 len, u32 bit)
{
	return bit < len * 8 && mask_byte(run, bytes, len, bit / 8) >> bit % 8 & 1;
}

/* Ranges: "0-3,7". */
static void print_cpumask(const struct run *run, const struct step *step)
{
	struct out text;
	u32 len;
	const u8 *bytes = trace_run__bytes(run, &step->bytes, &len);

	out__init(&text, -1);
	for (u32 first = 0, last; first < len * 8; first = last + 1) {
		last = first;
		if (!mask_bit(run, bytes, len, first))
			continue;
		while (mask_bit(run, bytes, len, last + 1))
			last++;
		if (text.len)
			out__char(&text, ',');
		out__dec(&text, first, 0);
		if (last > first) {
			out__char(&text, '-');
			out__dec(&text, last, 0);
		}
	}
	trace_run__text(run, step->layout, text.buf, text.len);
	out__exit(&text);
}

/* ---- the program ---- */

static void print_symbol(const struct run *run, const struct step *step)
{
	u64 addr = value_of(&step->value, run), start = addr;
	trace_symbol_fn symbol = run->world->symbol;
	const char *name = symbol ? symbol(run->world->ctx, addr, &start) : NULL;

	if (!name) {
		out__mem(run->out, "0x", 2);
		out__hex(run->out, addr, 0);
		return;
	}
	out__str(run->out, name);
	if (step->variant == 'S' || step->variant == 'F') {
		out__mem(run->out, "+0x", 3);
		out__hex(run->out, addr - start, 0);
	}
}

static void run_step(const struct run *run, const struct step *step)
{
	switch (step->code) {
	case STEP_STRING:
		print_string(run, step);
		break;
	case STEP_CHAR:
		print_char(run, step);
		break;
	case STEP_WORD:
		trace_run__text(run, step->layout, step->text, step->text_len);
		break;
	case STEP_PRINTK:
		print_printk(run, step);
		break;
	case STEP_FLAGS:
		print_flags(run, step);
		break;
	case STEP_SYMBOLIC:
		print_symbolic(run, step);
		break;
	case STEP_HEX:
		print_hex(run, step);
		break;
	case STEP_ARRAY:
		print_array(run, step);
		break;
	case STEP_BITMASK:
		print_bitmask(run, step);
		break;
	case STEP_CPUMASK:
		print_cpumask(run, step);
		break;
	case STEP_SYMBOL:
		print_symbol(run, step);
		break;
	default:
		trace_address__print(run, step);
	}
}

static void run_steps(const struct trace_program *program, const struct run *run)
{
	const struct step *step = program->steps, *end = step + program->nr;

	while (step < end) {
		switch (step->code) {
		case STEP_TEXT:
			out__mem(run->out, step->text, step->text_len);
			break;
		case STEP_NUMBER:
			print_number(run, step);
			break;
		case STEP_UNLESS:
			if (!value_of(&step->value, run)) {
				step = program->steps + step->target;
				continue;
			}
			break;
		case STEP_GO:
			step = program->steps + step->target;
			continue;
		default:
			run_step(run, step);
		}
		step++;
	}
}

u32 trace_program__reach(const struct trace_program *program)
{
	return program->reach;
}

void trace_program__run(const struct trace_program *program, struct out *out, const u8 *raw,
                        u32 size)
{
	struct run run = { program->world, out, raw, size, program->world->swap };
	u8 *longer = NULL;

	if (unlikely(size < program->reach)) {
		longer = xcalloc(1, program->reach);
		memcpy(longer, raw, size);
		run.raw = longer;
		run.size = program->reach;
	}
	run_steps(program, &run);
	free(longer);
}
