/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tracepoints of a recording, by the format files that it kept of them, and typed access to the
 * fields of their samples.
 *
 *	event = trace_formats__event(formats, evsel->attr.config);
 *	pid = trace_event__field(event, "next_pid");		once
 *	trace__s64(pid, sample->raw, sample->raw_size)		for each sample
 *
 * A field has all that a load needs, so kernels and files of other word sizes and byte orders make
 * no difference to users. Each file has formats of its own: events of one name in two files do not
 * share anything. Needs no libtraceevent.
 */
#ifndef PERF_UTIL_TRACE_TRACE_FORMAT_H
#define PERF_UTIL_TRACE_TRACE_FORMAT_H

#include "util/lib/cursor.h"
#include "util/lib/out.h"
#include "util/lib/types.h"

enum trace_field_flags {
	TRACE_FIELD_SIGNED = 1u << 0,
	TRACE_FIELD_STRING = 1u << 1,   /* char[] of either kind */
	TRACE_FIELD_ARRAY = 1u << 2,    /* of fixed length: size / element things */
	TRACE_FIELD_DYNAMIC = 1u << 3,  /* a u32 says where it lies: offset | length << 16 ... */
	TRACE_FIELD_RELATIVE = 1u << 4, /* ... counted from behind that u32 */
	TRACE_FIELD_POINTER = 1u << 5,  /* an address in the kernel */
	TRACE_FIELD_COMMON = 1u << 6,   /* all events have it: common_pid ... */
	TRACE_FIELD_SWAP = 1u << 7,     /* other byte order than this machine's */
};

struct trace_field {
	const char *name, *type; /* "next_pid", "pid_t"; the type without the name and brackets */
	u16 offset, size;        /* bytes in the record; of dynamic ones those of the u32 */
	u16 element;             /* bytes of one element of an array; else the size */
	u16 next; /* of a probe's string: where the u32 of the next one is; UINT16_MAX: none; 0:
	             not of a probe */
	u8 flags; /* enum trace_field_flags */
};

struct trace_event {
	const char *system, *name;  /* "sched", "sched_switch" */
	u16 id;                     /* attr.config of the recording */
	struct trace_field *fields; /* in the order of the format: common ones first */
	u32 nr_fields, nr_common;
	u32 min_size;     /* bytes that all its fields need */
	const char *text; /* the format file, not NUL-ended; lies in the blob */
	size_t text_size;
};

struct trace_formats; /* private; not changed once made, so threads may share it */
struct perf_data;

/* Of a TRACING_DATA section, which is borrowed; of one that is damaged, what could be read. */
struct trace_formats *trace_formats__new(const void *blob, size_t size);

/* The same of a file. Without such a section there are no events in it. Never NULL. */
struct trace_formats *trace_formats__of_file(const struct perf_data *data);
void trace_formats__delete(struct trace_formats *formats);

/* By the number that the recording machine gave it; or NULL. */
const struct trace_event *trace_formats__event(const struct trace_formats *formats, u64 id);

/* By name, for what is no sample: "sched", "sched_switch"; or NULL. */
const struct trace_event *trace_formats__find(const struct trace_formats *formats,
                                              const char *system, const char *name);

/* By name, common ones too; or NULL. */
const struct trace_field *trace_event__field(const struct trace_event *event, const char *name);

/* The names of the event's own fields (those behind the common ones), joined by commas. */
void trace_event__names(const struct trace_event *event, struct out *out);

/* Bytes of one thing of @type, brackets and other words in it or not; 0: not known here. */
u16 trace_type__size(const char *type, unsigned long_size);

/* A probe's string: where its u32 is, that of the first one of its array (alone: its own), ... */
struct trace_string {
	u32 place, first;
	u32 next; /* ... and that of the next argument: as in struct trace_field */
};

/*
 * Could a probe not read the string? The kernel leaves no length then, or that of the string that
 * it read next, with its place. Of an array whose pointers cannot be read it writes no more u32s:
 * what the memory held before stands there, and does not go on where the element before ends.
 */
bool trace__is_fault(const u8 *raw, u32 size, const struct trace_string *string, bool swap);

#define TRACE_FAULT "(fault)" /* as the kernel prints it */

/* Does a record of @size bytes have the field? */
static inline bool trace__has(const struct trace_field *field, u32 size)
{
	return (u32)field->offset + field->size <= size;
}

/* A number of @size bytes at @at, which are there. Sizes that no number has give 0. */
static inline u64 trace__load(const u8 *at, u32 size, bool is_signed, bool swap)
{
	u64 value;

	switch (size) {
	case 1:
		return is_signed ? (u64)(signed char)*at : *at;
	case 2:
		value = load_u16(at, swap);
		return is_signed ? (u64)(s16)value : value;
	case 4:
		value = load_u32(at, swap);
		return is_signed ? (u64)(s32)value : value;
	case 8:
		return load_u64(at, swap);
	default:
		return 0;
	}
}

/*
 * A field as a number, with its sign carried to all 64 bits; of an array the first element. 0 where
 * the record of @size bytes ends before. Of dynamic fields it is the u32.
 */
static inline u64 trace__u64(const struct trace_field *field, const void *raw, u32 size)
{
	if (unlikely(!trace__has(field, size)))
		return 0;
	return trace__load((const u8 *)raw + field->offset, field->element,
	                   field->flags & TRACE_FIELD_SIGNED, field->flags & TRACE_FIELD_SWAP);
}

static inline s64 trace__s64(const struct trace_field *field, const void *raw, u32 size)
{
	return (s64)trace__u64(field, raw, size);
}

/*
 * The bytes of a field, of dynamic ones those that its u32 leads to; *len is their number. NULL
 * (and 0) where they are not all inside of the record. Of a string that a probe could not read
 * TRACE_FAULT.
 */
const void *trace__bytes(const struct trace_field *field, const void *raw, u32 size, u32 *len);

/* The same up to the first NUL, not NUL-ended itself: for text. */
const char *trace__str(const struct trace_field *field, const void *raw, u32 size, u32 *len);

#endif
