/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks whether a path leads to the file that a process had mapped. It does not if the file was
 * replaced since, or if the process has another "/" (a container, a chroot), where the same path is
 * another file.
 */
#ifndef PERF_UTIL_SYMTAB_MAPPED_FILE_H
#define PERF_UTIL_SYMTAB_MAPPED_FILE_H

#include "util/machine/dsos.h"

enum mapped_file {
	MAPPED_FILE_SAME,    /* device and inode are those of the map */
	MAPPED_FILE_UNKNOWN, /* no inode was recorded, or the file system is layered */
	MAPPED_FILE_OTHER,
	MAPPED_FILE_GONE, /* or not a plain file */
};

enum mapped_file mapped_file__check(const char *path, const struct dso_inode *inode);

/* Is process @pid alive, with another root folder or another mount namespace than ours? */
bool process_root__differs(s32 pid);

/*
 * Open the plain file @path (absolute) as process @pid sees it; links are resolved inside its root,
 * so that none leads out of it. A descriptor for reading or a negative errno (-ENOSYS before Linux
 * 5.6).
 */
int process_root__open(s32 pid, const char *path);

/*
 * @path without links as process @pid sees it: malloc'ed, and below /proc/PID/root from here, too.
 * NULL with errno (EINVAL: no plain file); @path itself where the kernel cannot tell (before
 * Linux 5.6).
 */
char *process_root__path(s32 pid, const char *path);

/* The pid that a running process has in its innermost pid namespace; @pid if that is unknown. */
s32 process_root__inner_pid(s32 pid);

#endif
