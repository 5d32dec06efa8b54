/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The signals by which users end perf: SIGINT, SIGTERM, SIGQUIT and SIGHUP. */
#ifndef PERF_UTIL_LIB_ENDINGS_H
#define PERF_UTIL_LIB_ENDINGS_H

#include <signal.h>

#define ENDINGS 4

extern const int endings[ENDINGS];

/* Let them wait, on this thread; *before is how it was, for pthread_sigmask(SIG_SETMASK). */
void endings__hold(sigset_t *before);

#endif
