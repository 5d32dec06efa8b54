/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why a print format could not be parsed: the function of the kernel that it calls. */
#ifndef PERF_UTIL_TRACE_TRACE_UNKNOWN_H
#define PERF_UTIL_TRACE_TRACE_UNKNOWN_H

#include <stddef.h>

struct trace_event;

/*
 * The first function in the print format of @event that libtraceevent does not know, into @name of
 * @size bytes; "" if it calls none.
 */
void trace_unknown__function(const struct trace_event *event, char *name, size_t size);

#endif
