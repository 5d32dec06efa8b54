/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A perf.data file made from chains as text, read and reduced to a profile, for the tests of
 * util/profile/ and of the report's text.
 *
 *	struct fixture f;
 *	fixture__init(&f);
 *	fixture__sample(&f, "main;f;g", 10);	caller first; a..z, main, _start, clone3
 *	fixture__profile(&f, workers);		reads, builds, names
 *	... f.profile, f.names ...
 *	fixture__exit(&f);
 *
 * Every function is 16 bytes of an ELF file that the process has mapped; "f+4" is 4 bytes into
 * it. n keeps no frame; of u there is no unwind information; the others keep frames. "?7" is the
 *address 7, which nothing is mapped at. Tasks: pid 100 is "prog".
 */
#ifndef PERF_TESTS_PROFILE_FIXTURE_H
#define PERF_TESTS_PROFILE_FIXTURE_H

#include "tests/unit/builder.h"
#include "util/profile/callchain.h"
#include "util/profile/hists.h"
#include "util/profile/names.h"

#define FIXTURE_TYPE                                                                               \
	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |                   \
	 PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN)
#define FIXTURE_START 0x500000u /* where the process has its code */
#define FIXTURE_PID   100

struct fixture {
	struct file_builder file;
	struct built_sample last; /* time goes on by itself; cpu and ids may be set by the test */
	u16 misc;                 /* cpumode of the samples: user */
	struct session session;
	struct profile profile;
	struct session_symbols *symbols;
	struct names names;
	struct profile_options options; /* of the build; workers is set by fixture__profile() */
	unsigned names_flags;
	char *elf;
	bool built;
};

void fixture__init(struct fixture *f);
void fixture__exit(struct fixture *f);

/* The ip is the chain's last address. */
void fixture__sample(struct fixture *f, const char *chain, u64 period);

/* A record of raw chain entries (markers, too), leaf first. */
void fixture__raw_sample(struct fixture *f, u64 ip, const u64 *chain, u64 nr, u64 period);

/* The address of "f", "f+4", "?7". */
u64 fixture__addr(const char *name);

void fixture__profile(struct fixture *f, unsigned workers);

/* Entries of all events as text, one a line: "self/total name"; valid until the next call. */
const char *fixture__entries(const struct fixture *f, const struct hists *hists);

#endif
