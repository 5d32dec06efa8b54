/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Copies the running kernel's code, with all that was patched into it since boot. `record --kcore`
 * puts the copy into a folder with the recording, `buildid-cache --kcore` into the cache. It has
 * three files, as Linux's perf makes them:
 *
 *	kcore		an ELF core with the kernel's text and the modules, from /proc/kcore
 *	kallsyms	the symbols at that time
 *	modules		the addresses of modules
 */
#ifndef PERF_UTIL_ARCHIVE_KERNEL_COPY_H
#define PERF_UTIL_ARCHIVE_KERNEL_COPY_H

#include "util/lib/error.h"
#include "util/lib/types.h"

/*
 * Copy the three files of the folder @from ("/proc", or such a copy) into the folder @to, a
 * descriptor. On failure none of them stays: -EPERM: addresses are hidden; -ENOEXEC: no such core;
 * -EFBIG: more than a kernel has.
 */
int kernel_copy__make(int to, const char *from, struct error *err);

/* Remove the three files from the folder @at. */
void kernel_copy__remove(int at);

/*
 * The same into a folder of its own in the build-id cache @dir: [kernel.kcore]/ID/TIME, where ID is
 * the build-id of the running kernel. @from must be of this kernel and this boot (-ESTALE). If the
 * cache has a copy with the same modules, nothing is copied, and *there is true. *path, malloc'ed,
 * is the folder of the copy.
 */
int kernel_copy__add_to_cache(const char *dir, const char *from, char **path, bool *there,
                              struct error *err);

#endif
