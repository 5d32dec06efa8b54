// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/text/doctor.h"

#include <string.h>

#include "ui/options/abilities.h"
#include "util/lib/json.h"

#define NAME_WIDTH  17
#define STATE_WIDTH 11

/* ---- text ---- */

static void print_line(const struct finding *finding, struct out *out)
{
	bool works = finding->state == FACILITY_WORKS;

	out__str(out, "  ");
	out__left(out, finding->facility->name, NAME_WIDTH);
	out__left(out, finding__state(finding), STATE_WIDTH);
	out__str(out, works ? finding->proof : finding->reason.cause);
	out__char(out, '\n');
}

void doctor_report__print(const struct doctor_report *report, struct out *out)
{
	const char *group = "";

	abilities__print_can(out, report->findings, report->nr);
	abilities__print_cannot(out, report->findings, report->nr);
	for (u32 i = 0; i < report->nr; i++) {
		if (strcmp(group, report->findings[i].facility->group)) {
			group = report->findings[i].facility->group;
			out__printf(out, "\n%s\n", group);
		}
		print_line(&report->findings[i], out);
	}
}

static void print_detail(struct out *out, const char *label, const char *text)
{
	if (!*text)
		return;
	out__str(out, "  ");
	out__left(out, label, 10);
	out__str(out, text);
	out__char(out, '\n');
}

void doctor_report__print_details(const struct doctor_report *report, struct out *out)
{
	for (u32 i = 0; i < report->nr; i++) {
		const struct finding *finding = &report->findings[i];
		bool works = finding->state == FACILITY_WORKS;

		out__printf(out, "%s%s: %s\n", i ? "\n" : "", finding->facility->name,
		            finding__state(finding));
		print_detail(out, "what", finding->facility->meaning);
		print_detail(out, "proof", finding->proof);
		print_detail(out, "cause", finding->reason.cause);
		print_detail(out, works ? "change" : "fix", finding->reason.fix);
		print_detail(out, "without", works ? "" : finding->facility->without);
	}
}

/* ---- JSON ---- */

static void put_member(struct out *out, const char *key, const char *value)
{
	out__printf(out, ", \"%s\": ", key);
	json__string(out, value && *value ? value : NULL);
}

void doctor_report__print_json(const struct doctor_report *report, struct out *out)
{
	out__printf(out, "{\"own-programs\": %s, \"facilities\": [\n",
	            report->own_programs ? "true" : "false");
	for (u32 i = 0; i < report->nr; i++) {
		const struct finding *finding = &report->findings[i];
		const struct facility *facility = finding->facility;

		out__str(out, "{\"name\": ");
		json__string(out, facility->name);
		put_member(out, "group", facility->group);
		put_member(out, "state", finding__state(finding));
		put_member(out, "what", facility->meaning);
		put_member(out, "can", facility->can);
		put_member(out, "proof", finding->proof);
		put_member(out, "cause", finding->reason.cause);
		put_member(out, "fix", finding->reason.fix);
		put_member(out, "without", facility->without);
		out__str(out, i + 1 < report->nr ? "},\n" : "}\n");
	}
	out__str(out, "]}\n");
}
