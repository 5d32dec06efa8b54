/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds and reads tracefs, where the kernel shows its tracepoints. It is found in the mount table;
 * the environment's PERF_TRACEFS_DIR names another folder (tests use it). Everything below the
 * folder is reached relative to an open descriptor of its events folder: fewer look-ups, and nobody
 * can swap it.
 */
#ifndef PERF_UTIL_EVENT_TRACEFS_H
#define PERF_UTIL_EVENT_TRACEFS_H

#include "util/lib/error.h"
#include "util/lib/types.h"

struct tracefs {
	char *path;    /* "/sys/kernel/tracing"; NULL: not opened */
	int events_fd; /* its events folder */
	bool no_mount; /* set by the caller: do not mount it */
	bool mounted;  /* we mounted it (root): to be reported under -v */
};

#define TRACEFS_DEFAULT_MOUNT "/sys/kernel/tracing" /* 4.1 and newer make this folder */

#define TRACEFS_INIT                                                                               \
	{                                                                                          \
		.events_fd = -1                                                                    \
	}

/*
 * Find tracefs; as root mount it on /sys/kernel/tracing if it is not mounted (it stays mounted, as
 * with Linux's perf). Opening twice is free. 0 or a negative errno: -ENOENT not mounted, -EACCES no
 * permission; @err has the advice.
 */
int tracefs__open(struct tracefs *tracefs, struct error *err);
void tracefs__close(struct tracefs *tracefs);

/* For tests and the above: the mount point by the mount table @mounts_path, malloc'ed, or NULL. */
char *tracefs__find_mount(const char *mounts_path);

/* Does the kernel have it, by its list of file systems @filesystems_path (/proc/filesystems)? */
bool tracefs__is_known(const char *filesystems_path);

/* The id of tracepoint sys:name, > 0; or -ENOENT, -EACCES ... with @err. */
int tracefs__event_id(struct tracefs *tracefs, const char *sys, const char *name,
                      struct error *err);

/*
 * Call @fn for each tracepoint whose system matches @sys and whose name matches @name (globs),
 * sorted as the text "sys:name". @fn returns 0 to go on. Returns the number of calls, or the
 * negative value of @fn or errno. Events without an id file (ftrace:*) are left out.
 */
int tracefs__each_event(struct tracefs *tracefs, const char *sys, const char *name,
                        int (*fn)(void *ctx, const char *sys, const char *name), void *ctx,
                        struct error *err);

/* The same for the systems; @fn gets NULL as the name. */
int tracefs__each_system(struct tracefs *tracefs, const char *sys,
                         int (*fn)(void *ctx, const char *sys, const char *name), void *ctx,
                         struct error *err);

/*
 * Read the whole of a file below the tracefs folder ("events/header_page", "printk_formats"):
 * malloc'ed and NUL-ended, *size without the NUL. NULL with @err.
 */
char *tracefs__read(struct tracefs *tracefs, const char *relative, size_t *size, struct error *err);

#endif
