/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The folder of --threads: the file `data` has the header and perf's own records, `data.N` the
 * records from the ring of the Nth recorded CPU. The command's thread writes only `data`; the
 * threads that read the rings write the others. Without parts these functions do nothing.
 */
#ifndef PERF_UTIL_RECORD_RECORDING_FOLDER_H
#define PERF_UTIL_RECORD_RECORDING_FOLDER_H

#include "util/record/recording_run.h"

int recording__open_parts(struct recording *recording, struct error *err);

/* The threads, not started yet, and the drain of the command's thread. */
int recording__init_team(struct recording *recording, const int *events, u32 nr_events,
                         struct error *err);

u64 *recording__part_sizes(const struct recording *recording); /* current ones; malloc'ed */
u64 recording__parts_size(const struct recording *recording);
bool recording__make_room(struct recording *recording);            /* for the header features */
u64 recording__dropped_samples(const struct recording *recording); /* in all files */

/* Map *offset, as the reader counts, to the writer that has it; *offset becomes that in its file.
 */
struct data_writer *recording__writer_at(struct recording *recording, u64 *offset);

void recording__exit_parts(struct recording *recording);

#endif
