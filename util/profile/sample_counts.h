/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Samples without chains are few different ones: they are added up while the first walk has them
 * in the cache, and a report without chains need not read the file a second time.
 *
 * The walk cannot say yet what a sample means, because records that matter may still come. So
 * samples are kept apart by what they say themselves (pid, tid, address ...), over a stretch of
 * blocks, with the first and last moment. When the machine is finished each is looked up once: a
 * stretch of which all answers hold from the first to the last moment is done. The blocks of
 * others are read again like those that were never tallied: where programs start, and where
 * samples are so different that nothing is saved.
 */
#ifndef PERF_UTIL_PROFILE_SAMPLE_COUNTS_H
#define PERF_UTIL_PROFILE_SAMPLE_COUNTS_H

#include "util/machine/session.h"
#include "util/profile/intern.h"
#include "util/profile/profile.h"
#include "util/profile/resolve.h"

/*
 * For a profile with these options (which must stay and be those of the build). NULL where it
 * would be of no use: with chains, or where samples carry counts.
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
