/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fields of a perf_event_attr as text, for `report --header` and `evlist -v`. Only those that
 * are not zero, in the order and with the names of Linux's perf 6.1.
 */
#ifndef PERF_UTIL_EVENT_ATTR_FIELDS_H
#define PERF_UTIL_EVENT_ATTR_FIELDS_H

#include <linux/perf_event.h>

#include "util/lib/types.h"

/* Calls @fn("config", "0x9") and so on. @value is valid during the call only. */
void attr__fields(const struct perf_event_attr *attr,
                  void (*fn)(void *ctx, const char *name, const char *value), void *ctx);

#endif
