/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fields of a tracepoint as the kernel judges them in filters: text or number, by the file
 * `format` of the tracepoint in tracefs. (How samples are read by fields: util/trace.)
 */
#ifndef PERF_UTIL_EVENT_EVENT_FIELDS_H
#define PERF_UTIL_EVENT_EVENT_FIELDS_H

#include "util/event/tracefs.h"
#include "util/lib/alloc.h"
#include "util/lib/error.h"
#include "util/lib/types.h"

struct event_field {
	const char *name;
	bool is_text;   /* compared with quoted text: char arrays, char *, dynamic strings */
	bool is_signed; /* negative numbers make sense */
	u32 odd_size;   /* of an array that the kernel compares with no number: its bytes; else 0 */
	bool is_common; /* all tracepoints have it: common_pid ... */
};

struct event_fields {
	struct event_field *fields; /* in the order of the file */
	u32 nr;
	size_t cap;
	struct arena arena; /* their names */
};

/* Lines that are no fields are passed over; @format ends with a NUL. Never fails. */
void event_fields__parse(struct event_fields *fields, const char *format);

/* Read them for the tracepoint "sys/name". 0, or a negative errno with @err. */
int event_fields__read(struct event_fields *fields, struct tracefs *tracefs, const char *tracepoint,
                       struct error *err);
void event_fields__exit(struct event_fields *fields);

/* NULL: there is none of this name, @len bytes long. */
const struct event_field *event_fields__find(const struct event_fields *fields, const char *name,
                                             size_t len);

#endif
