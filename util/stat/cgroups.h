/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --for-each-cgroup: a group is named by its folder below the mounted hierarchy
 * ("system.slice/cron.service"; util/event/cgroup.h).
 */
#ifndef PERF_UTIL_STAT_CGROUPS_H
#define PERF_UTIL_STAT_CGROUPS_H

#include "util/event/evsel.h"
#include "util/lib/error.h"

/*
 * --for-each-cgroup: the events of @list once for each of the groups in @names, a comma list of
 * names, or of regular expressions where any of ".*+?^$|[](){}\\" stands in one that is no group.
 */
int stat_cgroups__for_each(struct evlist *list, const char *names, struct error *err);

#endif
