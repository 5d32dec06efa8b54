/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opening counters. Kernels differ in what they know, machines in what they have and users in
 * what they may; a refused counter is tried again with less, by one documented ladder (the table
 * in open.c names each rung, its kernel version and its reason). What was given up is kept in the
 * opener for -v and holds for the events opened after it.
 *
 * All goes through one replaceable function, so that a test plays any kernel.
 */
#ifndef PERF_UTIL_EVENT_OPEN_H
#define PERF_UTIL_EVENT_OPEN_H

#include <sys/types.h>

#include "util/event/evsel.h"
#include "util/event/reason.h"
#include "util/event/targets.h"
#include "util/lib/error.h"
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

/* One call of perf_event_open, for those who want to tell it. */
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
	/* Told of each call and what came of it (a descriptor or a negative errno); NULL: nobody.
	 */
	void (*tried)(void *ctx, const struct opener_call *call);
	void *tried_ctx;
	/* Who polls is woken each time so many bytes were written, not a half of the ring; 0: so.
	 */
	u32 wake_bytes;
	u64 nr_calls;   /* of open() */
	bool user_only; /* kernel events were refused: everything since is :u */
	struct reason user_only_reason;
	bool has_access; /* the picture was taken, after the first refusal */
	struct access access;
	bool raised_fds;  /* the soft limit of open files was raised */
	int has_counters; /* of hardware, asked after the first refusal: 1, 0; -1 not asked */
};

void opener__init(struct opener *opener); /* with the real system call */
void opener__exit(struct opener *opener);

/* What decides about our rights, looked up once. Owned by @opener. */
const struct access *opener__access(struct opener *opener);

/*
 * Open @evsel for each of @cpus x @threads (its leader, if another, must be open). On success
 * evsel->fds holds them all and attr is what the kernel accepted. What may change beyond
 * opener.missing: precise_ip is lowered; exclude_kernel is set for a user that may count user
 * space only, and the name gets the modifier u ("cycles:u").
 *
 * A thread that has ended since the list was made is left out (fd -1) unless all have.
 * On failure nothing stays open; returns the negative errno of the last try and fills @err with
 * cause and advice. -EMFILE: after raising the soft limit to the hard one did not help.
 */
int evsel__open(struct opener *opener, struct evlist *list, struct evsel *evsel,
                const struct cpu_map *cpus, const struct thread_map *threads, struct error *err);

/* Where kernel events were refused before: @evsel is of user space only, and its name says so. */
void opener__limit(const struct opener *opener, struct evsel *evsel);

/* All events in order; the first that fails ends it, and all are closed. */
int evlist__open(struct opener *opener, struct evlist *list, const struct cpu_map *cpus,
                 const struct thread_map *threads, struct error *err);

/*
 * After @evsel was refused: a group that may be broken up (modifier W) is closed, and each of its
 * events stands alone from now on. The caller makes them start by themselves and opens again, from
 * the former leader on. Returns how many events they are; 0: @evsel is of no such group.
 */
u32 evlist__break_up(struct evlist *list, const struct evsel *evsel);

/*
 * The machine has no such hardware event (evsel__open gave @code)? A command that only wants to
 * know where time goes may then take cpu-clock: turns cycles into it, keeping modifiers, and
 * returns true; false if @evsel is something else or the code says something else. The caller
 * opens again and tells the user, once.
 */
bool evsel__fall_back_to_clock(struct evsel *evsel, int code);

/* What was tried when a counter was refused, for the words about it. */
struct open_attempt {
	struct opener *opener;
	const struct evsel *evsel;
	pid_t pid;
	int cpu;
};

/* Fill @err for the refusal @code (a negative errno) with cause and advice; returns @code. */
int open__explain(const struct open_attempt *attempt, int code, struct error *err);

/* The event is one that this machine or kernel does not have (stat: <not supported>). */
bool open__not_supported(int code);

/* The kernel's ids of the open counters into evsel->ids (order: cpu, thread). 0 or -errno. */
int evsel__read_ids(struct evsel *evsel);

/* ioctls on all open counters of the evsel. 0 or a negative errno of the first that failed. */
int evsel__enable(struct evsel *evsel);
int evsel__disable(struct evsel *evsel);

/* Gives evsel->filter to the kernel, if there is one. Fills @err. */
int evsel__apply_filter(struct evsel *evsel, struct error *err);

#endif
