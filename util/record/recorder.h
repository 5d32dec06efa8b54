/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Move records from the rings to the file while something is measured. Bytes go unchanged from
 * the ring to the file: nothing is decoded, counted or copied in between. A pass visits every
 * ring once and is one writev. A FINISHED_ROUND follows each pass that found something; readers
 * may sort all records up to it.
 *
 * Passes leave out rings that the kernel overwrites (backward ones): recorder__dump() writes their
 * contents.
 *
 * Waiting costs next to nothing: one poll over the rings (which wake us for each quarter) and the
 * command's own descriptors. There is a pass at least every RECORDER_LOOK_MS, so that a recording
 * that is killed lacks only the last moments.
 */
#ifndef PERF_UTIL_RECORD_RECORDER_H
#define PERF_UTIL_RECORD_RECORDER_H

#include <sched.h>

#include "util/counter/ring.h"
#include "util/lib/types.h"
#include "util/record/live_unwind.h"
#include "util/record/unwritten.h"
#include "util/synthesize/synthesize.h"
#include "util/writer/compress.h"
#include "util/writer/writer.h"

/* The longest time that a record stays in its ring. */
#define RECORDER_LOOK_MS 200

/* Where the reader of a ring runs: anywhere, on a CPU of the same node, on the ring's CPU. */
enum recorder_affinity { AFFINITY_SYS, AFFINITY_NODE, AFFINITY_CPU };

/* The destination of a ring's records; both borrowed. */
struct recorder_file {
	struct data_writer *writer;
	struct compressor *packer; /* NULL: no compression */
};

struct recorder {
	struct rings *rings;        /* borrowed */
	struct data_writer *writer; /* borrowed */
	struct compressor *packer;  /* borrowed; for the rings' records; NULL: no compression */
	/*
	 * Borrowed: a separate file for each ring, without rounds, because records of one
	 * ring are in order. NULL: all go to @writer.
	 */
	const struct recorder_file *by_ring;
	u64 nr_woken;       /* returns of poll */
	u32 nr_live;        /* counters whose task has not ended */
	struct pollfd *fds; /* rings->fds, then the command's */
	u32 nr_events;
	bool backward; /* there are rings to dump; one round for all comes after the dump */

	/* Wishes, set after recorder__init(). */
	u64 flush; /* a ring with fewer unread bytes than this is left for later (--mmap-flush) */
	u64 size_mark; /* when the file has this much data, ended() is called; 0: never */
	u64 *total;    /* bytes of all recorders that share it (atomic), for size_mark; or NULL */
	enum recorder_affinity affinity;
	struct unwritten *unwritten; /* borrowed: notes samples when the disk is full; or NULL */
	bool ask_often;              /* call ended() after each wait */
	/*
	 * Borrowed: takes all records but those of overwritten rings, and writes them by
	 * recorder__write_unwound(). Then @flush is ignored, because rings depend on each other,
	 * and others may write only between catch_up or drain and the next pass. NULL: none.
	 */
	struct live_unwind *live;

	/* Private. */
	u64 passed_ms;  /* when the last pass began */
	bool late;      /* the last pass found a ring more than half full */
	u64 write_ms;   /* time of slow writes; atomic */
	u64 waited_ms;  /* the part of it while @live took nothing */
	u64 live_size;  /* bytes of data, set by @live's thread; atomic */
	u64 *lost_said; /* by counter, losses in earlier LOST_SAMPLES records */
	u32 nr_lost_said;
	struct out packed;
	cpu_set_t home, here; /* CPUs that we may run on: without --affinity, and now */
	cpu_set_t *nodes;     /* by ring, for AFFINITY_NODE; NULL: not needed yet */
};

/* @events: descriptors of the command that recorder__run() also waits for (signals, timers). */
void recorder__init(struct recorder *recorder, struct rings *rings, struct data_writer *writer,
                    const int *events, u32 nr_events);
void recorder__exit(struct recorder *recorder);

/* The live_write_fn for the @live of a recorder; @ctx is the recorder. */
int recorder__write_unwound(void *ctx, const u8 *records, size_t len, bool round);

/* Bytes of data written by all recorders that share @total. */
u64 recorder__size(const struct recorder *recorder);

/* CLOCK_MONOTONIC in ms. */
u64 recorder__now_ms(void);

/* One pass. Returns the bytes moved, or a negative errno of the file. */
s64 recorder__pass(struct recorder *recorder);

/*
 * Call it while other data is written to the file for a long time: does a pass if one is due or a
 * ring is half full (our own writing may be what is recorded). There is no round, because
 * earlier records may still come. 0 or a negative errno.
 */
int recorder__look(struct recorder *recorder);

/*
 * Move records and wait until @ended returns true, or all measured tasks have ended. @ended is
 * called whenever one of the events is readable, or the file has reached the size mark; it may
 * give the recorder another writer. 0, or the file's negative errno.
 */
int recorder__run(struct recorder *recorder, bool (*ended)(void *ctx), void *ctx);

/* Write the current contents of overwritten rings, oldest first. 0 or a negative errno. */
int recorder__dump(struct recorder *recorder);

/* One pass that leaves nothing for later, and a dump; counters may run on. 0 or an errno. */
int recorder__catch_up(struct recorder *recorder);

/* Do passes until the rings are empty, then a dump; the counters must be disabled. */
int recorder__drain(struct recorder *recorder);

/* Stop waiting for the command's descriptor @fd. */
void recorder__forget_event(struct recorder *recorder, int fd);

/* The first @nr counters of the list were replaced: their losses start again from 0. */
void recorder__forget_lost(struct recorder *recorder, u32 nr);

/*
 * Write the samples that did not fit into the rings, by counter (kernels from 6.0): one
 * LOST_SAMPLES record for each counter that lost something since the last call. Returns the sum.
 */
u64 recorder__put_lost(struct recorder *recorder, struct synth *synth, const struct evlist *list,
                       const struct cpu_map *cpus);

#endif
