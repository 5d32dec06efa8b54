/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options --switch-on, --switch-off, --show-on-off-events: samples between two events. */
#ifndef PERF_UI_OPTIONS_SWITCH_OPTION_H
#define PERF_UI_OPTIONS_SWITCH_OPTION_H

#include "util/options/options.h"
#include "util/stream/event_switch.h"

#define OPT_EVENT_SWITCH(value_)                                                                   \
	OPT_STRING(0, "switch-on", &(value_)->on, "event", "start using samples at this event"),   \
	        OPT_STRING(0, "switch-off", &(value_)->off, "event",                               \
	                   "stop using samples at this event"),                                    \
	        OPT_BOOL(0, "show-on-off-events", &(value_)->shown,                                \
	                 "include the samples of --switch-on and --switch-off")

/* Warn where @filter has no part to be shown: the first event never came. */
void switch_option__say(const struct event_switch *event_switch,
                        const struct sample_filter *filter);

#endif
