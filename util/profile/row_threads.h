/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What rows have in the place of a thread.
 *
 * While they are added, by profile_options:
 *  - any_thread: how many threads were made before it, for an order; nobody may ask the machine;
 *  - by_number: a number of the pair of pid and tid, so that where a pid is given again and again
 *    rows are as few as there are pairs. When all were added a row gets the latest thread that had
 *    the pair and a sample. Only these must be kept;
 *  - else the thread.
 */
#ifndef PERF_UTIL_PROFILE_ROW_THREADS_H
#define PERF_UTIL_PROFILE_ROW_THREADS_H

#include "util/machine/machine.h"

struct profile_options;
struct row;
struct row_threads; /* private */

/* @machine is borrowed. */
struct row_threads *row_threads__new(const struct machine *machine,
                                     const struct profile_options *options);
void row_threads__delete(struct row_threads *threads); /* NULL is fine */

/* For a row of @thread, which has a sample. */
u32 row_threads__of(struct row_threads *threads, u32 thread);

/* The machine's answers have changed, and numbers of threads may be those of others now. */
void row_threads__settled(struct row_threads *threads);

/*
 * Of each pair the latest thread that any of @nr has, to all that know the pair: what is kept
 * (mark) and what rows are called (name) must not depend on who had which samples.
 */
void row_threads__agree(struct row_threads *const *all, u32 nr);

/* Set used[i] for each thread i that is needed for @rows so far: for machine__forget(). */
void row_threads__mark(const struct row_threads *threads, const struct row *rows, u32 nr, u8 *used);

/* No more rows will be added: from numbers of pairs to threads. */
void row_threads__name(const struct row_threads *threads, struct row *rows, u32 nr);

#endif
