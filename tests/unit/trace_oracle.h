/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares what trace_text__print() says with libtraceevent's own text, byte for byte, for many
 * formats and many payloads each. On purpose (Documentation/differences.md) there is no control
 * character in ours, and where the sample makes the library read far beyond it, there are its
 * bytes. Negative numbers of one or two bytes, of which the library loses the sign, have a test of
 * their own.
 */
#ifndef PERF_TESTS_TRACE_ORACLE_H
#define PERF_TESTS_TRACE_ORACLE_H

#include "util/lib/types.h"

struct trace_oracle {
	unsigned nr_events, nr_slow; /* those that libtraceevent prints, as no program can */
	unsigned nr_failed;          /* those of them that it cannot parse itself */
	unsigned nr_different;       /* texts; the first ones were reported as failures */
};

struct trace_oracle_format {
	char *system, *text;
	size_t len;
};

/* Each format with @nr_random random payloads behind the fixed ones. */
struct trace_oracle trace_oracle__run(const struct trace_oracle_format *formats, unsigned nr,
                                      unsigned nr_random);

#endif
