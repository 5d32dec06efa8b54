// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/opener_text.h"

#include <stdio.h>
#include <string.h>

#include "util/event/attr_fields.h"

static void say_attr_field(void *ctx, const char *name, const char *value)
{
	(void)ctx;
	fprintf(stderr, "  %-32s %s\n", name, value);
}

static const char rule[] = "------------------------------------------------------------\n";

/* An attr is shown when it is another than that of the call before. */
void opener_text__tried(void *ctx, const struct opener_call *call)
{
	struct opener_text *text = ctx;

	if (memcmp(&text->told, call->attr, sizeof(text->told)) != 0 || call->result < 0) {
		fprintf(stderr, "%sperf_event_attr:\n", rule);
		attr__fields(call->attr, say_attr_field, NULL);
		fputs(rule, stderr);
	}
	memcpy(&text->told, call->attr, sizeof(text->told));
	fprintf(stderr, "sys_perf_event_open: pid %d  cpu %d  group_fd %d  flags %#lx", call->pid,
	        call->cpu, call->group_fd, call->flags);
	if (call->result >= 0)
		fprintf(stderr, " = %d\n", call->result);
	else
		fprintf(stderr, "\nsys_perf_event_open failed, error %d\n", call->result);
}
