/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why something is refused here, and what to do about it: the one place of these words. The error
 * of a command and the line of `perf doctor` about the same thing hold the same text, because
 * both come from here. The cause is picked by evidence (access.h, and what was tried), it is not
 * a list of guesses.
 */
#ifndef PERF_UTIL_EVENT_REFUSAL_H
#define PERF_UTIL_EVENT_REFUSAL_H

#include <sys/types.h>

#include "util/event/access.h"
#include "util/lib/error.h"
#include "util/lib/types.h"

struct refusal {
	char cause[256];  /* with the value that decides; lower case, no full stop */
	char advice[256]; /* for people; holds the command of fix if there is one */
	char fix[128];    /* the one command (as root) that changes it; "": there is none */
};

/* What was to be measured, each more than the one before. */
enum access_need {
	ACCESS_OWN,        /* user space of the user's own processes: up to paranoid level 2 */
	ACCESS_KERNEL,     /* the kernel while it works for them: up to 1 */
	ACCESS_CPUS,       /* whole CPUs, whoever runs there: up to 0 */
	ACCESS_TRACEPOINT, /* raw data of tracepoints: -1 */
};

struct refused_open {
	int code; /* -EACCES, -EPERM or -ENOSYS: the answer of perf_event_open */
	enum access_need need;
	bool own_refused; /* so is the least, ACCESS_OWN: then that is what must be explained */
	pid_t other;      /* the process that was to be measured, if not our own; else 0 */
};

/* A refusal of perf_event_open. */
void refusal__of_open(struct refusal *reason, const struct access *access,
                      const struct refused_open *refused);

/* Something that only the capability @cap (its name) opens, whatever the level: "probes are ..." */
void refusal__needs_cap(struct refusal *reason, const struct access *access, const char *what,
                        const char *cap);

/* Hardware events on a machine that has none. */
void refusal__no_counters(struct refusal *reason);

/* tracefs is mounted nowhere; @known: does the kernel have it? */
void refusal__tracefs_absent(struct refusal *reason, bool known);

/* tracefs at @path answers @code (-EACCES, -EPERM; others are told as they are). */
void refusal__tracefs_unreadable(struct refusal *reason, const struct access *access,
                                 const char *path, int code);

/* The kernel is locked down to confidentiality: what that closes, it closes to root, too. */
void refusal__locked_down(struct refusal *reason);

/* The function tracer, or its event ftrace:function, answers @code to someone with all rights. */
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

/* The largest ring (KB of data, a power of two) that @nr rings of a budget may have; 0: none. */
u64 access__ring_kb(const struct access *access, u32 nr);

#endif
