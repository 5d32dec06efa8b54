/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Filters of names, as --filter takes them: globs, joined by & and |, turned by !, grouped by
 * parentheses: "!_* & !*@plt". & binds closer than |.
 */
#ifndef PERF_UTIL_OPTIONS_NAME_FILTER_H
#define PERF_UTIL_OPTIONS_NAME_FILTER_H

#include "util/lib/error.h"
#include "util/lib/types.h"

/* 0, or -EINVAL with @err. */
int name_filter__check(const char *filter, struct error *err);

/* Does @name pass? @filter was checked. */
bool name_filter__passes(const char *filter, const char *name);

/* Does the event? A glob with a colon is of "GROUP:EVENT", another one of the event in any group.
 */
bool name_filter__passes_event(const char *filter, const char *group, const char *event);

#endif
