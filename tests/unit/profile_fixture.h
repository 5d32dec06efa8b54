/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A profile made from call chains given as text, for tests of util/profile/ and of reports. The
 * chains go through a perf.data file, which is read and reduced.
 *
 *	struct fixture f;
 *	fixture__init(&f);
 *	fixture__sample(&f, "main;f;g", 10);	caller first; a..z, main, _start, clone3
 *	fixture__profile(&f, workers);		reads, builds, names
 *	... f.profile, f.names ...
 *	fixture__exit(&f);
 *
 * Every function is 16 bytes of an ELF file that the process has mapped; "f+4" is 4 bytes into
 * it. n keeps no frame; u has no unwind information; the others keep frames. "?7" is the
 * address 7, where nothing is mapped. Tasks: pid 100 is "prog".
 */
#ifndef PERF_TESTS_PROFILE_FIXTURE_H
#define PERF_TESTS_PROFILE_FIXTURE_H

#include "tests/unit/builder.h"
#include "util/profile/names.h"
#include "util/view/callchain.h"
#include "util/view/hists.h"

#define FIXTURE_TYPE                                                                               \
	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |                   \
	 PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN)
#define FIXTURE_START 0x500000u /* address of the process's code */
#define FIXTURE_PID   100

struct fixture {
	struct file_builder file;
	struct built_sample last; /* its time advances by itself; tests may set cpu and ids */
	u16 misc;                 /* cpumode of the samples: user */
	struct session session;
	struct profile profile;
	struct chains chains; /* as they were built */
	struct session_symbols *symbols;
	struct names names;
	struct profile_options options; /* of the build; workers is set by fixture__profile() */
	unsigned names_flags;
	char *elf;
	bool built;
};

void fixture__init(struct fixture *f);
void fixture__exit(struct fixture *f);

/* Add a sample; its ip is the chain's last address. */
void fixture__sample(struct fixture *f, const char *chain, u64 period);

/* Add four of two commands: 75 in all. */
void fixture__some_samples(struct fixture *f);

/* Add a sample with raw chain entries (markers, too), leaf first. */
void fixture__raw_sample(struct fixture *f, u64 ip, const u64 *chain, u64 nr, u64 period);

/* The address of "f", "f+4", "?7". */
u64 fixture__addr(const char *name);

void fixture__profile(struct fixture *f, unsigned workers);

/* Entries of all events as text, one per line: "self/total name"; valid until the next call. */
const char *fixture__entries(const struct fixture *f, const struct hists *hists);

#endif
