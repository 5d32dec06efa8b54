/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef PERF_UTIL_LIB_TEMP_FILE_H
#define PERF_UTIL_LIB_TEMP_FILE_H

#include "util/lib/error.h"

/*
 * A file without a name, for reading and writing, in TMPDIR (if that is an absolute path) or /tmp:
 * it is gone when it is closed, however the program ends. A negative errno with @err on failure.
 */
int temp_file__open(struct error *err);

#endif
