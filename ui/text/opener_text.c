// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/text/opener_text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/term/diag.h"
#include "util/event/attr_fields.h"

static void say_attr_field(void *ctx, const char *name, const char *value)
{
	(void)ctx;
	fprintf(stderr, "  %-32s %s\n", name, value);
}

static const char rule[] = "------------------------------------------------------------\n";

/* An attr is shown when it is another than that of the call before. */
static void say_call(void *ctx, const struct opener_call *call)
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

/* ---- files for the attr tests of Linux's perf ---- */

/* Named event-TYPE-CONFIG-FD, with the fields those tests know, in their order. */
static void write_attr(FILE *to, const struct opener_call *call)
{
	const struct perf_event_attr *attr = call->attr;
	const struct {
		const char *name;
		long long value;
	} rows[] = {
		{ "fd", call->result },
		{ "group_fd", call->group_fd },
		{ "cpu", call->cpu },
		{ "pid", call->pid },
		{ "flags", call->flags },
		{ "type", attr->type },
		{ "size", attr->size },
		{ "config", attr->config },
		{ "sample_period", attr->sample_period },
		{ "sample_type", attr->sample_type },
		{ "read_format", attr->read_format },
		{ "disabled", attr->disabled },
		{ "inherit", attr->inherit },
		{ "pinned", attr->pinned },
		{ "exclusive", attr->exclusive },
		{ "exclude_user", attr->exclude_user },
		{ "exclude_kernel", attr->exclude_kernel },
		{ "exclude_hv", attr->exclude_hv },
		{ "exclude_idle", attr->exclude_idle },
		{ "mmap", attr->mmap },
		{ "comm", attr->comm },
		{ "freq", attr->freq },
		{ "inherit_stat", attr->inherit_stat },
		{ "enable_on_exec", attr->enable_on_exec },
		{ "task", attr->task },
		{ "watermark", attr->watermark },
		{ "precise_ip", attr->precise_ip },
		{ "mmap_data", attr->mmap_data },
		{ "sample_id_all", attr->sample_id_all },
		{ "exclude_host", attr->exclude_host },
		{ "exclude_guest", attr->exclude_guest },
		{ "exclude_callchain_kernel", attr->exclude_callchain_kernel },
		{ "exclude_callchain_user", attr->exclude_callchain_user },
		{ "mmap2", attr->mmap2 },
		{ "comm_exec", attr->comm_exec },
		{ "context_switch", attr->context_switch },
		{ "write_backward", attr->write_backward },
		{ "namespaces", attr->namespaces },
		{ "use_clockid", attr->use_clockid },
		{ "wakeup_events", attr->wakeup_events },
		{ "bp_type", attr->bp_type },
		{ "config1", attr->config1 },
		{ "config2", attr->config2 },
		{ "branch_sample_type", attr->branch_sample_type },
		{ "sample_regs_user", attr->sample_regs_user },
		{ "sample_stack_user", attr->sample_stack_user },
	};

	fprintf(to, "[event-%u-%llu-%d]\n", attr->type, (unsigned long long)attr->config,
	        call->result);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		fprintf(to, "%s=%lld\n", rows[i].name, rows[i].value);
}

static void to_file(void *ctx, const struct opener_call *call)
{
	char path[512];
	FILE *to;

	if (call->result < 0)
		return;
	snprintf(path, sizeof(path), "%s/event-%u-%llu-%d", (const char *)ctx, call->attr->type,
	         (unsigned long long)call->attr->config, call->result);
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

	to = fd < 0 ? NULL : fdopen(fd, "w");
	if (!to) {
		diag__say_warning("PERF_TEST_ATTR: cannot write '%s': %s", path, strerror(errno));
		return;
	}
	write_attr(to, call);
	fclose(to);
}

void opener_text__tell(struct opener *opener, struct opener_text *text, bool verbose)
{
	char *folder = getenv("PERF_TEST_ATTR");

	if (folder) {
		opener->tried = to_file;
		opener->tried_ctx = folder;
	} else if (verbose) {
		opener->tried = say_call;
		opener->tried_ctx = text;
	}
}
