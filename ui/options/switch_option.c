// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/options/switch_option.h"

#include "ui/term/diag.h"

void switch_option__say(const struct event_switch *event_switch, const struct sample_filter *filter)
{
	if (filter->in_parts && !filter->parts.nr)
		diag__say_warning("nothing is shown: no sample of '%s' switches it on",
		                  event_switch->on ? event_switch->on : event_switch->off);
}
