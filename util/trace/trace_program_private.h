/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The steps of a program: between trace_compile.c, trace_run.c and trace_address.c only. */
#ifndef PERF_UTIL_TRACE_TRACE_PROGRAM_PRIVATE_H
#define PERF_UTIL_TRACE_TRACE_PROGRAM_PRIVATE_H

#include "util/lib/alloc.h"
#include "util/lib/cursor.h"
#include "util/trace/trace_format.h"
#include "util/trace/trace_program.h"

#define STACK_MAX 64 /* values of an expression that wait for their operator */

enum calc_code {
	CALC_CONST,
	CALC_LOAD,    /* of a fixed place */
	CALC_LENGTH,  /* of a dynamic array, in bytes */
	CALC_ELEMENT, /* the index is on the stack */
	CALC_DYNAMIC_ELEMENT,
	CALC_MASK, /* of a cast */
	CALC_NOT,
	CALC_INVERT,
	CALC_SELECT, /* condition, then, else */
	CALC_OR,
	CALC_OR_BITS,
	CALC_AND,
	CALC_AND_BITS,
	CALC_LESS,
	CALC_SHIFT_LEFT,
	CALC_LESS_EQUAL,
	CALC_GREATER,
	CALC_SHIFT_RIGHT,
	CALC_GREATER_EQUAL,
	CALC_EQUAL,
	CALC_UNEQUAL,
	CALC_PLUS,
	CALC_MINUS,
	CALC_TIMES,
	CALC_DIVIDE,
	CALC_REMAINDER,
};

/* One step of an expression in postfix order. */
struct calc {
	u8 code; /* enum calc_code */
	u8 size; /* of what is loaded */
	u16 offset;
	u64 value; /* a constant, or a mask */
};

/* A number: mostly one load or a constant. */
struct value {
	enum { VALUE_CONST, VALUE_LOAD, VALUE_CALC } kind;
	u8 size;
	u16 offset;
	u64 constant;
	const struct calc *calc;
	u32 nr;
};

/* "%-08.3lx": how text or a number is laid out. */
struct layout {
	bool left, zero, alternative;
	u32 width;
	s32 precision; /* -1: none */
	char conversion;
	u8 size;            /* of a number, cut to it */
	bool plain;         /* none of all that */
	bool has_star;      /* a width or a precision is in the record ... */
	bool star_is_width; /* ... which of them */
	struct value star;
	const char *format; /* the same for printf, with the length "ll" or none */
};

struct name {
	u64 value;
	const char *text;
	u32 len, order; /* place in the format */
};

struct names {
	struct name *names; /* for __print_symbolic() in the order of values, the first of each */
	u32 nr;
	const char *delimiter;
	u32 delimiter_len;
	const struct name **by_value; /* of values 0 ... nr_dense - 1, or NULL in it */
	u32 nr_dense;
};

/* Bytes in the record. */
struct bytes {
	bool dynamic, relative;
	bool quoted;      /* a probe's string: quotes belong to it, not to TRACE_FAULT */
	u16 offset, size; /* of dynamic ones of the u32 that leads to them */
	u16 first, next;  /* quoted: as in struct trace_string */
};

enum step_code {
	STEP_TEXT,     /* literally */
	STEP_NUMBER,   /* value, layout */
	STEP_STRING,   /* bytes, layout */
	STEP_CHAR,     /* value: a character of a probe */
	STEP_WORD,     /* text, layout */
	STEP_PRINTK,   /* bytes: the address of a text, layout */
	STEP_FLAGS,    /* value, names, layout */
	STEP_SYMBOLIC, /* value, names, layout */
	STEP_HEX,      /* bytes, count, text between */
	STEP_ARRAY,    /* bytes, count, size of an element */
	STEP_BITMASK,  /* bytes, layout */
	STEP_CPUMASK,  /* bytes, layout */
	STEP_SYMBOL,   /* value; conversion S with the offset */
	STEP_MAC,      /* bytes, layout.conversion: how */
	STEP_IP4,
	STEP_IP6,
	STEP_SOCKET,
	STEP_UUID,
	STEP_UNLESS, /* if value is 0 go to step `target` */
	STEP_GO,
};

struct step {
	u8 code; /* enum step_code */
	u8 element;
	char variant, order, port; /* of addresses: the letters behind %p */
	u32 target;
	struct value value;
	struct bytes bytes;
	const char *text;
	u32 text_len;
	const struct layout *layout;
	const struct names *names;
};

struct trace_program {
	struct arena arena;
	const struct trace_world *world;
	struct step *steps;
	u32 nr;
	u32 reach;
};

/* The record that a program is run on; zeros follow it where it is shorter than the reach. */
struct run {
	const struct trace_world *world;
	struct out *out;
	const u8 *raw;
	u32 size;
	bool swap;
};

u64 trace_calc__value(const struct value *value, const struct run *run);

static inline u64 trace_calc__load(const u8 *at, u32 size, bool swap)
{
	switch (size) {
	case 1:
		return *at;
	case 2:
		return load_u16(at, swap);
	case 4:
		return load_u32(at, swap);
	case 8:
		return load_u64(at, swap);
	default:
		return 0;
	}
}

static inline u64 value_of(const struct value *value, const struct run *run)
{
	if (likely(value->kind == VALUE_LOAD))
		return trace_calc__load(run->raw + value->offset, value->size, run->swap);
	return value->kind == VALUE_CONST ? value->constant : trace_calc__value(value, run);
}

/* Where the bytes are, and *len of them; cut at the end of the record, NULL behind it. */
const u8 *trace_run__bytes(const struct run *run, const struct bytes *bytes, u32 *len);

/* Text laid out. */
void trace_run__text(const struct run *run, const struct layout *layout, const char *text, u32 len);

/* MAC, IP and socket addresses, UUIDs (trace_address.c). */
void trace_address__print(const struct run *run, const struct step *step);

#endif
