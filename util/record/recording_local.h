/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by recording.c and the other recording_*.c files only. */
#ifndef PERF_UTIL_RECORD_RECORDING_LOCAL_H
#define PERF_UTIL_RECORD_RECORDING_LOCAL_H

#include "util/record/recording.h"

/* Init a synth that writes to the file; recording->writer must be open. */
void recording__init_synth(struct recording *recording, struct synth *synth);

/* Open the writer. 0 or a negative errno. */
int recording__open_file(struct recording *recording, struct error *err);

/* Write header and attrs, and take the reference time of the clocks. 0 or a negative errno. */
int recording__start_file(struct recording *recording, struct error *err);

/*
 * recording_folder.c: the folder of --threads, with a separately compressed file for each ring.
 * Without parts these functions do nothing, so callers need not check.
 */
int recording__start_parts(struct recording *recording, struct error *err);
int recording__start_team(struct recording *recording, const int *events, u32 nr_events,
                          struct error *err);
u64 *recording__part_sizes(const struct recording *recording); /* current ones; malloc'ed */
u64 recording__parts_size(const struct recording *recording);

/* End what is packed in each file, and add the bytes of all files to the recording's own packer. */
void recording__end_packed(struct recording *recording);
bool recording__make_room(struct recording *recording); /* for the header features */
u64 recording__dropped_samples(const struct recording *recording);
void recording__exit_parts(struct recording *recording);

/*
 * recording_live.c: --unwind-live; without it these functions do nothing. Check whether the events
 * allow it; start it between the recorder's init and the first records.
 */
int recording__check_live(const struct recording *recording, struct error *err);
int recording__start_live(struct recording *recording, struct error *err);
void recording__exit_live(struct recording *recording);

/*
 * recording_auto.c: --call-graph auto; without it these functions do nothing. In a pilot, events
 * first sample both kinds of chains, slowly. The counters of each possible choice are opened at
 * the same time and started when the pilot is over, so that no task is missed. The file has one
 * layout per event: the pilot's samples are unwound as they come and held back, with all other
 * records, until the layout is known; then the file is started. A recording that ends during its
 * pilot has unwound chains.
 *
 *	recording__slow_pilot()		before the events are opened
 *	recording__open_choices()	when they have rings
 *	recording__start_pilot()	when the unwinding thread runs
 *	recording__run_pilot()		1: the pilot is over; 0: the recording is over
 *	recording__end_pilot()		when all rings are empty: end an unfinished pilot
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

/* Hold back @records. False: no pilot runs; write them. */
bool recording__hold(struct recording *recording, const void *records, size_t len);

/* Map *offset, as the reader counts, to the writer that has it; *offset becomes that in its file.
 */
struct data_writer *recording__writer_at(struct recording *recording, u64 *offset);

/*
 * Write records about what exists now. @again: not for the first time, so the workload's tasks
 * already exist. With --tail-synthesize the records are at the end of a file.
 */
int recording__synthesize_head(struct recording *recording, bool again, struct error *err);
int recording__synthesize_tail(struct recording *recording, struct error *err);

#endif
