/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One recording from its first counter to its finished file. The command sets the wishes, calls
 * the steps in order, and reports what was noticed.
 *
 *	recording__open()	counters and rings; nothing is written yet
 *	recording__begin()	the file, and what already exists: tasks, maps, the kernel
 *	recording__enable()	unless an exec or a delay does it
 *	recording__run()
 *	recording__end()	drain, read the file once, build-ids, features
 *	recording__exit()	in any case
 */
#ifndef PERF_UTIL_RECORD_RECORDING_H
#define PERF_UTIL_RECORD_RECORDING_H

#include "util/counter/open.h"
#include "util/counter/targets.h"
#include "util/event/parse.h"
#include "util/probe/run_probes.h"
#include "util/record/build_ids.h"
#include "util/record/call_graph_choice.h"
#include "util/record/config.h"
#include "util/record/live_chains.h"
#include "util/sink/ring_drain.h"
#include "util/sink/thread_masks.h"

enum recording_synth {
	SYNTH_TASK = 1u << 0,
	SYNTH_MMAP = 1u << 1, /* of tasks */
	SYNTH_CGROUP = 1u << 2,
	SYNTH_ALL = SYNTH_TASK | SYNTH_MMAP | SYNTH_CGROUP,
};

/* What is wished: set by the command before recording__open(). */
struct recording_wish {
	struct record_config config;
	struct evlist evlist; /* without events: cycles, at the highest precision */
	struct event_sources sources;
	struct cpu_map cpus; /* CPU_ANY alone: counters that follow their tasks */
	struct thread_map threads;
	const char *output;
	int compression; /* -z: the level; 0: none */
	int stream_fd;   /* write a stream to it (it is taken over); -1: write the file @output */
	int end_fd; /* of a stream: readable when it must end, whatever its reader does; or -1 */
	u64 ring_size;
	bool ring_size_given; /* else the rings may be made larger if that helps */
	s32 workload;         /* its pid; 0: none */
	bool no_build_ids, no_cache, all_build_ids;
	/* Or NULL. The file that was written is read from now on; NULL: no more. */
	void (*reading)(const struct perf_data *data);
	u32 synth; /* enum recording_synth: records to synthesize about what already exists */
	const char *version;
	const char *const *words; /* the command line */
	u32 nr_words;
	bool kcore; /* a folder with a copy of the kernel; excludes a stream and switching */
	bool tail_synthesis;  /* synthesize at the end of a file */
	bool stamped;         /* --timestamp-filename: files are named by the time of their end */
	bool switching;       /* --switch-output: several files (and stamped) */
	bool boundary;        /* --timestamp-boundary: first and last sample, also when switching */
	u32 max_files;        /* that are kept when switching; 0: all */
	u64 flush, size_mark; /* see struct ring_drain */
	enum ring_drain_affinity affinity;
	struct thread_masks masks; /* --threads: these write a folder; nr 0: one writes a file */
	u64 live_limit;            /* with config.unwind_live: see struct live_load */
};

/* What was found, for the messages of the command and the features of the file. */
struct recording_found {
	struct opener opener;
	bool default_event, fell_back; /* from cycles to cpu-clock */
	struct error kernel_hidden;    /* code 0: it is not */
	struct error modules_hidden;
	struct error cache_trouble; /* of the last object that could not be cached */
	u32 nr_cache_troubles;
	struct build_id_pass pass; /* samples, times, losses */
	u64 lost_by_counters;
	struct live_counts unwound;
	struct call_graph_choice choice; /* mode CHAIN_AUTO: nothing was chosen */
	struct call_graph_choice
	        changed;          /* why frame pointers were given up; CHAIN_AUTO: they were not */
	struct error not_looking; /* why frame pointers are not checked; code 0: they are */
	u64 data_size;
	u64 packed_in, packed_out; /* -z: bytes of the rings' data, and of it in the file */
	char *found_at; /* the file's name at the end if something renamed it; NULL: its own */
	bool gone;      /* at the end the file had no name any more */
};

struct recording {
	struct recording_wish wish;
	struct recording_found found;
	struct run_probes probes;  /* static probe points, made for this run */
	struct recording_run *run; /* what runs; private: recording_run.h */
};

/* The targets as given by the options. Texts may be NULL. */
struct targets_wish {
	const char *pids, *tids, *user, *cpus; /* the first of these that is given wins */
	bool all_cpus;
	s32 workload; /* its pid, followed if nothing else is given; 0: none */
};

void recording__init(struct recording *recording);

/* 0, or a negative errno with @err: a probe that was made for this run could not be removed. */
int recording__exit(struct recording *recording, struct error *err);

/* --synth: "no", "all", "task,mmap,cgroup". 0 or -EINVAL. */
int recording__parse_synth(struct recording *recording, const char *text, struct error *err);

/*
 * Set cpus, threads and the targets in config. Without any wish: all CPUs. -ESRCH: no such process;
 * -ENODEV: no such CPU; -EINVAL: the text cannot be parsed.
 */
int recording__set_targets(struct recording *recording, const struct targets_wish *wish,
                           struct error *err);

/*
 * --threads=@text; call it after recording__set_targets(). -EINVAL, -ENODEV: see thread_masks.h;
 * -EINVAL, too, if rings belong to threads instead of CPUs.
 */
int recording__set_writers(struct recording *recording, const char *text, struct error *err);

int recording__open(struct recording *recording, struct error *err);

/* @events: see ring_drain__init(). */
int recording__begin(struct recording *recording, const int *events, u32 nr_events,
                     struct error *err);
/* Between begin and end: ring_drain__run() on all writer threads. */
int recording__run(struct recording *recording, bool (*ended)(void *ctx), void *ctx);
int recording__enable(struct recording *recording, struct error *err);

/* Stop sampling until enabled again; records about tasks and maps go on if an event has them. */
int recording__disable(struct recording *recording, struct error *err);

bool recording__has_file(const struct recording *recording); /* false: the next could not be made */
u64 recording__size(const struct recording *recording);      /* of the data so far; any thread */
u64 recording__nr_woken(const struct recording *recording);  /* how often it woke, for this file */

/* The samples of the event with this index that did not pass its filter (BPF), until now. */
u64 recording__nr_filtered(const struct recording *recording, u32 event);

/* Stop waiting for the command's descriptor @fd. */
void recording__forget_event(struct recording *recording, int fd);

/* The compression ratio of -z for the rings' data; 0: no data, or no -z. */
double recording__ratio(const struct recording *recording);

/* After a failure before measuring: remove the file; an older one gets its name back. */
void recording__abandon(struct recording *recording);

/*
 * Finish this file under its own name and go on in a new one (from within recording__run()). Events
 * stay enabled. 0 or a negative errno; after an error only recording__end() may be called.
 */
int recording__switch(struct recording *recording, struct error *err);
const char *recording__last_name(const struct recording *recording); /* NULL: none is finished */

/* From now on do not wait for a stream's reader that has stopped reading. */
void recording__hurry(struct recording *recording);

/*
 * A path to the current or last finished file that stays valid, for this process, if the file is
 * renamed; NULL: there is none. The caller frees it.
 */
char *recording__path_to_read(const struct recording *recording);

/* Make a readable file of what was written, also after an error of recording__run(). */
int recording__end(struct recording *recording, struct error *err);

#endif
