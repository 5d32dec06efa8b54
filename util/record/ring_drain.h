/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Moving records from the rings to the file while something is measured. Bytes go from the ring
 * to the file as they lie: nothing is decoded, counted or copied in between. A pass visits every
 * ring once and is one writev; FINISHED_ROUND follows each pass that found something, which tells
 * readers how far records can be put in order.
 *
 * Rings that the kernel overwrites (backward ones) are left alone by all that: catching up
 * and draining write what they hold.
 *
 * Waiting costs next to nothing: one poll over the rings (which wake us for each quarter) and the
 * command's own descriptors. At the latest after RING_DRAIN_PASS_MS there is a pass, so that a
 * recording that is killed lacks no more than the last moments.
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

/* So long a record may lie in its ring. */
#define RING_DRAIN_PASS_MS 200

/* Where the reader of a ring runs: anywhere, on a CPU of the same node, on the ring's CPU. */
enum ring_drain_affinity { AFFINITY_SYS, AFFINITY_NODE, AFFINITY_CPU };

/* Where what comes from a ring goes; both borrowed. */
struct ring_drain_file {
	struct data_writer *writer;
	struct compressor *packer; /* NULL: as it lies */
};

struct ring_drain {
	struct rings *rings;        /* borrowed */
	struct data_writer *writer; /* borrowed */
	struct compressor *packer;  /* borrowed; of what comes from rings; NULL: as it lies */
	/*
	 * Borrowed: a file of its own for each ring, and no rounds, because what comes from one
	 * ring is in order. NULL: all goes to @writer.
	 */
	const struct ring_drain_file *by_ring;
	u64 nr_woken;       /* returns of poll */
	u32 nr_live;        /* counters whose task has not ended */
	struct pollfd *fds; /* rings->fds, then the command's */
	u32 nr_events;
	bool backward; /* there are rings to dump: one round for all, behind them */

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
	u64 write_ms;   /* that slow writes took; atomic */
	u64 waited_ms;  /* of that, while @live took nothing */
	u64 live_size;  /* bytes of data, told by @live's thread; atomic */
	u64 *lost_said; /* by counter, what earlier files told */
	u32 nr_lost_said;
	struct out packed;
	cpu_set_t home, here; /* where we may run without --affinity, and now */
	cpu_set_t *nodes;     /* by ring, for AFFINITY_NODE; NULL: not needed yet */
};

/* @events: descriptors of the command that ring_drain__run() also waits for (signals, timers). */
void ring_drain__init(struct ring_drain *drain, struct rings *rings, struct data_writer *writer,
                      const int *events, u32 nr_events);
void ring_drain__exit(struct ring_drain *drain);

/* Of the @live of the ring_drain @ctx: see live_write_fn. */
int ring_drain__write_unwound(void *ctx, const u8 *records, size_t len, bool round);

/* Bytes of data that were written, by all that share @total. */
u64 ring_drain__size(const struct ring_drain *drain);

/* Of a clock that only goes on (CLOCK_MONOTONIC). */
u64 ring_drain__now_ms(void);

/* One pass. Returns the bytes moved, or a negative errno of the file. */
s64 ring_drain__pass(struct ring_drain *drain);

/*
 * While something else is written to the file for a long time: a pass, if it is time for one or a
 * ring is half full (what we do then may itself be what is recorded).
 * Records that belong before those of the pass may still come: no round. 0 or a negative errno.
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

/* Passes until the rings are empty; the counters must have been disabled. Then a dump. */
int ring_drain__finish(struct ring_drain *drain);

/* Stop waiting for event @fd of the command. */
void ring_drain__forget_event(struct ring_drain *drain, int fd);

/* The first @nr counters of the list were replaced by others, which have lost nothing yet. */
void ring_drain__forget_lost(struct ring_drain *drain, u32 nr);

/*
 * What the kernel could not put into the rings, by counter (kernels from 6.0): one LOST_SAMPLES
 * record for each counter that lost something since the last call. Returns the sum.
 */
u64 ring_drain__put_lost(struct ring_drain *drain, struct synth *synth, const struct evlist *list,
                         const struct cpu_map *cpus);

#endif
