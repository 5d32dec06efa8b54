/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --for-each-cgroup of perf stat: count the same events once for each of several cgroups. A cgroup
 * is named by its folder below the mounted hierarchy ("system.slice/cron.service";
 * util/event/cgroup.h).
 */
#ifndef PERF_UTIL_STAT_CGROUPS_H
#define PERF_UTIL_STAT_CGROUPS_H

#include "util/event/evsel.h"
#include "util/lib/error.h"

/*
 * Repeat the events of @list for each cgroup in @names, a comma list. An item that is not a
 * cgroup and has any of ".*+?^$|[](){}\\" is a regular expression.
 */
int stat_cgroups__for_each(struct evlist *list, const char *names, struct error *err);

#endif
