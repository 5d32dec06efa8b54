/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls into libraries that put much on the stack without asking how much there is. Threads have
 * what RLIMIT_STACK (`ulimit -s`) allows, and who calls may be on one with nearly nothing.
 */
#ifndef PERF_UTIL_LIB_DEEP_STACK_H
#define PERF_UTIL_LIB_DEEP_STACK_H

#include "util/lib/types.h"

/* What such a call may use; with less than DEEP_STACK_LIMIT for all it gets a thread of its own. */
#define DEEP_STACK_SIZE  (1u << 20)
#define DEEP_STACK_LIMIT (2u << 20)

/*
 * Call fn(ctx) and wait for it: here, or where RLIMIT_STACK is small on a thread that has
 * DEEP_STACK_SIZE; signals stay blocked on it. False: there is no such thread, fn was not called.
 */
bool deep_stack__run(void (*fn)(void *ctx), void *ctx);

#endif
