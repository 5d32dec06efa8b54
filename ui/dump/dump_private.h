/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by ui/dump/dump*.c only. */
#ifndef PERF_UI_DUMP_DUMP_PRIVATE_H
#define PERF_UI_DUMP_DUMP_PRIVATE_H

#include "ui/dump/dump.h"
#include "util/reader/reads.h"

struct dump {
	const struct session *session;
	struct session_symbols *symbols;
	struct out *out;
	bool swap, script;
	bool no_trailers;        /* events without sample_id_all: only samples have a time */
	u64 any_type;            /* sample types of all events together */
	const struct arch *arch; /* of the recording machine */
	struct resolver *resolver;
	struct last_reads reads;
	struct dump_counts counts;
	char path[512]; /* as printed: "@FILE [" */
	size_t path_len;
};

/* Each of these prints the part after "[SIZE]: ". */

/* dump_sample.c: @sample as decoded. */
void dump__sample(struct dump *dump, const struct evsel *evsel, const struct record *record,
                  const struct sample *sample);

/* dump_kernel.c: other records of the kernel; @trailer as decoded. False: broken. */
bool dump__kernel(struct dump *dump, const struct record *record, const struct sample *trailer);

/* dump_own.c: records that perf itself writes. False: broken. */
bool dump__own(struct dump *dump, const struct record *record);

void dump__unhandled(struct dump *dump, const struct record *record);

#endif
