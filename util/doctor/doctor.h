/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What this machine allows: a list of facilities that perf's commands live on, each with a probe.
 * A probe looks or tries, tells what it saw (the proof) and, where something is missing, the
 * cause, the one command that changes it and what works without it. Where a command meets the
 * same refusal it says the same words: both take them from util/event/refusal.h.
 *
 * Where it can be the probe is the deed itself, undone afterwards: counters are opened disabled and
 * closed again, a ring is unmapped, a file to be written has no name, the function tracer is tried
 * in an instance of tracefs that is removed. Nothing is mounted, no setting is written.
 */
#ifndef PERF_UTIL_DOCTOR_DOCTOR_H
#define PERF_UTIL_DOCTOR_DOCTOR_H

#include "util/counter/open.h"
#include "util/event/refusal.h"
#include "util/lib/types.h"

enum facility_state {
	FACILITY_WORKS,
	FACILITY_REFUSED, /* it is there, and we may not use it, or not all of it */
	FACILITY_ABSENT,  /* this machine, kernel or build does not have it, or it is off */
};

struct doctor;
struct finding;

struct facility {
	const char *group;   /* heading; equal for those that follow each other */
	const char *name;    /* "system-wide" */
	const char *meaning; /* what it is */
	const char *can;     /* what this build does with it, for the summary; NULL: a setting */
	const char *without; /* what works when it does not */
	void (*probe)(struct doctor *doctor, struct finding *finding);
};

struct finding {
	const struct facility *facility;
	enum facility_state state;
	char proof[320];       /* path or call, and the value: printable, one line */
	struct refusal reason; /* empty where it works; a fix may be there all the same */
};

struct doctor {
	const char *root;     /* in front of every path: "" but in tests */
	struct opener opener; /* the system call; tests replace it */
	char *tracefs;        /* where it is mounted; NULL: nowhere */
};

void doctor__init(struct doctor *doctor, const char *root);
void doctor__exit(struct doctor *doctor);

/* The facilities in the order of printing; index below doctor__nr(). */
u32 doctor__nr(void);
const struct facility *doctor__facility(u32 index);

void doctor__probe(struct doctor *doctor, const struct facility *facility, struct finding *finding);

/* "works", "refused", "absent"; of a setting, which does nothing: "ok", "limits you", "absent". */
const char *finding__state(const struct finding *finding);

#endif
