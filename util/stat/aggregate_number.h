/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The numbers of aggregation modes in STAT_CONFIG records. Linux's perf has renumbered them since
 * it knows clusters and caches; STAT_CONFIG then has a fourth value, in files of 6.1 three.
 */
#ifndef PERF_UTIL_STAT_AGGREGATE_NUMBER_H
#define PERF_UTIL_STAT_AGGREGATE_NUMBER_H

#include "util/stat/aggregate.h"

/* The number in 6.1. */
u64 aggregate_number(enum aggregate_mode mode);

/* @newer: the file has the fourth value. False: this perf lacks the mode (clusters, caches). */
bool aggregate_of_number(u64 number, bool newer, enum aggregate_mode *mode);

#endif
