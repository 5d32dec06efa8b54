/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Temporary files without a name: gone when closed, however the program ends. */
#ifndef PERF_UTIL_LIB_TEMP_FILE_H
#define PERF_UTIL_LIB_TEMP_FILE_H

#include "util/lib/error.h"

/*
 * Open one for reading and writing, in TMPDIR (if that is an absolute path) or /tmp. Returns the
 * descriptor, or a negative errno with @err.
 */
int temp_file__open(struct error *err);

#endif
