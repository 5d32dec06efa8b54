/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A sink that holds records back until it is known how the file is to look like: the pilot of
 * record --call-graph auto.
 */
#ifndef PERF_UTIL_RECORD_HOLD_SINK_H
#define PERF_UTIL_RECORD_HOLD_SINK_H

#include "util/lib/out.h"
#include "util/sink/record_sink.h"

struct hold_sink {
	struct record_sink sink;
	struct out held; /* whole records in their order; may be changed while nothing comes */
};

void hold_sink__init(struct hold_sink *hold, struct record_sink *next);
void hold_sink__exit(struct hold_sink *hold);

/* Give all to the next sink, as one round. 0 or its negative errno. */
int hold_sink__release(struct hold_sink *hold);

#endif
