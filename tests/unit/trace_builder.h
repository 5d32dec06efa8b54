/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Make a TRACING_DATA section for tests out of format files, in either byte order. */
#ifndef PERF_TESTS_TRACE_BUILDER_H
#define PERF_TESTS_TRACE_BUILDER_H

#include "tests/unit/builder.h"

/* The lines of a format file for the fields that all events have. */
#define TRACE_COMMON_FIELDS                                                                        \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"                     \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"                     \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"             \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

struct built_format {
	const char *system, *text;
};

/* Each format in a system of its own. @b->swap: the other byte order than this machine's. */
void trace_builder__write(struct builder *b, unsigned long_size, const struct built_format *formats,
                          unsigned nr);

#endif
