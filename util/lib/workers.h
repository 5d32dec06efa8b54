/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Run one function on several threads and wait for all, or start one thread. Work is shared by the
 * function itself, normally by taking the next item of an atomic counter; results must not depend
 * on which worker took what.
 */
#ifndef PERF_UTIL_LIB_WORKERS_H
#define PERF_UTIL_LIB_WORKERS_H

#include <pthread.h>

#include "util/lib/types.h"

#define WORKERS_MAX 64

/*
 * How many workers to use: the environment's PERF_WORKERS (1..WORKERS_MAX; for tests and
 * benchmarks), else the CPUs this process may run on.
 */
unsigned workers__default(void);

/* Call fn(ctx, 0) .. fn(ctx, nr - 1), worker 0 on the calling thread. All signals stay blocked
 * on the others. If threads cannot be made the remaining calls run one after another. */
void workers__run(unsigned nr, void (*fn)(void *ctx, unsigned worker), void *ctx);

/*
 * Start a thread on which all signals stay blocked: they are the caller's. @attr may be NULL.
 * 0, or an errno as of pthread_create().
 */
int workers__start(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *ctx),
                   void *ctx);

/*
 * For a thread that writes: SIGPIPE ends perf there, too, when nobody reads, as it does on the
 * first thread (unless perf ignores it).
 */
void workers__unblock_sigpipe(void);

#endif
