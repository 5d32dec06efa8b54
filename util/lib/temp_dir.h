/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Private temporary folders: made under a fresh name, removed with all that is in them. */
#ifndef PERF_UTIL_LIB_TEMP_DIR_H
#define PERF_UTIL_LIB_TEMP_DIR_H

#include "util/lib/error.h"
#include "util/lib/types.h"

/*
 * Make a fresh folder NAME-XXXXXX, mode 0700, below TMPDIR (if that is an absolute path) or /tmp.
 * Its path, malloc'ed; NULL with @err.
 */
char *temp_dir__make(const char *name, struct error *err);

/*
 * Remove @path, which temp_dir__make() gave, with all that is in it, and free it. Links are
 * removed, never followed. NULL is fine. 0, or -errno where something could not be removed.
 */
int temp_dir__remove(char *path);

/* The same for the folder @name in the open folder @parent, whoever made it. */
int temp_dir__remove_at(int parent, const char *name);

#endif
