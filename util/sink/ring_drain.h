/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Move records from the rings to a sink (record_sink.h) while something is measured. Nothing is
 * decoded, counted or copied here. A pass visits every ring once; rings with little in them share a
 * batch, so that a pass is one write.
 *
 * Passes leave out rings that the kernel overwrites (backward ones): catch_up and finish give
 * their contents to the sink.
 *
 * Waiting costs next to nothing: one poll over the rings (which wake us for each quarter) and the
 * command's own descriptors. There is a pass at least every RING_DRAIN_PASS_MS, so that a recording
 * that is killed lacks only the last moments.
 */
#ifndef PERF_UTIL_SINK_RING_DRAIN_H
#define PERF_UTIL_SINK_RING_DRAIN_H

#include <sched.h>

#include "util/counter/ring.h"
#include "util/lib/types.h"
#include "util/sink/record_sink.h"
#include "util/synthesize/synthesize.h"

/* The longest time that a record stays in its ring. */
#define RING_DRAIN_PASS_MS 200

/* Where the reader of a ring runs: anywhere, on a CPU of the same node, on the ring's CPU. */
enum ring_drain_affinity { AFFINITY_SYS, AFFINITY_NODE, AFFINITY_CPU };

struct ring_drain {
	struct rings *rings;      /* borrowed */
	struct record_sink *sink; /* borrowed; may be another one from pass to pass */
	u64 nr_woken;             /* returns of poll */
	u32 nr_live;              /* counters whose task has not ended */
	struct pollfd *fds;       /* rings->fds, then the command's */
	u32 nr_events;
	bool backward; /* there are rings to dump; one round for all comes after the dump */

	/* Wishes, set behind ring_drain__init(). */
	u64 flush; /* a ring with fewer unread bytes than this is left for later (--mmap-flush) */
	u64 size_mark;   /* from this *size on the command is asked; 0: never */
	const u64 *size; /* of what is recorded, atomic; NULL: not known */
	enum ring_drain_affinity affinity;
	bool ask_often; /* the command is asked after each wait */

	/* Private. */
	u64 passed_ms;  /* when the last pass began */
	bool late;      /* the last pass found a ring more than half full */
	u64 slow_ms;    /* time of slow writes */
	u64 *lost_said; /* by counter, losses in earlier LOST_SAMPLES records */
	u32 nr_lost_said;
	cpu_set_t home, here; /* CPUs that we may run on: without --affinity, and now */
	cpu_set_t *nodes;     /* by ring, for AFFINITY_NODE; NULL: not needed yet */
};

/* @events: descriptors of the command that ring_drain__run() also waits for (signals, timers). */
void ring_drain__init(struct ring_drain *drain, struct rings *rings, struct record_sink *sink,
                      const int *events, u32 nr_events);
void ring_drain__exit(struct ring_drain *drain);

u64 ring_drain__size(const struct ring_drain *drain); /* *size */

/* One pass. Returns the bytes moved, or a negative errno of the sink. */
s64 ring_drain__pass(struct ring_drain *drain);

/*
 * Tell the sink records that perf made itself (the flush of a struct synth; @drain is a struct
 * ring_drain). As that may take long, there is a pass when one is due or a ring is half full: our
 * own writing may be what is recorded. It ends no round, because earlier records may still come.
 * Not with a sink that wants all rings together, where records wait in the rings. 0 or a negative
 * errno.
 */
int ring_drain__tell(void *drain, const void *records, size_t len);
int ring_drain__look(struct ring_drain *drain); /* the same without records */

/*
 * Move and wait until @ended returns true, or all measured tasks have ended. It is called whenever
 * one of the events is ready to be read, or the size mark is reached; it may give the drain
 * another sink. The thread's slices are short from here on. 0, or the sink's negative errno.
 */
int ring_drain__run(struct ring_drain *drain, bool (*ended)(void *ctx), void *ctx);

/*
 * One pass that leaves nothing for later, and the overwritten rings; counters may run on. The last
 * sink has it all. 0 or a negative errno.
 */
int ring_drain__catch_up(struct ring_drain *drain);

/* The same with passes until the rings are empty; the counters must be disabled. */
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
