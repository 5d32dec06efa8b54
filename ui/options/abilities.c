// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/options/abilities.h"

#include <string.h>

#include "util/lib/text.h"

#define LINE_WIDTH 100

/* A comma list that is broken before it gets too wide. */
struct list {
	struct out *out;
	size_t column;
	bool any;
};

static void list__add(struct list *list, const char *text)
{
	size_t len = strlen(text);

	if (list->any)
		out__char(list->out, ',');
	if (list->column + len + 2 > LINE_WIDTH) {
		out__str(list->out, "\n    ");
		list->column = 4;
	} else {
		out__char(list->out, ' ');
		list->column++;
	}
	out__str(list->out, text);
	list->column += len + 1;
	list->any = true;
}

void abilities__print_can(struct out *out, const struct finding *findings, u32 nr)
{
	struct list list = { .out = out, .column = strlen("You can:") };

	out__str(out, "You can:");
	for (u32 i = 0; i < nr; i++)
		if (findings[i].state == FACILITY_WORKS && findings[i].facility->can)
			list__add(&list, findings[i].facility->can);
	if (!list.any)
		out__str(out, " read recordings that others made");
	out__char(out, '\n');
}

static bool is_hindrance(const struct finding *finding)
{
	return finding->state != FACILITY_WORKS && finding->facility->can;
}

void abilities__print_cannot(struct out *out, const struct finding *findings, u32 nr)
{
	for (u32 i = 0; i < nr; i++) {
		const struct finding *first = &findings[i];
		struct list list = { .out = out, .column = strlen("You cannot:") };
		bool done = !is_hindrance(first);

		for (u32 j = 0; j < i && !done; j++)
			done = is_hindrance(&findings[j]) &&
			       !strcmp(findings[j].reason.cause, first->reason.cause);
		if (done)
			continue;
		out__str(out, "You cannot:");
		for (u32 j = i; j < nr; j++)
			if (is_hindrance(&findings[j]) &&
			    !strcmp(findings[j].reason.cause, first->reason.cause))
				list__add(&list, findings[j].facility->can);
		out__str(out, ",\n    because ");
		out__str(out, first->reason.cause);
		out__char(out, '\n');
		if (first->reason.fix[0])
			out__printf(out, "    to change it: %s\n", first->reason.fix);
	}
}

#define NEEDS_MAX 12

/* The facilities that a command needs for some of what it does; NULL: nothing here hinders it. */
static const char *const *needs_of(const char *const *usage)
{
	static const struct {
		const char *command, *facilities[NEEDS_MAX];
	} rows[] = {
		{ "perf record ",
		  { "software-events", "cpu-counters", "kernel", "system-wide", "other-processes",
		    "breakpoints", "raw-tracepoints", "uprobes", "sample-filters", "ftrace", "bpf",
		    "rings" } },
		{ "perf stat ",
		  { "software-events", "cpu-counters", "kernel", "system-wide", "other-processes",
		    "breakpoints", "tracepoints", "uprobes" } },
		{ "perf list ", { "cpu-counters", "tracepoints" } },
		{ "perf probe ", { "kprobes", "uprobes", "vmlinux" } },
		{ "perf kmem ", { "system-wide", "raw-tracepoints", "kallsyms", "rings" } },
		{ "perf report ", { "kallsyms", "vmlinux" } },
		{ "perf script ", { "kallsyms", "vmlinux" } },
		{ "perf annotate ", { "kallsyms", "vmlinux" } },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (text__starts_with(usage[0], rows[i].command))
			return rows[i].facilities;
	return NULL;
}

static bool is_needed(const char *const *needs, const char *name)
{
	for (u32 i = 0; i < NEEDS_MAX && needs[i]; i++)
		if (!strcmp(needs[i], name))
			return true;
	return false;
}

void abilities__print_lacks(FILE *to, const char *const *usage)
{
	const char *const *needs = needs_of(usage);
	struct finding findings[NEEDS_MAX];
	struct doctor doctor;
	struct out out;
	u32 nr = 0;

	if (!needs)
		return;
	fflush(to); /* probing takes a while: the kernel is slow to close tracepoints */
	doctor__init(&doctor, "");
	for (u32 i = 0; i < doctor__nr() && nr < NEEDS_MAX; i++)
		if (is_needed(needs, doctor__facility(i)->name))
			doctor__probe(&doctor, doctor__facility(i), &findings[nr++]);
	doctor__exit(&doctor);
	out__init(&out, -1);
	abilities__print_cannot(&out, findings, nr);
	if (out.len)
		fprintf(to, "What this machine lacks for it\n%s\n", out__take(&out));
	out__exit(&out);
}
