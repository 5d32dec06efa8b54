// SPDX-License-Identifier: GPL-2.0-or-later
/* Messages about the formats of tracepoints. */
#include <stdio.h>

#include "ui/script/script_private.h"
#include "ui/term/diag.h"
#include "util/lib/text.h"

static void say_unparsed(const struct trace_text_slow *slow, const char *name)
{
	if (*slow->function)
		diag__say_warning("the format of '%s' calls '%s', which is not known here; "
		                  "its samples are shown as raw fields",
		                  name, slow->function);
	else
		diag__say_warning("the format of '%s' cannot be parsed; "
		                  "its samples are shown as raw fields",
		                  name);
}

/* "sched:sched_switch", as text that a terminal can show. */
static void name_event(const struct trace_event *event, char *name, size_t size)
{
	char system[64], own[64];

	text__printable(system, sizeof(system), event->system);
	text__printable(own, sizeof(own), event->name);
	snprintf(name, size, "%s:%s", system, own);
}

void script__say_formats(const struct script *script, bool all)
{
	struct trace_text_slow slow;
	u64 nr_events = 0, nr_samples = 0;
	char name[130];

	for (u32 i = 0; trace_text__slow(script->trace, i, &slow); i++) {
		name_event(slow.event, name, sizeof(name));
		if (slow.unparsed && slow.nr)
			say_unparsed(&slow, name);
		nr_events += slow.why != NULL;
		nr_samples += slow.nr;
		if (all && slow.why)
			diag__line("'%s' has %s: libtraceevent printed %llu samples", name,
			           slow.why, (unsigned long long)slow.nr);
	}
	if (all && script->trace)
		diag__line("%llu events without a compiled format, %llu samples",
		           (unsigned long long)nr_events, (unsigned long long)nr_samples);
}
