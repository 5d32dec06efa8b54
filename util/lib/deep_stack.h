/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls functions that need much stack, on a thread that has enough of it. Some libraries use much
 * stack without checking its size, which RLIMIT_STACK (`ulimit -s`) may limit to very little.
 */
#ifndef PERF_UTIL_LIB_DEEP_STACK_H
#define PERF_UTIL_LIB_DEEP_STACK_H

#include "util/lib/types.h"

/* Stack of one call. If RLIMIT_STACK is below DEEP_STACK_LIMIT, the call gets its own thread. */
#define DEEP_STACK_SIZE  (1u << 20)
#define DEEP_STACK_LIMIT (2u << 20)

/*
 * Call fn(ctx) here or, if RLIMIT_STACK is small, on a new thread with DEEP_STACK_SIZE bytes of
 * stack and all signals blocked; return when it is done. False: no thread could be made, fn was not
 * called.
 */
bool deep_stack__run(void (*fn)(void *ctx), void *ctx);

#endif
