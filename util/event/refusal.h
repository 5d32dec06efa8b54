/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why something is refused here, and what to do about it: all texts of causes and advice. A
 * command's error and the line of `perf doctor` about the same thing have the same text, because
 * both come from here. The cause is picked by evidence (access.h, and what was tried); it is not a
 * list of guesses.
 */
#ifndef PERF_UTIL_EVENT_REFUSAL_H
#define PERF_UTIL_EVENT_REFUSAL_H

#include <sys/types.h>

#include "util/event/access.h"
#include "util/lib/error.h"
#include "util/lib/types.h"

struct refusal {
	char cause[256];  /* with the value that decides; lower case, no full stop */
	char advice[256]; /* for people; contains the command in fix, if any */
	char fix[128];    /* the one command (as root) that changes it; "": there is none */
};

/* What was to be measured; none needs fewer rights than the one before. */
enum access_need {
	ACCESS_OWN,        /* user space of the user's own processes: up to paranoid level 2 */
	ACCESS_KERNEL,     /* the kernel while it works for them: up to 1 */
	ACCESS_PHYSICAL,   /* the physical addresses of their data: up to 1 */
	ACCESS_CPUS,       /* whole CPUs, whoever runs there: up to 0 */
	ACCESS_TRACEPOINT, /* raw data of tracepoints: -1 */
};

struct refused_open {
	int code; /* -EACCES, -EPERM or -ENOSYS: the answer of perf_event_open */
	enum access_need need;
	bool own_refused; /* even ACCESS_OWN is refused: then that is explained */
	pid_t other;      /* the process that was to be measured, if not our own; else 0 */
};

/* A refusal of perf_event_open. */
void refusal__of_open(struct refusal *reason, const struct access *access,
                      const struct refused_open *refused);

/* @what needs the capability named @cap at any paranoid level: "probes are ..." */
void refusal__needs_cap(struct refusal *reason, const struct access *access, const char *what,
                        const char *cap);

/* Hardware events on a machine without hardware counters. */
void refusal__no_counters(struct refusal *reason);

/* tracefs is mounted nowhere; @known: does the kernel have it? */
void refusal__tracefs_absent(struct refusal *reason, bool known);

/* tracefs at @path fails with @code (-EACCES, -EPERM; others are reported as they are). */
void refusal__tracefs_unreadable(struct refusal *reason, const struct access *access,
                                 const char *path, int code);

/* The kernel is locked down to confidentiality, which binds root, too. */
void refusal__locked_down(struct refusal *reason);

/*
 * The function tracer, or its event ftrace:function, fails with @code although the user has all
 * rights.
 */
void refusal__function_tracer(struct refusal *reason, const struct access *access, int code);

/* /proc/kallsyms shows zeros for addresses. */
void refusal__kallsyms(struct refusal *reason, const struct access *access);

/* @nr rings with @kb KB of data each could not be locked. */
void refusal__rings(struct refusal *reason, const struct access *access, u64 kb, u32 nr);

/* No more files can be opened. */
void refusal__files(struct refusal *reason, const struct access *access);

/* Give @err the cause and advice; returns @code. */
int refusal__to_error(const struct refusal *reason, int code, const char *what, const char *subject,
                      struct error *err);

/* "kernel.perf_event_mlock_kb 516 x 2 CPUs + RLIMIT_MEMLOCK 0 KB" */
const char *access__ring_budget_text(const struct access *access, char *buf, size_t size);

/* The largest ring (KB of data, a power of two) of which the budget allows @nr; 0: none. */
u64 access__ring_kb(const struct access *access, u32 nr);

#endif
