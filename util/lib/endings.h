/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The signals by which users end perf: SIGINT, SIGTERM, SIGQUIT and SIGHUP; and behind them those
 * that end a program which does not expect them: a reader that is gone (SIGPIPE), timers, limits,
 * SIGUSR1 ... Who has something to be removed expects them all.
 */
#ifndef PERF_UTIL_LIB_ENDINGS_H
#define PERF_UTIL_LIB_ENDINGS_H

#include <signal.h>

#define ENDINGS     4
#define ALL_ENDINGS 14

extern const int endings[ALL_ENDINGS];

/* Let all wait, on this thread; *before is how it was, for pthread_sigmask(SIG_SETMASK). */
void endings__hold(sigset_t *before);

#endif
