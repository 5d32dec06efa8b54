/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The numbers by which STAT_CONFIG records say how counts were put together. Linux's perf counts
 * differently since it can tell clusters and caches apart; files of those have a fourth value in
 * their STAT_CONFIG, those of 6.1 three.
 */
#ifndef PERF_UTIL_STAT_AGGREGATE_NUMBER_H
#define PERF_UTIL_STAT_AGGREGATE_NUMBER_H

#include "util/stat/aggregate.h"

/* As 6.1 has it. */
u64 aggregate_number(enum aggregate_mode mode);

/* False: this perf does not have it (clusters, caches). @newer: of a file with that fourth value.
 */
bool aggregate_of_number(u64 number, bool newer, enum aggregate_mode *mode);

#endif
