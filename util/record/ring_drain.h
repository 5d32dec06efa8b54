/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Move records from the rings to the file while something is measured. Bytes go unchanged from
 * the ring to the file: nothing is decoded, counted or copied in between. A pass visits every
 * ring once and is one writev. A FINISHED_ROUND follows each pass that found something; readers
 * may sort all records up to it.
 *
 * Passes leave out rings that the kernel overwrites (backward ones): ring_drain__dump() writes
 * their contents.
 *
 * Waiting costs next to nothing: one poll over the rings (which wake us for each quarter) and the
 * command's own descriptors. There is a pass at least every RING_DRAIN_PASS_MS, so that a recording
 * that is killed lacks only the last moments.
 */
#ifndef PERF_UTIL_RECORD_RING_DRAIN_H
#define PERF_UTIL_RECORD_RING_DRAIN_H

#include <sched.h>

#include "util/counter/ring.h"
#include "util/lib/types.h"
#include "util/record/live_unwind.h"
#include "util/record/unwritten.h"
#include "util/synthesize/synthesize.h"
#include "util/writer/compress.h"
#include "util/writer/writer.h"

/* The longest time that a record stays in its ring. */
#define RING_DRAIN_PASS_MS 200

/* Where the reader of a ring runs: anywhere, on a CPU of the same node, on the ring's CPU. */
enum ring_drain_affinity { AFFINITY_SYS, AFFINITY_NODE, AFFINITY_CPU };

/* Where what comes from a ring goes; both borrowed. */
struct ring_drain_file {
	struct data_writer *writer;
	struct compressor *packer; /* NULL: no compression */
};

struct ring_drain {
	struct rings *rings;        /* borrowed */
	struct data_writer *writer; /* borrowed */
	struct compressor *packer;  /* borrowed; for the rings' records; NULL: no compression */
	/*
	 * Borrowed: a separate file for each ring, without rounds, because records of one
	 * ring are in order. NULL: all go to @writer.
	 */
	const struct ring_drain_file *by_ring;
	u64 nr_woken;       /* returns of poll */
	u32 nr_live;        /* counters whose task has not ended */
	struct pollfd *fds; /* rings->fds, then the command's */
	u32 nr_events;
	bool backward; /* there are rings to dump; one round for all comes after the dump */

	/* Wishes, set behind ring_drain__init(). */
	u64 flush; /* a ring with fewer unread bytes than this is left for later (--mmap-flush) */
	u64 size_mark; /* of data in the file: from here on the command is asked; 0: never */
	u64 *total;    /* of all that share it (atomic): counts for size_mark; or NULL */
	enum ring_drain_affinity affinity;
	struct unwritten *unwritten; /* borrowed: told when the disk is full; NULL: nobody */
	bool ask_often;              /* the command is asked after each wait */
	/*
	 * Borrowed: all but what overwritten rings hold goes through it, which writes by
	 * ring_drain__write_unwound(). Then @flush is not looked at, for rings tell about each
	 * other, and only between catch_up or finish and the next pass may others write. NULL:
	 * none.
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

/* @events: descriptors of the command that ring_drain__run() also waits for (signals, timers). */
void ring_drain__init(struct ring_drain *drain, struct rings *rings, struct data_writer *writer,
                      const int *events, u32 nr_events);
void ring_drain__exit(struct ring_drain *drain);

/* The live_write_fn for the @live of a recorder; @ctx is the recorder. */
int ring_drain__write_unwound(void *ctx, const u8 *records, size_t len, bool round);

/* Bytes of data written by all recorders that share @total. */
u64 ring_drain__size(const struct ring_drain *drain);

/* CLOCK_MONOTONIC in ms. */
u64 ring_drain__now_ms(void);

/* One pass. Returns the bytes moved, or a negative errno of the file. */
s64 ring_drain__pass(struct ring_drain *drain);

/*
 * Call it while other data is written to the file for a long time: does a pass if one is due or a
 * ring is half full (our own writing may be what is recorded). There is no round, because
 * earlier records may still come. 0 or a negative errno.
 */
int ring_drain__look(struct ring_drain *drain);

/*
 * Move and wait until @ended returns true, or all measured tasks have ended. It is called whenever
 * one of the events is ready to be read, or the file has reached the size mark; it may give the
 * drain another writer. 0, or the file's negative errno.
 */
int ring_drain__run(struct ring_drain *drain, bool (*ended)(void *ctx), void *ctx);

/* One pass that leaves nothing for later, and a dump; counters may run on. 0 or an errno. */
int ring_drain__catch_up(struct ring_drain *drain);

/* Do passes until the rings are empty, then a dump; the counters must be disabled. */
int ring_drain__finish(struct ring_drain *drain);

/* Stop waiting for the command's descriptor @fd. */
void ring_drain__forget_event(struct ring_drain *drain, int fd);

/* The first @nr counters of the list were replaced: their losses start again from 0. */
void ring_drain__forget_lost(struct ring_drain *drain, u32 nr);

/*
 * Write the samples that did not fit into the rings, by counter (kernels from 6.0): one
 * LOST_SAMPLES record for each counter that lost something since the last call. Returns the sum.
 */
u64 ring_drain__put_lost(struct ring_drain *drain, struct synth *synth, const struct evlist *list,
                         const struct cpu_map *cpus);

#endif
