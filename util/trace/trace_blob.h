/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Splits the TRACING_DATA section of perf.data into the tracefs files of the recording machine. The
 * layout is in Documentation/perf.data-file-format.txt. The meaning of a format file is left to
 * util/trace/trace_text.h or trace_format__fields().
 */
#ifndef PERF_UTIL_TRACE_TRACE_BLOB_H
#define PERF_UTIL_TRACE_TRACE_BLOB_H

#include <stddef.h>

#include "util/lib/out.h"
#include "util/lib/types.h"

/* Functions for the parts of a blob; each may be NULL. Texts are not NUL-terminated. */
struct trace_blob_reader {
	void (*machine)(void *ctx, bool big_endian, unsigned long_size, u32 page_size);
	/* A format file of "ftrace" or another system. */
	void (*format)(void *ctx, const char *system, const char *text, size_t size);
	void (*printk_formats)(void *ctx, const char *text, size_t size);
	void *ctx;
};

/*
 * Call them in the order of the blob. 0, or -EBADMSG where it is damaged (earlier parts were
 * given).
 */
int trace_blob__read(const void *blob, size_t size, const struct trace_blob_reader *reader);

/* The "ID:" of a format file; false if there is none. */
bool trace_format__id(const char *text, size_t size, u64 *id);

/* The names of the event's own fields (those behind the common ones), joined by commas. */
void trace_format__fields(struct out *out, const char *text, size_t size);

/* Where field @name of the event lies in its records; false if there is none. */
bool trace_format__field(const char *text, size_t size, const char *name, u32 *offset, u32 *len);

#endif
