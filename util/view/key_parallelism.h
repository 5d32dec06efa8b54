/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sort key "parallelism" of a recording: how many threads ran when the sample was taken. The
 * period of a sample divided by it is the sample's latency, its part of the time that passed.
 */
#ifndef PERF_UTIL_VIEW_KEY_PARALLELISM_H
#define PERF_UTIL_VIEW_KEY_PARALLELISM_H

#include "util/profile/key.h"
#include "util/stream/parallelism.h"

/* Values are those of *@of, which may be found later, but before a profile is built; free(). */
struct key *key_parallelism__new(const struct parallelism *of);

#endif
