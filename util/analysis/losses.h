/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The loss ledger of a recording: what is missing from it, on which CPU, from when to when, and
 * why. It comes from records that every perf writes (ours has more in their misc, record.h):
 *  - LOST (the ring was full; the kernel writes it in front of the first record that found room
 *    again): the number of records missing since the record before it in the same ring;
 *  - THROTTLE and UNTHROTTLE (an event came more often than the kernel allows): the event did not
 *    count in between; the number of missing samples is unknown.
 *
 * LOST_SAMPLES (the counts of the counters themselves, since Linux 6.1) counts the first kind once
 * more, without times, but also what was lost behind the last record that found room: a last gap.
 * An event that asked for side-band records counts lost ones of these with its samples; if a dummy
 * event asked for them, they are in the gaps alone.
 */
#ifndef PERF_UTIL_ANALYSIS_LOSSES_H
#define PERF_UTIL_ANALYSIS_LOSSES_H

#include "util/machine/session.h"

enum loss_reason {
	LOSS_RING_FULL,
	LOSS_WRITER_BEHIND, /* it became full while perf wrote what it had read */
	LOSS_DISK_FULL,
	LOSS_THROTTLED,
};

#define LOSS_TO_END UINT64_MAX

struct loss {
	s32 cpu; /* -1: unknown */
	enum loss_reason reason;
	u64 from, to; /* ns; from 0: the beginning of the recording, to LOSS_TO_END: its end */
	u64 nr;       /* records; 0 when throttled: not known */
};

/*
 * Samples kept and lost. Without LOST_SAMPLES (losses->counted false) `lost` is the number of
 * records in gaps, side-band records among them, and is not known by event.
 */
struct loss_sums {
	u64 kept, lost;
};

struct cpu_losses {
	s32 cpu;
	struct loss_sums all, *events; /* events: by evsel idx */
};

#define LOSS_SLOT_NS 100000000ull

/* A slot of time. The records of a gap are spread evenly over its time. */
struct loss_slot {
	u64 from; /* ns, a multiple of LOSS_SLOT_NS; LOSS_NO_SLOT: time unknown */
	struct loss_sums all;
};

#define LOSS_NO_SLOT UINT64_MAX

struct losses {
	struct loss *losses; /* by time of their end, then CPU */
	u32 nr;
	size_t cap;
	struct cpu_losses *cpus; /* ascending */
	u32 nr_cpus;
	size_t cpus_cap;
	u32 nr_events;
	bool counted;            /* LOST_SAMPLES gave counts, or nothing was lost */
	struct loss_slot *slots; /* ascending; those in which something was kept or lost */
	u32 nr_slots;
	size_t slots_cap;
	u64 kept, lost; /* sums over cpus */
	u64 nr_gaps, nr_throttled;
};

/*
 * @session has been scanned; its file is read once more. 0, or a negative errno with @err when it
 * cannot be read again (what was found stands).
 */
int losses__collect(struct losses *losses, const struct session *session, struct error *err);
void losses__exit(struct losses *losses);

/* @lost in percent of what was produced, lost and kept together; 0 if nothing was lost. */
static inline double losses__percent(u64 lost, u64 kept)
{
	return lost ? 100.0 * lost / ((double)lost + kept) : 0;
}

#endif
