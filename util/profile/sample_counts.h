/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Add up samples without chains during the scan, so that a report need not read the file twice.
 *
 * There are few distinct samples without chains, and the scan has them in the CPU's cache. But it
 * cannot resolve them yet, because records that matter may still follow. So equal samples (by their
 * own pid, tid, address ...) are counted over a stretch of blocks, with the first and last moment.
 * When the machine is complete, each is resolved once: if that holds from its first to its last
 * moment, it is done. So that this is the rule, samples of a process are counted anew behind each
 * record that changes what they mean. Where order in the file is not that of time it may not hold:
 * then the samples of that process in the stretch are read again, as are blocks that were never
 * tallied: where samples differ too much to save anything.
 *
 * In a long recording kinds of samples become many, because programs end and others start. So what
 * is finished is settled during the scan (see build.c): stretches whose samples are all earlier
 * than what a FINISHED_ROUND promised to be complete. What is left of their blocks is read at once,
 * and they are dropped.
 */
#ifndef PERF_UTIL_PROFILE_SAMPLE_COUNTS_H
#define PERF_UTIL_PROFILE_SAMPLE_COUNTS_H

#include "util/machine/session.h"
#include "util/profile/intern.h"
#include "util/profile/profile.h"
#include "util/profile/row_threads.h"
#include "util/stream/resolve.h"

/*
 * @options must outlive the tally and be those of the build. NULL if a tally is of no use: with
 * chains or keys of samples, or if samples carry counts.
 */
struct sample_counts *sample_counts__new(const struct session *session,
                                         const struct profile_options *options);
void sample_counts__delete(struct sample_counts *sample_counts); /* NULL is fine */

/* What session__scan_watched() has to tell it. */
struct session_watch sample_counts__watch(struct sample_counts *sample_counts);

/* Where everything that is clear goes. */
struct counted_rows {
	struct intern intern;
	struct row_threads *threads; /* of its rows */
	struct profile counts;       /* the nr_ of what could not be used */
};

/* After the scan, once: everything that is clear. */
void sample_counts__settle(struct sample_counts *sample_counts, struct resolver *resolver,
                           struct counted_rows *rows);

/* Is there a closed stretch, of which all samples are earlier than @until? */
bool sample_counts__has_closed(const struct sample_counts *sample_counts, u64 until);

/*
 * During the scan, when the machine is settled: the same for closed stretches of which all samples
 * are earlier than @until. What is not clear of blocks before @end must then be read, before
 * sample_counts__drop_settled(), after which nothing is left to be done for these. False: many of
 * these blocks were never tallied, and nothing is done.
 */
bool sample_counts__settle_early(struct sample_counts *sample_counts, u64 until,
                                 struct resolver *resolver, struct counted_rows *rows, u32 *end);
void sample_counts__drop_settled(struct sample_counts *sample_counts);

/* What waits to be settled: so many kinds of samples take its memory. */
u32 sample_counts__waiting(const struct sample_counts *sample_counts);

/* The most kinds that waited at one time. */
u32 sample_counts__most_kinds(const struct sample_counts *sample_counts);

/* After that: is nothing left to be done for block @index? */
bool sample_counts__has_block(const struct sample_counts *sample_counts, u32 index);

/* Sets of processes, by the last bits of their pids: others may seem to be in one. */
#define PID_WORDS 64

static inline void pid_set__add(u64 *set, u32 pid)
{
	set[pid / 64 % PID_WORDS] |= 1ull << pid % 64;
}

static inline bool pid_set__has(const u64 *set, u32 pid)
{
	return set[pid / 64 % PID_WORDS] >> pid % 64 & 1;
}

/*
 * The processes of whose samples something is left to be done in such a block; NULL: of all. What
 * filters do not let pass, and what is broken, has been counted where it is not NULL.
 */
const u64 *sample_counts__left(const struct sample_counts *sample_counts, u32 index);

#endif
