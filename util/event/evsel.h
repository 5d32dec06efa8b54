/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An evsel is one event: its attr, name, ids and open counters; an evlist is an ordered list of
 * them. The event is as it was asked for, or as a file describes it; its counters are open while
 * recording or counting.
 */
#ifndef PERF_UTIL_EVENT_EVSEL_H
#define PERF_UTIL_EVENT_EVSEL_H

#include <linux/perf_event.h>

#include "util/lib/types.h"

/* Constants newer than the build machine's kernel headers. */
#ifndef PERF_FORMAT_LOST
#define PERF_FORMAT_LOST (1u << 4)
#endif

/*
 * attr.size of our events: with sig_data (5.13), whatever the build machine's headers have. Linux's
 * perf 6.1 refuses files with larger ones.
 */
#define EVSEL_ATTR_SIZE 128

/* PERF_SAMPLE_BRANCH_COUNTERS of Linux 6.8, in attr.branch_sample_type: counts at each branch. */
#define BRANCH_COUNTERS (1ull << 19)

/* Figures that perf itself measures; their attr is a dummy that counts nothing. */
enum evsel_tool {
	EVSEL_NO_TOOL,
	EVSEL_DURATION_TIME, /* ns of wall clock while counting */
	EVSEL_USER_TIME,     /* ns of CPU time of the workload in user space */
	EVSEL_SYSTEM_TIME,   /* ns of CPU time of the workload in the kernel */
};

struct evsel {
	struct perf_event_attr attr; /* native byte order; bytes the file lacked are 0 */
	u32 idx;                     /* position in the evlist; row.evsel */
	char *name;                  /* as typed and printed: "cycles:u", "sched:sched_switch" */
	u64 *ids; /* kernel ids of its counters (from the file, or after opening) */
	u32 nr_ids, ids_cap;
	u32 same_as;      /* idx of the event that reports add it to: see evlist__join_halves() */
	u32 leader;       /* idx of its group's leader; its own idx when it stands alone */
	u32 nr_members;   /* for a leader: members including itself; else 1 */
	char *group_name; /* NULL: none given */
	char *unit;       /* of the count, "" if none; `scale` turns raw counts into it */
	double scale;
	char *tracepoint;  /* "sched/sched_switch", however it is named; NULL: none, or of a file */
	char *filter;      /* --filter: of a tracepoint, for the kernel; else of samples; or NULL */
	u64 filter_fields; /* of samples: PERF_SAMPLE_* that it compares */
	enum evsel_tool tool;
	bool tracking; /* carries mmap/comm/task records for the others (dummy event) */

	/* What the event text asked for; the commands turn it into attr bits of their own. */
	bool user_period; /* terms period= or freq=: attr has it already */
	bool sample_read; /* modifier S: samples carry the counts of the whole group */
	bool precise_max; /* modifier P: the highest precise_ip the machine has */
	bool weak_group;  /* modifier W on the group: may be broken up if it does not fit */
	bool guest_set;   /* a modifier said G or H */
	s32 inherit;      /* terms inherit / no-inherit: 1 / 0; -1: not given */
	s32 overwrite;    /* terms overwrite / no-overwrite: 1 / 0; -1 */
	s32 time;         /* term time=: 1 / 0; -1 */
	s32 max_stack;    /* term max-stack=; -1 */
	bool percore;     /* term percore: sum over the threads of a core */
	u32 stack_size;   /* term stack-size=; 0: not given */
	char *call_graph; /* term call-graph=; NULL */
	char *pmu;        /* "msr" of msr/tsc/; NULL for events that need no sysfs */
	char *pmu_cpus;   /* the PMU counts on these CPUs only ("0-1"); NULL: on all */
	bool of_core_pmu; /* with pmu_cpus: tasks are counted while they run on them */

	/*
	 * For a static probe point the path of its program, with the offset in attr.config2; else
	 * NULL. The kernel wants config1 to point to the path: only while it is opened, never in a
	 * file.
	 */
	char *probe_path;
	bool implied;    /* another place of a static probe point, which the text has not named */
	bool superseded; /* implied, and named later: evlist__parse() removes it at its end */

	char *cgroup;  /* -G: only tasks of this cgroup are measured; NULL: all */
	int cgroup_fd; /* its folder; valid with cgroup */

	/* Open counters: fds[cpu_index * nr_threads + thread_index], -1 where not open. */
	int *fds; /* NULL: not opened */
	u32 nr_cpus, nr_threads;
};

struct evlist {
	struct evsel **evsels;
	u32 nr;
	size_t cap;
	u32 last; /* the events of the text that evlist__parse() read last are from here on */
};

/* All strings are copied. */
struct evsel *evlist__add(struct evlist *list, const struct perf_event_attr *attr,
                          const char *name);
void evsel__set_name(struct evsel *evsel, const char *name);
void evsel__set_text(char **field, const char *text); /* replaces a char * field; copies; NULL ok */
void evsel__add_id(struct evsel *evsel, u64 id);
void evsel__close(struct evsel *evsel);                  /* its counters; the ids stay */
void evlist__set_units(struct evlist *list);             /* the clocks, which count ns, get msec */
bool evsel__is_clock(const struct evsel *evsel);         /* task-clock and cpu-clock */
void evlist__make_group(struct evlist *list, u32 first); /* of the events from @first on */

/*
 * Find events that differ from an earlier one of the same name only in how call chains were taken:
 * the rest of it, after record --call-graph auto changed over. Set their same_as.
 */
void evlist__join_halves(struct evlist *list);
void evlist__truncate(struct evlist *list, u32 nr); /* drops all from index @nr on */
void evlist__drop_superseded(struct evlist *list);  /* of groups, too; never a leader */
void evlist__exit(struct evlist *list);             /* closes counters, frees everything */

/* It has no samples: records about tasks and maps come with it. */
static inline bool evsel__is_dummy(const struct evsel *evsel)
{
	return evsel->attr.type == PERF_TYPE_SOFTWARE && evsel->attr.config == PERF_COUNT_SW_DUMMY;
}

static inline bool evsel__is_tracepoint(const struct evsel *evsel)
{
	return evsel->attr.type == PERF_TYPE_TRACEPOINT;
}

/* ftrace:function, a sample for each call in the kernel: its id is 1 (TRACE_FN) in all kernels. */
static inline bool evsel__is_function_tracer(const struct evsel *evsel)
{
	return evsel__is_tracepoint(evsel) && evsel->attr.config == 1;
}

#endif
