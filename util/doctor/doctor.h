/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What this machine allows: a list of facilities that perf's commands need, each with a probe.
 *
 * A probe looks or tries. It reports what it saw (the proof) and, if something is missing, the
 * cause, the command that changes it and what works without it. A command that is refused in the
 * same way prints the same words: both take them from util/event/refusal.h.
 *
 * If possible a probe performs the operation and undoes it: counters are opened disabled and
 * closed again, a ring is unmapped, a test file has no name, the function tracer is tried in an
 * instance of tracefs that is then removed, a filter of samples on one page fault. Nothing is
 * mounted, no setting is written.
 */
#ifndef PERF_UTIL_DOCTOR_DOCTOR_H
#define PERF_UTIL_DOCTOR_DOCTOR_H

#include "util/counter/open.h"
#include "util/event/refusal.h"
#include "util/lib/types.h"

enum facility_state {
	FACILITY_WORKS,
	FACILITY_REFUSED, /* it exists, but we may not use it, or only a part */
	FACILITY_ABSENT,  /* this machine, kernel or build lacks it, or it is off */
};

struct doctor;
struct finding;

struct facility {
	const char *group;   /* heading; facilities of one group are adjacent */
	const char *name;    /* "system-wide" */
	const char *meaning; /* what it is */
	const char *can;     /* what this build does with it, for the summary; NULL: a setting */
	const char *without; /* what works without it */
	void (*probe)(struct doctor *doctor, struct finding *finding);
};

struct finding {
	const struct facility *facility;
	enum facility_state state;
	char proof[320];       /* path or call, and the value: printable, one line */
	struct refusal reason; /* empty if it works, except perhaps for the fix */
};

struct doctor {
	const char *root;     /* in front of every path: "", except in tests */
	struct opener opener; /* the system call; tests replace it */
	char *tracefs;        /* its mount point; NULL: not mounted */
};

void doctor__init(struct doctor *doctor, const char *root);
void doctor__exit(struct doctor *doctor);

/* The facilities in the order of printing; index below doctor__nr(). */
u32 doctor__nr(void);
const struct facility *doctor__facility(u32 index);

void doctor__probe(struct doctor *doctor, const struct facility *facility, struct finding *finding);

/* "works", "refused", "absent"; for a setting: "ok", "limits you", "absent". */
const char *finding__state(const struct finding *finding);

#endif
