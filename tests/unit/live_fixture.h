/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records as rings deliver them, for tests of unwinding while recording. */
#ifndef PERF_TESTS_LIVE_FIXTURE_H
#define PERF_TESTS_LIVE_FIXTURE_H

#include "tests/unit/builder.h"
#include "util/format/record.h"
#include "util/record/live_chains.h"
#include "util/unwind/verdict.h"

#define LIVE_TYPE                                                                                  \
	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN |             \
	 PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER)
#define LIVE_STACK 64 /* bytes of the copies */

/* Make a list of one event, which samples the registers pc and sp of this machine. */
void live_fixture__list(struct evlist *list);

/* Add a sample of process @pid at @ip; without @copy it has neither registers nor a stack. */
void live_fixture__sample(struct builder *b, u64 time, u32 pid, u64 ip, bool copy);
void live_fixture__map(struct builder *b, u64 time, u32 pid, u64 start, u64 len);

/* The result of a sample: the number of words of its chain, and the verdict; -1: it has none. */
int live_fixture__end(const struct evlist *list, const struct record *record, u64 *nr_chain);

#endif
