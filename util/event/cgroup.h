/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The cgroup hierarchy of perf events: v1's perf_event controller where it is mounted, else cgroup
 * v2.
 */
#ifndef PERF_UTIL_EVENT_CGROUP_H
#define PERF_UTIL_EVENT_CGROUP_H

#include "util/event/evsel.h"
#include "util/lib/error.h"
#include "util/lib/types.h"

/*
 * Where that hierarchy is mounted, by /proc/mounts below @root. The caller frees it. NULL with
 * @err: it is not mounted (-ENODEV).
 */
char *cgroup__mount_point(const char *root, struct error *err);

/*
 * -G "a,b,,c": of the events of @list from *@next on, the first gets cgroup a, the second b, the
 * third none; a single name is for all of them. *@next becomes the index at which the next -G
 * begins. 0; -EINVAL: more names than events, or no events; else the errno of a cgroup that cannot
 * be opened.
 */
int evlist__set_cgroups(struct evlist *list, u32 *next, const char *text, struct error *err);

/* Set the cgroup of one event; "": none. @mount_point as above. 0 or a negative errno with @err. */
int evsel__set_cgroup(struct evsel *evsel, const char *mount_point, const char *name,
                      struct error *err);

#endif
