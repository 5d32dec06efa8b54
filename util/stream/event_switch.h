/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Samples between two events: --switch-on EVENT, --switch-off EVENT. Before the first sample of the
 * one and behind that of the other nothing counts, until the first comes again; with one of them
 * the part behind or before its first sample. Two that are the same event are its first and second
 * sample, and so on. The samples that switch do not count themselves, unless they are to be shown.
 */
#ifndef PERF_UTIL_STREAM_EVENT_SWITCH_H
#define PERF_UTIL_STREAM_EVENT_SWITCH_H

#include "util/machine/session.h"
#include "util/stream/sample_filter.h"

struct event_switch {
	const char *on, *off; /* names of events; NULL: not given */
	bool shown;           /* --show-on-off-events */
};

static inline bool event_switch__is_given(const struct event_switch *event_switch)
{
	return event_switch->on || event_switch->off;
}

/*
 * Find the parts of the recording, which was scanned, and let @filter pass no other (.parts.nr 0:
 * none at all). Nothing is done where neither is given. 0; -ENOENT with @err for events that it
 * does not have, -ENODATA for events without times, or what reading says.
 */
int event_switch__find(const struct event_switch *event_switch, const struct session *session,
                       struct sample_filter *filter, struct error *err);

/* The same for samples that come one by one, in the order of time. */
struct event_switcher {
	const struct evsel *on, *off; /* NULL: not given */
	bool shown;
	bool passes; /* what comes now */
};

/* 0; -ENOENT or -ENODATA with @err as above. */
int event_switcher__init(struct event_switcher *switcher, const struct event_switch *event_switch,
                         const struct evlist *evlist, struct error *err);

/* Go on with a sample of @evsel. Returns whether it counts. */
bool event_switcher__pass(struct event_switcher *switcher, const struct evsel *evsel);

#endif
