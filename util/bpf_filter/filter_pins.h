/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record --setup-filter: the program and its map kept in the BPF file system, so that users who may
 * not load programs can filter samples, too.
 *
 *	/sys/fs/bpf/perf-sample-filter/program		0666: to attach it, the kernel wants both
 *	/sys/fs/bpf/perf-sample-filter/map		0666
 *
 * So every user may change what filters of others compare; no user gets to see or do more than
 * without. What lies there is believed only if root (or this user) put it there.
 */
#ifndef PERF_UTIL_BPF_FILTER_FILTER_PINS_H
#define PERF_UTIL_BPF_FILTER_FILTER_PINS_H

#include "util/bpf_filter/filter_kernel.h"

#define FILTER_BPF_FS "/sys/fs/bpf"
#define FILTER_PINS   FILTER_BPF_FS "/perf-sample-filter"
#define FILTER_PLACES 4096 /* events of all users at one time */

/*
 * Load and pin both; where one of the two is missing, the other, if it is ours, is replaced. 0; or
 * a negative errno with @err and nothing new pinned. -EEXIST: they are pinned already, and can be
 * used.
 */
int filter_pins__pin(struct error *err);

/*
 * Remove both. They go on for the recordings that use them. -ENOENT: nothing is pinned; -EPERM:
 * what is there is not ours, and stays.
 */
int filter_pins__unpin(struct error *err);

/*
 * Open what is pinned. -ENOENT with @err: nothing is; -EPERM: it cannot be used (one of
 * the two may be missing), or believed.
 */
int filter_pins__get(struct filter_kernel *kernel, struct error *err);

/* May users without rights go through the folder above? If not, say what root is to do. */
bool filter_pins__are_reached(struct error *err);

#endif
