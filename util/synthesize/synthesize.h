/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes records about what existed when recording began, and about the recording itself. The
 * former: the kernel's map, modules, tasks and their maps from /proc; the latter: ids, threads,
 * CPUs, units. Layouts and order are those of Linux's perf 6.1.
 *
 * The system keeps running while we read: a task that vanishes is left out; one that starts is
 * reported by the kernel, because side-band counters are running before the first call.
 */
#ifndef PERF_UTIL_SYNTHESIZE_SYNTHESIZE_H
#define PERF_UTIL_SYNTHESIZE_SYNTHESIZE_H

#include "util/counter/targets.h"
#include "util/event/evsel.h"
#include "util/lib/error.h"
#include "util/lib/out.h"
#include "util/lib/types.h"

union bpf_attr; /* linux/bpf.h */

struct synth {
	struct out out;                                        /* records not yet flushed */
	int (*flush)(void *ctx, const void *data, size_t len); /* 0 or a negative errno */
	void *ctx;
	int error;         /* of flush; later records are dropped */
	u16 trailer_size;  /* of kernel-type records: sample_id_all of the first event */
	bool data_maps;    /* -d: also maps that are not executable */
	bool maps;         /* of tasks; true after synth__init() */
	bool namespaces;   /* of tasks */
	bool thread_names; /* in the list of threads: no other record has them (stat record) */
	/*
	 * With --buildid-mmap: the build-id of file @path as process @pid sees it (-1: of the
	 * kernel or a module), with inode @ino. Its size, 0 for none. NULL: not wanted.
	 */
	u8 (*build_id)(s32 pid, const char *path, u64 ino, u8 id[static 20]);
	const char *root; /* prefix of /proc and /lib; "" except in tests */
	size_t at;        /* start of the record being built */
	/* bpf(2), or a test's replacement. */
	int (*bpf)(int command, union bpf_attr *attr);
};

void synth__init(struct synth *synth, const struct evlist *evlist,
                 int (*flush)(void *ctx, const void *data, size_t len), void *ctx);
int synth__flush(struct synth *synth); /* 0 or the error that stays */
int synth__exit(struct synth *synth);  /* flushes and frees; the same return */

/* About the recording. @cpus and @threads: what the counters were opened for. */
void synth__id_index(struct synth *synth, const struct evlist *evlist, const struct cpu_map *cpus,
                     const struct thread_map *threads);
void synth__event_updates(struct synth *synth, const struct evlist *evlist,
                          bool names); /* @names: streams have no other place for them */
void synth__thread_map(struct synth *synth, const struct thread_map *threads);
void synth__cpu_map(struct synth *synth, const struct cpu_map *cpus);
void synth__finished_init(struct synth *synth);
void synth__lost_samples(struct synth *synth, const struct evsel *evsel, u64 id, s32 cpu, u64 lost,
                         u16 misc);

/* What was counted (perf stat record). The configuration uses numbers of Linux's perf 6.1. */
struct synth_stat_config {
	u64 aggregation, interval_ms, scale;
};
struct synth_stat {
	u64 id;                      /* of the counter */
	s32 cpu, thread;             /* the CPU's number, or -1; an index in the list of threads */
	u64 value, enabled, running; /* since the counter was opened */
};
void synth__stat_config(struct synth *synth, const struct synth_stat_config *config);
void synth__stat(struct synth *synth, const struct synth_stat *stat);
void synth__stat_round(struct synth *synth, bool final, u64 ns); /* since the start */

/*
 * The kernel's own map. -EACCES when its addresses are hidden from us (kptr_restrict), -ENOENT
 * when there is no kallsyms; nothing is written then.
 */
int synth__kernel_map(struct synth *synth, struct error *err);

/* One map for each loaded module; 0 when the kernel has none. */
int synth__modules(struct synth *synth, struct error *err);

/* The BPF programs that are loaded now, as far as we may list them. */
void synth__bpf_programs(struct synth *synth);

/*
 * What the kernel made of these programs, their machine code: appends the contents of the header's
 * section BPF_PROG_INFO to @out. @bpf: as above; NULL: bpf(2).
 */
void synth__bpf_code(struct out *out, int (*bpf)(int command, union bpf_attr *attr));

/*
 * All cgroups of the hierarchy whose ids samples carry: cgroup v2, or v1's perf_event where it is
 * mounted. Nothing where there is none.
 */
void synth__cgroups(struct synth *synth);

/* About tasks. */
void synth__comm(struct synth *synth, s32 pid, s32 tid, const char *comm);
/* Of one thread; nothing when it is gone. */
void synth__namespaces(struct synth *synth, s32 pid, s32 tid);
int synth__all_tasks(struct synth *synth, struct error *err); /* with FORK records */
void synth__tasks(struct synth *synth, const struct thread_map *threads);

#endif
