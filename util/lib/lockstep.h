/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Was a thread sampled in lockstep with its work? A clock that hits it each N ns says nothing of
 * what lies between, if the work comes round in as many ns, or in twice, three times as many: then
 * each sample of a round hits always the same piece.
 *
 * It is found where the number of a sample, modulo 2 .. LOCKSTEP_MAX, tells its row; and tells it
 * in the same way in each eighth of the samples, by how it was in the other seven. Bursts cannot
 * look so, as they know nothing of that number; nor does work that comes round in another time, as
 * its numbers drift. Where all samples of a thread hit the same piece nothing can be seen in them.
 */
#ifndef PERF_UTIL_LIB_LOCKSTEP_H
#define PERF_UTIL_LIB_LOCKSTEP_H

#include <stddef.h>

#include "util/lib/types.h"

#define LOCKSTEP_MAX         8
#define LOCKSTEP_SAMPLES_MIN 256

struct lockstep_sample {
	u64 time; /* ns */
	u32 row;  /* of the report */
};

/*
 * @samples of one thread, by time; @period: of the clock, in ns. How many samples make a round; 0:
 * nothing says that there are such.
 */
u32 lockstep__find(const struct lockstep_sample *samples, size_t nr, double period);

#endif
