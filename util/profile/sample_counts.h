/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Add up samples without chains during the scan, so that a report need not read the file twice.
 *
 * There are few distinct samples without chains, and the scan has them in the CPU's cache. But it
 * cannot resolve them yet, because records that matter may still follow. So equal samples (by their
 * own pid, tid, address ...) are counted over a stretch of blocks, with the first and last moment.
 * When the machine is complete, each is resolved once: if all results of a stretch hold from its
 * first to its last moment, the stretch is done. The blocks of other stretches are read again, as
 * are those never tallied: where programs start, and where samples differ too much to save
 * anything.
 */
#ifndef PERF_UTIL_PROFILE_SAMPLE_COUNTS_H
#define PERF_UTIL_PROFILE_SAMPLE_COUNTS_H

#include "util/machine/session.h"
#include "util/profile/intern.h"
#include "util/profile/profile.h"
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

/* After the scan, once: everything that is clear to @intern and @counts. */
void sample_counts__settle(struct sample_counts *sample_counts, struct resolver *resolver,
                           struct intern *intern, struct profile *counts);

/* After that: is nothing left to be done for block @index? */
bool sample_counts__has_block(const struct sample_counts *sample_counts, u32 index);

#endif
