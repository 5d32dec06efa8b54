/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The only caller of perf_event_open(), and what it learnt: missing features, rights, what was
 * given up. The call is replaceable, so that a test can play any kernel.
 */
#ifndef PERF_UTIL_COUNTER_OPENER_H
#define PERF_UTIL_COUNTER_OPENER_H

#include <linux/perf_event.h>
#include <sys/types.h>

#include "util/event/access.h"
#include "util/event/refusal.h"
#include "util/lib/types.h"

/* Returns a file descriptor or a negative errno. */
typedef int (*perf_event_open_fn)(void *ctx, struct perf_event_attr *attr, pid_t pid, int cpu,
                                  int group_fd, unsigned long flags);

/* What the kernel turned out not to know: bits of opener.missing. */
enum open_missing {
	OPEN_NO_BRANCH_COUNTERS = 1u << 0, /* 6.8  PERF_SAMPLE_BRANCH_COUNTERS */
	OPEN_NO_READ_LOST = 1u << 1,       /* 6.0  PERF_FORMAT_LOST */
	OPEN_NO_WEIGHT_STRUCT = 1u << 2,   /* 5.12 PERF_SAMPLE_WEIGHT_STRUCT */
	OPEN_NO_CODE_PAGE_SIZE = 1u << 3,  /* 5.11 PERF_SAMPLE_CODE_PAGE_SIZE */
	OPEN_NO_DATA_PAGE_SIZE = 1u << 4,  /* 5.11 PERF_SAMPLE_DATA_PAGE_SIZE */
	OPEN_NO_BUILD_ID = 1u << 5,        /* 5.12 build_id */
	OPEN_NO_CGROUP = 1u << 6,          /* 5.7  cgroup, PERF_SAMPLE_CGROUP */
	OPEN_NO_BRANCH_HW_IDX = 1u << 7,   /* 5.7  PERF_SAMPLE_BRANCH_HW_INDEX */
	OPEN_NO_TEXT_POKE = 1u << 8,       /* 5.8  text_poke */
	OPEN_NO_BPF_EVENT = 1u << 10,      /* 5.1  bpf_event */
	OPEN_NO_KSYMBOL = 1u << 11,        /* 5.1  ksymbol */
	OPEN_NO_NAMESPACES = 1u << 12,     /* 4.12 namespaces */
	OPEN_NO_WRITE_BACKWARD = 1u << 13, /* 4.7  write_backward */
	OPEN_NO_CONTEXT_SWITCH = 1u << 14, /* 4.3  context_switch */
	OPEN_NO_CLOCKID = 1u << 15,        /* 4.1  use_clockid */
	OPEN_NO_COMM_EXEC = 1u << 16,      /* 3.16 comm_exec */
	OPEN_NO_MMAP2 = 1u << 17,          /* 3.16 mmap2 (the form with protection and flags) */
	OPEN_NO_CLOEXEC = 1u << 18,        /* 3.14 PERF_FLAG_FD_CLOEXEC */
	OPEN_NO_EXCLUDE_GUEST = 1u << 19,  /* 3.2  exclude_guest, exclude_host; some PMUs refuse */
	OPEN_NO_SAMPLE_ID_ALL = 1u << 20,  /* 2.6.38 sample_id_all */
	OPEN_NO_IDENTIFIER = 1u << 21,     /* 3.12 PERF_SAMPLE_IDENTIFIER */
	OPEN_NO_MAX_STACK = 1u << 22,      /* 4.8  sample_max_stack */
};

/* One call of perf_event_open, for reporting it. */
struct opener_call {
	const struct perf_event_attr *attr;
	pid_t pid;
	int cpu, group_fd;
	unsigned long flags;
	int result;
};

struct opener {
	perf_event_open_fn open;
	void *ctx;
	u32 missing;  /* OPEN_NO_* */
	char **notes; /* one line for each thing given up, for -v; owned */
	u32 nr_notes;
	size_t notes_cap;
	/*
	 * Called after each call, with its result (a descriptor or a negative errno); may be NULL.
	 */
	void (*tried)(void *ctx, const struct opener_call *call);
	void *tried_ctx;
	/* Wake pollers each time this many bytes were written; 0: half of the ring. */
	u32 wake_bytes;
	u64 nr_calls;   /* of open() */
	bool user_only; /* kernel events were refused: all later ones are :u */
	struct refusal user_only_reason;
	bool has_access; /* access was read, after the first refusal */
	struct access access;
	bool raised_fds;  /* the soft limit of open files was raised */
	int has_counters; /* hardware counters, after the first refusal: 1, 0; -1: not tried */
};

void opener__init(struct opener *opener); /* with the real system call */
void opener__exit(struct opener *opener);

/* What decides about our rights, looked up once. Owned by @opener. */
const struct access *opener__access(struct opener *opener);

/* Keep a line for -v. Takes ownership of @note (malloc'ed). */
void opener__note(struct opener *opener, char *note);

/*
 * Can events of children have their counts in samples (Linux 6.12)? Then each stays with its task.
 * Others change tasks when the kernel switches between children of one parent: those of a probe are
 * then removed with a task that is not theirs, and its hits in the other are missed.
 */
bool opener__reads_children(struct opener *opener);

/*
 * Open and close the least that can be asked for of an event: our own task, user space only. A
 * negative errno: it is refused.
 */
int opener__ask(struct opener *opener, u32 type, u64 config);

/* Does the machine have hardware counters? Tried once, with as simple an event as possible. */
bool opener__has_counters(struct opener *opener);

#endif
