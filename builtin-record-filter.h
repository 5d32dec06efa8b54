/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf record --setup-filter: nothing is recorded. */
#ifndef PERF_BUILTIN_RECORD_FILTER_H
#define PERF_BUILTIN_RECORD_FILTER_H

#include "util/lib/types.h"

/*
 * Do what @what says, "pin" or "unpin". @argv: the whole command line, which may have -q and -v
 * beside it, and nothing else. Returns the exit status, after a message.
 */
int record_filter__setup(const char *what, int argc, const char *const *argv, bool quiet);

#endif
