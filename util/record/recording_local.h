/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between recording.c (up to the first sample) and recording_file.c (files, one or several). */
#ifndef PERF_UTIL_RECORD_RECORDING_LOCAL_H
#define PERF_UTIL_RECORD_RECORDING_LOCAL_H

#include "util/record/recording.h"

/* A synth that writes to the file; recording->writer must be there. */
void recording__init_synth(struct recording *recording, struct synth *synth);

/* The writer. 0 or a negative errno. */
int recording__open_file(struct recording *recording, struct error *err);

/* Header, attrs; the moment of the clocks. 0 or a negative errno. */
int recording__start_file(struct recording *recording, struct error *err);

/*
 * The folder of --threads: a file for what each ring gives, packed on its own. recording_folder.c;
 * without parts these do nothing, and the rest of a recording need not ask.
 */
int recording__start_parts(struct recording *recording, struct error *err);
int recording__start_team(struct recording *recording, const int *events, u32 nr_events,
                          struct error *err);
u64 *recording__part_sizes(const struct recording *recording); /* as they are now; malloc'ed */
u64 recording__parts_size(const struct recording *recording);
void recording__sum_packed(struct recording *recording); /* bytes of all packers, in the one */
bool recording__make_room(struct recording *recording);  /* for the header features */
u64 recording__dropped_samples(const struct recording *recording);
void recording__exit_parts(struct recording *recording);

/*
 * --unwind-live: can it be had, with these events? And what it needs, between ring_drain__init()
 * and the first records. recording_live.c; nothing without the wish.
 */
int recording__check_live(const struct recording *recording, struct error *err);
int recording__start_live(struct recording *recording, struct error *err);
void recording__exit_live(struct recording *recording);

/*
 * --call-graph auto, in recording_auto.c; nothing without it. Events first sample both kinds of
 * chains, slowly, in a pilot. What they will be afterwards is opened at once, and starts when the
 * pilot is over, so that no task is missed. One layout of an event is in the file: the pilot's
 * samples, unwound while they come, are held back, with all else, until it is known; the file is
 * started then. A recording that ends in its pilot is one of chains that were unwound.
 *
 *	recording__slow_pilot()		before the events are opened
 *	recording__open_choices()	when they have rings
 *	recording__start_pilot()	when the thread that unwinds is there
 *	recording__run_pilot()		1: it is over, and the recording goes on; 0: all is
 *	recording__end_pilot()		when all rings are empty: of one that was not over
 *	recording__exit_auto()
 */
void recording__slow_pilot(struct recording *recording);
int recording__open_choices(struct recording *recording, struct error *err);
void recording__start_pilot(struct recording *recording);
int recording__run_pilot(struct recording *recording, bool (*ended)(void *ctx), void *ctx);
int recording__end_pilot(struct recording *recording);
void recording__exit_auto(struct recording *recording);

/*
 * Where that chose frame pointers it goes on looking (call_graph_watch.h). When they turn out to be
 * wrong, events with copies of stacks take over: others, of the same names, for an event has one
 * layout. They start before the first ones stop, and what both sampled is taken once: see
 * recording_change.c.
 *
 *	recording__run_looking()	1: they took over, and the recording goes on; 0: it has
 *					ended
 */
int recording__run_looking(struct recording *recording, bool (*ended)(void *ctx), void *ctx);

/* Keep @records for later. False: they are to be written, no pilot runs. */
bool recording__hold(struct recording *recording, const void *records, size_t len);

/* Where byte @offset of the recording, as the reader counts, is: *offset gets that of the file. */
struct data_writer *recording__writer_at(struct recording *recording, u64 *offset);

/*
 * The records about what exists now. @again: not for the first time, so the tasks of the workload
 * are already there. With --tail-synthesize they stand at the end of a file: then @at_end.
 */
int recording__synthesize_head(struct recording *recording, bool again, struct error *err);
int recording__synthesize_tail(struct recording *recording, struct error *err);

#endif
