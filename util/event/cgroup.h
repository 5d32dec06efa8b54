/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The cgroups by which the kernel's performance events go: those of v1's perf_event controller
 * where that is mounted, else of cgroup v2.
 */
#ifndef PERF_UTIL_EVENT_CGROUP_H
#define PERF_UTIL_EVENT_CGROUP_H

#include "util/event/evsel.h"
#include "util/lib/error.h"
#include "util/lib/types.h"

/*
 * Where that hierarchy is mounted, by the text of @root's /proc/mounts. To be freed; NULL with
 * @err (-ENODEV) where it is not.
 */
char *cgroup__mount_point(const char *root, struct error *err);

/*
 * -G "a,b,,c": from event *@next of @list on the first belongs to cgroup a, the second to b, the
 * third to none; a single name is for all from there on. *@next moves to where the next -G begins.
 * 0; -EINVAL: more names than events, or none; else the reason why a cgroup cannot be opened.
 */
int evlist__set_cgroups(struct evlist *list, u32 *next, const char *text, struct error *err);

/* One event; "" is no cgroup. @mount_point as above. 0 or a negative errno with @err. */
int evsel__set_cgroup(struct evsel *evsel, const char *mount_point, const char *name,
                      struct error *err);

#endif
