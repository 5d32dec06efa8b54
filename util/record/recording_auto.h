/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How record --call-graph auto comes to its choice while it records. In a pilot, events first
 * sample both kinds of chains, slowly. The counters of each possible choice are opened at the same
 * time and started when the pilot is over, so that no task is missed. The file has one layout per
 * event: the pilot's samples are unwound as they come and held back, with all other records, until
 * the layout is known; then the caller starts the file and releases them (hold_sink.h). See
 * call_graph_choice.h.
 *
 *	recording__slow_pilot()		before the events are opened
 *	recording__open_choices()	when they have rings
 *	recording__start_pilot()	when the file is open, but has not begun
 *	recording__run_pilot()		1: the pilot is over; 0: the recording is over
 *	recording__take_choice()	1: the chosen counters run, the samples are as theirs
 *	recording__take_pilot()		0, and all rings are empty: the file has unwound chains
 *	recording__exit_auto()
 */
#ifndef PERF_UTIL_RECORD_RECORDING_AUTO_H
#define PERF_UTIL_RECORD_RECORDING_AUTO_H

#include "util/format/event_ids.h"
#include "util/record/call_graph_watch.h"
#include "util/record/recording_run.h"
#include "util/record/spare_counters.h"

#define NR_CHOICES (1 + CALL_GRAPH_NR_SIZES)

/* One form that the events can take, with counters for each event but the last (the dummy). */
struct choice {
	enum chain_mode mode;
	u32 stack_size;
	struct counters *counters; /* NULL: not opened, or installed in the evsels */
};

struct auto_chains {
	u32 nr;                  /* events that change */
	u64 frequency;           /* of these after the pilot */
	struct counters *pilots; /* finished, but kept open: they own the rings */
	struct choice choices[NR_CHOICES];
	u64 since_ms;
	struct call_graph_watch *watch; /* NULL: nobody looks whether frame pointers stay right */
	u32 late;                       /* the choice that takes their place then; 0: none */
};

void recording__slow_pilot(struct recording *recording);
int recording__open_choices(struct recording *recording, struct error *err);
int recording__start_pilot(struct recording *recording, struct error *err);
int recording__run_pilot(struct recording *recording, bool (*ended)(void *ctx), void *ctx);
int recording__take_choice(struct recording *recording, struct error *err);
void recording__take_pilot(struct recording *recording);
/*
 * What is in the rings, without what both the old counters (as in @before, with @first events) and
 * the new ones have sampled.
 */
int recording__move_sifted(struct recording *recording, const struct event_ids *before, u32 first);
void recording__exit_auto(struct recording *recording);

#endif
