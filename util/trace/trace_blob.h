/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Splits the TRACING_DATA section of perf.data into the tracefs files of the recording machine. The
 * layout is in Documentation/perf.data-file-format.txt. The meaning of a format file is left to
 * trace_format.h and trace_text.h.
 */
#ifndef PERF_UTIL_TRACE_TRACE_BLOB_H
#define PERF_UTIL_TRACE_TRACE_BLOB_H

#include <stddef.h>

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

#endif
