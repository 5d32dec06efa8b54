/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * `report --stats` and the end of its dump (-D): number of records per type and samples per event.
 */
#ifndef PERF_UI_DUMP_FILE_STATS_H
#define PERF_UI_DUMP_FILE_STATS_H

#include "util/lib/out.h"
#include "util/machine/session.h"

enum file_stats_flags {
	FILE_STATS_SKIP_EMPTY = 1u << 0, /* leave out events without samples */
	FILE_STATS_LOST = 1u << 1,       /* also the samples that each event lost */
};

/* @session has been scanned. */
void file_stats__print(struct out *out, const struct session *session, unsigned flags);

#endif
