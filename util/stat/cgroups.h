/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Control groups: events that count only the tasks of one. A group is named by its folder below
 * the mounted hierarchy ("system.slice/cron.service"): that of the controller perf_event, or else
 * the unified one.
 */
#ifndef PERF_UTIL_STAT_CGROUPS_H
#define PERF_UTIL_STAT_CGROUPS_H

#include "util/event/evsel.h"
#include "util/lib/error.h"

/*
 * -G: the names in @names, separated by commas, go to the events of @list in their order, an empty
 * one to none; a single name goes to all that have none yet from *@next on. *@next is the first
 * event of the next -G. 0 or a negative errno with @err.
 */
int stat_cgroups__set(struct evlist *list, u32 *next, const char *names, struct error *err);

/*
 * --for-each-cgroup: the events of @list once for each of the groups in @names, a comma list of
 * names, or of regular expressions where any of ".*+?^$|[](){}\\" stands in one that is no group.
 */
int stat_cgroups__for_each(struct evlist *list, const char *names, struct error *err);

#endif
